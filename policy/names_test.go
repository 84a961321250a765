package policy_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/internal/testkit"
	"github.com/cloudg/mcplayer/pipeline"
	"github.com/cloudg/mcplayer/pipeline/vault"
	"github.com/cloudg/mcplayer/policy"
)

const vaultKey = "a key for tests, and a long one"

// hiding is a document that pseudonymises, with a vault.
func hiding(vault map[string]any) *policy.Document {
	return &policy.Document{
		Name: "hiding", Vault: vault,
		Transforms: []policy.Transform{{Type: "redact", Options: map[string]any{"strategies": map[string]any{"identifier": "pseudonymize"}}}},
	}
}

const anAccount = `{"account_id":"123456789012"}`

// through returns what one of the pipelines of a tool makes of a document.
func through(t *testing.T, p mcplayer.Pipeline, doc string) string {
	t.Helper()
	if p == nil {
		return doc
	}
	out, err := p.Begin(t.Context(), mcplayer.CallInfo{Principal: anyone}).JSON([]byte(doc))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func shownBy(t *testing.T, p *policy.Policy, doc string) string {
	t.Helper()
	return through(t, p.Bind(toolSpec("a"), anyone).Output, doc)
}

func turnedBackBy(t *testing.T, p *policy.Policy, doc string) string {
	t.Helper()
	return through(t, p.Bind(toolSpec("a"), anyone).Input, doc)
}

func TestVaultIsKeptInItsFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "vault")
	doc := hiding(map[string]any{"key": vaultKey, "file": file})
	p := put(t, doc, nil)
	l := newLayer(t, mcplayer.NewRegistry(), p)
	l.OnClose(p.Close)
	shown := shownBy(t, p, anAccount)
	if _, err := policy.New(doc, nil); err == nil || !strings.Contains(err.Error(), "another process has it open") {
		t.Errorf("a second policy on one file: %v", err)
	}
	if err := l.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	again := put(t, doc, nil)
	same(t, turnedBackBy(t, again, shown), anAccount)
	if err := again.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if err := again.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if err := again.Reload(doc); err == nil || err.Error() != "policy: closed" {
		t.Errorf("reloaded after Close: %v", err)
	}
}

func TestReloadAndTheVault(t *testing.T) {
	options := map[string]any{"key": vaultKey, "file": filepath.Join(t.TempDir(), "vault")}
	p := put(t, hiding(options), nil)
	shown := shownBy(t, p, anAccount)

	renamed := hiding(options)
	renamed.Name = "renamed"
	if err := p.Reload(renamed); err != nil {
		t.Fatal(err)
	}
	same(t, turnedBackBy(t, p, shown), anAccount)

	expiring := hiding(map[string]any{"key": vaultKey, "file": options["file"], "ttl_seconds": 60})
	if err := p.Reload(expiring); err == nil || !strings.Contains(err.Error(), "is open with other options; they hold until the policy is made anew") {
		t.Errorf("other options on one file: %v", err)
	}
	same(t, turnedBackBy(t, p, shown), anAccount)

	running := p.Bind(toolSpec("a"), anyone)
	if err := p.Reload(hiding(map[string]any{"key": vaultKey})); err != nil {
		t.Fatal(err)
	}
	same(t, turnedBackBy(t, p, shown), shown) // another vault did not issue it
	same(t, through(t, running.Input, shown), anAccount)
	same(t, shownBy(t, p, anAccount), shown) // but the key makes the same names

	again := put(t, hiding(options), nil) // the file was closed
	same(t, turnedBackBy(t, again, shown), anAccount)
	for _, p := range []*policy.Policy{p, again} {
		if err := p.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

func TestVaultOfOthers(t *testing.T) {
	v, err := vault.New(&vault.Options{Key: []byte(vaultKey)})
	if err != nil {
		t.Fatal(err)
	}
	a, b := put(t, hiding(nil), &policy.Options{Vault: v}), put(t, hiding(nil), &policy.Options{Vault: v})
	shown := shownBy(t, a, anAccount)
	same(t, turnedBackBy(t, b, shown), anAccount)
	if v.Stats().Entries != 1 || shown == anAccount {
		t.Errorf("%+v, shown %s", v.Stats(), shown)
	}
	own := pipeline.NewBuilder(&pipeline.BuilderOptions{Pseudonyms: v})
	c := put(t, hiding(map[string]any{"file": "not opened"}), &policy.Options{Builder: own})
	same(t, turnedBackBy(t, c, shown), anAccount)
	if _, err := policy.New(hiding(nil), &policy.Options{Vault: v, Builder: own}); err == nil || !strings.Contains(err.Error(), "Vault is set, and Builder has pseudonyms of its own") {
		t.Errorf("got %v", err)
	}
}

// TestNoVaultWithoutPseudonyms sees that there is one by the warning about its key.
func TestNoVaultWithoutPseudonyms(t *testing.T) {
	t.Setenv("CLOUDG_MCP_VAULT_KEY", "")
	const warning = "vault: no key is set; pseudonyms come from a random one and end with this process"
	book := &testkit.Logbook{}
	opens := func() bool { return strings.Contains(strings.Join(book.Lines(), "\n"), warning) }
	p := put(t, loaded(t, "standard"), &policy.Options{Logger: book.Logger()})
	if opens() {
		t.Error("standard has a vault")
	}
	spec := toolSpec("a")
	spec.Hints.Transforms = []mcplayer.TransformSpec{{Type: "redact", Options: map[string]any{"default": "tokenize"}}}
	if err := p.Admit(spec); err != nil || !opens() {
		t.Errorf("%v, or no vault for a hint", err)
	}
	access := p.Bind(spec, anyone)
	shown := through(t, access.Output, anAccount)
	if shown == anAccount || strings.Contains(shown, ":aws") {
		t.Errorf("shown %s", shown)
	}
	same(t, through(t, access.Input, shown), anAccount)
	if put(t, loaded(t, "strict"), &policy.Options{Logger: book.Logger()}); !opens() {
		t.Error("strict has no vault")
	}
}

func TestHashKey(t *testing.T) {
	doc := &policy.Document{Transforms: []policy.Transform{{Type: "redact", Options: map[string]any{"default": "hash"}}}}
	key := &policy.Options{HashKey: []byte("k")}
	a, b, other := put(t, doc, key), put(t, doc, key), put(t, doc, nil)
	shown := shownBy(t, a, anAccount)
	same(t, shownBy(t, b, anAccount), shown)
	if shownBy(t, other, anAccount) == shown || !strings.Contains(shown, "aws_account_id:") {
		t.Errorf("shown %s", shown)
	}
}
