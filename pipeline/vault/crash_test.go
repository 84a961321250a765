package vault_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/cloudg/mcplayer/pipeline/vault"
)

// TestMain is the process that TestCrash kills if the environment says so.
func TestMain(m *testing.M) {
	if path := os.Getenv("VAULT_CRASH_FILE"); path != "" {
		issueForEver(path)
	}
	os.Exit(m.Run())
}

// issueForEver tells each name after it was issued.
func issueForEver(path string) {
	v, err := vault.New(&vault.Options{Key: testKey, File: path, FlushInterval: 20 * time.Millisecond})
	if err != nil {
		fmt.Println(err)
		return
	}
	var said []byte
	for i := 0; ; i++ {
		name, _ := v.AppendPseudonym(nil, "ada", "resource_name", fmt.Appendf(nil, "web-%d", i))
		said = fmt.Appendln(said, string(name))
		if i%100 == 0 {
			if _, err := os.Stdout.Write(said); err != nil {
				return
			}
			said = said[:0]
			time.Sleep(time.Millisecond)
		}
	}
}

// TestCrash kills a process that issues names, twice on one file. All names that
// were older than the interval when the last flush began resolve.
func TestCrash(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vault")
	for range 2 {
		names := crash(t, path)
		v, err := vault.New(&vault.Options{Key: testKey, File: path})
		if err != nil {
			t.Fatal(err)
		}
		checkNames(t, v, names)
		if err := v.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// crash runs a process until three flushes came after its 2000th name and kills it.
// The second began after that name and ended before the third, which may be torn.
// It returns the names up to there.
func crash(t *testing.T, path string) (names []string) {
	t.Helper()
	const enough = 2000
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), "VAULT_CRASH_FILE="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	scanner, flushes, size := bufio.NewScanner(out), -1, int64(0)
	for scanner.Scan() {
		if len(names) < enough {
			names = append(names, scanner.Text())
			continue
		}
		if now := sizeOf(t, path); now != size {
			flushes, size = flushes+1, now
		}
		if flushes == 3 {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			break
		}
	}
	if err := cmd.Wait(); err == nil || len(names) < enough {
		t.Fatalf("the process ended by itself: %v: %v", err, names)
	}
	return names
}

func sizeOf(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
