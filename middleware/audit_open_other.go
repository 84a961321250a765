//go:build !unix

package middleware

import (
	"fmt"
	"os"
)

// openNoFollow fails for a symbolic link. Where the system cannot refuse one as it
// opens, who may write to the directory can put one there in between.
func openNoFollow(path string) (*os.File, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode()&os.ModeSymlink != 0 {
		return nil, fmt.Errorf("%s is a symbolic link", path)
	}
	return os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
}
