package scan

import (
	"cmp"
	"slices"
)

// Settle sorts the matches behind the first n and leaves out those that overlap a
// better one: a secret beats all that is not, otherwise the leftmost is taken, and of
// two at one place the first in order. Of a secret that begins in another one, what
// stands behind that is a match of its own: a key is not seen because it follows the
// beginning of a password.
func Settle(found []Match, n int) []Match {
	if len(found) < n+2 {
		return found
	}
	part := found[n:]
	if apartAll(part) {
		return found
	}
	if !slices.IsSortedFunc(part, inOrder) {
		slices.SortStableFunc(part, inOrder)
	}
	if slices.ContainsFunc(part, isSecret) {
		dropOverlapped(part, true)
		dropBeforeSecrets(part)
	}
	dropOverlapped(part, false)
	return keep(found, n)
}

func inOrder(a, b Match) int {
	return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Order, b.Order))
}

func isSecret(m Match) bool { return m.Secret }

// keep leaves out what was dropped behind the first n.
func keep(found []Match, n int) []Match {
	for _, m := range found[n:] {
		if !dropped(m) {
			found[n] = m
			n++
		}
	}
	return found[:n]
}

// apartAll reports whether each starts behind the end of the one before.
func apartAll(part []Match) bool {
	for i := 1; i < len(part); i++ {
		if part[i].Start < part[i-1].End {
			return false
		}
	}
	return true
}

// minRest is how long the rest of a secret is at least that is one itself.
const minRest = 8

// dropOverlapped drops what starts inside an earlier one, only among secrets or among
// all that are left.
func dropOverlapped(part []Match, secrets bool) {
	end := 0
	for i := range part {
		m := &part[i]
		switch {
		case dropped(*m) || secrets && !m.Secret:
		case m.Start < end && m.Secret && m.Kind != HighEntropy && m.End >= end+minRest:
			m.Start, end = end, m.End
		case m.Start < end:
			drop(m)
		default:
			end = m.End
		}
	}
}

// dropBeforeSecrets drops what overlaps a secret on either side.
func dropBeforeSecrets(part []Match) {
	end := 0
	for i := range part {
		m := &part[i]
		if m.Secret && !dropped(*m) {
			end = m.End
		} else if m.Start < end {
			drop(m)
		}
	}
	const none = int(^uint(0) >> 1)
	start := none
	for i := range slices.Backward(part) {
		m := &part[i]
		if m.Secret && !dropped(*m) {
			start = m.Start
		} else if m.End > start {
			drop(m)
		}
	}
}

// A dropped match ends before all others, so that the length of part holds until the end.
func drop(m *Match)        { m.End = -1 }
func dropped(m Match) bool { return m.End < 0 }
