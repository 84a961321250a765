package main

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// What the suite prints once all scenarios are done: a line for each scenario,
// the total, and, under a heading, the scenarios that are not scored with the
// reason why.
var (
	scenarioLine = regexp.MustCompile(`(?m)^[✓✗] (\S+): (\d+) passed, (\d+) failed$`)
	totalLine    = regexp.MustCompile(`(?m)^Total: (\d+) passed, (\d+) failed$`)
	unscoredLine = regexp.MustCompile(`(?m)^  [✓✗] (\S+) \((\S+)\)`)
)

const (
	summaryHead  = "=== SUMMARY ==="
	unscoredHead = "\nNot scored for "
)

// A verdict counts checks. The suite also leaves out of its score the
// scenarios that came late or that its own server cannot pass; ours can, so
// that their failures count here like any other.
type verdict struct {
	passed   int // all that passed
	failed   int // those that failed
	unscored int // failures of scenarios that test an extension
	missing  int // checks that should pass and neither passed nor failed
}

func (v verdict) ok() bool { return v.failed == 0 && v.missing == 0 }

func (v verdict) String() string {
	s := fmt.Sprintf("%d passed, %d failed, %d unscored failures", v.passed, v.failed, v.unscored)
	if v.missing > 0 {
		s += fmt.Sprintf(", %d missing (skipped, or warnings)", v.missing)
	}
	return s
}

// judge reads what the suite printed. The number of checks that must pass is
// given, because the suite itself is content with one it has skipped.
func judge(out string, code, checks int) (verdict, error) {
	_, summary, ok := strings.Cut(out, summaryHead)
	if !ok {
		return verdict{}, fmt.Errorf("the suite printed no summary and exited with %d", code)
	}
	extension := extensions(summary)
	var v verdict
	var required, sum tally
	for _, m := range scenarioLine.FindAllStringSubmatch(summary, -1) {
		t := count(m[2:])
		sum.add(t)
		if extension[m[1]] {
			v.unscored += t.failed
			continue
		}
		required.add(t)
	}
	total := totalLine.FindStringSubmatch(summary)
	if total == nil || count(total[1:]) != sum {
		return verdict{}, errors.New("the suite's total is not the sum of its scenarios")
	}
	v.passed, v.failed = sum.passed, required.failed
	v.missing = max(0, checks-required.passed-required.failed)
	if code != 0 && v.ok() {
		return verdict{}, fmt.Errorf("the suite exited with %d, though nothing it scores failed", code)
	}
	return v, nil
}

// extensions returns the scenarios that the suite does not score because they
// test an optional extension.
func extensions(summary string) map[string]bool {
	_, list, _ := strings.Cut(summary, unscoredHead)
	names := map[string]bool{}
	for _, m := range unscoredLine.FindAllStringSubmatch(list, -1) {
		if m[2] == "extension" {
			names[m[1]] = true
		}
	}
	return names
}

// A tally is what the suite prints of a scenario.
type tally struct{ passed, failed int }

func (t *tally) add(u tally) {
	t.passed += u.passed
	t.failed += u.failed
}

// count makes a tally of two numbers, which the patterns above let through
// only as digits.
func count(digits []string) tally {
	passed, _ := strconv.Atoi(digits[0])
	failed, _ := strconv.Atoi(digits[1])
	return tally{passed, failed}
}
