package middleware_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/middleware"
)

// hashOf is the hash of the contract, by hand.
func hashOf(salt, canonical string) string {
	mac := hmac.New(sha256.New, []byte(salt))
	mac.Write([]byte(canonical))
	return hex.EncodeToString(mac.Sum(nil))[:16]
}

func TestArgumentHashes(t *testing.T) {
	tests := []struct {
		name, args string
		want       map[string]string // name to canonical value
	}{
		{"none", `{}`, map[string]string{}},
		{"scalars", `{"b": 1.0, "a": "x\u0041", "c": null, "d":12345678901234567890}`, map[string]string{"a": `"xA"`, "b": "1", "c": "null", "d": "12345678901234567890"}},
		{"containers", `{"a":{"z":[1, {"y":2,"x":3}],"b":"}"},"b":[]}`, map[string]string{"a": `{"b":"}","z":[1,{"x":3,"y":2}]}`, "b": "[]"}},
		{"names", `{"q\"x":1,"":2,"\u00e9":3,"a\\":4}`, map[string]string{`q"x`: "1", "": "2", "é": "3", `a\`: "4"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var sink safeBuffer
			audit := newAudit(t, middleware.AuditOptions{Writer: &sink, Salt: []byte("pepper")})
			handle(audit, toolInfo(tt.args))
			closeAudit(t, audit)
			line := decode(t, sink.Lines()[0])
			hashes, _ := line["argument_hashes"].(map[string]any)
			if len(hashes) != len(tt.want) || len(line["argument_keys"].([]any)) != len(tt.want) {
				t.Errorf("got %s", sink.String())
			}
			for name, canonical := range tt.want {
				if hashes[name] != hashOf("pepper", canonical) {
					t.Errorf("%q: got %v, want that of %s", name, hashes[name], canonical)
				}
			}
			if len(tt.want) == 0 && line["argument_hashes"] != nil {
				t.Error("hashes without arguments")
			}
		})
	}
}

func TestAuditSalt(t *testing.T) {
	hash := func(salt []byte) string {
		var sink safeBuffer
		audit := newAudit(t, middleware.AuditOptions{Writer: &sink, Salt: salt})
		handle(audit, toolInfo(`{"a":1}`))
		closeAudit(t, audit)
		return decode(t, sink.Lines()[0])["argument_hashes"].(map[string]any)["a"].(string)
	}
	t.Setenv(middleware.AuditSaltEnv, "")
	if a, b := hash(nil), hash(nil); a == b || len(a) != 16 {
		t.Errorf("random salts gave %s and %s", a, b)
	}
	t.Setenv(middleware.AuditSaltEnv, "from the environment")
	if got := hash(nil); got != hashOf("from the environment", "1") {
		t.Errorf("got %s", got)
	}
	if got := hash([]byte("own")); got != hashOf("own", "1") {
		t.Errorf("got %s", got)
	}
}

func TestAuditOptionMistakes(t *testing.T) {
	const head = "00000000000000000000000000000000000000000000000000000000000000ff"
	key := []byte("0123456789abcdef")
	var sink safeBuffer
	tests := []struct {
		name string
		opts middleware.AuditOptions
		want string
	}{
		{"two places", middleware.AuditOptions{Path: "x", Writer: &sink}, "audit: Path and Writer are both set; one place is allowed"},
		{"queue", middleware.AuditOptions{Queue: -1}, "audit: Queue is -1; it must be positive, or 0 for 1024"},
		{"fail closed", middleware.AuditOptions{FailClosed: true, QueueTimeout: -1}, "audit: QueueTimeout is -1ns; with FailClosed it must be positive, or 0 for 1s"},
		{"short key", middleware.AuditOptions{ChainKey: []byte("x")}, "audit: ChainKey has 1 bytes; it must have 16 or more"},
		{"head without file", middleware.AuditOptions{ChainKey: key, ChainHead: head}, "audit: ChainHead is set; it needs ChainKey and Path"},
		{"no head", middleware.AuditOptions{ChainKey: key, ChainHead: "zz", Path: "x"}, "audit: ChainHead: it has to be 64 hexadecimal digits"},
		{"two mistakes", middleware.AuditOptions{Queue: -2, ChainKey: []byte{}}, "audit: Queue is -2; it must be positive, or 0 for 1024\nChainKey has 0 bytes; it must have 16 or more"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := middleware.NewAudit(&tt.opts); err == nil || err.Error() != tt.want {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
	if audit, err := middleware.NewAudit(nil); err != nil || fmt.Sprint(audit.Stats()) != "{0 0 0}" || audit.Head() != "" {
		t.Errorf("the defaults gave %v", err)
	} else {
		closeAudit(t, audit)
	}
}

func TestWhen(t *testing.T) {
	refuse := func(res string) mcplayer.Middleware { return refusing(res) }
	isTool := func(c mcplayer.CallInfo) bool { return c.Kind == mcplayer.KindTool }
	tests := []struct {
		name string
		mw   mcplayer.Middleware
		kind mcplayer.Kind
		want string
	}{
		{"match", middleware.When(isTool, refuse("a")), mcplayer.KindTool, "a"},
		{"no match", middleware.When(isTool, refuse("a")), mcplayer.KindPrompt, "next"},
		{"all", middleware.When(nil, refuse("a")), mcplayer.KindPrompt, "a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := tt.mw(t.Context(), mcplayer.CallInfo{Kind: tt.kind}, next(nil, mcplayer.AccessDenied("next", nil))); err.Error() != tt.want {
				t.Errorf("got %v", err)
			}
		})
	}
	if middleware.When(isTool, nil) != nil {
		t.Error("no middleware became one")
	}
}
