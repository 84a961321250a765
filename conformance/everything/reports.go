package everything

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// The tools that say something while they work, or instead of an answer.
var (
	Logging    = Info{"test_tool_with_logging", "Sends three log messages at level info while it works."}
	QuietLog   = Info{"test_logging_tool", "Sends one log message, which only a client that asked for logs may see."}
	Progress   = Info{"test_tool_with_progress", "Reports progress three times while it works."}
	Failing    = Info{"test_error_handling", "Fails each time."}
	Reconnects = Info{"test_reconnection", "Closes its stream and answers on the next one."}
)

// ErrOnPurpose is how [Failing] ends.
var ErrOnPurpose = errors.New("this tool intentionally returns an error for testing")

// beat separates messages, so that a client can see them come one by one.
const beat = 50 * time.Millisecond

// LogWork hands three messages to log, with a pause between them.
func LogWork(ctx context.Context, log func(message string)) string {
	log("Tool execution started")
	pause(ctx, beat)
	log("Tool processing data")
	pause(ctx, beat)
	log("Tool execution completed")
	return "Three messages logged."
}

// LogOnce hands one message to log.
func LogOnce(log func(message string)) string {
	log("test_logging_tool ran")
	return "One message logged, if the client asked for logs."
}

// ReportWork hands three reports to report, with a pause between them.
func ReportWork(ctx context.Context, report func(done, total float64, message string)) string {
	for i, done := range []float64{0, 50, 100} {
		if i > 0 {
			pause(ctx, beat)
		}
		report(done, 100, fmt.Sprintf("%.0f of 100", done))
	}
	return "Three steps reported."
}

// RetryAfter is the delay that [Reconnects] asks of its client.
const RetryAfter = 10 * time.Millisecond

// Reconnect closes the client's stream, unless it cannot be closed, and leaves
// the client the time to come back.
func Reconnect(ctx context.Context, closeStream func()) string {
	if closeStream != nil {
		closeStream()
	}
	pause(ctx, 2*beat)
	return "The stream was closed before this answer."
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
