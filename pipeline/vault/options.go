package vault

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// Namespaces of a vault.
const (
	// Global: all principals get the same pseudonym for a value.
	Global = "global"
	// Principal: each principal has pseudonyms of his own, and nobody resolves those of
	// somebody else.
	Principal = "principal"
)

const (
	defaultKeyEnv     = "CLOUDG_MCP_VAULT_KEY"
	defaultMaxEntries = 1_000_000
	maxMaxEntries     = 50_000_000
	defaultFlush      = time.Second
	minKey            = 16
)

// Options configure a [Vault].
type Options struct {
	// Key is the secret that pseudonyms are derived from, at least 16 bytes. Nil: the
	// value of the environment variable KeyEnv; if that is empty, a random key, which
	// the log tells.
	Key []byte
	// KeyEnv names the environment variable. Empty: CLOUDG_MCP_VAULT_KEY.
	KeyEnv string
	// PreviousKeys still open the store and their pseudonyms still resolve; new
	// pseudonyms come from the key alone.
	PreviousKeys [][]byte
	// Namespace is global or principal. Empty: global.
	Namespace string
	// TTLSeconds is how long a pseudonym resolves after its last use, to the second. 0:
	// for ever.
	TTLSeconds int
	// MaxEntries bounds what is remembered; a full vault issues nothing new. 0:
	// 1,000,000. At most 50,000,000.
	MaxEntries int
	// File keeps the vault in a file; see [OpenFile]. It needs a key.
	File string
	// Store keeps the vault elsewhere; it is closed with the vault. It needs a key. Nil
	// without File: the vault lives in memory.
	Store Store
	// FlushInterval is how often new pseudonyms go to the store, and so how much a crash
	// may lose. 0: one second. Negative: only Flush, Save and Close write.
	FlushInterval time.Duration
	// Logger gets what goes wrong in the background, and that the key is a random one.
	// Nil: slog.Default.
	Logger *slog.Logger
}

// complete returns the options with their defaults, or all that is wrong with
// them.
func (o *Options) complete() (Options, error) {
	var c Options
	if o != nil {
		c = *o
	}
	c.Namespace = cmp.Or(c.Namespace, Global)
	c.KeyEnv = cmp.Or(c.KeyEnv, defaultKeyEnv)
	c.MaxEntries = cmp.Or(c.MaxEntries, defaultMaxEntries)
	c.FlushInterval = cmp.Or(c.FlushInterval, defaultFlush)
	c.Logger = cmp.Or(c.Logger, slog.Default())
	return c, errors.Join(c.namespaceFault(), c.boundFault(), c.keyFault(), c.storeFault())
}

func (o *Options) namespaceFault() error {
	if o.Namespace == Global || o.Namespace == Principal {
		return nil
	}
	return fmt.Errorf("vault: Namespace is %q, not %q or %q", o.Namespace, Global, Principal)
}

func (o *Options) boundFault() (err error) {
	if o.TTLSeconds < 0 {
		err = fmt.Errorf("vault: TTLSeconds is %d, not 0 (for ever) or more", o.TTLSeconds)
	}
	if o.MaxEntries < 0 || o.MaxEntries > maxMaxEntries {
		err = errors.Join(err, fmt.Errorf("vault: MaxEntries is %d, not 0 (%d) to %d", o.MaxEntries, defaultMaxEntries, maxMaxEntries))
	}
	return err
}

func (o *Options) keyFault() (err error) {
	if o.Key != nil && len(o.Key) < minKey {
		err = fmt.Errorf("vault: Key has %d bytes, not %d or more", len(o.Key), minKey)
	}
	for i, key := range o.PreviousKeys {
		if len(key) < minKey {
			err = errors.Join(err, fmt.Errorf("vault: PreviousKeys[%d] has %d bytes, not %d or more", i, len(key), minKey))
		}
	}
	return err
}

func (o *Options) storeFault() error {
	if o.File != "" && o.Store != nil {
		return errors.New("vault: File and Store are both set; only one can keep the vault")
	}
	return nil
}

// kept reports whether a store keeps the vault.
func (o *Options) kept() bool { return o.File != "" || o.Store != nil }
