package mcplayer_test

import (
	"context"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/pipeline/detect"
	"github.com/cloudg/mcplayer/policy"
)

// TestPolicyDocIsTrue loads every document of docs/policy.md, and holds the first against the
// cases at the end.
func TestPolicyDocIsTrue(t *testing.T) {
	doc, err := os.ReadFile("docs/policy.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir()) // one of them has a vault in a file
	t.Setenv("CLOUDG_MCP_VAULT_KEY", "a key that is made up")
	var b docBlocks
	for _, rest := range strings.Split(string(doc), "```yaml\n")[1:] {
		block, _, _ := strings.Cut(rest, "```")
		if err := b.load([]byte(block)); err != nil {
			t.Errorf("%v\n%s", err, block)
		}
	}
	if len(b.policies) == 0 || len(b.specs) == 0 || len(b.cases) == 0 {
		t.Fatal("docs/policy.md has no policies, primitives or cases")
	}
	for _, failure := range policy.Test(b.policies[0], b.specs, b.cases) {
		t.Error(failure)
	}
}

// docBlocks are the blocks of YAML of a page.
type docBlocks struct {
	policies []*policy.Policy
	specs    []*mcplayer.Spec
	cases    []policy.Case
}

// load loads what a block is: cases, primitives or a policy.
func (b *docBlocks) load(block []byte) (err error) {
	switch key, _, _ := strings.Cut(string(block), ":"); key {
	case "cases":
		b.cases, err = policy.ParseCases(block, "cases.yaml")
		return err
	case "primitives":
		b.specs, err = policy.ParseSpecs(block, "specs.yaml")
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
	b.policies = append(b.policies, p)
	return p.Close(context.Background())
}

// TestPolicyDocNamesWhatIsFound looks for each detector, entity and key rule.
func TestPolicyDocNamesWhatIsFound(t *testing.T) {
	doc, err := os.ReadFile("docs/policy.md")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range detect.Detectors() {
		names = append(append(names, d.Name, d.Entity), d.Entities...)
	}
	for _, r := range detect.BuiltinKeyRules() {
		names = append(names, r.Name)
	}
	for _, name := range names {
		short := strings.NewReplacer("private_ip", "private_", "public_ip", "public_", "private_cidr", "private_", "public_cidr", "public_", "special_cidr", "_cidr").Replace(name)
		if !strings.Contains(string(doc), "`"+name+"`") && !strings.Contains(string(doc), "`"+short+"`") {
			t.Errorf("docs/policy.md does not name %s", name)
		}
	}
}
