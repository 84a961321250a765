package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
)

// The layer takes docs://a/%78 for the resource docs://a/x, which is denied.
func TestExplainNormalises(t *testing.T) {
	dir := t.TempDir()
	specs := filepath.Join(dir, "specs.yaml")
	if err := os.WriteFile(specs, []byte("primitives:\n  - {kind: resource, name: \"docs://a/x\", sensitivity: restricted}\n  - {kind: resource_template, name: \"docs://{+p}\", sensitivity: public}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const doc = `{"max_sensitivity":"internal"}`
	reg := mcplayer.NewRegistry()
	read := func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) { return "text", nil }
	mcplayer.AddResource(reg, mcplayer.Resource{URI: "docs://a/x", Sensitivity: mcplayer.Restricted}, read)
	mcplayer.AddResourceTemplate(reg, mcplayer.ResourceTemplate{URITemplate: "docs://{+p}", Sensitivity: mcplayer.Public}, read)
	p, err := policy.Load(doc, nil)
	if err != nil {
		t.Fatal(err)
	}
	l, err := mcplayer.New(&mcplayer.Options{Registry: reg, Policy: p})
	if err != nil {
		t.Fatal(err)
	}
	for _, uri := range []string{"docs://a/x", "docs://a/%78", "DOCS://a/x", "docs://A/x"} {
		_, err := l.ReadResource(t.Context(), uri)
		var out, errs bytes.Buffer
		code := run([]string{"policy", "explain", doc, "resource:" + uri, "-specs", specs}, strings.NewReader(""), &out, &errs)
		if (err == nil) != (code == exitOK) {
			t.Errorf("%s: the layer: %v; the command: %d %s %s", uri, err, code, out.String(), errs.String())
		}
	}
}
