package policy_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/go-json-experiment/json/jsontext"
)

func TestStrictRoundTrip(t *testing.T) { strictRoundTrip(t, 20_000, 1) }

// strictRoundTrip sends random documents out and every string that a client sees back
// in, with something around it.
func strictRoundTrip(t *testing.T, documents int, seed uint64) {
	t.Helper()
	d := newDesk(t, "strict", mcplayer.Hints{})
	spec, _ := d.Registry().Lookup(mcplayer.KindTool, "ask")
	access, info := d.policy.Bind(spec, d.who), mcplayer.CallInfo{Kind: mcplayer.KindTool, Name: "ask", Spec: spec, Principal: d.who}
	clouds, hidden := newClouds(seed), 0
	for i := range documents {
		doc, err := json.Marshal(map[string]any{"result": clouds.document(4)})
		if err != nil {
			t.Fatal(err)
		}
		shown, err := access.Output.Begin(t.Context(), info).JSON(doc)
		if err != nil {
			t.Fatal(err)
		}
		seen, want := textsOf(t, shown), textsOf(t, doc)
		if len(seen) != len(want) {
			t.Fatalf("%d: %s\nbecame %s", i, doc, shown)
		}
		around := [2]string{clouds.pick(surroundings...), clouds.pick(surroundings...)}
		for k := range seen {
			if seen[k] != want[k] {
				hidden++
			}
			if seen[k][0] != '{' { // not JSON
				seen[k], want[k] = around[0]+seen[k]+around[1], around[0]+want[k]+around[1]
			}
		}
		args, _ := json.Marshal(map[string]any{"v": seen})
		back, err := access.Input.Begin(t.Context(), info).JSON(args)
		if err != nil {
			t.Fatalf("%d: %v for %s", i, err, args)
		}
		got := textsOf(t, back)
		for k := range got {
			if got[k] != want[k] {
				t.Fatalf("%d: the client saw %q\n got %q\nwant %q\nin %s\n%s", i, seen[k], got[k], want[k], doc, shown)
			}
		}
	}
	if hidden < 5*documents {
		t.Errorf("only %d texts were hidden", hidden)
	}
}

// surroundings are what a client writes around what it saw.
var surroundings = []string{"", "", " ", "(", ")", "\"", "'", ",", ";", "=", "&", "\n", "`", "**", "[", "]", "{", "<", ">", "|", "!", "?", "«", "»", " - ", ": ", ". "}

// textsOf returns the texts and long numbers of a document, in its order.
func textsOf(t testing.TB, doc jsontext.Value) (all []string) {
	t.Helper()
	d := jsontext.NewDecoder(strings.NewReader(string(doc)))
	for {
		tok, err := d.ReadToken()
		if err != nil {
			return all
		}
		switch tok.Kind() {
		case '"':
			if kind, n := d.StackIndex(d.StackDepth()); kind == '{' && n%2 == 1 {
				continue // a name: keys are not turned back
			}
			all = append(all, tok.String())
		case '0':
			all = append(all, tok.String())
		}
	}
}
