// Package untrusted makes text of unknown origin fit for a language model: it
// takes out characters that nobody sees, cuts what is too long, finds text that
// speaks to the model instead of to its reader, and marks such text as data.
//
// All functions are pure and safe for concurrent use. They neither know where a
// text comes from nor decide what happens to it, except that one order of them
// is stable: [Strip], [Cut], [Detector.Suspicious], then one of [Fence],
// [Datamark] and [RedactedInjection]. Over their own output they change nothing.
package untrusted

//go:generate sh -c "perl tables.pl > tables.go && gofmt -w tables.go"
