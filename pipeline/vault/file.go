package vault

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cloudg/mcplayer/internal/filelock"
)

// File is a store in one file of mode 0600. One process at a time has it open. Only
// one goroutine at a time may use it.
type File struct {
	path  string
	file  *os.File
	fresh bool // made by OpenFile, nothing in it yet
	size  int64
}

// OpenFile opens the store in a file, or makes one. It fails if another process
// has it open. It works where the system has flock.
func OpenFile(path string) (*File, error) {
	const tries = 3 // the file may be replaced while it is opened
	for range tries {
		f, err := openFile(path)
		if err != nil {
			return nil, fmt.Errorf("vault: open %s: %w", path, err)
		}
		if f != nil {
			return f, nil
		}
	}
	return nil, fmt.Errorf("vault: open %s: %w", path, filelock.ErrLocked)
}

// openFile returns nil if the file was replaced before it was locked.
func openFile(path string) (*File, error) {
	f := &File{path: path}
	var err error
	f.file, err = os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		f.fresh = true
		f.file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	}
	if err != nil {
		return nil, err
	}
	if err := filelock.Lock(f.file); err != nil {
		return nil, errors.Join(err, f.file.Close())
	}
	current, err := f.current()
	if err != nil || !current {
		return nil, errors.Join(err, f.file.Close())
	}
	return f, nil
}

// current reports whether the path still leads to the open file.
func (f *File) current() (bool, error) {
	opened, err := f.file.Stat()
	if err != nil {
		return false, err
	}
	f.size = opened.Size()
	named, err := os.Stat(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return os.SameFile(opened, named), err
}

// Load passes each record to visit.
func (f *File) Load(visit func(record []byte) error) error {
	if f.fresh {
		return nil
	}
	if f.size == 0 {
		return errors.New("the file is empty")
	}
	data, err := io.ReadAll(io.NewSectionReader(f.file, 0, f.size))
	if err != nil {
		return err
	}
	return readFrames(data, visit)
}

// Append adds records and waits until the disk has them.
func (f *File) Append(records [][]byte) error {
	data := appendFrames(nil, records)
	if _, err := f.file.WriteAt(data, f.size); err != nil {
		return err
	}
	f.size += int64(len(data))
	return f.file.Sync()
}

// Replace writes another file and puts it in the place of this one.
func (f *File) Replace(records [][]byte) error {
	next, err := os.CreateTemp(filepath.Dir(f.path), filepath.Base(f.path)+".*") // mode 0600
	if err != nil {
		return err
	}
	size, err := writeAll(next, records)
	if err == nil {
		err = os.Rename(next.Name(), f.path)
	}
	if err != nil {
		return errors.Join(err, next.Close(), os.Remove(next.Name()))
	}
	err = f.file.Close()
	f.file, f.size, f.fresh = next, size, false
	return errors.Join(err, syncDir(filepath.Dir(f.path)))
}

// writeAll writes and locks a file that nobody else knows yet.
func writeAll(file *os.File, records [][]byte) (size int64, err error) {
	if err := filelock.Lock(file); err != nil {
		return 0, err
	}
	var frame []byte
	for _, record := range records {
		frame = appendFrames(frame[:0], [][]byte{record})
		n, err := file.Write(frame)
		size += int64(n)
		if err != nil {
			return size, err
		}
	}
	return size, file.Sync()
}

// syncDir makes a rename outlast a loss of power.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

func (f *File) String() string { return f.path }

// Close lets another process open the file. A file that never got a record goes.
func (f *File) Close() error {
	var err error
	if f.fresh {
		err = os.Remove(f.path)
	}
	return errors.Join(err, f.file.Close())
}
