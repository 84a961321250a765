package middleware_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/middleware"
	"github.com/cloudg/mcplayer/policy"
	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
)

// What the report repeats of a name that holds a secret is not kept either.
func TestAuditKeepsNoSecretOfAName(t *testing.T) {
	const secret = "AKIAQ3EGRXJ4WZ7TBV2M"
	var sink safeBuffer
	audit := newAudit(t, middleware.AuditOptions{Writer: &sink})
	reg := mcplayer.NewRegistry()
	mcplayer.AddResourceTemplate(reg, mcplayer.ResourceTemplate{URITemplate: "k://{id}", Sensitivity: mcplayer.Public}, func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) {
		return map[string]string{"a": "b"}, nil
	})
	l, err := mcplayer.New(&mcplayer.Options{Registry: reg, Policy: policy.MustLoad("standard"), Middleware: []mcplayer.Middleware{audit.Handle}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.ReadResource(t.Context(), "k://"+secret); err != nil {
		t.Fatal(err)
	}
	closeAudit(t, audit)
	if line := sink.String(); strings.Contains(line, secret) || strings.Count(line, `"k://[REDACTED:aws_access_key_id]"`) != 2 {
		t.Error(line)
	}
}

// Invisible characters are escaped in reports, too.
func TestAuditEscapesReports(t *testing.T) {
	const hidden = "a\u2028b\u0085c\u007fd\u202ee"
	var sink safeBuffer
	audit := newAudit(t, middleware.AuditOptions{Writer: &sink})
	report := map[string]any{"raw": jsontext.Value(`{"b":"` + hidden + `","a":1}`), "other": []any{hidden}, "text": hidden}
	_, _ = audit.Handle(t.Context(), toolInfo(`{}`), next(&result.ToolResult{Meta: result.Meta{"cloudg/transforms": report}}, nil))
	closeAudit(t, audit)
	const shown = `"a\u2028b\u0085c\u007fd\u202ee"`
	if want := `"transforms":{"other":[` + shown + `],"raw":{"a":1,"b":` + shown + `},"text":` + shown + `}`; !strings.Contains(sink.String(), want) {
		t.Errorf("got %s, want %s", sink.String(), want)
	}
}

// slowSink takes three seconds for a line.
type slowSink struct{ safeBuffer }

func (s *slowSink) Write(p []byte) (int, error) {
	time.Sleep(3 * time.Second)
	return s.safeBuffer.Write(p)
}

// A call waits also where the lines before it are few but large.
func TestAuditWaitsForLargeLines(t *testing.T) {
	for _, tt := range []struct {
		name  string
		wait  time.Duration
		lines int
		lost  int64
	}{
		{"long enough", 20 * time.Second, 5, 0},
		{"not long enough", time.Second, 2, 3},
		{"not at all", -1, 1, 4},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var sink slowSink
				audit := newAudit(t, middleware.AuditOptions{Writer: &sink, QueueTimeout: tt.wait, OmitHashes: true})
				large := `{"` + strings.Repeat("x", 9<<20) + `":1}` // two of them are too large
				for range 5 {
					handle(audit, toolInfo(large))
				}
				_ = audit.Close(t.Context())
				if got := audit.Stats(); len(sink.Lines()) != tt.lines || got.Lost != tt.lost || got.Pending != 0 {
					t.Errorf("%d lines, %+v", len(sink.Lines()), got)
				}
			})
		})
	}
}

// Calls that wait for a place get one in their order.
func TestAuditWaitsInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sink slowSink
		audit := newAudit(t, middleware.AuditOptions{Writer: &sink, Queue: 1, QueueTimeout: time.Hour, OmitHashes: true})
		for i := range 8 {
			go handle(audit, toolInfo(fmt.Sprintf(`{"%d":1}`, i)))
			synctest.Wait()
		}
		time.Sleep(time.Minute)
		for i, line := range sink.Lines() {
			if !strings.Contains(line, fmt.Sprintf(`"argument_keys":["%d"]`, i)) {
				t.Errorf("line %d: %s", i, line)
			}
		}
		if n := len(sink.Lines()); n != 8 {
			t.Errorf("%d lines", n)
		}
		closeAudit(t, audit)
	})
}
