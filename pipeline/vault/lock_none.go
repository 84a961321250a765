//go:build !darwin && !dragonfly && !freebsd && !linux && !netbsd && !openbsd

package vault

import (
	"errors"
	"fmt"
	"os"
)

// lock fails: without it two processes could write one file.
func lock(*os.File) error {
	return fmt.Errorf("this system has no flock: %w", errors.ErrUnsupported)
}
