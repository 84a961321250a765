//go:build !darwin && !dragonfly && !freebsd && !linux && !netbsd && !openbsd

package filelock

import (
	"errors"
	"fmt"
	"os"
)

// Lock fails: the system has no such locks.
func Lock(*os.File) error {
	return fmt.Errorf("this system has no flock: %w", errors.ErrUnsupported)
}
