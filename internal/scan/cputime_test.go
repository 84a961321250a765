package scan_test

import (
	"syscall"
	"time"
)

// cpuTime returns the processor time of this process: others on the machine do not
// disturb it as they do the clock.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
