// Package filelock keeps a file to one who has it open.
package filelock

import "errors"

// ErrLocked says that somebody else has the file locked.
var ErrLocked = errors.New("another process has it open")
