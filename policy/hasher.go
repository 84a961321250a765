package policy

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"hash"
	"sync"

	"github.com/cloudg/mcplayer/internal/canonical"
	"github.com/go-json-experiment/json/jsontext"
)

// maxArguments is how many arguments of a call the trail tells; a call may have very
// many.
const maxArguments = 64

// hasher hashes the arguments of calls: HMAC-SHA256 over the canonical JSON of each
// value, of which the trail keeps 12 hex digits. It is safe for concurrent use.
type hasher struct{ pool sync.Pool }

func newHasher(key []byte) *hasher {
	h := &hasher{}
	h.pool.New = func() any {
		w := &hashing{mac: hmac.New(sha256.New, key)}
		w.decoder = jsontext.NewDecoder(&w.in)
		return w
	}
	return h
}

// hash returns the arguments of a call with the hashes of their values; nil for what
// is no JSON object, or an empty one.
func (h *hasher) hash(args jsontext.Value) []argument {
	if len(args) <= len("{}") {
		return nil
	}
	w := h.pool.Get().(*hashing)
	defer h.pool.Put(w)
	return w.hash(args)
}

// hashing is the work on the arguments of one call, and its scratch space.
type hashing struct {
	mac       hash.Hash
	in        bytes.Buffer
	decoder   *jsontext.Decoder
	canonical []byte
	sum       []byte
	names     []byte
	ends      [maxArguments]int // of each name in names
	sums      [maxArguments][6]byte
}

// keptScratch is how much scratch space outlives a call, in bytes.
const keptScratch = 64 << 10

func (w *hashing) hash(args jsontext.Value) []argument {
	w.in = *bytes.NewBuffer(args)
	w.decoder.Reset(&w.in, jsontext.AllowDuplicateNames(true))
	w.names = w.names[:0]
	n, ok := w.members()
	w.in = bytes.Buffer{}
	if cap(w.canonical) > keptScratch {
		w.canonical = nil
	}
	if !ok || n == 0 {
		return nil
	}
	names, from := string(w.names), 0
	arguments := make([]argument, n)
	for i := range arguments {
		arguments[i] = argument{names[from:w.ends[i]], w.sums[i]}
		from = w.ends[i]
	}
	return arguments
}

// members reads the members of the object and hashes their values.
func (w *hashing) members() (n int, ok bool) {
	if t, err := w.decoder.ReadToken(); err != nil || t.Kind() != '{' {
		return 0, false
	}
	for n < maxArguments && w.decoder.PeekKind() == '"' {
		name, err := w.decoder.ReadValue()
		if err != nil {
			return 0, false
		}
		w.name(name)
		value, err := w.decoder.ReadValue()
		if err != nil || !w.value(value, &w.sums[n]) {
			return 0, false
		}
		w.ends[n] = len(w.names)
		n++
	}
	return n, true
}

// name appends the name of a member to the others.
func (w *hashing) name(quoted jsontext.Value) {
	from := len(w.names)
	w.names, _ = jsontext.AppendUnquote(w.names, quoted) // the decoder has checked it
	if name := w.names[from:]; !isHarmless(name) {
		w.names = append(w.names[:from], keptText(string(name), maxArgumentName)...)
	}
}

func (w *hashing) value(v jsontext.Value, sum *[6]byte) bool {
	var err error
	if w.canonical, err = canonical.Append(w.canonical[:0], v); err != nil {
		return false
	}
	w.mac.Reset()
	w.mac.Write(w.canonical)
	w.sum = w.mac.Sum(w.sum[:0])
	copy(sum[:], w.sum)
	return true
}
