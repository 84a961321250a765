package pipeline_test

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/internal/corpus"
	"github.com/cloudg/mcplayer/pipeline"
	"github.com/go-json-experiment/json/jsontext"
)

// everything is a pipeline of all types that has nothing to do in ordinary data.
func everything(t testing.TB) mcplayer.Pipeline {
	t.Helper()
	p, err := pipeline.NewBuilder(nil).Build([]pipeline.Spec{
		{Type: "sanitize", Options: options{"max_free_text": 0}},
		{Type: "substitute", Options: options{
			"aliases": options{"0000" + "11112222": "never"}, "keys": options{"never_a_name": "x"},
			"rules":     []any{options{"pattern": "n{9}ever", "replace": "x"}},
			"templates": options{"never": "{never_a_name}"},
		}},
		{Type: "project", Options: standardShape(120_000)},
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// ordinary are texts of many kinds.
func ordinary(t *testing.T) map[string]string {
	texts := map[string]string{
		"log":     "2026-03-01T08:00:00Z INFO  [main] started in 3.2s\n\tat x.y(z.go:12)\r\n[1,2] done\n",
		"table":   "| a | b |\n|---|---|\n| 1 | \"two\" |\n\n",
		"csv":     "name,qty\n\"a, b\",1\n",
		"english": "“Managed by Terraform; do not edit manually” – she said, and left.",
		"german":  "Größe über alles: Straße, Öl, Ärger.", "french": "Ça va, l’été à Noël ?", "russian": "Привет, мир!",
		"greek": "Καλημέρα κόσμε", "chinese": "系统日志存储桶", "japanese": "こんにちは、世界。", "arabic": "مرحبا بالعالم",
		"persian": "می\u200cخواهم", "hindi": "नमस्ते दुनिया", "korean": "한글 문서", "hebrew": "שלום עולם",
		"emoji": "👨\u200d👩\u200d👧 ❤️\u200d🔥 🏳️\u200d🌈 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "base64": base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\x00\xffimage", 300))),
		"broken JSON": `{"a": [1, 2,, 3]}`, "JSON lines": "{\"a\":1}\n{\"b\":2}\n", "JSON": "{\n  \"a\" : 1.0 ,\n  \"b\" : \"\\u00e9\"\n}\n",
		"quoted": `"quoted"`, "number": "9007199254740993", "braces": "{{name}} [x] {", "empty JSON": "{}",
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue // some hold attacks and what looks like secrets
		}
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(src)
	}
	return texts
}

func TestOrdinaryDataStaysAsItIs(t *testing.T) {
	p := everything(t)
	for name, text := range ordinary(t) {
		if strings.HasSuffix(name, ".go") && len(text) > 19_000 {
			continue
		}
		pass := p.Begin(t.Context(), mcplayer.CallInfo{})
		if out, err := pass.Text(text); out != text || err != nil {
			t.Errorf("%s: became %.200q (%v)", name, out, err)
		}
		quoted, err := jsontext.AppendQuote(nil, text)
		if err != nil {
			t.Fatal(err)
		}
		doc := "{\"text\" : " + string(quoted) + ",\"n\":1.0,\"e\":1E400}"
		out, err := pass.JSON([]byte(doc))
		if string(out) != doc || err != nil {
			t.Errorf("%s: in a document, it became %.200q (%v)", name, out, err)
		}
		if r := pass.Report(); len(r) > 0 {
			t.Errorf("%s: reported %v", name, r)
		}
	}
	doc := corpus.Assets(100, 3)
	if out, _ := run(t, p, string(doc)); out != string(doc) {
		t.Error("assets changed")
	}
}

func FuzzPipeline(f *testing.F) {
	f.Add([]byte(`{"a":[1,"x",{"b":null,"account":"111"}],"c":"{\"a\":[\"x\"]}","n":1E400}`), 50)
	f.Add([]byte("[[[[\"\xff\"]]],{\"a\":{\"a\":{}}}]"), 5)
	p := func(budget int) mcplayer.Pipeline {
		built, err := pipeline.NewBuilder(nil).Build([]pipeline.Spec{
			{Type: "substitute", Options: options{
				"aliases": options{"x": "é", "111": "prod"}, "keys": options{"a": "z"},
				"rules":     []any{options{"pattern": "[0-9]+", "replace": "\"$0"}},
				"templates": options{"t": "{b}{c}"},
			}},
			{Type: "project", Options: options{"max_chars": budget, "drop_nulls": true, "drop_empty": true, "exclude": "**.raw", "max_list": 3, "max_string": 10, "max_depth": 5}},
		})
		if err != nil {
			f.Fatal(err)
		}
		return built
	}
	f.Fuzz(func(t *testing.T, doc []byte, budget int) {
		pass := p(1+budget&0xfff).Begin(t.Context(), mcplayer.CallInfo{})
		out, err := pass.JSON(doc)
		if err == nil && !out.IsValid(jsontext.AllowDuplicateNames(true)) {
			t.Errorf("%q became %q", doc, out)
		}
		text, err := pass.Text(string(doc))
		if err == nil && !utf8.ValidString(text) {
			t.Errorf("%q became the text %q", doc, text)
		}
	})
}
