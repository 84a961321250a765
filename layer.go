package mcplayer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"regexp"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cloudg/mcplayer/validate"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Layer stands between an MCP server and its handlers. Every call, in-process or
// through a transport, passes one fixed order of steps: principal, lookup,
// middleware, policy, input pipeline, validation, handler, output pipeline.
//
// A Layer is safe for concurrent use. Two layers share nothing.
type Layer struct {
	registry     *Registry
	policy       Policy
	prefix       string
	meta         metaKeys
	timeout      time.Duration
	maxOutput    int
	maxArguments int
	omit         []string
	hideErrors   bool
	filter       *filter
	guard        func(ctx context.Context, info CallInfo, args any) error
	resolver     Resolver
	validation   validate.Options
	logger       *slog.Logger

	chain     atomic.Pointer[chain]
	catalog   atomic.Pointer[catalog]
	gate      *gate
	answers   *gate         // requests over wrapped transports whose answer is not written yet
	killed    chan struct{} // closed when Close stops waiting
	abandoned atomic.Int64
	events    events
	bindings  *bindings

	mu      sync.Mutex // guards what follows and the writing of chain and catalog
	refused map[*entry]*entry
	servers map[*mcp.Server]bool // on which the layer is mounted
	closers []func(context.Context) error
	closed  bool
}

// The defaults of [Options].
const (
	// MetaPrefix begins the metadata keys of a layer that sets no other.
	MetaPrefix = "cloudg/"

	DefaultTimeout          = 300 * time.Second
	DefaultMaxOutputChars   = 200_000
	DefaultMaxArgumentBytes = 4 << 20
)

// maxPrefix leaves half of the 128 characters of a name.
const maxPrefix = 64

// closeGrace is how long Close waits once more: for handlers that it has cancelled,
// and for answers to be written.
const closeGrace = time.Second

// Options configure a layer. Policy is required; the zero value of every other
// field is its default.
type Options struct {
	// Registry holds the layer's own primitives; nil starts with none.
	Registry *Registry
	// Policy decides about every call. There is no default: an open server is
	// policy.Open(). Of a [ChangingPolicy] the layer tells its clients the changes.
	Policy Policy
	// Middleware stands around every call, outermost first. What may refuse
	// belongs outside a cache. Nil entries are left out.
	Middleware []Middleware
	// Prefix goes before the names of tools and prompts, at most 64 of
	// A-Za-z0-9_.-; with a prefix only prefixed names resolve.
	Prefix string
	// MetaPrefix begins the layer's metadata keys: a reverse DNS name and a
	// slash. The default is the constant of the same name.
	MetaPrefix string
	// Timeout bounds tool handlers that set none. 0 means [DefaultTimeout], a
	// negative value none.
	Timeout time.Duration
	// MaxOutputChars bounds the text of a structured value in code points. 0
	// means [DefaultMaxOutputChars], a negative value no bound.
	MaxOutputChars int
	// MaxArgumentBytes bounds the arguments of a call. 0 means
	// [DefaultMaxArgumentBytes]; a negative value is an error.
	MaxArgumentBytes int
	// OmitMembers names the members that are left out, at any depth, of the
	// values that handlers return. Nil means "raw_data"; an empty list none.
	OmitMembers []string
	// HideErrors replaces the texts of plain errors, which clients read otherwise, by
	// "Tool NAME failed".
	HideErrors bool
	// Filter leaves primitives of the registry out.
	Filter Filter
	// Guard may refuse what a handler is about to get, by returning an error:
	// rules about argument values belong here, since middleware sees pseudonyms.
	// Args is, for a tool, a pointer to the handler's arguments (*In; of a tool of the
	// host's *jsontext.Value), for a resource the variables and for a prompt the
	// declared arguments, a map[string]string, and for a completion a
	// [CompletionInput]. Guard must not change it.
	Guard func(ctx context.Context, info CallInfo, args any) error
	// Validation holds custom rules and schemas for the argument structs.
	Validation validate.Options
	// Resolver tells who makes a request that came through a transport; nil
	// means the default order (see [Resolver]).
	Resolver Resolver
	// Logger gets what clients must not see: causes, panics with their stacks,
	// and texts as handlers wrote them. Nil means slog.Default().
	Logger *slog.Logger
}

// New returns a layer. Every mistake in the options and in the registry is in
// the one error.
func New(opts *Options) (*Layer, error) {
	if opts == nil {
		opts = &Options{}
	}
	l := &Layer{
		registry:     opts.Registry,
		policy:       opts.Policy,
		prefix:       opts.Prefix,
		meta:         newMetaKeys(cmp.Or(opts.MetaPrefix, MetaPrefix)),
		timeout:      cmp.Or(opts.Timeout, DefaultTimeout),
		maxOutput:    cmp.Or(opts.MaxOutputChars, DefaultMaxOutputChars),
		maxArguments: cmp.Or(opts.MaxArgumentBytes, DefaultMaxArgumentBytes),
		omit:         []string{"raw_data"},
		hideErrors:   opts.HideErrors,
		guard:        opts.Guard,
		resolver:     opts.Resolver,
		validation:   opts.Validation,
		logger:       opts.Logger,
		gate:         newGate(),
		answers:      newGate(),
		bindings:     newBindings(),
		killed:       make(chan struct{}),
		refused:      map[*entry]*entry{},
	}
	if opts.OmitMembers != nil {
		l.omit = slices.Clone(opts.OmitMembers)
	}
	if l.logger == nil {
		l.logger = slog.Default()
	}
	if l.registry == nil {
		l.registry = NewRegistry()
	}
	l.chain.Store(newChain(opts.Middleware))
	if err := l.configure(opts); err != nil {
		return nil, err
	}
	l.registry.attach(l)
	l.refresh() // what was added meanwhile
	l.followPolicy()
	return l, nil
}

// followPolicy tells clients of changes of the policy, if it can change.
func (l *Layer) followPolicy() {
	p, ok := l.policy.(ChangingPolicy)
	if !ok {
		return
	}
	stop := p.OnChange(func(kind Kind) { l.NotifyChange(kind, "") })
	l.OnClose(func(context.Context) error {
		stop()
		return nil
	})
}

// configure checks the options and binds the registry's primitives.
func (l *Layer) configure(opts *Options) error {
	var bad configErrors
	if isNil(opts.Policy) {
		bad.add("Policy is missing; policy.Open() allows everything")
	}
	if err := checkPrefix(opts.Prefix); err != nil {
		bad.add("Prefix: %w", err)
	}
	if err := checkMetaPrefix(l.meta.prefix); err != nil {
		bad.add("MetaPrefix: %w", err)
	}
	if opts.MaxArgumentBytes < 0 {
		bad.add("MaxArgumentBytes is %d; it must be positive, or 0 for %d", opts.MaxArgumentBytes, DefaultMaxArgumentBytes)
	}
	entries, errs := l.registry.snapshot()
	bad.errs = append(bad.errs, errs...)
	l.filter = newFilter(opts.Filter, entries, &bad)
	if !isNil(opts.Policy) {
		cat, errs := l.bindAll(entries, nil)
		bad.errs = append(bad.errs, errs...)
		l.catalog.Store(cat)
	}
	return bad.join()
}

func isNil(p Policy) bool {
	if p == nil {
		return true
	}
	v := reflect.ValueOf(p)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

var prefixPattern = regexp.MustCompile(`^[A-Za-z0-9_.-]*$`)

func checkPrefix(prefix string) error {
	if len(prefix) > maxPrefix || !prefixPattern.MatchString(prefix) {
		return fmt.Errorf("%q is not at most %d of A-Z a-z 0-9 _ . -", prefix, maxPrefix)
	}
	return nil
}

// Use appends middleware inside what is there. It holds for calls that begin
// after it; calls that run keep their chain.
//
// The first middleware is the outermost: with a, b and c
//
//	call -> a -> b -> c -> policy, pipelines, handler
//	answer <- a <- b <- c <-
//
// A middleware that answers by itself hides what stands inside it: behind a
// cache, a guard does not see a hit.
func (l *Layer) Use(middleware ...Middleware) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.chain.Store(newChain(append(slices.Clip(l.chain.Load().middleware), middleware...)))
}

// Registry returns the registry of the layer's own primitives, to add to it later.
func (l *Layer) Registry() *Registry { return l.registry }

// Abandoned returns how many handlers go on although their call has ended, by
// its timeout or because the caller has gone.
func (l *Layer) Abandoned() int { return int(l.abandoned.Load()) }

// OnClose makes Close call f after the last call has ended. What was added last
// is closed first; what is added after Close is closed at once.
func (l *Layer) OnClose(f func(context.Context) error) {
	l.mu.Lock()
	closed := l.closed
	if !closed {
		l.closers = append(l.closers, f)
	}
	l.mu.Unlock()
	if !closed {
		return
	}
	if err := l.closeOne(context.Background(), f); err != nil {
		l.logger.Error("closing after the layer", errorAttr(err))
	}
}

// closeOne calls a closer. One that panics does not keep the others from closing.
func (l *Layer) closeOne(ctx context.Context, f func(context.Context) error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = l.panicked(v, slog.String("in", "OnClose"))
		}
	}()
	return f(ctx)
}

// Close refuses new calls with "Server closing" and waits for the running ones,
// their handlers and, over transports of [Layer.Run] and [Layer.WrapTransport],
// until their answers are written. When ctx ends it answers them, cancels the
// handlers that have a timeout and goes on; a handler that ignores its context is
// left behind, counted by [Layer.Abandoned], and makes Close return an error. Then
// Close closes what was given to [Layer.OnClose]. Later calls do nothing, and do
// not wait for the first.
//
// Inside a call of this layer Close would wait for that call: it returns an error
// and closes nothing.
func (l *Layer) Close(ctx context.Context) error {
	if l.isInside(ctx) {
		return errors.New("mcplayer: Close: called inside a call of this layer, for which it would wait")
	}
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		return nil
	}
	l.closed = true
	closers := slices.Clone(l.closers)
	l.mu.Unlock()
	errs := []error{l.drain(ctx)}
	l.registry.detach(l)
	if ctx.Err() != nil { // what closes now still gets a moment, to write what it holds
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), closeGrace)
		defer cancel()
	}
	for _, f := range slices.Backward(closers) {
		errs = append(errs, l.closeOne(ctx, f))
	}
	return errors.Join(errs...)
}

// drain waits for running calls, at last without patience, and for a moment until
// their answers are written.
func (l *Layer) drain(ctx context.Context) error {
	err := l.gate.close(ctx)
	close(l.killed)
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeGrace)
	defer cancel()
	if err == nil || l.gate.close(grace) == nil {
		_ = l.answers.close(grace) // a client that does not read gets none
		return nil
	}
	left := l.gate.inside.Load()
	l.logger.Warn("layer closed while handlers were running", slog.Int64("running", left))
	return fmt.Errorf("mcplayer: close: %d still running: %w", left, ctx.Err())
}
