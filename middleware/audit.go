package middleware

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/result"
)

// The defaults of [AuditOptions].
const (
	// AuditSaltEnv names the environment variable with the salt of argument hashes.
	AuditSaltEnv = "CLOUDG_MCP_AUDIT_SALT"

	DefaultAuditQueue        = 1024
	DefaultAuditQueueTimeout = time.Second
)

// minChainKey is the shortest key of a chain, in bytes.
const minChainKey = 16

// AuditOptions configure an [Audit]. The zero value of every field is its default.
type AuditOptions struct {
	// Path is the file that lines are appended to. It is made with mode 0600, its
	// directories with 0700. It must be a regular file and no symbolic link.
	Path string
	// Writer gets the lines in place of a file, each by one Write, from one
	// goroutine. With neither, the lines go to Logger at level info, with the
	// attribute logger=cloudg.mcp.audit.
	Writer io.Writer
	// Logger is told of lost lines. Nil means slog.Default().
	Logger *slog.Logger
	// Salt is the key of the argument hashes. Equal values give equal hashes only
	// under one salt. Empty means that of [AuditSaltEnv], else a random one.
	Salt []byte
	// OmitHashes leaves the argument hashes out.
	OmitHashes bool
	// FailClosed writes a line with the event mcp.call.intent before a call goes on,
	// and refuses the call (-32603) if that line cannot be written within
	// QueueTimeout. "Written" is written to the file, not forced to the disk.
	FailClosed bool
	// Queue is how many lines may wait to be written: 0 means [DefaultAuditQueue].
	// Lines of 16 MiB together fill any queue.
	Queue int
	// QueueTimeout is how long a call waits while the queue is full, until its line
	// is lost: 0 means [DefaultAuditQueueTimeout], a negative value not at all.
	QueueTimeout time.Duration
	// ChainKey, of 16 bytes or more, adds to each line a MAC over it and the line
	// before, so that [VerifyAudit] finds what was changed. One Audit at a time may
	// write a chained file: it is locked where the system has such locks, and refused if
	// its first line was made with another key.
	ChainKey []byte
	// ChainHead is what [Audit.Head] returned last for the file, if that was kept: a
	// file that ends otherwise is refused.
	ChainHead string
}

// Audit writes one JSON line for each call that reaches it, whether it succeeds or
// not. Calls for what is unknown or hidden, and lists, do not reach the middleware: the
// policy records the former. Values of arguments are never written; names and keys
// pass the secret detectors. It belongs outermost.
//
// A line has its members sorted at every depth: argument_hashes, argument_keys,
// duration_ms, error, event, kind, name, outcome, principal, request_id, sensitivity,
// transforms and ts, the end of the call. Control and invisible characters are
// escaped.
//
// Lines are written by a goroutine of the Audit's own, whole or not at all. A failing
// sink never breaks a call: lines that cannot be written are lost, counted by
// [Audit.Stats] and logged. It is safe for concurrent use and has to be closed.
type Audit struct {
	logger     *slog.Logger
	salt       []byte // nil: no hashes
	failClosed bool
	wait       time.Duration
	chained    bool

	encoders sync.Pool // of *auditEncoder
	entries  sync.Pool // of *auditEntry

	queue   chan *auditEntry
	room    chan struct{} // gets a value when a line is done
	closing chan struct{} // closed when Close begins
	ended   chan struct{} // closed when the last line is written
	dropped atomic.Bool   // what is left is not written any more
	pending atomic.Int64
	waiting atomic.Int64 // calls that wait for room
	written atomic.Int64
	lost    atomic.Int64

	sizeMu sync.Mutex // for changes of pending, too
	bytes  int        // of the lines that are pending

	headMu sync.Mutex
	head   chainMAC // of the last line written

	once   sync.Once
	mu     sync.RWMutex // read-locked while something is put into queue
	closed bool
}

// NewAudit returns an Audit; nil options are the defaults. It opens the file, and
// starts a goroutine that ends with [Audit.Close].
func NewAudit(opts *AuditOptions) (*Audit, error) {
	if opts == nil {
		opts = &AuditOptions{}
	}
	if err := opts.check(); err != nil {
		return nil, err
	}
	a := &Audit{
		logger:     opts.Logger,
		failClosed: opts.FailClosed,
		wait:       cmp.Or(opts.QueueTimeout, DefaultAuditQueueTimeout),
		chained:    opts.ChainKey != nil,
		queue:      make(chan *auditEntry, cmp.Or(opts.Queue, DefaultAuditQueue)),
		room:       make(chan struct{}, 1),
		closing:    make(chan struct{}),
		ended:      make(chan struct{}),
	}
	if a.logger == nil {
		a.logger = slog.Default()
	}
	if !opts.OmitHashes {
		a.salt = auditSalt(opts.Salt)
	}
	l, err := a.newLedger(opts)
	if err != nil {
		return nil, err
	}
	a.publish(l)
	go a.writeAll(l)
	return a, nil
}

func (o *AuditOptions) check() error {
	var bad mistakes
	if o.Path != "" && o.Writer != nil {
		bad.add("Path and Writer are both set; one place is allowed")
	}
	if o.Queue < 0 {
		bad.add("Queue is %d; it must be positive, or 0 for %d", o.Queue, DefaultAuditQueue)
	}
	if o.FailClosed && o.QueueTimeout < 0 {
		bad.add("QueueTimeout is %v; with FailClosed it must be positive, or 0 for %v", o.QueueTimeout, DefaultAuditQueueTimeout)
	}
	if o.ChainKey != nil && len(o.ChainKey) < minChainKey {
		bad.add("ChainKey has %d bytes; it must have %d or more", len(o.ChainKey), minChainKey)
	}
	if o.ChainHead != "" {
		o.checkHead(&bad)
	}
	return bad.of("audit")
}

func (o *AuditOptions) checkHead(bad *mistakes) {
	if o.ChainKey == nil || o.Path == "" {
		bad.add("ChainHead is set; it needs ChainKey and Path")
	}
	if _, err := parseMAC(o.ChainHead); err != nil {
		bad.add("ChainHead: %w", err)
	}
}

// Handle is the middleware.
func (a *Audit) Handle(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (res result.Result, err error) {
	begun := time.Now()
	if a.failClosed {
		if err := a.announce(info); err != nil {
			a.record(ctx, auditCall{info: info, begun: begun, err: err}, 0)
			return nil, err
		}
	}
	err = errUnwound
	defer func() { // also where a panic comes through
		a.record(ctx, auditCall{info: info, begun: begun, res: res, err: err}, a.wait)
	}()
	res, err = next(ctx, info)
	return res, err
}

// Head returns the MAC of the last line written, 64 hexadecimal digits: what is kept
// elsewhere, so that a cut-off end shows. It is empty without a chain.
func (a *Audit) Head() string {
	if !a.chained {
		return ""
	}
	a.headMu.Lock()
	defer a.headMu.Unlock()
	return a.head.String()
}

// AuditStats counts the lines of calls, those of intents too.
type AuditStats struct {
	Written, Lost int64
	Pending       int64 // wait to be written
}

// Stats counts the lines so far.
func (a *Audit) Stats() AuditStats {
	return AuditStats{Written: a.written.Load(), Lost: a.lost.Load(), Pending: a.pending.Load()}
}
