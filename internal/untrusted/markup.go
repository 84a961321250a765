package untrusted

import "strings"

// templates are the names of chat-template tokens without their joints; those of
// roles count only between bars.
var (
	templates = set(`imstart imend imsep endoftext endofturn startofturn startofrole endofrole startofsequence
		endofsequence beginofsentence endofsentence startheaderid endheaderid eotid eomid beginoftext endofmessage
		pythontag endofprompt startoftext beginoftool endoftool`)
	barred = set(`system user assistant developer tool tools function toolcallsbegin toolcallbegin toolcallend
		toolcallsend toolcall toolresponse start end message channel return call constrain`)
	tagNames = set(`system systemprompt systemmessage systemreminder systeminstruction systeminstructions assistant
		instruction instructions importantinstructions importantinstruction`)
	toolTags = set(`toolcall toolcalls tooluse toolresult toolresults toolresponse functioncall functioncalls
		functionresult functionresults`)
	headings = set(`system systemprompt systemmessage systeminstructions systeminstruction systemoverride`)
)

func set(words string) map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		all[word] = true
	}
	return all
}

// name reads the letters of a tag or token from i on, at most maxWord of them and
// over any of the joints, and returns where it ends.
func (at *site[T]) name(i int, joints string) (name [maxWord]byte, n, end int) {
	for limit := min(len(at.s), i+reach); i < limit; {
		c, size := readAt(at.s, i)
		switch {
		case c >= 'a' && c <= 'z':
			if n == maxWord {
				return name, 0, i
			}
			name[n] = c
			n++
		case c == nothing, strings.IndexByte(joints, c) >= 0:
		default:
			return name, n, i
		}
		i += size
	}
	return name, n, i
}

// byteAt returns what stands at i as the character that it is read as.
func (at *site[T]) byteAt(i int) byte {
	if i < 0 || i >= len(at.s) {
		return 0
	}
	c, _ := readAt(at.s, i)
	return c
}

// template: tokens of chat templates, <|im_start|> and the like, <<SYS>>.
func (at *site[T]) template() bool {
	i := at.start
	bar := false
	for limit := min(len(at.s), i+reach); i < limit; {
		c, n := readAt(at.s, i)
		if c != '<' && c != '|' && c != '/' && c != ' ' {
			break
		}
		bar = bar || c == '|'
		i += n
	}
	name, n, end := at.name(i, "_ -")
	switch {
	case n == 0:
		return false
	case string(name[:n]) == "sys":
		return i >= 2 && !bar && at.start > 0 && at.byteAt(at.start-1) == '<' && at.byteAt(end) == '>'
	case bar && at.byteAt(end) == '|':
		return barred[string(name[:n])] || templates[string(name[:n])]
	}
	return at.byteAt(end) == '>' && templates[string(name[:n])]
}

// tag: </system>, <tool_call> and the like, also as &lt;/system&gt;.
func (at *site[T]) tag() bool {
	i := at.tagName()
	name, n, end := at.name(i, "_-:")
	if i == 0 || n == 0 {
		return false
	}
	if toolTags[string(name[:n])] {
		c := at.byteAt(end)
		return c == '>' || c == ' ' || c == '/' || c == '&'
	}
	return tagNames[string(name[:n])] && at.closes(end)
}

// tagName returns where the name of the tag at the trigger begins, or 0.
func (at *site[T]) tagName() int {
	i := at.start
	if at.byteAt(i) == '<' {
		_, n := runeAt(at.s, i)
		// Vec<Instruction> is a type, C<system> markup of Perl.
		if i > 0 && at.s[i-1] < 0x80 && isWordByte(foldASCII[at.s[i-1]]) && at.byteAt(i+n) != '/' {
			return 0
		}
		i += n
	} else if i > 0 && i+2 < len(at.s) && at.s[i-1] == '&' && at.s[i+2] == ';' {
		i += len("lt;")
	} else {
		return 0
	}
	for c := at.byteAt(i); c == '/' || c == ' ' || c == nothing; c = at.byteAt(i) {
		_, n := runeAt(at.s, i)
		i += n
	}
	return i
}

// closes reports whether a tag ends at i, behind spaces and a slash.
func (at *site[T]) closes(i int) bool {
	for c := at.byteAt(i); c == ' ' || c == '/' || c == nothing; c = at.byteAt(i) {
		_, n := runeAt(at.s, i)
		i += n
	}
	switch at.byteAt(i) {
	case '>':
		return true
	case '&':
		return at.byteAt(i+1) == 'g' && at.byteAt(i+2) == 't' && at.byteAt(i+3) == ';'
	}
	return false
}

// bracket: [INST], [/INST], [SYS], the last in capitals.
func (at *site[T]) bracket() bool {
	name, n, end := at.name(at.start, "[/ ")
	if at.byteAt(end) != ']' {
		return false
	}
	switch string(name[:n]) {
	case "inst":
		// items[inst] is code.
		return at.start == 0 || at.s[at.start-1] <= ' ' || capitals(at.s[at.start:end])
	case "sys":
		return capitals(at.s[at.start:end])
	}
	return false
}

// capitals reports whether s has no small letter of ASCII.
func capitals[T text](s T) bool {
	for i := range len(s) {
		if c := s[i]; c >= 'a' && c <= 'z' {
			return false
		}
	}
	return true
}

// heading: ## system alone on its line, and ### Instruction: of templates.
func (at *site[T]) heading() bool {
	hashes := 1
	i := at.start
	for ; i > 0 && at.s[i-1] == '#'; i-- {
		hashes++
	}
	for i > 0 && (at.s[i-1] == ' ' || at.s[i-1] == '\t' || at.s[i-1] == '>') {
		i--
	}
	if begins := i == 0 || at.s[i-1] == '\n' || at.s[i-1] == '\r' || i > 1 && at.s[i-1] == 'n' && at.s[i-2] == '\\'; !begins || hashes < 2 {
		return false
	}
	name, n, end := at.name(at.start, "# *_")
	alpaca := string(name[:n]) == "instruction" && hashes == 3
	if !alpaca && !headings[string(name[:n])] {
		return false
	}
	switch at.byteAt(end) {
	case ':':
		return true
	case 0, '\n', '\r', '\\':
		return !alpaca
	}
	return false
}

// fenceMark: the marks of a fence where none is.
func (at *site[T]) fenceMark() bool {
	i := at.start
	for i > 0 {
		c, n := readBefore(at.s, i)
		if c != '/' && c != ' ' && c != nothing {
			break
		}
		i -= n
	}
	r, _ := runeBefore(at.s, i)
	after, _ := runeAt(at.s, at.end)
	return (r == '⟦' || r == '〚') && (after == '⟧' || after == '〛' || fold(after) == ' ')
}
