package middleware_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/cloudg/mcplayer/middleware"
)

const chainKey = "0123456789abcdef"

// chainOf returns the lines of a chain with so many calls, and its head.
func chainOf(t testing.TB, calls int) (lines []string, head string) {
	var sink safeBuffer
	audit, err := middleware.NewAudit(&middleware.AuditOptions{Writer: &sink, ChainKey: []byte(chainKey), Salt: []byte("x"), Logger: silent()})
	if err != nil {
		t.Fatal(err)
	}
	for i := range calls {
		handle(audit, toolInfo(fmt.Sprintf(`{"mac":"%d"}`, i)))
	}
	if err := audit.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	return sink.Lines(), audit.Head()
}

func join(lines []string) string { return strings.Join(lines, "\n") + "\n" }

// The MAC of a line, by hand.
func TestAuditChainMAC(t *testing.T) {
	lines, head := chainOf(t, 2)
	opened := regexp.MustCompile(`^{"_mac":"[0-9a-f]{64}","event":"mcp.audit.opened","nonce":"[0-9a-f]{32}","previous":"0{64}","ts":"[^"]+"}$`)
	if len(lines) != 3 || !opened.MatchString(lines[0]) {
		t.Fatalf("got %q", lines)
	}
	prev := make([]byte, 32)
	for _, line := range lines {
		digits := line[9 : 9+64]
		mac := hmac.New(sha256.New, []byte(chainKey))
		mac.Write(prev)
		mac.Write([]byte(strings.Replace(line, digits, strings.Repeat("0", 64), 1)))
		prev = mac.Sum(nil)
		if !strings.HasPrefix(line, `{"_mac":"`+hex.EncodeToString(prev)+`","`) {
			t.Errorf("got %s, want %x", line, prev)
		}
		decode(t, line)
	}
	if head != hex.EncodeToString(prev) {
		t.Errorf("the head is %s", head)
	}
}

func TestVerifyAudit(t *testing.T) {
	lines, head := chainOf(t, 5)
	others, _ := chainOf(t, 5)
	change := func(f func(l []string) []string) string { return join(f(slices.Clone(lines))) }
	mid := lines[3][9 : 9+64]
	tests := []struct {
		name, text, head string
		line             int // 0: fine
		reason           string
	}{
		{"as written", join(lines), head, 0, ""},
		{"no head", join(lines), "", 0, ""},
		{"head of an earlier line", join(lines), mid, 0, ""},
		{"without the last newline", strings.TrimSuffix(join(lines), "\n"), head, 0, ""},
		{"changed", change(func(l []string) []string { l[2] = strings.Replace(l[2], "alice", "alicf", 1); return l }), head, 3, "changed"},
		{"last changed", change(func(l []string) []string { l[5] = strings.Replace(l[5], "alice", "alicf", 1); return l }), "", 6, "changed"},
		{"space added", change(func(l []string) []string { l[2] += " "; return l }), head, 3, "changed"},
		{"carriage return", change(func(l []string) []string { l[2] += "\r"; return l }), head, 3, "changed"},
		{"MAC in capitals", change(func(l []string) []string { l[2] = l[2][:9] + strings.ToUpper(l[2][9:73]) + l[2][73:]; return l }), head, 3, "changed"},
		{"removed", change(func(l []string) []string { return slices.Delete(l, 2, 3) }), head, 3, "removed"},
		{"first removed", change(func(l []string) []string { return l[1:] }), head, 1, "the beginning of the chain is missing"},
		{"reordered", change(func(l []string) []string { l[2], l[3] = l[3], l[2]; return l }), head, 3, "moved"},
		{"twice", change(func(l []string) []string { return slices.Insert(l, 2, l[2]) }), head, 4, "added"},
		{"empty line", change(func(l []string) []string { return slices.Insert(l, 2, "") }), head, 3, "added"},
		{"garbage", change(func(l []string) []string { return slices.Insert(l, 4, "{}") }), head, 5, "added"},
		{"garbage at the end", change(func(l []string) []string { return append(l, "x") }), head, 7, "added"},
		{"line of another chain", change(func(l []string) []string { return slices.Insert(l, 2, others[2]) }), head, 3, "added"},
		{"another chain from a line on", join(append(slices.Clone(lines[:3]), others[3:]...)), "", 4, "changed"},
		{"second beginning", join(append(slices.Clone(lines), others...)), "", 7, "added"},
		{"cut off", join(lines[:5]), head, 6, "the end was cut off"},
		{"cut off, no head", join(lines[:5]), "", 0, ""},
		{"cut off within a line", join(lines)[:len(join(lines))-20], head, 6, "changed"},
		{"nothing", "", "", 1, "the beginning of the chain is missing"},
		{"no chain", `{"event":"mcp.call"}` + "\n", "", 1, "the beginning of the chain is missing"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			chain, err := middleware.VerifyAudit(strings.NewReader(tt.text), []byte(chainKey), tt.head)
			if tt.line == 0 {
				if err != nil || chain.Lines != strings.Count(strings.TrimSuffix(tt.text, "\n"), "\n")+1 || chain.Torn != 0 || chain.Previous != strings.Repeat("0", 64) {
					t.Errorf("got %+v, %v", chain, err)
				}
				return
			}
			fault, ok := errors.AsType[*middleware.AuditFault](err)
			if !ok || fault.Line != tt.line || !strings.Contains(fault.Reason, tt.reason) {
				t.Errorf("got %v, want line %d, %s", err, tt.line, tt.reason)
			}
		})
	}
}

func TestVerifyAuditNeedsItsArguments(t *testing.T) {
	lines, head := chainOf(t, 1)
	if _, err := middleware.VerifyAudit(strings.NewReader(join(lines)), []byte("wrong key, but long"), head); err == nil || !strings.HasPrefix(err.Error(), "line 1: it was changed") {
		t.Errorf("a wrong key gave %v", err)
	}
	if _, err := middleware.VerifyAudit(strings.NewReader(""), []byte("short"), ""); err == nil || err.Error() != "audit: the key has 5 bytes; it must have 16 or more" {
		t.Errorf("got %v", err)
	}
	if _, err := middleware.VerifyAudit(strings.NewReader(""), []byte(chainKey), "abc"); err == nil || err.Error() != "audit: the head: it has to be 64 hexadecimal digits" {
		t.Errorf("got %v", err)
	}
	if _, err := middleware.VerifyAudit(iotest.ErrReader(errPlain), []byte(chainKey), ""); !errors.Is(err, errPlain) {
		t.Errorf("got %v", err)
	}
}

// A chain goes on in the file where an earlier process left it, also behind a line
// that was not written whole.
func TestAuditChainAfterARestart(t *testing.T) {
	tests := []struct {
		name string
		end  func(content string) string
		torn int
		want int // lines of the chain
	}{
		{"whole", func(s string) string { return s }, 0, 5},
		{"without the newline", func(s string) string { return strings.TrimSuffix(s, "\n") }, 0, 5},
		{"torn", func(s string) string { return s + `{"_mac":"00` }, 1, 6},
		{"torn behind the MAC", func(s string) string { return s + s[strings.LastIndex(s[:len(s)-1], "\n")+1:][:120] }, 1, 6},
		{"torn and ended", func(s string) string { return s + "{\n" }, 1, 6},
		{"torn twice", func(s string) string { return s + "{\n{\"" }, 2, 6},
		{"zeros of a crash", func(s string) string { return s + strings.Repeat("\x00", 40_000) }, 1, 6},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "audit.jsonl")
			opts := middleware.AuditOptions{Path: path, ChainKey: []byte(chainKey)}
			audit := newAudit(t, opts)
			handle(audit, toolInfo(`{}`))
			handle(audit, toolInfo(`{}`))
			closeAudit(t, audit)
			opts.ChainHead = audit.Head()
			writeFile(t, path, tt.end(readFile(t, path)))
			audit = newAudit(t, opts)
			if audit.Head() != opts.ChainHead {
				t.Errorf("went on from %s, not %s", audit.Head(), opts.ChainHead)
			}
			handle(audit, toolInfo(`{}`))
			handle(audit, toolInfo(`{}`))
			closeAudit(t, audit)
			chain, err := middleware.VerifyAudit(strings.NewReader(readFile(t, path)), []byte(chainKey), audit.Head())
			if err != nil || chain.Lines != tt.want || chain.Torn != tt.torn {
				t.Errorf("got %+v, %v", chain, err)
			}
		})
	}
}

func TestAuditChainRefusesAFile(t *testing.T) {
	lines, head := chainOf(t, 3)
	tests := []struct{ name, content, head, want string }{
		{"cut off", join(lines[:3]), head, "its last line is not that of ChainHead: the end was cut off or changed"},
		{"empty", "", head, "its last line is not that of ChainHead: the end was cut off or changed"},
		{"no chain", "{}\n", "", "it has lines without a chain; begin a new file"},
		{"no chain, many lines", strings.Repeat("{}\n", 5000), "", "it has lines without a chain; begin a new file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "audit.jsonl")
			writeFile(t, path, tt.content)
			_, err := middleware.NewAudit(&middleware.AuditOptions{Path: path, ChainKey: []byte(chainKey), ChainHead: tt.head})
			if err == nil || !strings.HasSuffix(err.Error(), tt.want) {
				t.Errorf("got %v", err)
			}
			if got := readFile(t, path); got != tt.content {
				t.Errorf("the file became %q", got)
			}
		})
	}
}

// What a failing sink tore is told by the chain itself.
func TestAuditChainOfAFaultySink(t *testing.T) {
	var sink safeBuffer
	writes := 0
	audit := newAudit(t, middleware.AuditOptions{ChainKey: []byte(chainKey), Writer: brokenSink(func(p []byte) (int, error) {
		switch writes++; writes {
		case 3, 7: // a call's line; the line that tells of it
			n, _ := sink.Write(p[:50])
			return n, errPlain
		case 4, 5, 8: // the rest, and the newline before the next
			return 0, errPlain
		}
		return sink.Write(p)
	})})
	for range 6 {
		handle(audit, toolInfo(`{}`))
	}
	_ = audit.Close(t.Context())
	chain, err := middleware.VerifyAudit(strings.NewReader(sink.String()), []byte(chainKey), audit.Head())
	if err != nil || chain.Torn != 2 || int64(chain.Lines) != audit.Stats().Written+2 {
		t.Errorf("got %+v, %v, %+v\n%s", chain, err, audit.Stats(), sink.String())
	}
	removed := bytes.Replace([]byte(sink.String()), []byte(sink.Lines()[2]+"\n"), nil, 1)
	if _, err := middleware.VerifyAudit(bytes.NewReader(removed), []byte(chainKey), ""); err == nil {
		t.Error("a torn line went away unnoticed")
	}
}

// FuzzVerifyAudit accepts nothing but whole lines of the chain in testdata.
func FuzzVerifyAudit(f *testing.F) {
	doc, err := os.ReadFile("testdata/chain.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	whole := string(doc)
	head := whole[strings.LastIndex(whole[:len(whole)-1], "\n")+1:][9:73]
	f.Add(doc, head)
	f.Add(doc[:200], "")
	f.Add(append(slices.Clone(doc), "x"...), "")
	f.Add([]byte("\n\n{\"_mac\":\""), head)
	f.Fuzz(func(t *testing.T, doc []byte, head string) {
		chain, err := middleware.VerifyAudit(bytes.NewReader(doc), []byte(chainKey), head)
		if err == nil && !strings.HasPrefix(whole, strings.TrimSuffix(string(doc), "\n")) {
			t.Errorf("accepted %q: %+v", doc, chain)
		}
	})
}

// TestVerifyAuditOfAnEarlierVersion keeps files readable that were written before.
func TestVerifyAuditOfAnEarlierVersion(t *testing.T) {
	doc := readFile(t, "testdata/chain.jsonl")
	chain, err := middleware.VerifyAudit(strings.NewReader(doc), []byte(chainKey), "")
	if err != nil || chain.Lines != 4 {
		t.Errorf("got %+v, %v", chain, err)
	}
}
