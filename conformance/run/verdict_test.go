package main

import (
	"fmt"
	"strings"
	"testing"
)

const clean = `
=== Running scenario: ping ===
Results saved to logs

=== SUMMARY ===
✓ ping: 2 passed, 0 failed
✓ tools-list: 3 passed, 0 failed
✗ tasks-lifecycle: 1 passed, 8 failed
✓ http-header-validation: 14 passed, 0 failed

Total: 20 passed, 8 failed

Not scored for 2026-07-28: 2 scenario(s) run, 1 failing. These do not affect conformance.
  ✗ tasks-lifecycle (extension)
  ✓ http-header-validation (pending)
`

func TestJudge(t *testing.T) {
	tests := []struct {
		name     string
		from, to string // what is replaced in the clean output
		code     int
		checks   int
		want     string
		ok       bool
	}{
		{
			name:   "clean",
			checks: 19,
			want:   "20 passed, 0 failed, 8 unscored failures",
			ok:     true,
		},
		{
			name: "scored failure",
			from: "✓ ping: 2 passed, 0 failed", to: "✗ ping: 1 passed, 1 failed",
			code:   1,
			checks: 19,
			want:   "19 passed, 1 failed, 8 unscored failures",
		},
		{
			name: "pending failure, which the suite forgives",
			from: "✓ http-header-validation: 14 passed, 0 failed", to: "✗ http-header-validation: 13 passed, 1 failed",
			checks: 19,
			want:   "19 passed, 1 failed, 8 unscored failures",
		},
		{
			name: "skipped check",
			from: "✓ ping: 2 passed, 0 failed", to: "✓ ping: 1 passed, 0 failed",
			checks: 19,
			want:   "19 passed, 0 failed, 8 unscored failures, 1 missing (skipped, or warnings)",
		},
		{
			name: "scenario that did not run",
			from: "✓ tools-list: 3 passed, 0 failed\n", to: "",
			checks: 19,
			want:   "17 passed, 0 failed, 8 unscored failures, 3 missing (skipped, or warnings)",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := judge(withTotal(strings.Replace(clean, tt.from, tt.to, 1)), tt.code, tt.checks)
			if err != nil {
				t.Fatal(err)
			}
			if got.String() != tt.want || got.ok() != tt.ok {
				t.Errorf("judge = %v, ok %v; want %v, ok %v", got, got.ok(), tt.want, tt.ok)
			}
		})
	}
}

// withTotal corrects the total of out.
func withTotal(out string) string {
	var sum tally
	for _, m := range scenarioLine.FindAllStringSubmatch(out, -1) {
		sum.add(count(m[2:]))
	}
	return totalLine.ReplaceAllString(out, fmt.Sprintf("Total: %d passed, %d failed", sum.passed, sum.failed))
}

func TestJudgeRefuses(t *testing.T) {
	tests := []struct {
		name string
		out  string
		code int
	}{
		{name: "nothing", out: ""},
		{name: "no summary", out: "Validation error", code: 1},
		{name: "no total", out: strings.Replace(clean, "Total:", "Sum:", 1)},
		{name: "wrong total", out: strings.Replace(clean, "Total: 20", "Total: 21", 1)},
		{name: "failed without a failure", out: clean, code: 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := judge(tt.out, tt.code, 19); err == nil {
				t.Errorf("judge = %v, want an error", got)
			}
		})
	}
}

func TestChoose(t *testing.T) {
	if got, err := choose(nil); err != nil || len(got) != len(targets) {
		t.Errorf("choose(nil) = %v, %v; want all", got, err)
	}
	if got, err := choose([]string{"sdk"}); err != nil || len(got) != 1 {
		t.Errorf("choose(sdk) = %v, %v; want one", got, err)
	}
	if _, err := choose([]string{"nobody"}); err == nil {
		t.Error("choose(nobody) gave no error")
	}
}
