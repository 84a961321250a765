package untrusted

import "strconv"

// SafeKey returns the key that stands for the n-th suspicious key of a document.
func SafeKey(n int) string { return "untrusted_key_" + strconv.Itoa(n) }
