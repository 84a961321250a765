package vault_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/cloudg/mcplayer/internal/corpus"
	"github.com/cloudg/mcplayer/pipeline/vault"
	"github.com/go-json-experiment/json"
)

// found is a value of an inventory and what it is.
type found struct {
	entity string
	value  []byte
}

// inventory returns n values of assets, as a redactor finds them.
func inventory(tb testing.TB, n int) []found {
	tb.Helper()
	var doc struct {
		Assets []struct {
			ID        string `json:"id"`
			Name      string `json:"name"`
			Account   string `json:"account_id"`
			ARN       string `json:"arn"`
			PrivateIP string `json:"private_ip"`
			PublicIP  string `json:"public_ip"`
			Tags      struct {
				Owner string `json:"owner"`
			} `json:"tags"`
			Groups []string `json:"security_groups"`
		} `json:"assets"`
	}
	if err := json.Unmarshal(corpus.Assets(n/8+1, 1), &doc); err != nil {
		tb.Fatal(err)
	}
	var all []found
	add := func(entity, value string) { all = append(all, found{entity, []byte(value)}) }
	for _, a := range doc.Assets {
		add("resource_name", a.ID)
		add("resource_name", a.Name)
		add("aws_arn", a.ARN)
		add("private_ip", a.PrivateIP)
		add("public_ip", a.PublicIP)
		add("email", fmt.Sprintf("%d.%s", len(all), a.Tags.Owner))
		for _, g := range a.Groups {
			add("resource_name", g)
		}
	}
	return all[:n]
}

// names returns n distinct values of 34 bytes, one entry each.
func names(n int) []found {
	all := make([]found, n)
	for i := range all {
		all[i] = found{"resource_name", fmt.Appendf(nil, "payments-ledger-production-%07d", i)}
	}
	return all
}

const many = 400_000

func issueAll(tb testing.TB, v *vault.Vault, values []found) {
	tb.Helper()
	var dst []byte
	for _, f := range values {
		out, ok := v.AppendPseudonym(dst[:0], "ada", f.entity, f.value)
		if !ok {
			tb.Fatalf("no pseudonym for %s", f.value)
		}
		dst = out
	}
}

func pseudonymsOf(tb testing.TB, v *vault.Vault, values []found) [][]byte {
	tb.Helper()
	all := make([][]byte, len(values))
	for i, f := range values {
		all[i] = []byte(issue(tb, v, f.entity, string(f.value)))
	}
	return all
}

// BenchmarkCalibrator is what a new name costs at least: an HMAC of 50 bytes.
func BenchmarkCalibrator(b *testing.B) {
	mac, message, sum := hmac.New(sha256.New, testKey), make([]byte, 50), make([]byte, 0, 32)
	defer reportCPU(b, 1)()
	for b.Loop() {
		mac.Reset()
		mac.Write(message)
		sum = mac.Sum(sum[:0])
	}
}

func BenchmarkIssue(b *testing.B) {
	for name, values := range map[string][]found{"inventory": inventory(b, many), "names": names(many)} {
		b.Run(name, func(b *testing.B) {
			defer reportCPU(b, many)()
			for b.Loop() {
				v, err := vault.New(&vault.Options{Key: testKey})
				if err != nil {
					b.Fatal(err)
				}
				issueAll(b, v, values)
			}
		})
	}
}

func BenchmarkKnown(b *testing.B) {
	values := inventory(b, many)
	v := open(b, vault.Options{})
	issueAll(b, v, values)
	var dst []byte
	i := 0
	b.ReportAllocs()
	defer reportCPU(b, 1)()
	for b.Loop() {
		f := &values[i%len(values)]
		dst, _ = v.AppendPseudonym(dst[:0], "ada", f.entity, f.value)
		i++
	}
}

func BenchmarkResolve(b *testing.B) {
	for name, values := range map[string][]found{"inventory": inventory(b, many), "names": names(many)} {
		b.Run(name, func(b *testing.B) {
			v := open(b, vault.Options{})
			all := pseudonymsOf(b, v, values)
			var dst []byte
			i := 0
			b.ReportAllocs()
			defer reportCPU(b, 1)()
			for b.Loop() {
				dst, _, _ = v.AppendOriginals(dst[:0], "ada", all[i%len(all)])
				i++
			}
		})
	}
}

func BenchmarkResolveParallel(b *testing.B) {
	v := open(b, vault.Options{})
	all := pseudonymsOf(b, v, names(many))
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		var dst []byte
		for i := 0; pb.Next(); i++ {
			dst, _, _ = v.AppendOriginals(dst[:0], "ada", all[i%len(all)])
		}
	})
}

func BenchmarkProse(b *testing.B) {
	v := open(b, vault.Options{})
	issueAll(b, v, names(many))
	text := corpus.Prose(1<<20, 1)
	var dst []byte
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		dst, _, _ = v.AppendOriginals(dst[:0], "ada", text)
	}
}

func BenchmarkSave(b *testing.B) {
	v := open(b, vault.Options{File: filepath.Join(b.TempDir(), "vault"), FlushInterval: -1})
	issueAll(b, v, names(many))
	defer reportCPU(b, many)()
	for b.Loop() {
		if err := v.Save(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	path := filepath.Join(b.TempDir(), "vault")
	v, err := vault.New(&vault.Options{Key: testKey, File: path})
	if err != nil {
		b.Fatal(err)
	}
	issueAll(b, v, names(many))
	if err := v.Close(); err != nil {
		b.Fatal(err)
	}
	defer reportCPU(b, many)()
	for b.Loop() {
		v, err := vault.New(&vault.Options{Key: testKey, File: path})
		if err != nil {
			b.Fatal(err)
		}
		if err := v.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// TestMemory holds 400,000 entries whose values have 34 bytes in 80 bytes each.
func TestMemory(t *testing.T) {
	values := names(many)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	v := open(t, vault.Options{})
	issueAll(t, v, values)
	runtime.GC()
	runtime.ReadMemStats(&after)
	per := float64(after.HeapAlloc-before.HeapAlloc) / float64(v.Stats().Entries)
	if v.Stats().Entries != many || per > 80 {
		t.Errorf("%d entries take %.1f bytes each", v.Stats().Entries, per)
	}
	t.Logf("%.1f bytes for an entry", per)
	runtime.KeepAlive(values)
}
