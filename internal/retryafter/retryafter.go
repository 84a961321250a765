// Package retryafter writes how long a caller has to wait before it tries again, for the
// message and the data of a refusal.
package retryafter

import (
	"fmt"
	"time"
)

// Text returns "retry in 1.1s": seconds, rounded up to tenths.
func Text(wait time.Duration) string {
	return fmt.Sprintf("retry in %.1fs", roundUp(wait, time.Second/10))
}

// Seconds returns the seconds, rounded up to hundredths: whoever waits that long has
// waited long enough.
func Seconds(wait time.Duration) float64 { return roundUp(wait, time.Second/100) }

// roundUp counts in whole parts: a product of seconds would be inexact, and make 1.11 s of
// 1.1 s.
func roundUp(wait, part time.Duration) float64 {
	return float64((wait+part-1)/part) / float64(time.Second/part)
}
