package policy_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/internal/corpus"
	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestStrictLeaksNothing(t *testing.T) { strictLeaksNothing(t, 400) }

// unlimited is strict without its size budget and without its cuts.
const unlimited = `{"name": "unlimited", "extends": "strict", "transform_options": {"project": {"max_chars": 1000000000}}}`

// strictLeaksNothing looks for what identifies somebody or something in all that comes
// out of strict about an inventory of so many assets.
func strictLeaksNothing(t *testing.T, assets int) {
	t.Helper()
	doc := corpus.Assets(assets, 1)
	hidden := realValues(t, doc)
	never := func(string) bool { return false }
	if len(leaks(hidden, string(doc), never)) == 0 {
		t.Fatal("the test finds nothing at all")
	}
	for _, source := range []string{"strict", unlimited} {
		d := newDesk(t, source, mcplayer.Hints{})
		structured, wire := d.show(t, string(doc))
		checkHidden(t, hidden, structured, d.alsoIssued(t))
		checkHidden(t, hidden, wire, d.alsoIssued(t))
	}
	for name, err := range leakyErrors(t, doc) {
		t.Run(name, func(t *testing.T) { checkHidden(t, hidden, toldOfFailure(t, err), never) })
	}
}

// realValues returns the accounts, ids, ARNs, addresses, owners and names of an
// inventory.
func realValues(t *testing.T, doc []byte) map[string]bool {
	t.Helper()
	var inventory struct {
		Assets []struct {
			ID, Name, ARN string
			AccountID     string `json:"account_id"`
			PrivateIP     string `json:"private_ip"`
			PublicIP      string `json:"public_ip"`
			Tags          struct{ Owner string }
		}
	}
	if err := json.Unmarshal(doc, &inventory); err != nil {
		t.Fatal(err)
	}
	hidden := map[string]bool{}
	for _, a := range inventory.Assets {
		for _, value := range []string{a.ID, a.Name, a.ARN, a.AccountID, a.PrivateIP, a.PublicIP, a.Tags.Owner} {
			hidden[value] = true
		}
	}
	return hidden
}

func checkHidden(t *testing.T, hidden map[string]bool, text string, also func(value string) bool) {
	t.Helper()
	if text == "" {
		t.Error("nothing came out")
	}
	for _, leak := range leaks(hidden, text, also) {
		t.Error(leak)
	}
}

// alsoIssued reports whether a real address is the pseudonym of another one, too: of
// 50,000 addresses of a block some are, by chance. They are refused on the way in.
func (d *desk) alsoIssued(t *testing.T) func(value string) bool {
	return func(value string) bool {
		return strings.HasPrefix(value, "10.") && strings.Contains(d.ask(t, `{"v":"`+value+`"}`), "it is ambiguous: it is a pseudonym and the real name of something else")
	}
}

// leaks returns the first real values in a text, each with what stands around it, but
// those that may also be there for something else.
func leaks(hidden map[string]bool, text string, also func(value string) bool) (found []string) {
	const prefix, most = 5, 5
	lengths := map[string]map[int]bool{} // of values that begin so
	for value := range hidden {
		if lengths[value[:prefix]] == nil {
			lengths[value[:prefix]] = map[int]bool{}
		}
		lengths[value[:prefix]][len(value)] = true
	}
	for i := 0; i+prefix <= len(text) && len(found) < most; i++ {
		for n := range lengths[text[i:i+prefix]] {
			value := text[i:min(len(text), i+n)]
			if hidden[value] && ends(text, i+n) && ends(text, i-1) && !also(value) {
				found = append(found, value+" is in "+text[max(0, i-80):min(len(text), i+80)])
			}
		}
	}
	return found
}

// ends reports whether no letter or digit stands at text[i].
func ends(text string, i int) bool {
	if i < 0 || i >= len(text) {
		return true
	}
	c := text[i]
	return (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z')
}

// leakyErrors are errors that tell about assets.
func leakyErrors(t *testing.T, doc []byte) map[string]error {
	t.Helper()
	var inventory struct {
		Assets []map[string]any `json:"assets"`
	}
	if err := json.Unmarshal(doc, &inventory); err != nil {
		t.Fatal(err)
	}
	a := inventory.Assets[0]
	text := fmt.Sprintf("%s of account %s at %s (%s) belongs to %v", a["arn"], a["account_id"], a["private_ip"], a["public_ip"], a["tags"])
	return map[string]error{
		"plain":   errors.New(text),
		"of ours": &mcplayer.Error{Code: -32000, Message: text, Data: a, Err: errors.New("name " + a["name"].(string))},
		"result":  nil,
	}
}

// toldOfFailure returns what the client of a tool sees that fails; nil stands for a result
// that the handler made.
func toldOfFailure(t *testing.T, failure error) string {
	t.Helper()
	d := newDesk(t, "strict", mcplayer.Hints{})
	mcplayer.AddTool(d.Registry(), mcplayer.Tool{Name: "fail", Capabilities: mcplayer.ReadState}, func(context.Context, *mcplayer.ToolContext, struct{}) (any, error) {
		if failure != nil {
			return nil, failure
		}
		var first struct{ Assets []jsontext.Value }
		if err := json.Unmarshal(corpus.Assets(1, 1), &first); err != nil {
			return nil, err
		}
		asset := string(first.Assets[0])
		return &result.ToolResult{
			IsError: true,
			Content: []mcp.Content{&mcp.TextContent{Text: asset}, &mcp.ResourceLink{URI: "cloudg://assets/web-prod-0", Name: "link", Description: asset}},
			Meta:    result.Meta{"example.com/asset": first.Assets[0]},
		}, nil
	})
	res, err := d.CallTool(t.Context(), "fail", nil, mcplayer.As(d.who))
	if err != nil {
		t.Fatal(err)
	}
	if !res.IsError {
		t.Error("it did not fail")
	}
	return told(res.ToWire(), nil)
}
