package policy_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cloudg/mcplayer/policy"
)

// files writes documents into a new directory.
func files(t *testing.T, texts map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range texts {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestLoadDocument(t *testing.T) {
	dir := files(t, map[string]string{
		"a.yaml":       "name: a\nextends: sub/b.yaml\ndeny_tools: [a]\n",
		"sub/b.yaml":   "name: b\nextends: ../c.json\ndeny_tools: [b]\n",
		"c.json":       `{"extends": "read-only", "deny_tools": ["c"], "description": "of c"}`,
		"strict":       "name: no profile\n",
		"loop.yaml":    "extends: loop2.yaml\n",
		"loop2.yaml":   "extends: ./loop.yaml\n",
		"missing.yaml": "extends: none.yaml\n",
		"bad.yaml":     "extends: wrong.yaml\nname: x\n",
		"wrong.yaml":   "extends: standard\nnme: x\n",
	})
	for _, tt := range []struct{ name, source, env, want string }{
		{"a profile", "read_only", "strict", "read_only"},
		{"with hyphens", "read-only", "", "read_only"},
		{"nothing", "", "", "standard"},
		{"the environment", "", "airgapped", "airgapped"},
		{"a document in the environment", "", `{"name": "env"}`, "env"},
		{"inline", ` {"name": "inline", "extends": "strict"}`, "", "inline"},
		{"inline without a name", `{"extends": "strict"}`, "", "strict"},
		{"a path", filepath.Join(dir, "a.yaml"), "", "a"},
		{"a file called like a profile", filepath.Join(dir, "strict"), "", "no profile"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv(policy.Environment, tt.env)
			d, err := policy.LoadDocument(tt.source)
			if err != nil {
				t.Fatal(err)
			}
			if d.Name != tt.want || d.Extends != "" {
				t.Errorf("name %q, extends %q, want name %q", d.Name, d.Extends, tt.want)
			}
		})
	}
	t.Run("a chain", func(t *testing.T) {
		d, err := policy.LoadDocument(filepath.Join(dir, "a.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(d.DenyTools, " "); got != "c b a" || d.Description != "of c" || len(d.Transforms) != 4 {
			t.Errorf("denied %q, description %q, %d transforms", got, d.Description, len(d.Transforms))
		}
	})
	for _, tt := range []struct{ name, source, want string }{
		{"a cycle", "loop.yaml", "DIR/loop2.yaml:1: extends: goes round in circles: DIR/loop.yaml -> DIR/loop2.yaml -> DIR/loop.yaml"},
		{"no such file", "missing.yaml", `DIR/missing.yaml:1: extends: policy "DIR/none.yaml": no profile of this name (there are airgapped, audit, open, read_only, standard, strict), and no such file: open DIR/none.yaml: no such file or directory`},
		{"a mistake in the parent", "bad.yaml", `DIR/wrong.yaml:2: nme: unknown key; did you mean "name"? allowed are `},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := policy.LoadDocument(filepath.Join(dir, tt.source))
			if err == nil {
				t.Fatal("no error")
			}
			if got := strings.ReplaceAll(err.Error(), dir, "DIR"); !strings.HasPrefix(got, tt.want) {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestLoadDocumentBytes(t *testing.T) {
	dir := files(t, map[string]string{"p.yaml": "deny_tools: [p]\n"})
	d, err := policy.LoadDocumentBytes([]byte("policy:\n  name: x\n  extends: p.yaml\n  deny_tools: [x]\n"), filepath.Join(dir, "x.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := written(t, d), `{"name":"x","deny_tools":["p","x"]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestLoadDocumentFS(t *testing.T) {
	fsys := fstest.MapFS{
		"policies/a.yaml":    {Data: []byte("name: a\nextends: ../base/b.yaml\n")},
		"base/b.yaml":        {Data: []byte("extends: standard\ndeny_tools: [b]\n")},
		"policies/loop.yaml": {Data: []byte("extends: loop.yaml\n")},
		"policies/out.yaml":  {Data: []byte("extends: ../../etc/passwd\n")},
	}
	d, err := policy.LoadDocumentFS(fsys, "policies/a.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if d.Name != "a" || len(d.DenyTools) != 1 || len(d.InputTransforms) != 1 {
		t.Errorf("got %+v", d)
	}
	for name, want := range map[string]string{
		"policies/loop.yaml": "policies/loop.yaml:1: extends: goes round in circles: policies/loop.yaml -> policies/loop.yaml",
		"policies/out.yaml":  `policies/out.yaml:1: extends: policy "../etc/passwd": no profile of this name`,
	} {
		if _, err := policy.LoadDocumentFS(fsys, name); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestLongChainIsRefused(t *testing.T) {
	fsys := fstest.MapFS{}
	name := func(i int) string { return "p" + strings.Repeat("x", i) + ".yaml" }
	for i := range 40 {
		fsys[name(i)] = &fstest.MapFile{Data: []byte("extends: " + name(i+1) + "\n")}
	}
	if _, err := policy.LoadDocumentFS(fsys, name(0)); err == nil || !strings.HasSuffix(err.Error(), "extends: leads through more than 32 documents") {
		t.Errorf("got %v", err)
	}
}
