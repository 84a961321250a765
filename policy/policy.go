package policy

import (
	"context"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/pipeline"
	"github.com/cloudg/mcplayer/pipeline/vault"
)

// Policy is a document in force. It implements [mcplayer.Policy] and may serve
// several layers, which then share its rate limits, its trail and its vault. So none
// of them closes it: its owner does, see [Policy.Close].
//
// It is safe for concurrent use.
type Policy struct {
	*shared
	current atomic.Pointer[revision]

	reloading sync.Mutex // held by Reload and Admit
	closed    bool       // guarded by reloading
	admitted  specs
	listeners listeners
}

var _ mcplayer.Policy = (*Policy)(nil)

// shared is what outlives a document.
type shared struct {
	logger *slog.Logger
	store  Store
	trail  *trail
	build  *pipeline.Builder

	bucketLists sync.Pool // of *[]Bucket, between calls
}

// Options configure a policy; nil means the defaults.
type Options struct {
	// Builder builds the pipelines; nil means one that knows the types of package
	// pipeline. One with pseudonyms of its own takes the place of a vault.
	Builder *pipeline.Builder
	// Vault, in place of one made by what the document says of it, is shared with others.
	// It is not closed with the policy.
	Vault *vault.Vault
	// Store keeps the buckets of rate limits; nil means a [MemoryStore].
	Store Store
	// Logger gets the trail and warnings; nil means slog.Default().
	Logger *slog.Logger
	// HashKey is what the keys of hashes come from: of arguments in the trail, and of
	// values in results unless there is a Builder, which has a key of its own. Empty means
	// random ones, so that hashes of two processes differ.
	HashKey []byte
}

// New puts a document in force. The error tells all that is wrong with it. A document
// that turns values into pseudonyms opens a vault, which [Policy.Close] closes.
func New(doc *Document, o *Options) (*Policy, error) {
	if o == nil {
		o = &Options{}
	}
	s, err := newShared(o)
	if err != nil {
		return nil, err
	}
	p := &Policy{shared: s}
	rev, err := compile(doc, s, firstVersion(), nil)
	if err != nil {
		return nil, err
	}
	p.put(rev)
	return p, nil
}

// newShared completes the options.
func newShared(o *Options) (*shared, error) {
	s := &shared{logger: o.Logger, store: o.Store}
	if s.logger == nil {
		s.logger = slog.Default()
	}
	if s.store == nil {
		s.store, _ = NewMemoryStore(nil) // the defaults have no mistakes
	}
	key := slices.Clone(o.HashKey)
	if len(key) == 0 {
		key = []byte(rand.Text())
	}
	s.bucketLists.New = func() any { return new([]Bucket) }
	s.trail = newTrail(s.logger, key)
	var err error
	s.build, err = builderOf(o, key)
	return s, err
}

// builderOf returns what builds the pipelines, without the vault of a document.
func builderOf(o *Options, key []byte) (*pipeline.Builder, error) {
	b := o.Builder
	if b == nil {
		values, err := hkdf.Key(sha256.New, key, nil, "cloudg policy 1: values", sha256.Size)
		if err != nil {
			return nil, fmt.Errorf("policy: derive the key of hashes: %w", err)
		}
		b = pipeline.NewBuilder(&pipeline.BuilderOptions{HashKey: values})
	}
	if o.Vault == nil {
		return b, nil
	}
	if b.Pseudonyms() != nil {
		return nil, errors.New("policy: Vault is set, and Builder has pseudonyms of its own; only one can make them")
	}
	return b.With(pipeline.BuilderOptions{Pseudonyms: o.Vault}), nil
}

// put makes a revision the one in force.
func (p *Policy) put(rev *revision) {
	p.trail.resize(rev.auditSize)
	p.current.Store(rev)
}

// Admit implements [mcplayer.Policy]: it checks the hints of a primitive. Of one that
// anonymous callers may use to change or run something it warns in the log.
func (p *Policy) Admit(spec *mcplayer.Spec) error {
	p.reloading.Lock()
	defer p.reloading.Unlock()
	rev := p.current.Load()
	if err := rev.admit(spec); err != nil {
		return err
	}
	p.admitted.add(spec)
	rev.warn(spec)
	return nil
}

// Bind implements [mcplayer.Policy].
func (p *Policy) Bind(spec *mcplayer.Spec, who *mcplayer.Principal) *mcplayer.Access {
	if spec == nil || who == nil {
		return nil
	}
	return p.current.Load().bound(spec, who).bind()
}

// NotFound implements [mcplayer.Policy]: the call goes into the trail.
func (p *Policy) NotFound(ctx context.Context, info mcplayer.CallInfo) {
	p.trail.missing(ctx, &info)
}

// dangerous is what nobody unknown should be able to do.
const dangerous = mcplayer.Exec | mcplayer.WriteState | mcplayer.WriteFS

// openToAll returns which of the dangerous capabilities of a primitive anonymous
// callers may use.
func (r *revision) openToAll(spec *mcplayer.Spec) mcplayer.Capabilities {
	if able := spec.Capabilities & dangerous; able != 0 && r.bound(spec, mcplayer.Anonymous()).decision.Allowed {
		return able
	}
	return 0
}

// warn tells the log what is open to everybody.
func (r *revision) warn(spec *mcplayer.Spec) {
	if able := r.openToAll(spec); able != 0 {
		r.logger.Warn("anonymous callers may use what changes or runs something", slog.String("policy", r.name),
			slog.String("kind", spec.Kind.String()), slog.String("name", spec.Name), slog.String("capabilities", able.String()))
	}
}
