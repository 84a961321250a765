package middleware_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/middleware"
	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
)

// Every call is a line or a counted loss, also while the audit closes.
func TestAuditAddsUp(t *testing.T) {
	const callers, calls = 16, 200
	var sink safeBuffer
	writes := 0
	audit := newAudit(t, middleware.AuditOptions{Queue: 4, QueueTimeout: -1, ChainKey: []byte(chainKey), Writer: brokenSink(func(p []byte) (int, error) {
		switch writes++; writes % 7 {
		case 3:
			return 0, errPlain
		case 5:
			n, _ := sink.Write(p[:len(p)/2])
			return n, errPlain
		}
		return sink.Write(p)
	})})
	var wg sync.WaitGroup
	for i := range callers {
		wg.Go(func() {
			for j := range calls {
				info := toolInfo(fmt.Sprintf(`{"a%d":%d}`, i, j))
				if res, err := audit.Handle(context.Background(), info, next(result.Text("x"), nil)); res == nil || err != nil {
					t.Errorf("got %v, %v", res, err)
				}
				if i == 0 && j == calls/2 {
					_ = audit.Close(context.Background())
				}
			}
		})
	}
	wg.Wait()
	got := audit.Stats()
	if got.Written+got.Lost != callers*calls || got.Pending != 0 || got.Written == 0 {
		t.Errorf("got %+v", got)
	}
	if lines := int64(strings.Count(sink.String(), `"event":"mcp.call"`)); lines < got.Written {
		t.Errorf("%d lines, %+v", lines, got)
	}
	chain, err := middleware.VerifyAudit(strings.NewReader(sink.String()), []byte(chainKey), audit.Head())
	if err != nil && !strings.Contains(err.Error(), "changed") { // the last line may be torn
		t.Errorf("got %+v, %v", chain, err)
	}
}

// Large lines do not pile up in front of a sink that hangs.
func TestAuditQueueIsBoundedInBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &stuckSink{free: make(chan struct{})}
		audit := newAudit(t, middleware.AuditOptions{Writer: sink, OmitHashes: true})
		info := toolInfo(`{}`)
		info.Principal = mcplayer.NewPrincipal(strings.Repeat("x", 15<<18)) // 3.75 MiB
		for range 6 {
			handle(audit, info)
		}
		if got := audit.Stats(); got != (middleware.AuditStats{Lost: 2, Pending: 4}) {
			t.Errorf("got %+v", got)
		}
		close(sink.free)
		_ = audit.Close(t.Context())
		handle(newAudit(t, middleware.AuditOptions{Writer: &sink.safeBuffer}), info)
	})
}

// FuzzAuditLine makes one line of whatever a client sends.
func FuzzAuditLine(f *testing.F) {
	f.Add("a\nb", `{"b":{"y":1,"x":[]},"a":"\u2028"}`)
	f.Add("\xff\u202e", `{"ghp_a1B2c3D4e5a1B2c3D4e5a1B2c3D4e5a1B2c3":1,"":2}`)
	f.Add("", `{"a":1,"a":2}`)
	f.Fuzz(func(t *testing.T, name, args string) {
		var sink bytes.Buffer
		audit, err := middleware.NewAudit(&middleware.AuditOptions{Writer: &sink, Salt: []byte("x")})
		if err != nil {
			t.Fatal(err)
		}
		info := mcplayer.CallInfo{Kind: mcplayer.KindTool, Name: name, Arguments: jsontext.Value(args)}
		handle(audit, info)
		if err := audit.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		line, ok := strings.CutSuffix(sink.String(), "\n")
		if !ok || strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r == '\u2028' || r == '\u202e' }) {
			t.Errorf("more than one line: %q", sink.String())
		}
		var keys []string
		for _, key := range decode(t, line)["argument_keys"].([]any) {
			keys = append(keys, key.(string))
		}
		if !slices.IsSorted(keys) {
			t.Errorf("keys are not sorted: %q", keys)
		}
	})
}
