package untrusted

import "bytes"

// SplitFence returns the parts of a text that is one well-formed fence: the opening
// mark with its space, what is inside, the space with the closing mark. Of any other
// text all is inside.
func SplitFence(s []byte) (before, inside, after []byte) {
	if !bytes.HasPrefix(s, []byte(fenceOpen)) {
		return nil, s, nil
	}
	const first, last = len(fenceOpen) + 1, len(fenceClose) + 1
	if _, ok := unwrap(string(s)); !ok {
		return nil, s, nil
	}
	n := len(s) - last
	return s[:first], s[first:n], s[n:]
}
