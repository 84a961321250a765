package policy

import (
	"strings"
	"unicode/utf8"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/internal/scan"
)

// How much the trail keeps of names that nobody registered, in bytes.
const (
	maxKeptName     = 1024
	maxArgumentName = 64
)

// keptName returns the name of what was called as the trail keeps it. What nobody
// registered passes the secret detectors.
func keptName(info *mcplayer.CallInfo) string {
	if info.Spec != nil && info.Name == info.Spec.Name {
		return info.Name
	}
	return keptText(info.Name, maxKeptName)
}

// keptText returns text without secrets, cut to a number of bytes.
func keptText(text string, limit int) string {
	text = scan.Scrub(text)
	if len(text) <= limit {
		return strings.Clone(text)
	}
	const mark = "…"
	end := limit - len(mark)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + mark
}
