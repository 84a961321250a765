package mcplayer_test

import (
	"context"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/policy"
)

// TestPolicyDocIsTrue loads every document of docs/policy.md.
func TestPolicyDocIsTrue(t *testing.T) {
	doc, err := os.ReadFile("docs/policy.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir()) // one of them has a vault in a file
	t.Setenv("CLOUDG_MCP_VAULT_KEY", "a key that is made up")
	blocks := strings.Split(string(doc), "```yaml\n")[1:]
	if len(blocks) == 0 {
		t.Error("docs/policy.md has no document")
	}
	for _, rest := range blocks {
		block, _, _ := strings.Cut(rest, "```")
		if err := loadBlock([]byte(block)); err != nil {
			t.Errorf("%v\n%s", err, block)
		}
	}
}

// loadBlock loads what a block is: cases, primitives or a policy.
func loadBlock(block []byte) error {
	switch key, _, _ := strings.Cut(string(block), ":"); key {
	case "cases":
		_, err := policy.ParseCases(block, "cases.yaml")
		return err
	case "primitives":
		_, err := policy.ParseSpecs(block, "specs.yaml")
		return err
	}
	doc, err := policy.ParseDocument(block, "policy.yaml")
	if err != nil {
		return err
	}
	p, err := policy.New(doc, &policy.Options{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	return p.Close(context.Background())
}
