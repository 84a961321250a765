//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package middleware

import (
	"errors"
	"os"
	"syscall"
)

// lockAudit fails if somebody else has locked the file. Where a file system knows no locks
// there is none.
func lockAudit(file *os.File) error {
	raw, err := file.SyscallConn()
	if err != nil {
		return err
	}
	var locked error
	err = raw.Control(func(fd uintptr) { locked = syscall.Flock(int(fd), syscall.LOCK_EX|syscall.LOCK_NB) })
	if err == nil && errors.Is(locked, syscall.EWOULDBLOCK) {
		err = errors.New("another audit writes it, and a chain has one writer")
	}
	return err
}
