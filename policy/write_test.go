package policy_test

import (
	"os"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/policy"
	"go.yaml.in/yaml/v4"
)

// again writes a document in both formats and returns what is read of them.
func again(t testing.TB, d *policy.Document) (fromYAML, fromJSON *policy.Document) {
	t.Helper()
	text, err := yaml.Dump(d)
	if err != nil {
		t.Fatalf("writing YAML: %v", err)
	}
	if fromYAML, err = policy.ParseDocument(text, "again.yaml"); err != nil {
		t.Fatalf("written as\n%s\nread as %v", text, err)
	}
	doc := written(t, d)
	if fromJSON, err = policy.ParseDocument([]byte(doc), "again.json"); err != nil {
		t.Fatalf("written as\n%s\nread as %v", doc, err)
	}
	return fromYAML, fromJSON
}

func sameAgain(t testing.TB, d *policy.Document) {
	t.Helper()
	fromYAML, fromJSON := again(t, d)
	want := written(t, d)
	if got := written(t, fromYAML); got != want {
		t.Errorf("from YAML\n%s\nwant\n%s", got, want)
	}
	if got := written(t, fromJSON); got != want {
		t.Errorf("from JSON\n%s\nwant\n%s", got, want)
	}
}

func TestWrittenIsReadAgain(t *testing.T) {
	texts := map[string]string{
		"everything":   everything,
		"nothing":      "{}",
		"empty lists":  "allow_tools: []\ntransforms: []\nroles: {}\nrules: []\nrate_limits: []\ndetectors: []\n",
		"odd texts":    `{"name": "\u0000\u0085\u2028\ufeff: #x\n\t ", "roles": {"~": {}, "yes": {}, "012": {}}}`,
		"words":        "vault: {y: 'n', 'null': '~', '': ' ', '1': '1', '-': '- a', x: \"a\\nb\\n\"}",
		"empty rule":   "rules: [{}]",
		"large number": "vault: {n: 123456789012345678901234567890, f: 1e400, z: -0.0}",
	}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) { sameAgain(t, parsed(t, text)) })
	}
	for _, name := range policy.Profiles() {
		d, err := policy.LoadDocument(name)
		if err != nil {
			t.Fatal(err)
		}
		sameAgain(t, d)
	}
}

func TestFingerprint(t *testing.T) {
	d := parsed(t, "name: x\nroles: {a: {}, b: {}}")
	same := parsed(t, `{"roles": {"a": {}, "b": {}}, "name": "x"}`)
	other := parsed(t, "name: x\nroles: {b: {}, a: {}}")
	if got, want := d.Fingerprint(), "31571c138aa7a5f8"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if same.Fingerprint() != d.Fingerprint() {
		t.Error("the same content in another format has another fingerprint")
	}
	if other.Fingerprint() == d.Fingerprint() {
		t.Error("the order of roles counts, and does not change the fingerprint")
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(everything), false)
	f.Add([]byte(`{"policy": {"name": "x", "vault": {"a": [1, "2", null, true]}}}`), true)
	for _, name := range []string{"standard", "strict", "audit"} {
		text, err := os.ReadFile("profiles/" + name + ".yaml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, false)
	}
	f.Fuzz(func(t *testing.T, data []byte, isJSON bool) {
		name := "p.yaml"
		if isJSON {
			name = "p.json"
		}
		d, err := policy.ParseDocument(data, name)
		if err != nil {
			if !strings.HasPrefix(err.Error(), name) || policy.Problems(err) == nil {
				t.Errorf("an error without its file: %v", err)
			}
			return
		}
		sameAgain(t, d)
	})
}
