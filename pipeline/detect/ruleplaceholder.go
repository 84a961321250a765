package detect

import (
	"bytes"
	"strings"
)

// isPlaceholder reports whether v stands in the place of a value: nothing, a word that
// says so, a run of one filling character, or a closed token like ${NAME}, {{name}},
// <name> or [redacted...].
func isPlaceholder(v []byte) bool {
	v = bytes.TrimSpace(v)
	switch lower := strings.ToLower(string(v)); lower {
	case "", "null", "none", "nil", "true", "false", "undefined", "redacted", "n/a", "empty", "string", "required", "optional":
		return true
	}
	return isFilling(v) || isClosedToken(v)
}

func isFilling(v []byte) bool {
	return strings.IndexByte("*xX#-.", v[0]) >= 0 && len(bytes.Trim(v, string(v[:1]))) == 0
}

func isClosedToken(v []byte) bool {
	inside := func(left, right string) bool {
		rest, ok := bytes.CutPrefix(v, []byte(left))
		rest, closed := bytes.CutSuffix(rest, []byte(right))
		return ok && closed && len(rest) > 0 && !bytes.ContainsAny(rest, left+right)
	}
	return inside("${", "}") || inside("{{", "}}") || inside("<", ">") ||
		inside("[", "]") && len(v) > len("[redacted") && bytes.EqualFold(v[:len("[redacted")], []byte("[redacted"))
}
