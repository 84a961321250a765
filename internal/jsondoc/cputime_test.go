package jsondoc_test

import (
	"syscall"
	"testing"
	"time"
)

// reportCPU adds the speed by processor time, which other work on the machine
// disturbs less than the time by the clock.
func reportCPU(b *testing.B, size int) (stop func()) {
	start := cpuTime()
	return func() {
		spent := cpuTime() - start
		b.ReportMetric(float64(size)*float64(b.N)/spent.Seconds()/1e6, "cpu-MB/s")
	}
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
