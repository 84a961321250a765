//go:build unix

package middleware

import (
	"os"
	"syscall"
)

// openNoFollow fails for a symbolic link, and does not wait for the reader of a pipe.
func openNoFollow(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o600)
}
