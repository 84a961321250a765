package vault

import "sync"

// briefLock is a sync.RWMutex mostly for work of less than a microsecond, which both sides hold in turn
// very often: it tries for a while before it lets its goroutine sleep, as a sync.Mutex does
// and a sync.RWMutex does not.
type briefLock struct{ sync.RWMutex }

// tries is how often a lock tries; pause is how many steps it counts between, so that those
// who hold it come through.
const (
	tries = 400
	pause = 30
)

// Lock locks for writing.
func (l *briefLock) Lock() {
	if !try(l.TryLock) {
		l.RWMutex.Lock()
	}
}

// RLock locks for reading.
func (l *briefLock) RLock() {
	if !l.TryRLock() && !try(l.TryRLock) {
		l.RWMutex.RLock()
	}
}

func try(locked func() bool) bool {
	for range tries {
		if locked() {
			return true
		}
		for range pause {
		}
	}
	return false
}
