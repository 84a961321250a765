package vault_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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

const crashInterval = 50 * time.Millisecond

// issueForEver tells each name and when it was issued, in nanoseconds.
func issueForEver(path string) {
	v, err := vault.New(&vault.Options{Key: testKey, File: path, FlushInterval: crashInterval})
	if err != nil {
		fmt.Println(err)
		return
	}
	var said []byte
	for i := 0; ; i++ {
		name, _ := v.AppendPseudonym(nil, "ada", "resource_name", fmt.Appendf(nil, "web-%d", i))
		said = fmt.Appendln(said, time.Now().UnixNano(), string(name))
		if i%100 == 0 {
			if _, err := os.Stdout.Write(said); err != nil {
				return
			}
			said = said[:0]
			time.Sleep(time.Millisecond)
		}
	}
}

// TestCrash kills a process that issues names, twice on one file. All names older
// than the flush interval, and the time of a write, resolve.
func TestCrash(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vault")
	for range 2 {
		lines, killed := crash(t, path)
		v, err := vault.New(&vault.Options{Key: testKey, File: path})
		if err != nil {
			t.Fatal(err)
		}
		old := 0
		for i, line := range lines {
			var at int64
			var name string
			if _, err := fmt.Sscan(line, &at, &name); err != nil {
				t.Fatalf("line %d: %s", i, line)
			}
			if killed.Sub(time.Unix(0, at)) < 10*crashInterval {
				break
			}
			old++
			if got := reverse(t, v, name); got != fmt.Sprint("web-", i) {
				t.Fatalf("%s, %v old, turns back to %s", name, killed.Sub(time.Unix(0, at)), got)
			}
		}
		if old == 0 {
			t.Error("no name was old enough")
		}
		if err := v.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// crash returns what a process said before it was killed, and when that was.
func crash(t *testing.T, path string) (lines []string, killed time.Time) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), "VAULT_CRASH_FILE="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	started, scanner := time.Now(), bufio.NewScanner(out)
	for scanner.Scan() {
		lines = append(lines, scanner.Text())
		if killed.IsZero() && time.Since(started) > 20*crashInterval {
			killed = time.Now()
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := cmd.Wait(); err == nil || killed.IsZero() {
		t.Fatalf("the process ended by itself: %v: %s", err, strings.Join(lines, "\n"))
	}
	return lines[:len(lines)-1], killed // the last may be cut
}
