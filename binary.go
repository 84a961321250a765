package mcplayer

import (
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Binary is what happens to bytes in results: images, audio, blobs.
type Binary uint8

// What may happen to bytes. Bytes are text if they are valid UTF-8 without a NUL.
const (
	// BinaryScan leads bytes that are text through the output pipeline; others pass.
	BinaryScan Binary = iota
	// BinaryPass lets all bytes pass.
	BinaryPass
	// BinaryWithhold leads bytes that are text through the output pipeline; a note stands
	// for others.
	BinaryWithhold
)

// bytes transforms what is text in all but name.
func (e *exit) bytes(b []byte) []byte {
	if e.pass == nil || len(b) == 0 || e.binary() == BinaryPass || !isText(b) {
		return b
	}
	text := string(b)
	if out := e.text(text); out != text {
		return []byte(out)
	}
	return b
}

func isText(b []byte) bool {
	if slices.Contains(b, 0) {
		return false
	}
	return utf8.Valid(b)
}

func (e *exit) binary() Binary { return e.call.access.binary() }

func (a *Access) binary() Binary {
	if a == nil {
		return BinaryScan
	}
	return a.Binary
}

// transforms reports whether anything happens to what goes out.
func (a *Access) transforms() bool { return a.Output != nil || a.Binary == BinaryWithhold }

// withheld returns the note that stands for bytes; it is not ok if they may pass.
func (e *exit) withheld(b []byte, mimeType string) (note string, ok bool) {
	if e.binary() != BinaryWithhold || len(b) == 0 || isText(b) {
		return "", false
	}
	e.dropped++
	if mimeType == "" {
		mimeType = "binary data"
	}
	return fmt.Sprintf("[withheld by policy: %d bytes of %s]", len(b), mimeType), true
}

// media returns the block, or a text in the place of one whose bytes are withheld.
func (e *exit) media(block mcp.Content, b []byte, mimeType string) mcp.Content {
	if note, ok := e.withheld(b, mimeType); ok {
		return &mcp.TextContent{Text: note}
	}
	return block
}

// blob transforms the bytes of contents, or writes a note in their place.
func (e *exit) blob(contents *mcp.ResourceContents) *mcp.ResourceContents {
	note, ok := e.withheld(contents.Blob, contents.MIMEType)
	if ok {
		contents.Blob, contents.Text, contents.MIMEType = nil, note, "text/plain"
		return contents
	}
	contents.Blob = e.bytes(contents.Blob)
	return contents
}

// countDropped adds what was withheld to a report: as dropped, beside what the pipeline
// dropped.
func (e *exit) countDropped(r Report) Report {
	if e.dropped == 0 {
		return r
	}
	r = maps.Clone(r)
	if r == nil {
		r = Report{}
	}
	dropped := map[string]any{"binary": e.dropped}
	if own, ok := r["dropped"].(map[string]any); ok {
		maps.Copy(dropped, own)
	}
	r["dropped"] = dropped
	return r
}
