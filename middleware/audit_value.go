package middleware

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/cloudg/mcplayer/internal/canonical"
	"github.com/cloudg/mcplayer/internal/scan"
	"github.com/go-json-experiment/json/jsontext"
)

// appendJSON appends any value with sorted members; null if it cannot be encoded.
func appendJSON(line []byte, value any) []byte {
	whole, err := appendValue(line, value, 0)
	if err != nil {
		return append(line, "null"...)
	}
	return whole
}

// shortWay is how many levels of objects are written without encoding/json, which
// allocates for each member. A report has two.
const shortWay = 4

func appendValue(line []byte, value any, depth int) ([]byte, error) {
	switch v := value.(type) {
	case string:
		return appendText(line, v), nil
	case int:
		return strconv.AppendInt(line, int64(v), 10), nil
	case int64:
		return strconv.AppendInt(line, v, 10), nil
	case jsontext.Value:
		if v != nil {
			return appendDocument(line, v)
		}
	case map[string]any:
		if v != nil && depth < shortWay {
			return appendObject(line, v, depth+1)
		}
	}
	doc, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	return appendDocument(line, doc)
}

// appendDocument appends a document with sorted members and strings as appendText
// writes them.
func appendDocument(line []byte, doc jsontext.Value) ([]byte, error) {
	if canonical.Is(doc) { // all of it is printable
		return append(line, doc...), nil
	}
	sorted, err := canonical.Append(nil, doc)
	if err != nil {
		return nil, err
	}
	return appendStrings(line, sorted, appendText), nil
}

// appendScrubbed appends a document without the secrets in its strings.
func appendScrubbed(line, doc []byte) []byte {
	return appendStrings(line, doc, func(line []byte, text string) []byte { return appendText(line, scan.Scrub(text)) })
}

// appendStrings appends a compact document, and each of its strings by the function.
func appendStrings(line, doc []byte, appendOne func([]byte, string) []byte) []byte {
	for i := 0; i < len(doc); {
		if doc[i] != '"' {
			line = append(line, doc[i])
			i++
			continue
		}
		end := skipString(doc, i)
		line = appendOne(line, unquote(doc[i:end]))
		i = end
	}
	return line
}

func appendObject(line []byte, object map[string]any, depth int) (_ []byte, err error) {
	var few [16]string
	names := few[:0]
	for name := range object {
		names = append(names, name)
	}
	slices.Sort(names)
	separator := byte('{')
	for _, name := range names {
		line = append(appendText(append(line, separator), name), ':')
		if line, err = appendValue(line, object[name], depth); err != nil {
			return nil, err
		}
		separator = ','
	}
	if separator == '{' {
		line = append(line, separator)
	}
	return append(line, '}'), nil
}
