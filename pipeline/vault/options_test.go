package vault_test

import (
	"bytes"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/pipeline/vault"
)

func TestOptionFaults(t *testing.T) {
	for _, tt := range []struct {
		name    string
		options vault.Options
		want    []string
	}{
		{"namespace", vault.Options{Namespace: "tenant"}, []string{`Namespace is "tenant", not "global" or "principal"`}},
		{"ttl", vault.Options{TTLSeconds: -1}, []string{"TTLSeconds is -1, not 0 (for ever) or more"}},
		{"negative bound", vault.Options{MaxEntries: -5}, []string{"MaxEntries is -5, not 0 (1000000) to 50000000"}},
		{"large bound", vault.Options{MaxEntries: 1e8}, []string{"MaxEntries is 100000000, not 0"}},
		{"short key", vault.Options{Key: []byte("short")}, []string{"Key has 5 bytes, not 16 or more"}},
		{"empty key", vault.Options{Key: []byte{}}, []string{"Key has 0 bytes, not 16 or more"}},
		{"short previous key", vault.Options{PreviousKeys: [][]byte{testKey, nil}}, []string{"PreviousKeys[1] has 0 bytes"}},
		{"two stores", vault.Options{File: "x", Store: vault.NewMemory()}, []string{"File and Store are both set"}},
		{"all at once", vault.Options{Namespace: "x", TTLSeconds: -1, Key: []byte("y")}, []string{"Namespace is", "TTLSeconds is", "Key has 1 bytes"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := vault.New(&tt.options)
			for _, want := range tt.want {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("got %v, want %s", err, want)
				}
			}
		})
	}
}

func TestKeyOfEnvironment(t *testing.T) {
	t.Setenv("OWN_VAULT_KEY", string(testKey))
	t.Setenv("CLOUDG_MCP_VAULT_KEY", "another key of the environment")
	want := open(t, vault.Options{}).KeyID()
	v, err := vault.New(&vault.Options{KeyEnv: "OWN_VAULT_KEY"})
	if err != nil || v.KeyID() != want {
		t.Errorf("got key %s, %v, not %s", v.KeyID(), err, want)
	}
	if v, err = vault.New(nil); err != nil || v.KeyID() == want {
		t.Errorf("the default variable gives key %s, %v", v.KeyID(), err)
	}
	t.Setenv("OWN_VAULT_KEY", "short")
	if _, err = vault.New(&vault.Options{KeyEnv: "OWN_VAULT_KEY"}); err == nil || !strings.Contains(err.Error(), "OWN_VAULT_KEY has 5 bytes") {
		t.Errorf("a short key gives %v", err)
	}
}

func TestRandomKey(t *testing.T) {
	t.Setenv("CLOUDG_MCP_VAULT_KEY", "")
	var log bytes.Buffer
	o := vault.Options{Logger: slog.New(slog.NewTextHandler(&log, nil))}
	a, err := vault.New(&o)
	if err != nil {
		t.Fatal(err)
	}
	b, err := vault.New(&o)
	if err != nil || a.KeyID() == b.KeyID() {
		t.Errorf("two vaults without a key have the key %s, %v", a.KeyID(), err)
	}
	if n := strings.Count(log.String(), "no key is set"); n != 2 {
		t.Errorf("the log tells it %d times: %s", n, &log)
	}
	o.File = filepath.Join(t.TempDir(), "vault")
	if _, err := vault.New(&o); err == nil || !strings.Contains(err.Error(), "CLOUDG_MCP_VAULT_KEY") {
		t.Errorf("a file without a key gives %v", err)
	}
}
