package mcplayer_test

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/go-json-experiment/json/jsontext"
)

const slowly = 2 * time.Second

type (
	slowJSON    struct{ N int }
	slowPointer struct{ N int }
	slowStream  struct{ N int }
	slowText    int
	slowAppend  int
	slowString  int
	embedding   struct{ slowJSON }
	inField     struct{ List []map[string]*slowPointer }
	slowKey     map[slowText]int
	list        struct{ Next *list }
)

func (slowJSON) MarshalJSON() ([]byte, error) { time.Sleep(slowly); return []byte("1"), nil }

func (*slowPointer) MarshalJSON() ([]byte, error)        { time.Sleep(slowly); return []byte("1"), nil }
func (slowStream) MarshalJSONTo(*jsontext.Encoder) error { time.Sleep(slowly); return nil }
func (slowText) MarshalText() ([]byte, error)            { time.Sleep(slowly); return []byte("1"), nil }

func (slowAppend) AppendText(b []byte) ([]byte, error) {
	time.Sleep(slowly)
	return append(b, '1'), nil
}
func (slowString) String() string { time.Sleep(slowly); return "1" }

// Encoding a result that runs code of the handler's ends with the timeout, wherever in
// the value that code is.
func TestTimeoutWhileEncoding(t *testing.T) {
	for _, value := range []any{
		slowJSON{},
		&slowJSON{}, &slowPointer{},
		slowStream{},
		slowText(1), slowAppend(1), slowString(1),
		embedding{},
		inField{[]map[string]*slowPointer{{"a": {}}}},
		slowKey{1: 1},
		[1]slowText{},
		[]slowString{1},
		map[string]any{"a": slowJSON{}},
		[]any{slowText(1)},
		struct{ Any any }{slowString(1)},
		[]fmt.Stringer{slowString(1)},
	} {
		t.Run(fmt.Sprintf("%T", value), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLab(t, mcplayer.Options{Timeout: time.Second}, returning("get", value))
				same(t, wireOf(t, l.call(t, "get", nil)), timedOut)
				time.Sleep(slowly)
			})
		})
	}
}

// Types without code of their own give the same with a timeout and without.
func TestPlainTypes(t *testing.T) {
	type asset struct {
		Name  string `json:"name"`
		Seen  time.Time
		From  netip.Addr
		Raw   jsontext.Value
		Tags  []string
		Ports map[int]*float64
	}
	tests := []struct {
		name  string
		value any
		want  string
	}{
		{
			"struct",
			asset{Name: "a<b", Raw: jsontext.Value(`{"x":1}`), From: netip.MustParseAddr("10.0.0.1"), Ports: map[int]*float64{7: new(0.5)}},
			`{"name":"a<b","Seen":"0001-01-01T00:00:00Z","From":"10.0.0.1","Raw":{"x":1},"Tags":[],"Ports":{"7":0.5}}`,
		},
		{"a type inside itself", list{&list{}}, `{"Next":{"Next":null}}`},
		{"scalar", 7, `{"result":7}`},
		{"bytes", []byte("ab"), `{"result":"YWI="}`},
		{"nil pointer", (*asset)(nil), `{"result":null}`},
	}
	for _, tt := range tests {
		for _, timeout := range []time.Duration{-1, time.Minute} {
			t.Run(fmt.Sprint(tt.name, " ", timeout), func(t *testing.T) {
				l := newLab(t, mcplayer.Options{Timeout: timeout}, returning("get", tt.value))
				same(t, string(l.call(t, "get", nil).Structured), tt.want)
			})
		}
	}
}

// A plain value that cannot be encoded is an error, as any other.
func TestPlainTypesThatCannotBeEncoded(t *testing.T) {
	round := &list{}
	round.Next = round
	for _, value := range []any{make(chan int), func() {}, struct{ C chan int }{make(chan int)}, []any{round}, round, complex(1, 2), map[bool]int{true: 1}} {
		t.Run(fmt.Sprintf("%T", value), func(t *testing.T) {
			res := newLab(t, mcplayer.Options{}, returning("get", value)).call(t, "get", nil)
			if !res.IsError || res.Meta["cloudg/error_code"] != "handler_error" {
				t.Errorf("got %+v", res)
			}
		})
	}
}

// tree is a type inside itself: a value may refer to its parts again and again.
type tree struct{ Left, Right *tree }

// What may be endless is not encoded after the handler: the caller can go.
func TestCancelWhileEncoding(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	l := newLab(t, mcplayer.Options{}, tool("get", func(context.Context, *mcplayer.ToolContext, jsontext.Value) (any, error) {
		t := &tree{}
		for range 17 {
			t = &tree{t, t}
		}
		cancel()
		return t, nil
	}))
	if res, err := l.CallTool(ctx, "get", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, %v", res, err)
	}
}
