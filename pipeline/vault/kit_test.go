package vault_test

import (
	"testing"

	"github.com/cloudg/mcplayer/pipeline/vault"
)

// pseudonyms is what pipelines ask of a vault.
type pseudonyms interface {
	AppendPseudonym(dst []byte, owner, entity string, value []byte) (out []byte, ok bool)
	AppendOriginals(dst []byte, owner string, text []byte) (out []byte, n int, err error)
}

var _ pseudonyms = (*vault.Vault)(nil)

var testKey = []byte("a key for tests, 32 bytes long..")

// open returns a vault with the test key, closed with the test.
func open(tb testing.TB, o vault.Options) *vault.Vault {
	tb.Helper()
	if o.Key == nil {
		o.Key = testKey
	}
	v, err := vault.New(&o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := v.Close(); err != nil {
			tb.Error(err)
		}
	})
	return v
}

// issue returns the pseudonym of a value for the owner "ada".
func issue(tb testing.TB, v *vault.Vault, entity, value string) string {
	tb.Helper()
	out, ok := v.AppendPseudonym(nil, "ada", entity, []byte(value))
	if !ok {
		tb.Fatalf("no pseudonym for %s %q", entity, value)
	}
	return string(out)
}

// reverse returns a text with the originals in it, for the owner "ada".
func reverse(tb testing.TB, v *vault.Vault, text string) string {
	tb.Helper()
	out, _, err := v.AppendOriginals(nil, "ada", []byte(text))
	if err != nil {
		tb.Fatalf("%q: %v", text, err)
	}
	return string(out)
}
