package scan

// timestamp: a date and a time (ISO 8601-1, RFC 3339), with seconds, a fraction and an
// offset or without; a T, a blank or _ between them. A date alone is none.
func (l *lexer) timestamp(w word) {
	if !l.runs[Timestamp] {
		return
	}
	r := clock{lexer: l, i: w.start, ok: true}
	if w.len() == 4 {
		r.extended()
	} else {
		r.basic()
	}
	if r.ok && !isAlnum(l.at(r.i)) {
		l.addWhole(Timestamp, TimestampEntity, w.start, r.i)
	}
}

// clock reads the parts of a timestamp; it is not ok from the first that is wrong.
type clock struct {
	*lexer
	i  int
	ok bool
}

// extended: 2026-01-31T23:59:59.5+01:00.
func (r *clock) extended() {
	r.number(4, 0, 9999)
	r.byte("-")
	r.number(2, 1, 12)
	r.byte("-")
	r.number(2, 1, 31)
	r.byte("Tt _")
	r.number(2, 0, 24)
	r.byte(":")
	r.number(2, 0, 59)
	if r.ok && r.at(r.i) == ':' && isDigit(r.at(r.i+1)) {
		r.byte(":")
		r.number(2, 0, 60)
		r.fraction()
	}
	r.offset()
}

// basic: 20260131T235959Z.
func (r *clock) basic() {
	r.number(4, 0, 9999)
	r.number(2, 1, 12)
	r.number(2, 1, 31)
	r.byte("T")
	r.number(2, 0, 24)
	r.number(2, 0, 59)
	r.number(2, 0, 60)
	r.fraction()
	r.offset()
}

func (r *clock) number(digits, least, most int) {
	v := 0
	for range digits {
		if !r.ok || !isDigit(r.at(r.i)) {
			r.ok = false
			return
		}
		v = v*10 + int(r.text[r.i]-'0')
		r.i++
	}
	r.ok = v >= least && v <= most
}

func (r *clock) byte(of string) {
	if !r.ok {
		return
	}
	for i := range len(of) {
		if r.at(r.i) == of[i] {
			r.i++
			return
		}
	}
	r.ok = false
}

func (r *clock) fraction() {
	if c := r.at(r.i); !r.ok || c != '.' && c != ',' || !isDigit(r.at(r.i+1)) {
		return
	}
	r.i++
	for n := 0; n < 9 && isDigit(r.at(r.i)); n++ {
		r.i++
	}
}

// offset reads Z, +01:00, +0100 or +01, also behind a blank, if one is there.
func (r *clock) offset() {
	i := r.i
	if r.at(i) == 'Z' || r.at(i) == 'z' {
		r.i++
		return
	}
	if r.at(i) == ' ' {
		i++
	}
	if c := r.at(i); c != '+' && c != '-' || !isDigit(r.at(i+1)) || !isDigit(r.at(i+2)) {
		return
	}
	i += 3
	if r.at(i) == ':' && isDigit(r.at(i+1)) && isDigit(r.at(i+2)) {
		i += 3
	} else if isDigit(r.at(i)) && isDigit(r.at(i+1)) {
		i += 2
	}
	if !isAlnum(r.at(i)) {
		r.i = i
	}
}
