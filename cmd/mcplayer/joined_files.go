package main

import (
	"bytes"
	"errors"
	"io"
	"os"
)

// joinedFiles reads files one after the other, each up to the end of a line, and
// knows where each one's lines begin.
type joinedFiles struct {
	names []string
	stdin io.Reader // of the name "-"

	current io.ReadCloser
	first   []int // for each file that was begun, how many lines come before it
	lines   int   // that have ended
	open    bool  // the last one has not
}

// Read implements [io.Reader].
func (f *joinedFiles) Read(p []byte) (int, error) {
	for {
		if f.current == nil {
			if len(f.first) == len(f.names) {
				return 0, io.EOF
			}
			if err := f.next(); err != nil {
				return 0, err
			}
		}
		n, err := f.current.Read(p)
		f.count(p[:n])
		if n > 0 || err == nil {
			return n, nil
		}
		if !errors.Is(err, io.EOF) {
			return 0, err
		}
		f.close()
		if f.open && len(f.first) < len(f.names) && len(p) > 0 {
			p[0] = '\n'
			f.count(p[:1])
			return 1, nil
		}
	}
}

func (f *joinedFiles) next() error {
	name := f.names[len(f.first)]
	if name == "-" {
		f.current = io.NopCloser(f.stdin)
	} else {
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		f.current = file
	}
	f.first = append(f.first, f.lines)
	return nil
}

func (f *joinedFiles) count(p []byte) {
	if len(p) > 0 {
		f.lines += bytes.Count(p, []byte("\n"))
		f.open = p[len(p)-1] != '\n'
	}
}

func (f *joinedFiles) close() {
	if f.current != nil {
		_ = f.current.Close() // it was only read
		f.current = nil
	}
}

// place returns the file and its line for a line of them all.
func (f *joinedFiles) place(line int) (name string, number int) {
	name, number = f.names[0], line
	for i, before := range f.first {
		if line > before {
			name, number = f.names[i], line-before
		}
	}
	return name, number
}
