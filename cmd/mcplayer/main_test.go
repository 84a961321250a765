package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/middleware"
	"github.com/cloudg/mcplayer/result"
)

const testKey = "0123456789abcdef"

// writeChain writes two files of one chain, two calls each, and returns their heads.
func writeChain(t *testing.T, first, second string) (heads [2]string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	audit, err := middleware.NewAudit(&middleware.AuditOptions{Path: path, ChainKey: []byte(testKey)})
	if err != nil {
		t.Fatal(err)
	}
	next := func(context.Context, mcplayer.CallInfo) (result.Result, error) { return result.Text("x"), nil }
	for i, name := range []string{first, second} {
		for range 2 {
			if _, err := audit.Handle(t.Context(), mcplayer.CallInfo{Kind: mcplayer.KindTool, Name: "echo"}, next); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Rename(path, name); err != nil {
			t.Fatal(err)
		}
		if err := audit.Reopen(t.Context()); err != nil {
			t.Fatal(err)
		}
		doc, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		last := doc[bytes.LastIndexByte(doc[:len(doc)-1], '\n')+1:]
		heads[i] = string(last[9:73])
	}
	if err := audit.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	return heads
}

func TestAuditVerify(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	heads := writeChain(t, at("1"), at("2"))
	first, err := os.ReadFile(at("1"))
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"key":     testKey + "\n",
		"short":   "abc",
		"changed": strings.Replace(string(first), `"name":"echo"`, `"name":"ech0"`, 1),
		"open":    strings.TrimSuffix(string(first), "\n"),
		"cut":     string(first[:bytes.LastIndexByte(first[:len(first)-1], '\n')+1]),
		"empty":   "",
	} {
		if err := os.WriteFile(at(name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("MCPLAYER_TEST_KEY", testKey)
	const nowhere = "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	tests := []struct {
		name, args string
		stdin      string
		code       int
		out, err   string // the beginning; DIR stands for the directory
	}{
		{"one file", "DIR/1 -key-env MCPLAYER_TEST_KEY", "", 0, "ok: 3 lines, head " + heads[0] + "\n", ""},
		{"two files", "-key-file DIR/key DIR/1 DIR/2", "", 0, "ok: 6 lines, head " + heads[1] + "\n", ""},
		{"no newline between them", "-key-file DIR/key DIR/open DIR/2", "", 0, "ok: 6 lines, head " + heads[1] + "\n", ""},
		{"head", "DIR/1 DIR/2 -key-file DIR/key -head " + heads[1], "", 0, "ok: 6 lines", ""},
		{"head of the file before", "DIR/1 DIR/2 -key-file DIR/key -head " + heads[0], "", 0, "ok: 6 lines", ""},
		{"standard input", "-key-file DIR/key -- -", string(first), 0, "ok: 3 lines", ""},
		{"second file alone", "-key-file DIR/key DIR/2", "", 0, "ok: 3 lines, head " + heads[1] + "\nDIR/2 continues a file with the head " + heads[0] + "\n", ""},
		{"changed", "-key-file DIR/key DIR/changed", "", 1, "DIR/changed:2: it was changed", ""},
		{"cut, noticed by the next file", "-key-file DIR/key DIR/cut DIR/2", "", 1, "DIR/2:1: it was changed", ""},
		{"cut, noticed by the head", "-key-file DIR/key DIR/cut -head " + heads[0], "", 1, "DIR/cut:3: the end was cut off", ""},
		{"empty", "-key-file DIR/key DIR/empty", "", 1, "DIR/empty:1: the beginning of the chain is missing", ""},
		{"unknown head", "-key-file DIR/key DIR/1 -head " + nowhere, "", 1, "DIR/1:4: the end was cut off", ""},
		{"no file", "-key-file DIR/key", "", 2, "", "mcplayer audit verify: arguments are missing\nusage: mcplayer audit verify FILE"},
		{"no key", "DIR/1", "", 2, "", "mcplayer audit verify: give the key"},
		{"two keys", "DIR/1 -key-file DIR/key -key-env X", "", 2, "", "mcplayer audit verify: give the key"},
		{"empty key", "DIR/1 -key-env MCPLAYER_TEST_NONE", "", 2, "", "mcplayer audit verify: the environment variable MCPLAYER_TEST_NONE is empty"},
		{"short key", "DIR/1 -key-file DIR/short", "", 2, "", "mcplayer audit verify: audit: the key has 3 bytes"},
		{"bad head", "DIR/1 -key-file DIR/key -head zz", "", 2, "", "mcplayer audit verify: audit: the head"},
		{"file that is not there", "DIR/3 -key-file DIR/key", "", 2, "", "mcplayer audit verify: open DIR/3"},
		{"unknown flag", "-wrong", "", 2, "", "flag provided but not defined: -wrong"},
		{"help", "-h", "", 0, "", "usage: mcplayer audit verify"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			args := append([]string{"audit", "verify"}, strings.Fields(strings.ReplaceAll(tt.args, "DIR", dir))...)
			checkRun(t, args, tt.stdin, tt.code, strings.ReplaceAll(tt.out, "DIR", dir), strings.ReplaceAll(tt.err, "DIR", dir))
		})
	}
}

func checkRun(t *testing.T, args []string, stdin string, code int, out, errOut string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if got := run(args, strings.NewReader(stdin), &stdout, &stderr); got != code {
		t.Errorf("exit code %d, want %d", got, code)
	}
	if !strings.HasPrefix(stdout.String(), out) || out == "" && stdout.Len() > 0 {
		t.Errorf("printed %q, want %q", &stdout, out)
	}
	if !strings.HasPrefix(stderr.String(), errOut) || errOut == "" && stderr.Len() > 0 {
		t.Errorf("complained %q, want %q", &stderr, errOut)
	}
}

func TestUsage(t *testing.T) {
	tests := []struct {
		name, args string
		code       int
		out, err   string
	}{
		{"nothing", "", 2, "", "usage:\n  mcplayer audit verify FILE"},
		{"help", "help", 0, "usage:\n  mcplayer audit verify FILE", ""},
		{"flag for help", "--help", 0, "usage:\n", ""},
		{"unknown", "audit burn now", 2, "", "mcplayer: unknown command \"audit burn\"\nusage:\n"},
		{"half a command", "audit", 2, "", "mcplayer: unknown command \"audit\"\nusage:\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			checkRun(t, strings.Fields(tt.args), "", tt.code, tt.out, tt.err)
		})
	}
}
