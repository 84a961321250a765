package policy

import (
	"context"
	"crypto/rand"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/pipeline"
)

// Policy is a document in force. It implements [mcplayer.Policy] and may serve
// several layers, which then share its rate limits and its trail.
//
// It is safe for concurrent use.
type Policy struct {
	*shared
	current atomic.Pointer[revision]

	reloading sync.Mutex // held by Reload and Admit
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
	// pipeline.
	Builder *pipeline.Builder
	// Store keeps the buckets of rate limits; nil means a [MemoryStore].
	Store Store
	// Logger gets the trail and warnings; nil means slog.Default().
	Logger *slog.Logger
	// HashKey is the key of the hashes of arguments in the trail. Empty means a random one,
	// so that hashes of two processes differ.
	HashKey []byte
}

// New puts a document in force. The error tells all that is wrong with it.
func New(doc *Document, o *Options) (*Policy, error) {
	if o == nil {
		o = &Options{}
	}
	s := &shared{logger: o.Logger, store: o.Store, build: o.Builder}
	if s.logger == nil {
		s.logger = slog.Default()
	}
	if s.store == nil {
		s.store, _ = NewMemoryStore(nil) // the defaults have no mistakes
	}
	if s.build == nil {
		s.build = pipeline.NewBuilder(nil)
	}
	key := slices.Clone(o.HashKey)
	if len(key) == 0 {
		key = []byte(rand.Text())
	}
	s.bucketLists.New = func() any { return new([]Bucket) }
	s.trail = newTrail(s.logger, key)
	p := &Policy{shared: s}
	rev, err := compile(doc, s, firstVersion())
	if err != nil {
		return nil, err
	}
	p.put(rev)
	return p, nil
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
