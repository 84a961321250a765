package vault_test

import (
	"syscall"
	"testing"
	"time"
)

// reportCPU adds the processor time of one of n things done in each round, which
// other work on the machine disturbs less than the time by the clock.
func reportCPU(b *testing.B, n int) (stop func()) {
	start := cpuTime()
	return func() {
		spent := cpuTime() - start
		b.ReportMetric(float64(spent.Nanoseconds())/float64(b.N)/float64(n), "cpu-ns/name")
	}
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
