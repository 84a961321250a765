package policy

// ForgetSource makes a document equal to one made in Go.
func ForgetSource(d *Document) { d.source = nil }
