package policy_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// planted is what no client may see under strict, by what it is.
var planted = map[string]string{
	"account": "123456789012", "arn": "arn:aws:ec2:eu-west-1:123456789012:instance/i-0abcdef1234567890",
	"id": "i-0abcdef1234567890", "private_ip": "10.20.30.40", "owner": "ada.lovelace@corp.example", "name": "web-prod-1",
}

const plantedDoc = `{"id":"i-0abcdef1234567890","name":"web-prod-1","account_id":"123456789012",` +
	`"arn":"arn:aws:ec2:eu-west-1:123456789012:instance/i-0abcdef1234567890","private_ip":"10.20.30.40",` +
	`"tags":{"owner":"ada.lovelace@corp.example"},"note":"web-prod-1 answers on 10.20.30.40"}`

// serve mounts the layer on a server of the SDK; each call of what it returns connects a
// client for a principal.
func (d *desk) serve(t *testing.T) func(who *mcplayer.Principal) *mcp.ClientSession {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "desk", Version: "1"}, nil)
	if err := d.Mount(server, nil); err != nil {
		t.Fatal(err)
	}
	return func(who *mcplayer.Principal) *mcp.ClientSession {
		t.Helper()
		ctx, cancel := context.WithCancel(mcplayer.WithPrincipal(context.WithoutCancel(t.Context()), who))
		here, there := mcp.NewInMemoryTransports()
		done := make(chan struct{})
		go func() {
			defer close(done)
			_ = d.Run(ctx, server, there)
		}()
		t.Cleanup(func() { cancel(); <-done })
		session, err := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, nil).Connect(t.Context(), here, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = session.Close() })
		return session
	}
}

// sent returns what a client got as JSON.
func sent(t *testing.T, got any) string {
	t.Helper()
	doc, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	return string(doc)
}

func calls(t *testing.T, s *mcp.ClientSession, tool, args string) *mcp.CallToolResult {
	t.Helper()
	res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(args)})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func hidesPlanted(t *testing.T, what, doc string) {
	t.Helper()
	for name, value := range planted {
		if strings.Contains(doc, value) {
			t.Errorf("%s shows the %s: %s", what, name, doc)
		}
	}
}

// TestMountedStrict leads what a client got from one call back through each kind of
// request.
func TestMountedStrict(t *testing.T) {
	d := newDesk(t, "strict", mcplayer.Hints{})
	s := d.serve(t)(d.who)
	d.shows = plantedDoc
	res := calls(t, s, "show", "{}")
	hidesPlanted(t, "the result", sent(t, res))
	shown := sent(t, res.StructuredContent)
	text := res.Content[0].(*mcp.TextContent).Text
	names := parts(t, shown)
	for _, member := range []string{"id", "name", "account_id", "arn", "private_ip"} {
		if names[member] == "" || !strings.Contains(text, names[member]) {
			t.Errorf("the text does not show the %s %s: %s", member, names[member], text)
		}
	}

	calls(t, s, "ask", shown)
	if got, want := parts(t, d.asked), parts(t, plantedDoc); sent(t, got) != sent(t, want) {
		t.Errorf("a tool gets %s", d.asked)
	}

	uri := "assets://" + names["account_id"] + "/" + names["id"]
	read, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		t.Fatal(err)
	}
	hidesPlanted(t, "the resource", sent(t, read))
	same(t, d.asked, `{"account":"123456789012","id":"i-0abcdef1234567890"}`)

	prompt, err := s.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "explain", Arguments: map[string]string{"asset": names["arn"] + " on " + names["private_ip"]}})
	if err != nil {
		t.Fatal(err)
	}
	hidesPlanted(t, "the prompt", sent(t, prompt))
	same(t, d.asked, `{"asset":"arn:aws:ec2:eu-west-1:123456789012:instance/i-0abcdef1234567890 on 10.20.30.40"}`)

	d.shows = `["10.20.30.40"]`
	completed, err := s.Complete(t.Context(), &mcp.CompleteParams{
		Ref: &mcp.CompleteReference{Type: "ref/prompt", Name: "explain"}, Argument: mcp.CompleteParamsArgument{Name: "asset", Value: names["name"]},
	})
	if err != nil {
		t.Fatal(err)
	}
	same(t, sent(t, completed.Completion.Values), sent(t, []string{names["private_ip"]}))
	if !strings.Contains(d.asked, `"web-prod-1"`) {
		t.Errorf("a completion gets %s", d.asked)
	}
}

// TestMountedNamespaces: what one caller was shown means nothing from another.
func TestMountedNamespaces(t *testing.T) {
	d := newDesk(t, `{"extends":"strict","vault":{"namespace":"principal"}}`, mcplayer.Hints{})
	connect := d.serve(t)
	ann, ben := connect(mcplayer.NewPrincipal("ann", "default")), connect(mcplayer.NewPrincipal("ben", "default"))
	d.shows = plantedDoc
	names := parts(t, sent(t, calls(t, ann, "show", "{}").StructuredContent))
	others := parts(t, sent(t, calls(t, ben, "show", "{}").StructuredContent))
	args := sent(t, map[string]string{"id": names["id"], "name": names["name"], "account_id": names["account_id"]})
	calls(t, ben, "ask", args)
	same(t, sent(t, parts(t, d.asked)), sent(t, parts(t, args)))
	calls(t, ann, "ask", args)
	same(t, sent(t, parts(t, d.asked)), `{"account_id":"123456789012","id":"i-0abcdef1234567890","name":"web-prod-1"}`)
	for _, member := range []string{"id", "name", "account_id"} {
		if names[member] == others[member] {
			t.Errorf("both see the %s %s", member, names[member])
		}
	}
}

// TestMountedErrors: errors of handlers pass the pipeline too.
func TestMountedErrors(t *testing.T) {
	d := newDesk(t, "strict", mcplayer.Hints{})
	mcplayer.AddTool(d.Registry(), mcplayer.Tool{Name: "fail", Capabilities: mcplayer.ReadState},
		func(context.Context, *mcplayer.ToolContext, struct{}) (any, error) {
			return nil, mcplayer.InvalidArguments("the account 123456789012 has no 10.20.30.40", nil)
		})
	s := d.serve(t)(d.who)
	res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "fail", Arguments: json.RawMessage("{}")})
	if err != nil || !res.IsError {
		t.Fatalf("%v, %v", res, err)
	}
	hidesPlanted(t, "the error", sent(t, res))
	if text := res.Content[0].(*mcp.TextContent).Text; !strings.Contains(text, "the account ") || !strings.Contains(text, " has no 10.") {
		t.Errorf("told %s", text)
	}
}

// TestMountedPrivacyTools: who lists, uses and reads what AddPrivacyTools adds.
func TestMountedPrivacyTools(t *testing.T) {
	d, _ := private(t, socAnalyst)
	connect := d.serve(t)
	low, high := connect(analyst), connect(lead)
	for _, tt := range []struct {
		who  *mcp.ClientSession
		want string
	}{
		{low, "ask list_detectors preview_transform privacy_status show"},
		{high, "ask list_detectors preview_transform privacy_audit_log privacy_status reveal_token show"},
	} {
		list, err := tt.who.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, tool := range list.Tools {
			names = append(names, tool.Name)
		}
		slices.Sort(names)
		same(t, strings.Join(names, " "), tt.want)
	}

	d.shows = `{"account_id":"333333333334","name":"web-1"}`
	pseudonym := parts(t, sent(t, calls(t, low, "show", "{}").StructuredContent))["name"]
	args := sent(t, map[string]string{"pseudonym": pseudonym})
	same(t, sent(t, calls(t, high, "reveal_token", args).StructuredContent), `{"pseudonym":"`+pseudonym+`","value":"web-1"}`)
	res, err := low.CallTool(t.Context(), &mcp.CallToolParams{Name: "reveal_token", Arguments: json.RawMessage(args)})
	absent, absentErr := low.CallTool(t.Context(), &mcp.CallToolParams{Name: "nothing", Arguments: json.RawMessage(args)})
	same(t, strings.ReplaceAll(answer(t, res, err), "reveal_token", "nothing"), answer(t, absent, absentErr))

	list, err := low.ListResources(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var uris []string
	for _, r := range list.Resources {
		uris = append(uris, r.URI)
	}
	slices.Sort(uris)
	same(t, strings.Join(uris, " "), "cloudg://policy cloudg://privacy/detectors")
	for _, uri := range uris {
		read, err := low.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err != nil {
			t.Fatal(err)
		}
		if doc := read.Contents[0].Text; !json.Valid([]byte(doc)) || strings.Contains(sent(t, read), vaultKey) || strings.Contains(doc, url.QueryEscape(vaultKey)) {
			t.Errorf("%s is %s", uri, doc)
		}
	}
}

// answer is what a client got, an error with its code.
func answer(t *testing.T, res *mcp.CallToolResult, err error) string {
	t.Helper()
	if wire, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return sent(t, wire)
	}
	if err != nil {
		t.Fatal(err)
	}
	return sent(t, res)
}

// TestMountedPreview: a preview uses other names than the caller is shown and leaves none
// behind.
func TestMountedPreview(t *testing.T) {
	d, _ := private(t, "strict")
	s := d.serve(t)(d.who)
	d.shows = plantedDoc
	names := parts(t, sent(t, calls(t, s, "show", "{}").StructuredContent))
	before := vaultEntries(t, s)
	var preview struct {
		After string `json:"after"`
	}
	doc := sent(t, calls(t, s, "preview_transform", sent(t, map[string]string{"text": plantedDoc})).StructuredContent)
	if err := json.Unmarshal([]byte(doc), &preview); err != nil {
		t.Fatal(err)
	}
	hidesPlanted(t, "the preview", preview.After)
	after := parts(t, preview.After)
	for _, member := range []string{"id", "name", "account_id", "arn"} {
		if after[member] == "" || after[member] == names[member] {
			t.Errorf("the preview shows the %s %s", member, after[member])
		}
	}
	live := sent(t, calls(t, s, "preview_transform", sent(t, map[string]string{"text": names["name"]})))
	hidesPlanted(t, "the preview of a pseudonym", live)
	calls(t, s, "ask", sent(t, map[string]string{"name": after["name"]}))
	same(t, d.asked, `{"name":"`+after["name"]+`"}`)
	if now := vaultEntries(t, s); now != before || before == 0 {
		t.Errorf("the vault had %d entries, has %d", before, now)
	}
}

// vaultEntries returns how many pseudonyms a client is told there are.
func vaultEntries(t *testing.T, s *mcp.ClientSession) int {
	t.Helper()
	var status struct {
		Vault struct {
			Entries int `json:"entries"`
		} `json:"vault"`
	}
	if err := json.Unmarshal([]byte(sent(t, calls(t, s, "privacy_status", "{}").StructuredContent)), &status); err != nil {
		t.Fatal(err)
	}
	return status.Vault.Entries
}

// TestMountedExpired: a pseudonym that was not used for too long is refused; what never
// was one passes.
func TestMountedExpired(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, `{"extends":"strict","vault":{"ttl_seconds":60}}`, mcplayer.Hints{})
		s := d.serve(t)(d.who)
		d.shows = plantedDoc
		name := parts(t, sent(t, calls(t, s, "show", "{}").StructuredContent))["name"]
		time.Sleep(60 * time.Second)
		calls(t, s, "ask", `{"name":"`+name+`"}`)
		same(t, d.asked, `{"name":"web-prod-1"}`)
		time.Sleep(61 * time.Second)
		d.asked = "nothing"
		res := calls(t, s, "ask", `{"name":"`+name+`"}`)
		same(t, d.asked, "nothing")
		if doc := sent(t, res); !res.IsError || !strings.Contains(doc, "the name '"+name+"' is refused: it has expired") {
			t.Errorf("told %s", doc)
		}
		calls(t, s, "ask", `{"name":"res-0123456789"}`)
		same(t, d.asked, `{"name":"res-0123456789"}`)
		_ = s.Close()
	})
}
