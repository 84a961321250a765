//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package vault

import (
	"errors"
	"os"
	"syscall"
)

// lock keeps a file to this process, or fails at once. It ends with the open file.
func lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errInUse
	}
	return err
}
