package policy

import (
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/cloudg/mcplayer/pipeline"
	"github.com/cloudg/mcplayer/pipeline/vault"
)

// names are the pseudonyms of a document: those of its vault, which is opened when it
// is known that something makes pseudonyms. Nil names stand for those of the host.
//
// They are safe for concurrent use.
type names struct {
	options vault.Options
	vault   atomic.Pointer[vault.Vault] // nil: not open

	mu     sync.Mutex
	closed bool
}

var _ pipeline.Pseudonyms = (*names)(nil)

// namesOf returns the names of a document: those before, if it says the same of the
// vault.
func (s *shared) namesOf(d *Document, before *names) (*names, error) {
	read, err := d.vault()
	if err != nil || s.build.Pseudonyms() != nil {
		return nil, err
	}
	n := &names{options: read.options(s.logger)}
	if before != nil && reflect.DeepEqual(before.options, n.options) {
		return before, nil
	}
	return n, nil
}

// options returns the options of the vault of a document.
func (v *vaultOptions) options(logger *slog.Logger) vault.Options {
	o := vault.Options{KeyEnv: v.KeyEnv, Namespace: v.Namespace, File: v.File, Logger: logger}
	if v.Key != "" {
		o.Key = []byte(v.Key)
	}
	for _, key := range v.PreviousKeys {
		o.PreviousKeys = append(o.PreviousKeys, []byte(key))
	}
	if v.TTLSeconds != nil {
		o.TTLSeconds = *v.TTLSeconds
	}
	if v.MaxEntries != nil {
		o.MaxEntries = *v.MaxEntries
	}
	return o
}

// builder returns a builder whose pipelines take these names.
func (n *names) builder(b *pipeline.Builder) *pipeline.Builder {
	if n == nil {
		return b
	}
	return b.With(pipeline.BuilderOptions{Pseudonyms: n})
}

// open opens the vault, unless it is open. The names before, which may be nil, still
// have their file.
func (n *names) open(before *names) error {
	if n == nil {
		return nil
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	switch {
	case n.closed:
		return errors.New("vault: the policy is closed")
	case n.vault.Load() != nil:
		return nil
	case before.holds(n.options.File):
		return fmt.Errorf("vault: %s is open with other options; they hold until the policy is made anew", n.options.File)
	}
	v, err := vault.New(&n.options)
	if err == nil {
		n.vault.Store(v)
	}
	return err
}

// holds reports whether the vault is open and kept in a file.
func (n *names) holds(file string) bool {
	return n != nil && file != "" && n.options.File == file && n.vault.Load() != nil
}

// closeUnless closes the vault, unless others are the same names.
func (n *names) closeUnless(others *names) error {
	if n == nil || n == others {
		return nil
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.closed = true
	if v := n.vault.Load(); v != nil {
		return v.Close()
	}
	return nil
}

// AppendPseudonym implements [pipeline.Pseudonyms].
func (n *names) AppendPseudonym(dst []byte, owner, entity string, value []byte) (out []byte, ok bool) {
	if v := n.vault.Load(); v != nil {
		return v.AppendPseudonym(dst, owner, entity, value)
	}
	return dst, false
}

// AppendOriginals implements [pipeline.Pseudonyms].
func (n *names) AppendOriginals(dst []byte, owner string, text []byte) (out []byte, count int, err error) {
	if v := n.vault.Load(); v != nil {
		return v.AppendOriginals(dst, owner, text)
	}
	return append(dst, text...), 0, nil
}
