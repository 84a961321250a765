//go:build soak

package middleware_test

import (
	"runtime"
	"testing"
	"time"
)

// TestSoakStack puts the whole stack under load for 30 s.
func TestSoakStack(t *testing.T) {
	before := runtime.NumGoroutine()
	end := time.Now().Add(30 * time.Second)
	newSoak(t).run(t, before, func(int) bool { return time.Now().Before(end) })
}
