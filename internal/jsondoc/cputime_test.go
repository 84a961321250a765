package jsondoc_test

import (
	"testing"

	"github.com/cloudg/mcplayer/internal/testkit"
)

// reportCPU adds the speed by processor time, which other work on the machine
// disturbs less than the time by the clock.
func reportCPU(b *testing.B, size int) (stop func()) {
	start := testkit.CPUTime()
	return func() {
		spent := testkit.CPUTime() - start
		b.ReportMetric(float64(size)*float64(b.N)/spent.Seconds()/1e6, "cpu-MB/s")
	}
}
