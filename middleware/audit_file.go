package middleware

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json/jsontext"
)

// openAudit opens a file for appending; its mode is 0600 if it is new.
func openAudit(path string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	file, err := openNoFollow(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", path)
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

// auditEnd is how an audit file ends.
type auditEnd struct {
	open  bool      // with a line that has no newline
	lines bool      // with any line
	head  *chainMAC // of the last line that has a MAC
	torn  int       // lines after that
}

// maxTorn is how many lines after the last one of its chain a file may have.
const maxTorn = 1000

// readEnd reads a file from its end, if it is chained up to the last line of the chain.
func readEnd(file *os.File, chained bool) (end auditEnd, err error) {
	info, err := file.Stat()
	if err != nil || info.Size() == 0 {
		return end, err
	}
	to := info.Size()
	last := make([]byte, 1)
	if _, err := file.ReadAt(last, to-1); err != nil {
		return end, err
	}
	end.open, end.lines = last[0] != '\n', true
	if !end.open {
		to--
	}
	for chained && to >= 0 && end.torn < maxTorn {
		from, err := lineStart(file, to)
		if err != nil {
			return end, err
		}
		line := make([]byte, to-from)
		if _, err := io.ReadFull(io.NewSectionReader(file, from, to-from), line); err != nil {
			return end, err
		}
		if mac, ok := sealOf(line); ok && jsontext.Value(line).IsValid() {
			end.head = &mac
			return end, nil
		}
		end.torn++
		to = from - 1
	}
	return end, nil
}

// readFirst returns the first line of a file, or the beginning of it.
func readFirst(file io.ReaderAt) ([]byte, error) {
	line := make([]byte, 1024) // the first line of a chain has less
	n, err := file.ReadAt(line, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	line, _, _ = bytes.Cut(line[:n], []byte("\n"))
	return line, nil
}

// lineStart returns where the line begins that ends before to.
func lineStart(file io.ReaderAt, to int64) (int64, error) {
	block := make([]byte, 1<<14)
	for to > 0 {
		from := max(0, to-int64(len(block)))
		part := block[:to-from]
		if _, err := io.ReadFull(io.NewSectionReader(file, from, to-from), part); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(part, '\n'); i >= 0 {
			return from + int64(i) + 1, nil
		}
		to = from
	}
	return 0, nil
}
