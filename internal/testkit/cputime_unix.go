//go:build unix

package testkit

import (
	"syscall"
	"time"
)

// CPUTime returns the processor time of this process, which other work on the machine
// disturbs less than the time by the clock.
func CPUTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
