// Package canonical writes JSON in the one form that equal values share: what is
// hashed, signed or used as a key.
package canonical
