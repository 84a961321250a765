package validate_test

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/cloudg/mcplayer/validate"
	"github.com/go-json-experiment/json/jsontext"
)

type Item struct {
	Name string `json:"name" validate:"min=2"`
	Qty  int8   `json:"qty,omitempty" validate:"gt=0"`
}
type Tree struct {
	V    int     `json:"v"`
	Kids []*Tree `json:"kids,omitempty"`
}
type All struct {
	Limit  int               `json:"limit" default:"50" validate:"min=1,max=500" jsonschema:"how many"`
	Color  string            `json:"color,omitempty" validate:"oneof=red green 'dark blue'"`
	Items  []Item            `json:"items,omitempty" validate:"max=3"`
	Labels map[string]string `json:"labels,omitempty" validate:"dive,keys,alpha,endkeys,max=5"`
	When   time.Time         `json:"when,omitzero"`
	Addr   netip.Addr        `json:"addr,omitzero"`
	Wait   time.Duration     `json:"wait,omitempty" validate:"max=1h"`
	Raw    json.RawMessage   `json:"raw,omitempty"`
	Data   []byte            `json:"data,omitempty"`
	Tree   *Tree             `json:"tree"`
	Tags   []string          `json:"tags,omitempty" validate:"unique,dive,email|url"`
	On     *bool             `json:"on"`
}

func TestSmoke(t *testing.T) {
	c, err := validate.For[All](nil)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println(string(c.Schema()))
	for _, doc := range []string{
		``, `null`, `{}`, `{"limit":0,"colour":"x"}`, `{"limit":"7","items":"[{\"name\":\"x\",\"qty\":300}]"}`,
		`{"items":[{"name":"ab"},{"name":"ab"},{"naem":"a"}],"zz":1,"limit":1.5}`, `{"tree":{"v":1,"kids":[{"v":"2"},{"v":true},null]}}`,
		`{"labels":{"a b":"x","c":"toolongvalue"}}`, `{"wait":"2h","addr":"","when":"x","data":"a","on":"true"}`, `{"limit":1e3}`, `"{\"limit\":3}"`, `{"limit":1} x`, `{"limit":`, `[]`,
		`{"limit":1,"limit":2}`, `{"tags":["a@b.c","a@b.c"]}`, `{"tags":["a@b.c","x"]}`, `{"limit":null,"tree":null,"raw":{"a":[1,2]}}`,
	} {
		v, err := c.Decode(jsontext.Value(doc))
		fmt.Printf("%s\n   %+v %v\n", doc, v.Limit, err)
	}
}
