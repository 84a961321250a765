//go:build !unix

package testkit

import "time"

// CPUTime returns the time by the clock since the Unix epoch: only a difference of two
// means anything, and processor time is not known here.
func CPUTime() time.Duration { return time.Duration(time.Now().UnixNano()) }
