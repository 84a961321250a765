package scan

// Work returns how many bytes validators pass over.
func (e *Engine) Work(text []byte) int {
	l := lexer{Engine: e, text: text}
	l.run()
	return l.work
}
