package policy

import (
	"encoding/hex"
	"time"

	"github.com/cloudg/mcplayer"
)

// Outcome is what became of a call.
type Outcome string

// The outcomes that the trail knows.
const (
	OutcomeAllowed     Outcome = "allowed"
	OutcomeDenied      Outcome = "denied"
	OutcomeRateLimited Outcome = "rate_limited"
	OutcomeRejected    Outcome = "rejected"  // allowed, then refused by the input pipeline
	OutcomeNotFound    Outcome = "not_found" // unknown, or hidden from the caller
)

// Entry is a call in the trail.
type Entry struct {
	Time      time.Time     `json:"ts"`
	Decision  Outcome       `json:"decision"`
	Kind      mcplayer.Kind `json:"kind"`
	Name      string        `json:"name"` // as the trail keeps it: without secrets, at most 1,024 bytes
	Principal string        `json:"principal"`
	Roles     []string      `json:"roles"`
	// Arguments holds, by name, the first 12 hex digits of the keyed hash of each value.
	// It is nil where none are recorded.
	Arguments map[string]string `json:"arguments,omitempty"`
	Reason    string            `json:"reason,omitempty"`
}

// EntryFilter selects entries. The zero value of a field selects all.
type EntryFilter struct {
	Decision        Outcome
	Kind            mcplayer.Kind
	Name, Principal string
	Since           time.Time // and later
	// Limit is how many entries at most, the newest of those that fit. They come oldest
	// first, as all do. 0 or less: all.
	Limit int
}

func (f *EntryFilter) admits(r *record) bool {
	return (f.Decision == "" || f.Decision == r.outcome) &&
		(f.Kind == 0 || f.Kind == r.kind) &&
		(f.Name == "" || f.Name == r.name) &&
		(f.Principal == "" || f.Principal == r.who.ID()) &&
		!r.at.Before(f.Since)
}

// record is an entry as it is kept.
type record struct {
	number    uint64 // in the order of arrival
	at        time.Time
	outcome   Outcome
	kind      mcplayer.Kind
	name      string
	who       *mcplayer.Principal
	arguments []argument
	reason    string
}

func (r *record) entry() Entry {
	return Entry{
		Time: r.at, Decision: r.outcome, Kind: r.kind, Name: r.name,
		Principal: r.who.ID(), Roles: r.who.Roles(),
		Arguments: hashesOf(r.arguments), Reason: r.reason,
	}
}

// argument is the name of an argument and the hash of its value.
type argument struct {
	name string
	sum  [6]byte
}

func hashesOf(arguments []argument) map[string]string {
	if arguments == nil {
		return nil
	}
	m := make(map[string]string, len(arguments))
	for i := range arguments {
		m[arguments[i].name] = hex.EncodeToString(arguments[i].sum[:])
	}
	return m
}
