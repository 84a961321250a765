package pipeline_test

import (
	"encoding/base64"
	"errors"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/pipeline"
	"github.com/go-json-experiment/json/jsontext"
)

// guarded leads arguments through a guard.
func guarded(t *testing.T, opts options, args string) (string, error) {
	t.Helper()
	out, err := build(t, "guard_secrets", opts).Begin(t.Context(), mcplayer.CallInfo{}).JSON([]byte(args))
	return string(out), err
}

// hidden returns a text with an invisible character after its third byte.
func hidden(s string) string { return s[:3] + "\u200b" + s[3:] }

func TestGuardRefuses(t *testing.T) {
	deep := `{"query":"x","in":[{"note":"use ` + ghToken + `"}]}`
	tests := []struct {
		name, args string
		entities   []string
		pointers   []string // and detectors
	}{
		{"a token", `{"note":"use ` + ghToken + `"}`, []string{"api_token"}, []string{"/note github_token"}},
		{"deep inside", deep, []string{"api_token"}, []string{"/in/0/note github_token"}},
		{"JSON in a string", `{"body":"{\"in\":[\"` + ghToken + `\"]}"}`, []string{"api_token"}, []string{"/body/in/0 github_token"}},
		{"JSON in a string in a string", `{"body":"\"{\\\"in\\\":\\\"` + ghToken + `\\\"}\""}`, []string{"api_token"}, []string{"/body/in github_token"}},
		{"a name", `{"a":{"` + ghToken + `":1}}`, []string{"api_token"}, []string{"/a/[REDACTED:api_token] github_token"}},
		{
			"inside a name", `{"` + ghToken + `":{"x/y~":"postgres://me:hunter22@db/x"}}`,
			[]string{"api_token", "password"},
			[]string{"/[REDACTED:api_token] github_token", "/[REDACTED:api_token]/x~1y~0 url_credentials"},
		},
		{"a sensitive argument", `{"password":"hunter22"}`, []string{"secret_value"}, []string{"/password sensitive_key"}},
		{"a sensitive number", `{"db":{"adminPassword":12345678}}`, []string{"secret_value"}, []string{"/db/adminPassword sensitive_key"}},
		{
			"inside a sensitive argument", `{"credentials":{"user":"ada","l":["y"]}}`,
			[]string{"secret_value"},
			[]string{"/credentials/user sensitive_key", "/credentials/l/0 sensitive_key"},
		},
		{"JSON in a sensitive argument", `{"auth":"{\"a\":\"b\"}"}`, []string{"secret_value"}, []string{"/auth/a sensitive_key"}},
		{"a variable", `{"env":[{"name":"DB_PASSWORD","value":"hunter22"}]}`, []string{"secret_value"}, []string{"/env/0/value sensitive_key"}},
		{"a hidden name", `{"pass\u200bword":"hunter22"}`, []string{"secret_value"}, []string{"/pass\u200bword sensitive_key"}},
		{"invisible characters", `{"q":"` + hidden(ghToken) + `"}`, []string{"api_token"}, []string{"/q github_token"}},
		{"a fence inside", `{"q":"` + ghToken[:9] + `⟦untrusted⟧` + ghToken[9:] + `"}`, []string{"api_token"}, []string{"/q github_token"}},
		{"base64", `{"q":"` + base64.StdEncoding.EncodeToString([]byte("the token is "+ghToken)) + `"}`, []string{"api_token"}, []string{"/q github_token"}},
		{"base64 for URLs in a text", `{"q":"see ` + base64.RawURLEncoding.EncodeToString([]byte("??>>"+ghToken+"??")) + `."}`, []string{"api_token"}, []string{"/q github_token"}},
		{"percent", `{"q":"` + percent(ghToken) + `"}`, []string{"api_token"}, []string{"/q github_token"}},
		{"a query", `{"q":"x?` + url.QueryEscape("a=b") + `&password=hunter2222"}`, []string{"secret_value"}, []string{"/q secret_assignment"}},
		{"two kinds", `{"b":"` + ghToken + `","a":"password=hunter2222"}`, []string{"api_token", "secret_value"}, []string{"/b github_token", "/a secret_assignment"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := guarded(t, nil, tt.args)
			e, ok := errors.AsType[*mcplayer.Error](err)
			if !ok || !errors.Is(err, mcplayer.ErrInvalidArguments) || e.Code != mcplayer.CodeInvalidParams {
				t.Fatalf("not refused: %v", err)
			}
			want := "Arguments appear to contain secrets (" + strings.Join(tt.entities, ", ") + "); refusing to process them. Pass resource references, never credentials."
			if e.Message != want {
				t.Errorf("message %s\nwant    %s", e.Message, want)
			}
			data := e.Data.(map[string]any)
			var found []string
			for _, f := range data["findings"].([]map[string]any) {
				found = append(found, f["pointer"].(string)+" "+f["detector"].(string))
			}
			if !reflect.DeepEqual(data["entities"], tt.entities) || !reflect.DeepEqual(found, tt.pointers) {
				t.Errorf("data %v", data)
			}
		})
	}
}

func percent(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		const digits = "0123456789ABCDEF"
		b.WriteString("%" + string(digits[c>>4]) + string(digits[c&15]))
	}
	return b.String()
}

func TestGuardLetsPass(t *testing.T) {
	for _, args := range []string{
		`{}`, `{"password":"","token":null,"auth":{},"secret":[],"cookie":false,"api_key":"${API_KEY}"}`, `{"next_token":"eyJhIjoxfQ","page_token":"x1"}`,
		`{"account_id":"111122223333","key":"` + keyID + `"}`, `{"q":"9NZ6mZ2Qv0Yx1m3b5cT7uJ8kL0pQ2rS4tU6vW8xY0z"}`, `{"max_tokens":4096,"auth_mode":"basic"}`,
		`{"q":"password reset for the token service"}`,
	} {
		if out, err := guarded(t, nil, args); err != nil || out != args {
			t.Errorf("%s: %s, %v", args, out, err)
		}
	}
}

func TestGuardOptions(t *testing.T) {
	both := `{"query":{"password":"hunter22","l":[{"code":"` + ghToken + `"}]},"note":"` + ghToken + `"}`
	tests := []struct {
		name    string
		opts    options
		args    string
		refused string // pointers
	}{
		{"exempt", options{"exempt": []any{"query.password", "query.l.code"}}, both, "/note"},
		{"exempt with all inside", options{"exempt": "query"}, both, "/note"},
		{"exempt anywhere", options{"exempt": "**.note"}, both, "/query/password /query/l/0/code"},
		{"exempt something else", options{"exempt": "code"}, both, "/query/password /query/l/0/code /note"},
		{"credentials", options{"categories": []any{"credential"}}, `{"a":"` + keyID + `","password":"hunter22"}`, "/a"},
		{"both", options{"categories": []any{"credential", "secret"}}, `{"a":"` + keyID + `","password":"hunter22"}`, "/a /password"},
		{"guesses", options{"min_confidence": 0.5}, `{"q":"9NZ6mZ2Qv0Yx1m3b5cT7uJ8kL0pQ2rS4tU6vW8xY0z"}`, "/q"},
		{"off", options{"disabled_detectors": []any{"github_token"}}, both, "/query/password"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := guarded(t, tt.opts, tt.args)
			e, ok := errors.AsType[*mcplayer.Error](err)
			if !ok {
				t.Fatalf("not refused: %v", err)
			}
			var found []string
			for _, f := range e.Data.(map[string]any)["findings"].([]map[string]any) {
				found = append(found, f["pointer"].(string))
			}
			if got := strings.Join(found, " "); got != tt.refused {
				t.Errorf("refused %s, want %s", got, tt.refused)
			}
		})
	}
}

func TestGuardRedacts(t *testing.T) {
	doc := `{"a":"use ` + ghToken + ` now","password":"hunter22","l":["` + base64.StdEncoding.EncodeToString([]byte("it is "+ghToken)) + `","` + hidden(ghToken) + `"],"` +
		ghToken + `":1,"s":"{\"token\":7}","free":"` + ghToken + `"}`
	out, report := run(t, build(t, "guard_secrets", options{"action": "redact", "exempt": "free"}), doc)
	want := `{"a":"use [REDACTED:api_token] now","password":"[REDACTED:secret_value]","l":["[REDACTED:api_token]","[REDACTED:api_token]"],"[REDACTED:api_token]#3":1,` +
		`"s":"{\"token\":\"[REDACTED:secret_value]\"}","free":"` + ghToken + `"}`
	if out != want {
		t.Errorf("got  %s\nwant %s", out, want)
	}
	if !reflect.DeepEqual(report, mcplayer.Report{"redacted_arguments": 6}) {
		t.Errorf("reported %v", report)
	}
}

func TestGuardSeesArgumentsAsReceived(t *testing.T) {
	vault := &namesInMemory{}
	name, _ := vault.AppendPseudonym(nil, "", "x", []byte(ghToken))
	p, err := pipeline.NewBuilder(&pipeline.BuilderOptions{Pseudonyms: vault}).
		Build([]pipeline.Spec{{Type: "depseudonymise"}, {Type: "secret_guard"}})
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.Begin(t.Context(), mcplayer.CallInfo{}).JSON([]byte(`{"q":"` + string(name) + `"}`))
	if string(out) != `{"q":"`+ghToken+`"}` || err != nil {
		t.Errorf("got %s, %v", out, err)
	}
}

func TestGuardOptionMistakes(t *testing.T) {
	_, err := pipeline.NewBuilder(nil).Build([]pipeline.Spec{{Type: "reject_secrets", Options: options{
		"action": "log", "categories": "secrets", "min_confidence": -1, "exempt": "a..b", "nope": 1,
	}}})
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		"option action: must be reject or redact", `option categories: "secrets" is none; there are credential, identifier, network, pii, secret, temporal`,
		"option min_confidence: must be a number from 0 to 1", `option exempt: "a..b": a segment is empty`, "option nope: unknown",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("not told: %s\n%v", want, err)
		}
	}
}

// FuzzGuard checks that what a guard lets pass after taking secrets out is valid
// JSON in which it finds no more.
func FuzzGuard(f *testing.F) {
	f.Add([]byte(`{"a":"` + ghToken + `","password":"hunter22","` + ghToken + `":["` + percent(ghToken) + `"]}`))
	f.Add([]byte(`["` + base64.StdEncoding.EncodeToString([]byte("x "+ghToken)) + `","⟦untrusted⟧ password=hunter2222 ⟦/untrusted⟧","%zz%4"]`))
	takes, refuses := build(f, "guard_secrets", options{"action": "redact"}), build(f, "guard_secrets", nil)
	f.Fuzz(func(t *testing.T, args []byte) {
		out, err := takes.Begin(t.Context(), mcplayer.CallInfo{}).JSON(args)
		if err != nil {
			return
		}
		if !out.IsValid(jsontext.AllowDuplicateNames(true)) {
			t.Fatalf("%q became %q", args, out)
		}
		if _, err := refuses.Begin(t.Context(), mcplayer.CallInfo{}).JSON(out); err != nil {
			t.Errorf("%q became %q: %v", args, out, err)
		}
	})
}
