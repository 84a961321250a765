package scan

// IsPlaceholder reports whether a value stands for a secret that is not there: it is
// empty or says so, it is a token of a template, it is masked, or it is what redaction
// puts in place of something.
func IsPlaceholder(s []byte) bool { return isPlaceholder(s) }
