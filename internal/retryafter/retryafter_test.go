package retryafter_test

import (
	"testing"
	"time"

	"github.com/cloudg/mcplayer/internal/retryafter"
)

func TestRetryAfter(t *testing.T) {
	for _, tt := range []struct {
		name    string
		wait    time.Duration
		text    string
		seconds float64
	}{
		{"whole", 30 * time.Second, "retry in 30.0s", 30},
		{"an inexact product", 1100 * time.Millisecond, "retry in 1.1s", 1.1},
		{"hardly any", 1, "retry in 0.1s", 0.01},
		{"another", 290 * time.Millisecond, "retry in 0.3s", 0.29},
		{"rounded up", 17*time.Second + 655*time.Millisecond, "retry in 17.7s", 17.66},
		{"never too early", time.Second / 30, "retry in 0.1s", 0.04},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := retryafter.Text(tt.wait); got != tt.text {
				t.Errorf("got %q, want %q", got, tt.text)
			}
			if got := retryafter.Seconds(tt.wait); got != tt.seconds {
				t.Errorf("got %v, want %v", got, tt.seconds)
			}
		})
	}
}
