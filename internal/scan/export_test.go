package scan

// Work returns how many bytes validators pass over.
func (e *Engine) Work(text []byte) int {
	l := lexer{Engine: e, text: text}
	l.run()
	return l.work
}

// SkipWords is skipWords.
var SkipWords = skipWords

// OpensInLetters reports whether a kind may start in a short token of letters.
func OpensInLetters(k Kind) bool { return openings[k]&classAlpha != 0 }
