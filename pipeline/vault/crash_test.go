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

// crash runs a process until enough records came after its 2000th name, and kills
// it. A flush writes two at most, so one began after that name and is whole. It
// returns the names up to there.
func crash(t *testing.T, path string) (names []string) {
	t.Helper()
	const enough, records = 2000, 5
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), "VAULT_CRASH_FILE="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	scanner, first := bufio.NewScanner(out), -1
	for i := 0; scanner.Scan(); i++ {
		if i < enough {
			names = append(names, scanner.Text())
			continue
		}
		if i%50 != 0 {
			continue
		}
		n, _ := vault.LoadFrames(read(t, path)) // the last may not be whole yet
		if first < 0 || n < first {             // it was written anew
			first = n
		}
		if n >= first+records {
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
