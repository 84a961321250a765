package untrusted

import "strings"

// RedactedInjection stands for a text that was taken out because it spoke to the
// model.
const RedactedInjection = "[REDACTED:suspected_prompt_injection]"

const (
	fenceOpen  = "⟦untrusted⟧"
	fenceClose = "⟦/untrusted⟧"
)

// brackets keeps a text from closing its fence; the look-alikes of CJK
// punctuation go too.
var brackets = strings.NewReplacer("⟦", "[", "⟧", "]", "〚", "[", "〛", "]")

// Fence marks s as data: the opening mark, a space, the text with its fence
// brackets as plain ones, a space, the closing mark. A text that is one
// well-formed fence is returned as it is: it begins with the opening mark and a
// space, ends with a space and the closing mark, and has no fence bracket between
// them. Anything else that looks like a fence is text.
func Fence(s string) string {
	if _, ok := unwrap(s); ok {
		return s
	}
	return wrap(brackets.Replace(s))
}

func wrap(s string) string { return fenceOpen + " " + s + " " + fenceClose }

// unwrap returns the text inside a well-formed fence, or s and false.
func unwrap(s string) (text string, ok bool) {
	if len(s) < len(fenceOpen)+len(fenceClose)+2 {
		return s, false
	}
	text, ok = strings.CutPrefix(s, fenceOpen+" ")
	if !ok {
		return s, false
	}
	text, ok = strings.CutSuffix(text, " "+fenceClose)
	if !ok || strings.ContainsAny(text, "⟦⟧〚〛") {
		return s, false
	}
	return text, true
}

// Unfence returns s without the marks of fences, wherever they stand and whether
// or not they pair, and without the space that belongs to each. What is left has
// no mark in it, even where one stood inside another.
func Unfence(s string) string {
	if !strings.Contains(s, fenceOpen) && !strings.Contains(s, fenceClose) {
		return s
	}
	const end = "⟧"
	out := make([]byte, 0, len(s))
	for s != "" {
		i := strings.Index(s, end)
		if i < 0 {
			return string(append(out, s...))
		}
		i += len(end)
		out, s = append(out, s[:i]...), s[i:]
		if n := len(out) - len(fenceOpen); n >= 0 && string(out[n:]) == fenceOpen {
			out, s = out[:n], strings.TrimPrefix(s, " ")
		} else if n := len(out) - len(fenceClose); n >= 0 && string(out[n:]) == fenceClose {
			if out = out[:n]; n > 0 && out[n-1] == ' ' {
				out = out[:n-1]
			}
		}
	}
	return string(out)
}

// Datamark joins the words of s by ^, so that no two of them read as a sentence. A
// well-formed fence stays around its words.
func Datamark(s string) string {
	body, fenced := unwrap(s)
	body = strings.Join(strings.Fields(body), "^")
	if fenced {
		return wrap(body)
	}
	return body
}
