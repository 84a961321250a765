package policy

import (
	"crypto/hmac"
	"crypto/sha256"
	"hash"
	"sync"

	"github.com/cloudg/mcplayer/internal/canonical"
	"github.com/cloudg/mcplayer/internal/scan"
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
		return &hashing{mac: hmac.New(sha256.New, key)}
	}
	return h
}

// hash returns the arguments of a call with the hashes of their values, in their
// order; nil for what is no JSON object, or an empty one.
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
	mac   hash.Hash
	value []byte // in canonical form
	sum   []byte
	names []byte
	ends  [maxArguments]int // of each name in names
	sums  [maxArguments][6]byte
}

// keptScratch is how much scratch space outlives a call, in bytes.
const keptScratch = 64 << 10

func (w *hashing) hash(args []byte) []argument {
	w.names = w.names[:0]
	n, ok := w.members(args)
	if cap(w.value) > keptScratch {
		w.value = nil
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

// members hashes the first members of an object. What is not JSON may be taken for it:
// the call is refused later.
func (w *hashing) members(doc []byte) (n int, ok bool) {
	m := memberReader{rest: doc}
	if !m.open() {
		return 0, false
	}
	for n < maxArguments {
		name, value := m.next()
		if name == nil {
			return n, !m.failed
		}
		if !w.addName(name) || !w.addValue(value, &w.sums[n]) {
			return 0, false
		}
		w.ends[n] = len(w.names)
		n++
	}
	return n, true
}

// addName appends the name of a member to the others.
func (w *hashing) addName(quoted []byte) bool {
	from := len(w.names)
	var err error
	if canonical.Is(quoted) {
		w.names = append(w.names, quoted[1:len(quoted)-1]...)
	} else if w.names, err = jsontext.AppendUnquote(w.names, quoted); err != nil {
		return false
	}
	if name := w.names[from:]; !scan.IsShortWord(name) {
		w.names = append(w.names[:from], keptText(string(name), maxArgumentName)...)
	}
	return true
}

func (w *hashing) addValue(v jsontext.Value, sum *[6]byte) bool {
	form := []byte(v)
	if !canonical.Is(v) {
		var err error
		if w.value, err = canonical.Append(w.value[:0], v); err != nil {
			return false
		}
		form = w.value
	}
	w.mac.Reset()
	w.mac.Write(form)
	w.sum = w.mac.Sum(w.sum[:0])
	copy(sum[:], w.sum)
	return true
}
