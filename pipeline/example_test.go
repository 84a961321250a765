package pipeline_test

import (
	"context"
	"fmt"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/pipeline"
)

// A transform of one's own walks over all values with a cursor.
func ExampleFunc() {
	prices := pipeline.Func(func(c *pipeline.Cursor) error {
		switch c.Key() {
		case "cents":
			c.Rename("price")
			return c.Set(map[string]any{"amount": c.Text(), "currency": "EUR"})
		case "margin":
			c.Drop()
		}
		return nil
	})

	b := pipeline.NewBuilder(nil)
	err := b.Register("prices", func(*pipeline.Options) (pipeline.Transform, error) { return prices, nil })
	if err != nil {
		panic(err)
	}
	p, err := b.Build([]pipeline.Spec{
		{Type: "prices"},
		{Type: "project", Options: map[string]any{"max_list": 1}},
	})
	if err != nil {
		panic(err)
	}

	pass := p.Begin(context.Background(), mcplayer.CallInfo{})
	out, err := pass.JSON([]byte(`{"items":[{"cents":1999,"margin":0.4},{"cents":5}]}`))
	fmt.Println(string(out), err)
	// Output:
	// {"items":[{"price":{"amount":"1999","currency":"EUR"}},"… 1 more items"]} <nil>
}

// ExampleCursor_Pointer prints where values stand.
func ExampleCursor_Pointer() {
	where := pipeline.Func(func(c *pipeline.Cursor) error {
		if text := c.Text(); text != "" {
			fmt.Println(c.Pointer(), text)
		}
		return nil
	})
	b := pipeline.NewBuilder(nil)
	if err := b.Register("where", func(*pipeline.Options) (pipeline.Transform, error) { return where, nil }); err != nil {
		panic(err)
	}
	p, err := b.Build([]pipeline.Spec{{Type: "where"}})
	if err != nil {
		panic(err)
	}
	_, err = p.Begin(context.Background(), mcplayer.CallInfo{}).JSON([]byte(`{"a/b":[1.50,"x"],"json":"{\"c\":2}"}`))
	fmt.Println(err)
	// Output:
	// /a~1b/0 1.50
	// /a~1b/1 x
	// /json/c 2
	// /json {"c":2}
	// <nil>
}
