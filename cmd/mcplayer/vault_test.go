package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/pipeline/vault"
)

const otherKey = "fedcba9876543210"

// writeVault keeps a name in the file of a vault and returns its pseudonym.
func writeVault(t *testing.T, file, key string) string {
	t.Helper()
	v, err := vault.New(&vault.Options{File: file, Key: []byte(key)})
	if err != nil {
		t.Fatal(err)
	}
	name, ok := v.AppendPseudonym(nil, "", "resource_name", []byte("web-1"))
	if !ok {
		t.Fatal("no pseudonym")
	}
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	return string(name)
}

// keyIDs returns the ids of the two keys.
func keyIDs(t *testing.T) [2]string {
	t.Helper()
	var ids [2]string
	for i, key := range []string{testKey, otherKey} {
		v, err := vault.New(&vault.Options{Key: []byte(key)})
		if err != nil {
			t.Fatal(err)
		}
		ids[i] = v.KeyID()
	}
	return ids
}

func TestVaultCommands(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "vault")
	name, ids := writeVault(t, file, testKey), keyIDs(t)
	for path, content := range map[string]string{"old": testKey + "\n", "new": otherKey, "short": "abc"} {
		if err := os.WriteFile(filepath.Join(dir, path), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("MCPLAYER_TEST_KEY", testKey)
	for _, tt := range []struct {
		name, args string
		code       int
		out, err   string
	}{
		{"help", "inspect -h", 0, "", "usage: mcplayer vault inspect FILE"},
		{"no file", "inspect -key-env MCPLAYER_TEST_KEY", 2, "", "mcplayer vault inspect: arguments are missing\nusage:"},
		{"two files", "inspect DIR/vault DIR/other -key-env MCPLAYER_TEST_KEY", 2, "", "mcplayer vault inspect: \"DIR/other\" is too much\nusage:"},
		{"no key", "inspect DIR/vault", 2, "", "mcplayer vault inspect: give the key with one of -key-env and -key-file"},
		{"wrong key", "inspect DIR/vault -key-file DIR/new", 2, "", "mcplayer vault inspect: vault: load DIR/vault: it was written with the key " + ids[0]},
		{"short key", "inspect DIR/vault -key-file DIR/short", 2, "", "mcplayer vault inspect: vault: Key has 3 bytes"},
		{"absent file", "inspect DIR/none -key-file DIR/old", 2, "", "mcplayer vault inspect: vault: open: stat DIR/none"},
		{"the value of a key", "inspect DIR/vault -key 0123456789abcdef", 2, "", "flag provided but not defined: -key\n"},
		{"JSON", "inspect -json DIR/vault -key-env MCPLAYER_TEST_KEY", 0, "{\n  \"file\": \"DIR/vault\",\n", ""},
		{"no new key", "rotate DIR/vault -key-file DIR/old", 2, "", "mcplayer vault rotate: give the new key with one of -new-key-env and -new-key-file"},
		{"rotate by a wrong key", "rotate DIR/vault -key-file DIR/new -new-key-file DIR/new", 2, "", "mcplayer vault rotate: vault: load DIR/vault: it was written with the key"},
		{"rotate", "rotate DIR/vault -key-env MCPLAYER_TEST_KEY -new-key-file DIR/new", 0, "ok: DIR/vault is sealed with the new key; keep the old one among previous_keys\n", ""},
		{"the old key", "inspect DIR/vault -key-file DIR/old", 2, "", "mcplayer vault inspect: vault: load DIR/vault: it was written with the key " + ids[1]},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fill := strings.NewReplacer("DIR", dir)
			checkRun(t, append([]string{"vault"}, strings.Fields(fill.Replace(tt.args))...), "", tt.code, fill.Replace(tt.out), fill.Replace(tt.err))
		})
	}
	var out bytes.Buffer
	run([]string{"vault", "inspect", file, "-key-file", filepath.Join(dir, "new")}, strings.NewReader(""), &out, &out)
	want := "sealed with the key " + ids[1] + "\n1 pseudonyms in 1 namespaces\n  entity resource_name: 1\n  issued by key " + ids[0] + ": 1\n"
	if !strings.HasSuffix(out.String(), want) {
		t.Errorf("printed %s, want %s", &out, want)
	}
	v, err := vault.New(&vault.Options{File: file, Key: []byte(otherKey), PreviousKeys: [][]byte{[]byte(testKey)}})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := v.Reveal("", name); got != "web-1" || err != nil {
		t.Errorf("%s stands for %q, %v", name, got, err)
	}
	if err := v.Close(); err != nil {
		t.Error(err)
	}
}
