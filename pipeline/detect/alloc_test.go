//go:build !race

// The race detector allocates on its own.

package detect_test

import (
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/pipeline/detect"
)

func TestRulesAllocateNothingWithoutFindings(t *testing.T) {
	s, err := detect.NewRuleSet(append(detect.VendorRules(), detect.Rule{Name: "x", Pattern: `\d{4}-\d{4}`}), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	text := []byte(strings.Repeat("the desk-lamp of glpat-user, a key-value hf_short and v1.0-rc1 at twilio ", 20))
	var dst []detect.Finding
	if n := testing.AllocsPerRun(50, func() { dst = s.Append(dst[:0], text) }); n != 0 || len(dst) != 0 {
		t.Errorf("%v allocations, %d findings", n, len(dst))
	}
}

func TestScannerAllocatesNothing(t *testing.T) {
	s, text := scanner(t, nil), []byte("the service keeps a copy: of every order (and sends it) to the archive. 1.5 GB, user@, https:")
	if n := testing.AllocsPerRun(10, func() { s.Append(nil, text) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
