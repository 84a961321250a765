package uri_test

import (
	"errors"
	"fmt"
	"maps"
	"testing"

	"github.com/cloudg/mcplayer/internal/uri"
)

func TestNormalize(t *testing.T) {
	tests := []struct {
		name, raw, want string
		err             error
	}{
		{"as it is", "cloudg://metrics", "cloudg://metrics", nil},
		{"escaped letter", "cloudg://%78/%61", "cloudg://x/a", nil},
		{"escape in lower case", "cloudg://a%2fb", "cloudg://a%2Fb", nil},
		{"scheme", "CloudG://A", "cloudg://A", nil},
		{"space", "cloudg://a b", "cloudg://a%20b", nil},
		{"letters outside ASCII", "cloudg://zür/%C3%BC", "cloudg://z%C3%BCr/%C3%BC", nil},
		{"reserved stay", "urn:a:b?x=1&y=2#f", "urn:a:b?x=1&y=2#f", nil},
		{"braces", "cloudg://{x}", "cloudg://%7Bx%7D", nil},
		{"no scheme", "metrics", "", uri.ErrNotAbsolute},
		{"bad scheme", "1a://x", "", uri.ErrNotAbsolute},
		{"empty", "", "", uri.ErrNotAbsolute},
		{"cut escape", "a:b%2", "", uri.ErrEscape},
		{"bad escape", "a:b%zz", "", uri.ErrEscape},
		{"invalid UTF-8", "a:\xff", "", uri.ErrEscape},
		{"bell", "a:\u0007", "", uri.ErrControl},
		{"escaped NUL", "a:%00", "", uri.ErrControl},
		{"escaped delete", "a:%7f", "", uri.ErrControl},
		{"dots", "file://a/../b", "", uri.ErrDotSegment},
		{"escaped dots", "file://a/%2e%2E/b", "", uri.ErrDotSegment},
		{"one dot", "file://a/./b", "", uri.ErrDotSegment},
		{"dots at the end", "file://a/..", "", uri.ErrDotSegment},
		{"dots in a query", "file://a?p=/../b", "file://a?p=/../b", nil},
		{"dots in a name", "file://a/..b/c..", "file://a/..b/c..", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := uri.Normalize(tt.raw)
			if got != tt.want || !errors.Is(err, tt.err) {
				t.Errorf("got %q, %v; want %q, %v", got, err, tt.want, tt.err)
			}
		})
	}
}

func TestMatch(t *testing.T) {
	tests := []struct {
		name, template, raw string
		vars                map[string]string // nil: no match
		canonical           string
	}{
		{"segment", "cloudg://datasets/{name}/summary", "cloudg://datasets/prod/summary", map[string]string{"name": "prod"}, "cloudg://datasets/prod/summary"},
		{"not two segments", "cloudg://datasets/{name}/summary", "cloudg://datasets/a/b/summary", nil, ""},
		{"not an escaped slash", "cloudg://datasets/{name}/summary", "cloudg://datasets/a%2Fb/summary", nil, ""},
		{"not a backslash", "cloudg://datasets/{name}/summary", "cloudg://datasets/a%5Cb/summary", nil, ""},
		{"not empty", "cloudg://datasets/{name}/summary", "cloudg://datasets//summary", nil, ""},
		{"decoded once", "cloudg://datasets/{name}", "cloudg://datasets/a%2520b", map[string]string{"name": "a%20b"}, "cloudg://datasets/a%2520b"},
		{"decoded", "cloudg://datasets/{name}", "cloudg://datasets/a%20b%C3%BC", map[string]string{"name": "a bü"}, "cloudg://datasets/a%20b%C3%BC"},
		{"raw letters", "cloudg://datasets/{name}", "cloudg://datasets/日本", map[string]string{"name": "日本"}, "cloudg://datasets/%E6%97%A5%E6%9C%AC"},
		{"reserved in a segment", "cloudg://a/{x}", "cloudg://a/p:q@r", map[string]string{"x": "p:q@r"}, "cloudg://a/p:q@r"},
		{"escaped reserved in a segment", "cloudg://a/{x}", "cloudg://a/p%3Aq%40r", map[string]string{"x": "p:q@r"}, "cloudg://a/p:q@r"},
		{"anything", "cloudg://assets/{+ref}", "cloudg://assets/a/b:c?d", map[string]string{"ref": "a/b:c?d"}, "cloudg://assets/a/b:c?d"},
		{"anything with an escaped slash", "cloudg://assets/{+ref}", "cloudg://assets/a%2Fb", map[string]string{"ref": "a/b"}, "cloudg://assets/a/b"},
		{"escaped dots", "cloudg://assets/{+ref}", "cloudg://assets/a%2F..%2Fb", nil, ""},
		{"dots with backslashes", "cloudg://assets/{+ref}", "cloudg://assets/..%5Cb", nil, ""},
		{"dots alone", "cloudg://assets/{name}", "cloudg://assets/x..", map[string]string{"name": "x.."}, "cloudg://assets/x.."},
		{"C1 control", "cloudg://assets/{name}", "cloudg://assets/%C2%85", nil, ""},
		{"invalid UTF-8", "cloudg://assets/{name}", "cloudg://assets/%FF", nil, ""},
		{"host in another case", "cloudg://Datasets/{name}", "cloudg://DATASETS/Prod", map[string]string{"name": "Prod"}, "cloudg://Datasets/Prod"},
		{"path in another case", "cloudg://d/Sets/{name}", "cloudg://d/sets/x", nil, ""},
		{"variable in the host keeps its case", "weather://{city}", "weather://Berlin", map[string]string{"city": "Berlin"}, "weather://Berlin"},
		{"two variables", "a://{x}-{y}/z", "a://1-2/z", map[string]string{"x": "1", "y": "2"}, "a://1-2/z"},
		{"literal space", "a://b c/{x}", "a://b%20c/1", map[string]string{"x": "1"}, "a://b%20c/1"},
		{"literal letters and dots", "a://über.uns/{x}.json", "a://über.uns/y.json", map[string]string{"x": "y"}, "a://%C3%BCber.uns/y.json"},
		{"dot is literal", "a://b/{x}.json", "a://b/yxjson", nil, ""},
		{"literal question mark", "a://b?q={x}", "a://b?q=1", map[string]string{"x": "1"}, "a://b?q=1"},
		{"question mark ends a segment", "a://b/{x}", "a://b/1?q=2", nil, ""},
		{"other scheme", "a://b/{x}", "c://b/1", nil, ""},
		{"shorter", "a://b/{x}", "a://", nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			template, err := uri.Compile(tt.template)
			if err != nil {
				t.Fatal(err)
			}
			normal, err := uri.Normalize(tt.raw)
			if err != nil {
				t.Fatal(err)
			}
			vars, canonical, ok := template.Match(normal)
			if ok != (tt.vars != nil) || ok && (!maps.Equal(vars, tt.vars) || canonical != tt.canonical) {
				t.Errorf("got %q, %q, %t; want %q, %q", vars, canonical, ok, tt.vars, tt.canonical)
			}
		})
	}
}

func TestCompileRefuses(t *testing.T) {
	tests := []struct{ template, want string }{
		{"cloudg://x", "the template has no variable; register a resource instead"},
		{"cloudg://{x", "a { without its }"},
		{"cloudg://x}", "a } without its {"},
		{"cloudg://{?x}", "the expression {?x} is not {name} or {+name}"},
		{"cloudg://{x*}", "the expression {x*} is not {name} or {+name}"},
		{"cloudg://{}", "the expression {} is not {name} or {+name}"},
		{"cloudg://{x}/{x}", `the variable "x" stands twice`},
		{"cloudg://{x}{y}", "nothing stands between {x} and {y}"},
		{"{x}://y", "the URI has no scheme"},
		{"x/{y}", "the URI has no scheme"},
		{"a://%zz/{x}", "the URI has a bad percent escape"},
	}
	for _, tt := range tests {
		if _, err := uri.Compile(tt.template); err == nil || err.Error() != tt.want {
			t.Errorf("Compile(%q): %v, want %s", tt.template, err, tt.want)
		}
	}
}

func TestExpand(t *testing.T) {
	template, err := uri.Compile("cloudg://a b/{x}/{+y}")
	if err != nil {
		t.Fatal(err)
	}
	got, err := template.Expand(map[string]string{"x": "p:q ü%", "y": "r/s?t"})
	if want := "cloudg://a%20b/p%3Aq%20%C3%BC%25/r/s?t"; got != want || err != nil {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
	refused := []struct {
		x, y, want string
	}{
		{"1", "", `variable "y" has no value`},
		{"1", "a/../b", `variable "y": the URI has a dot segment`},
		{"1/2", "a", `variable "x": a value with a slash cannot stand in {x}; {+x} takes one`},
	}
	for _, tt := range refused {
		if _, err := template.Expand(map[string]string{"x": tt.x, "y": tt.y}); err == nil || err.Error() != tt.want {
			t.Errorf("Expand(%q, %q): %v, want %s", tt.x, tt.y, err, tt.want)
		}
	}
}

func TestAnyExpression(t *testing.T) {
	tests := []struct {
		name, template, raw string
		vars                map[string]string // nil: no match
		expanded            string
	}{
		{"query", "a://b{?x,y}", "a://b?x=1&y=2%2C3", map[string]string{"x": "1", "y": "2,3"}, "a://b?x=1&y=2,3"},
		{"query in part", "a://b{?x,y}", "a://b?y=2", map[string]string{"x": "", "y": "2"}, "a://b?y=2"},
		{"path list", "a://b{/x*}", "a://b/1/2", map[string]string{"x": "1,2"}, "a://b/1/2"},
		{"fragment", "a://b{#x}", "a://b#c", map[string]string{"x": "c"}, "a://b#c"},
		{"label", "a://b{.x}", "a://b.c", map[string]string{"x": "c"}, "a://b.c"},
		{"two in one", "a://b/{x,y}", "a://b/1,2", map[string]string{"x": "1", "y": "2"}, "a://b/1,2"},
		{"dots", "a://b{?x}", "a://b?x=..", nil, ""},
		{"dots in a list", "a://b{?x*}", "a://b?x=..&x=c", nil, ""},
		{"an escaped slash and dots", "a://b{/x}", "a://b/c%2F..%2Fd", nil, ""},
		{"a control character of C1", "a://b{?x}", "a://b?x=%C2%85", nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			template, err := uri.CompileAny(tt.template)
			if err != nil {
				t.Fatal(err)
			}
			if !template.MatchesRaw(tt.raw) {
				t.Error("the library does not match it")
			}
			normal, err := uri.Normalize(tt.raw)
			if err != nil {
				t.Fatal(err)
			}
			vars, canonical, ok := template.Match(normal)
			if ok != (tt.vars != nil) || ok && (!maps.Equal(vars, tt.vars) || canonical != normal) {
				t.Errorf("got %q, %q, %t; want %q", vars, canonical, ok, tt.vars)
			}
			if !ok {
				return
			}
			if expanded, err := template.Expand(vars); expanded != tt.expanded || err != nil {
				t.Errorf("expanded to %q, %v; want %q", expanded, err, tt.expanded)
			}
		})
	}
	if _, err := uri.CompileAny("a://{x"); err == nil {
		t.Error("a broken template compiles")
	}
}

// FuzzMatch checks that what matches comes back the same from its canonical form.
func FuzzMatch(f *testing.F) {
	template, err := uri.Compile("a://b/{x}/c/{+y}")
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{"a://b/1/c/2/3", "a://b/%2e/c/%2F", "A://B/ü/c/%25", "a://b/%00/c/d"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		normal, err := uri.Normalize(raw)
		if err != nil {
			return
		}
		if again, err := uri.Normalize(normal); again != normal || err != nil {
			t.Fatalf("normal form %q of %q becomes %q, %v", normal, raw, again, err)
		}
		vars, canonical, ok := template.Match(normal)
		if !ok {
			return
		}
		again, same, ok := template.Match(canonical)
		if !ok || same != canonical || !maps.Equal(again, vars) {
			t.Fatalf("%q: %q as %q gives %q, %q, %t", raw, vars, canonical, again, same, ok)
		}
	})
}

func BenchmarkMatch20(b *testing.B) {
	var templates []*uri.Template
	for i := range 20 {
		template, err := uri.Compile(fmt.Sprintf("cloudg://kind%d/{name}/part/{+rest}", i))
		if err != nil {
			b.Fatal(err)
		}
		templates = append(templates, template)
	}
	b.ReportAllocs()
	for b.Loop() {
		normal, err := uri.Normalize("cloudg://kind19/prod%20x/part/a/b/c")
		if err != nil {
			b.Fatal(err)
		}
		for _, template := range templates {
			template.Match(normal)
		}
	}
}
