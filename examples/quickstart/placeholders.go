package main

import "regexp"

// A placeholder stands for what differs each time.
type placeholder struct {
	pattern *regexp.Regexp
	with    string
}

// unsteady are moments, durations, random ids, and hashes under random keys.
var unsteady = []placeholder{
	{regexp.MustCompile(`error_id [0-9a-f]{16}`), `error_id ID`},
	{regexp.MustCompile(`"(ts|generated_at)":"[^"]*"`), `"$1":"TIME"`},
	{regexp.MustCompile(`"(duration_ms|cloudg/duration_ms)":[0-9.]+`), `"$1":MS`},
	{regexp.MustCompile(`"_mac":"[0-9a-f]{64}"`), `"_mac":"MAC"`},
	{regexp.MustCompile(`("argument_hashes":\{"\w+":)"[0-9a-f]{16}"`), `$1"HASH"`},
	{regexp.MustCompile(`"transforms":\{"annotations".*\},"ts"`), `"transforms":REPORT,"ts"`}, // seen before
	{regexp.MustCompile(`retry in [0-9.]+s`), `retry in SECONDS`},
	{regexp.MustCompile(`"retry_after":[0-9.]+`), `"retry_after":SECONDS`},
}

// steady puts placeholders into a text.
func steady(text string) string {
	for _, p := range unsteady {
		text = p.pattern.ReplaceAllString(text, p.with)
	}
	return text
}
