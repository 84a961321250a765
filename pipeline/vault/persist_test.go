package vault_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudg/mcplayer/pipeline/vault"
)

var otherKey = []byte("another key for tests, also long")

// filled writes a vault of n names to a file and closes it.
func filled(t *testing.T, n int) (path string, names []string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "vault")
	v, err := vault.New(&vault.Options{Key: testKey, File: path, FlushInterval: -1})
	if err != nil {
		t.Fatal(err)
	}
	names = issueMany(t, v, 0, n)
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	return path, names
}

func issueMany(t *testing.T, v *vault.Vault, from, to int) (names []string) {
	t.Helper()
	for i := from; i < to; i++ {
		names = append(names, issue(t, v, "resource_name", fmt.Sprint("web-", i)))
	}
	return names
}

func checkNames(t *testing.T, v *vault.Vault, names []string) {
	t.Helper()
	for i, name := range names {
		if got := reverse(t, v, name); got != fmt.Sprint("web-", i) {
			t.Fatalf("name %d, %s, turns back to %s", i, name, got)
		}
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestFile(t *testing.T) {
	path, names := filled(t, 5000)
	info, err := os.Stat(path)
	if err != nil || info.Mode() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	data := read(t, path)
	if bytes.Contains(data, []byte("web-")) || bytes.Contains(data, []byte(names[0][:8])) {
		t.Error("the file tells names")
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("beside the file: %v, %v", entries, err)
	}
	v := open(t, vault.Options{File: path})
	checkNames(t, v, names)
	if got := v.Stats().Entries; got != 5000 {
		t.Errorf("%d entries", got)
	}
	if got := issueMany(t, v, 0, 5000); !slices.Equal(got, names) {
		t.Error("known values get other names")
	}
	if !bytes.Equal(read(t, path), data) {
		t.Error("reading changed the file")
	}
}

func TestFileKeepsAllKinds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vault")
	o := vault.Options{Key: testKey, File: path, Namespace: vault.Principal}
	v, err := vault.New(&o)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, tt := range shapes {
		want = append(want, issue(t, v, tt.entity, tt.value))
	}
	if err := errors.Join(v.Close(), v.Close()); err != nil {
		t.Fatal(err)
	}
	v = open(t, o)
	for i, tt := range shapes {
		if got := issue(t, v, tt.entity, tt.value); got != want[i] {
			t.Errorf("%s: %s was %s", tt.name, got, want[i])
		}
		if back := reverse(t, v, want[i]); back != tt.value {
			t.Errorf("%s: turns back to %s", tt.name, back)
		}
		if _, err := v.Reveal("eve", want[i]); !errors.Is(err, vault.ErrUnknown) {
			t.Errorf("%s: eve gets %v", tt.name, err)
		}
	}
	inside := issue(t, v, "public_ip", "52.1.2.77")
	if net, _, _ := strings.Cut(issue(t, v, "public_cidr", "52.1.2.0/24"), "0/24"); !strings.HasPrefix(inside, net) {
		t.Errorf("after a restart %s is not in %s0/24", inside, net)
	}
}

// changedFiles are files that must not load, made of one that was closed.
func changedFiles(data []byte) map[string][]byte {
	changed := map[string][]byte{"empty": {}, "with a tail": append(slices.Clone(data), 1, 2, 3, 4, 5, 6, 7, 8, 9)}
	for i := 0; i < len(data); i += 1 + len(data)/300 {
		flipped := slices.Clone(data)
		flipped[i] ^= 0x10
		changed[fmt.Sprint("flipped at ", i)] = flipped
		changed[fmt.Sprint("cut at ", i)] = data[:i]
	}
	changed["cut by one"] = data[:len(data)-1]
	return changed
}

func TestChangedFile(t *testing.T) {
	path, _ := filled(t, 3000)
	for name, data := range changedFiles(read(t, path)) {
		write(t, path, data)
		_, err := vault.New(&vault.Options{Key: testKey, File: path})
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Fatalf("%s: %v", name, err)
		}
		if !bytes.Equal(read(t, path), data) {
			t.Fatalf("%s: the file was changed", name)
		}
	}
}

func TestWrongKey(t *testing.T) {
	path, names := filled(t, 10)
	data := read(t, path)
	_, err := vault.New(&vault.Options{Key: otherKey, File: path})
	id := open(t, vault.Options{}).KeyID()
	if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "written with the key "+id) {
		t.Errorf("got %v", err)
	}
	if !bytes.Equal(read(t, path), data) {
		t.Error("the file was changed")
	}
	checkNames(t, open(t, vault.Options{File: path}), names)
}

func TestFileInUse(t *testing.T) {
	path, _ := filled(t, 10)
	v := open(t, vault.Options{File: path})
	for range 2 {
		if _, err := vault.New(&vault.Options{Key: testKey, File: path}); err == nil || !strings.Contains(err.Error(), path+": another process has it open") {
			t.Errorf("got %v", err)
		}
		if err := v.Save(); err != nil { // which puts another file there
			t.Fatal(err)
		}
	}
}

func TestNoSuchDirectory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none", "vault")
	if _, err := vault.New(&vault.Options{Key: testKey, File: path}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

// journaled returns a file with a snapshot of 10 names and a journal of three
// records with ten names each, as a crash leaves it, and where each record of the
// journal starts.
func journaled(t *testing.T) (path string, names []string, starts []int) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "vault")
	v := open(t, vault.Options{File: path, FlushInterval: -1})
	names = issueMany(t, v, 0, 10)
	if err := v.Save(); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		starts = append(starts, len(read(t, path)))
		names = append(names, issueMany(t, v, 10+10*i, 20+10*i)...)
		if err := v.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	crashed := filepath.Join(t.TempDir(), "crashed")
	write(t, crashed, read(t, path))
	return crashed, names, starts
}

func TestJournal(t *testing.T) {
	path, names, starts := journaled(t)
	data := read(t, path)
	v, err := vault.New(&vault.Options{Key: testKey, File: path})
	if err != nil {
		t.Fatal(err)
	}
	checkNames(t, v, names)
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	for name, file := range changedFiles(read(t, path)) { // closed: all is a snapshot
		write(t, path, file)
		if _, err := vault.New(&vault.Options{Key: testKey, File: path}); err == nil {
			t.Fatalf("%s: loads", name)
		}
	}
	first, second, third := data[starts[0]:starts[1]], data[starts[1]:starts[2]], data[starts[2]:]
	flipped := slices.Clone(data)
	flipped[starts[0]] ^= 0xff
	for name, file := range map[string][]byte{
		"exchanged":           slices.Concat(data[:starts[0]], second, first, third),
		"left out":            slices.Concat(data[:starts[0]], first, third),
		"played again":        slices.Concat(data, third),
		"played again within": slices.Concat(data[:starts[1]], first, second, third),
		"length changed":      flipped,
		"last byte flipped":   append(slices.Clone(data[:len(data)-1]), data[len(data)-1]^1),
	} {
		write(t, path, file)
		if _, err := vault.New(&vault.Options{Key: testKey, File: path}); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
		if !bytes.Equal(read(t, path), file) {
			t.Errorf("%s: the file was changed", name)
		}
	}
}

// TestLimitCutJournal: a file that is cut off behind a record is a file from before the
// records that are missing.
func TestLimitCutJournal(t *testing.T) {
	path, names, starts := journaled(t)
	data := read(t, path)
	write(t, path, data[:starts[1]])
	v := open(t, vault.Options{File: path})
	if _, err := v.Reveal("ada", names[15]); err != nil {
		t.Errorf("a name of the record that is there: %v", err)
	}
	if _, err := v.Reveal("ada", names[25]); !errors.Is(err, vault.ErrUnknown) {
		t.Errorf("a name of a record that is cut off: %v", err)
	}
}

func TestTornJournal(t *testing.T) {
	path, names, starts := journaled(t)
	data := read(t, path)
	torn := map[string][]byte{"zeros": append(slices.Clone(data[:starts[2]]), make([]byte, 4096)...)}
	for cut := starts[2] + 1; cut < len(data); cut += 7 {
		torn[fmt.Sprint("cut at ", cut)] = data[:cut]
	}
	for name, file := range torn {
		write(t, path, file)
		var log bytes.Buffer
		v, err := vault.New(&vault.Options{Key: testKey, File: path, FlushInterval: -1, Logger: slog.New(slog.NewTextHandler(&log, nil))})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !strings.Contains(log.String(), "as after a crash") {
			t.Errorf("%s: the log is silent: %s", name, &log)
		}
		checkNames(t, v, names[:30])
		if got := v.Stats().Entries; got != 30 {
			t.Errorf("%s: %d entries", name, got)
		}
		issueMany(t, v, 30, 31)
		if err := v.Flush(); err != nil { // puts a whole file there
			t.Fatal(err)
		}
		again := filepath.Join(t.TempDir(), "again")
		write(t, again, read(t, path))
		checkNames(t, open(t, vault.Options{File: again}), names[:31])
		if err := v.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestJournalIsCompacted(t *testing.T) {
	store := &countingStore{Store: vault.NewMemory()}
	v := open(t, vault.Options{Store: store, FlushInterval: -1})
	var names []string
	for i := range 1100 {
		names = append(names, issueMany(t, v, i, i+1)...)
		if err := v.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if store.replaced != 2 { // once when it was new
		t.Errorf("written anew %d times", store.replaced)
	}
	checkNames(t, open(t, vault.Options{Store: store.Store}), names)
}

type countingStore struct {
	vault.Store
	appended, replaced int
	fail               error
}

func (s *countingStore) Append(records [][]byte) error {
	s.appended++
	if s.fail != nil {
		return s.fail
	}
	return s.Store.Append(records)
}

func (s *countingStore) Replace(records [][]byte) error {
	s.replaced++
	return s.Store.Replace(records)
}

func TestFlushInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &countingStore{Store: vault.NewMemory()}
		v := open(t, vault.Options{Store: store})
		name := issue(t, v, "person", "a")
		time.Sleep(1001 * time.Millisecond)
		synctest.Wait()
		if store.appended != 1 {
			t.Errorf("appended %d times", store.appended)
		}
		time.Sleep(10 * time.Second)
		if store.appended != 1 {
			t.Errorf("appended %d times with nothing new", store.appended)
		}
		if got := reverse(t, open(t, vault.Options{Store: store.Store}), name); got != "a" {
			t.Errorf("the store gives %s", got)
		}
	})
}

func TestStoreThatFails(t *testing.T) {
	store := &countingStore{Store: vault.NewMemory(), fail: errors.New("disk full")}
	v := open(t, vault.Options{Store: store, FlushInterval: -1})
	names := issueMany(t, v, 0, 10)
	if err := v.Flush(); !errors.Is(err, store.fail) || !strings.Contains(err.Error(), "append to memory") {
		t.Errorf("got %v", err)
	}
	if err := v.Flush(); err != nil || store.replaced != 2 { // what was half written goes
		t.Errorf("then %v, written anew %d times", err, store.replaced)
	}
	checkNames(t, open(t, vault.Options{Store: store.Store}), names)
}

func TestLastUseIsSaved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := vault.Options{Key: testKey, Store: vault.NewMemory(), TTLSeconds: 60}
		v, err := vault.New(&o)
		if err != nil {
			t.Fatal(err)
		}
		name := issue(t, v, "person", "a")
		time.Sleep(50 * time.Second)
		reverse(t, v, name)
		if err := v.Close(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(50 * time.Second)
		if got := reverse(t, open(t, o), name); got != "a" {
			t.Errorf("got %s", got)
		}
	})
}
