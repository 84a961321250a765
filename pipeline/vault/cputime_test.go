package vault_test

import (
	"testing"

	"github.com/cloudg/mcplayer/internal/testkit"
)

// reportCPU adds the processor time of one of n things done in each round, which
// other work on the machine disturbs less than the time by the clock.
func reportCPU(b *testing.B, n int) (stop func()) {
	start := testkit.CPUTime()
	return func() {
		spent := testkit.CPUTime() - start
		b.ReportMetric(float64(spent.Nanoseconds())/float64(b.N)/float64(n), "cpu-ns/name")
	}
}
