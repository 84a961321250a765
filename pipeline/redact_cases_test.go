package pipeline_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/go-json-experiment/json"
)

// TestNamesThatLookSensitive: words and pairs of a name count, not parts of words.
func TestNamesThatLookSensitive(t *testing.T) {
	masked := strings.Fields("apiKey api_key API_KEY X-Api-Key openai_api_key accessToken access_token botToken client_secret user_password passwd Authorization privateKey")
	kept := strings.Fields("turkey hockey keynote keyboard author authority compass tokenizer TOKENIZERS_PARALLELISM max_tokens promptTokens token_type cache_key sort_key secretary passenger keyword")
	const value = "v-123456"
	doc := map[string]any{}
	want := map[string]any{}
	for _, key := range masked {
		doc[key], want[key] = value, "[REDACTED:secret_value]"
	}
	for _, key := range kept {
		doc[key], want[key] = value, value
	}
	p := build(t, "redact", standardRedact())
	check := func(name string, wrapped, want any) {
		t.Helper()
		raw, err := json.Marshal(wrapped)
		if err != nil {
			t.Fatal(err)
		}
		out, _ := run(t, p, string(raw))
		var got any
		if err := json.Unmarshal([]byte(out), &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, %v", name, out, err)
		}
	}
	check("flat", doc, want)
	check("nested", map[string]any{"a": []any{map[string]any{"b": doc}}}, map[string]any{"a": []any{map[string]any{"b": want}}})
	raw, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.Begin(t.Context(), mcplayer.CallInfo{}).Text(string(raw))
	var got map[string]any
	if err != nil || json.Unmarshal([]byte(out), &got) != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("text: %s, %v", out, err)
	}
}

// TestLinesThatAreNoFindings: what only looks like an address, a secret or a card
// stays as it is.
func TestLinesThatAreNoFindings(t *testing.T) {
	p := build(t, "redact", options{"strategies": options{
		"secret": "redact", "credential": "redact", "private_ip": "redact", "public_ip": "redact", "special_ip": "keep", "credit_card": "redact", "email": "redact",
	}})
	for _, line := range []string{
		"agent: BoxSync v3.2.1.204", "std::cout << a::b; cafe::", "listen 0.0.0.0:8080 and [::]:8080", "mac 00:1A:2B:3C:4D:5E at 12:34:56",
		"1.2.3 and 1.2.3.4.5 and 256.300.1.1", `{"id":"3f2b8c1e-9d4a-4e6b-8f70-1a2b3c4d5e6f","title":"Fix login"}`, "commit 5d1f0c7ab2e94836c0d7e1a8f4b3925d6e7c8a90",
		"rowKey=T207-QX-ARRIVAL keyword=Zustand_K4", `SECRET_NAME = "ORDERS-DB-API-KEY"`, "token_count: 1834, max_tokens: 4096",
		"at_millis=1750000000009", `{"done_at":"1718123456705"}`, "snowflake 1812345678901234567", "order 4111111111111112",
	} {
		if out, err := p.Begin(t.Context(), mcplayer.CallInfo{}).Text(line); out != line || err != nil {
			t.Errorf("%s became %s, %v", line, out, err)
		}
	}
	for line, want := range map[string]string{
		"client 198.51.100.23 connected":                        "client [REDACTED:public_ip] connected",
		`[198.51.100.23]:443, (198.51.100.23), "198.51.100.23"`: `[[REDACTED:public_ip]]:443, ([REDACTED:public_ip]), "[REDACTED:public_ip]"`,
		"token " + ghToken:                                      "token [REDACTED:api_token]", "AWS " + keyID: "AWS [REDACTED:aws_access_key_id]",
		"card:6011111111111117;next":                                "card:[REDACTED:credit_card];next",
		"a.one@example.com\nb.two@example.org\r\nc.three@x.example": "[REDACTED:email]\n[REDACTED:email]\r\n[REDACTED:email]",
	} {
		if out, err := p.Begin(t.Context(), mcplayer.CallInfo{}).Text(line); out != want || err != nil {
			t.Errorf("%s became %s, %v", line, out, err)
		}
	}
}
