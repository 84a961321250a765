package middleware

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"slices"

	"github.com/cloudg/mcplayer/internal/canonical"
	"github.com/cloudg/mcplayer/internal/scan"
	"github.com/go-json-experiment/json/jsontext"
)

// hashDigits is how many hexadecimal digits of a hash are written.
const hashDigits = 16

// auditEncoder is the scratch for the arguments of one line.
type auditEncoder struct {
	mac  hash.Hash // nil: no hashes
	doc  []byte    // the arguments, canonical
	args []auditArgument
	sum  [sha256.Size]byte
	hex  [2 * sha256.Size]byte
}

// auditArgument is one argument: the name to write, and where its value stands in
// auditEncoder.doc.
type auditArgument struct {
	name     string
	from, to int
}

func (a *Audit) encoder() *auditEncoder {
	if enc, ok := a.encoders.Get().(*auditEncoder); ok {
		return enc
	}
	enc := &auditEncoder{}
	if a.salt != nil {
		enc.mac = hmac.New(sha256.New, a.salt)
	}
	return enc
}

// arguments sorts the arguments of a call by the names that will be written. Those of
// a call that has none, or no valid ones, are none.
func (enc *auditEncoder) arguments(args jsontext.Value) {
	clear(enc.args)
	enc.args = enc.args[:0]
	if cap(enc.doc) > keptLine {
		enc.doc = nil
	}
	if args.Kind() != '{' {
		return
	}
	doc, err := canonical.Append(enc.doc[:0], args)
	if err != nil {
		return
	}
	enc.doc = doc
	for i := 1; doc[i] != '}'; {
		end := skipString(doc, i)
		from := end + 1 // behind the colon
		to := skipValue(doc, from)
		enc.args = append(enc.args, auditArgument{enc.name(doc[i:end]), from, to})
		if i = to; doc[i] == ',' {
			i++
		}
	}
	slices.SortFunc(enc.args, func(a, b auditArgument) int { return cmp.Compare(a.name, b.name) })
}

// name returns the name to write for an argument. One that held a secret gets its own
// hash: the members of an object must differ.
func (enc *auditEncoder) name(quoted []byte) string {
	name := unquote(quoted)
	scrubbed := scan.Scrub(name)
	if scrubbed == name || enc.mac == nil {
		return scrubbed
	}
	return scrubbed + "#" + string(enc.hash(quoted))
}

func unquote(quoted []byte) string {
	if slices.Contains(quoted, '\\') {
		quoted, _ = jsontext.AppendUnquote(nil, quoted)
		return string(quoted)
	}
	return string(quoted[1 : len(quoted)-1])
}

// skipString returns where the string ends that begins at doc[i].
func skipString(doc []byte, i int) int {
	for i++; doc[i] != '"'; i++ {
		if doc[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// skipValue returns where the member's value ends that begins at doc[i].
func skipValue(doc []byte, i int) int {
	for depth := 0; ; {
		switch doc[i] {
		case '"':
			i = skipString(doc, i)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
		case ',':
			if depth == 0 {
				return i
			}
		}
		i++
	}
}

// appendArguments appends the members argument_hashes and argument_keys.
func (enc *auditEncoder) appendArguments(line []byte) []byte {
	if enc.mac != nil && len(enc.args) > 0 {
		line = append(line, `"argument_hashes":{`...)
		for i, arg := range enc.args {
			if i > 0 {
				line = append(line, ',')
			}
			line = append(append(appendText(line, arg.name), `:"`...), enc.hash(enc.doc[arg.from:arg.to])...)
			line = append(line, '"')
		}
		line = append(line, "},"...)
	}
	line = append(line, `"argument_keys":[`...)
	for i, arg := range enc.args {
		if i > 0 {
			line = append(line, ',')
		}
		line = appendText(line, arg.name)
	}
	return append(line, "],"...)
}

// hash returns the digits for canonical JSON, until the next call.
func (enc *auditEncoder) hash(doc []byte) []byte {
	enc.mac.Reset()
	enc.mac.Write(doc)
	hex.Encode(enc.hex[:], enc.mac.Sum(enc.sum[:0]))
	return enc.hex[:hashDigits]
}
