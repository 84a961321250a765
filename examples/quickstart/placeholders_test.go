package main

import "testing"

func TestSteady(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"an error's id", "error_id 0123456789abcdef; more", "error_id ID; more"},
		{"moments", `{"generated_at":"2026-11-30T02:16:00+00:00","ts":"x"}`, `{"generated_at":"TIME","ts":"TIME"}`},
		{"durations", `{"cloudg/duration_ms":3,"duration_ms":0.21}`, `{"cloudg/duration_ms":MS,"duration_ms":MS}`},
		{"hashes", `{"argument_hashes":{"by":"0123456789abcdef"}}`, `{"argument_hashes":{"by":"HASH"}}`},
		{"a report", `"transforms":{"annotations":{"a":{}},"b":1},"ts":"x"`, `"transforms":REPORT,"ts":"TIME"`},
		{"a wait", `retry in 19.9s {"retry_after":19.87}`, `retry in SECONDS {"retry_after":SECONDS}`},
		{"anything else", `{"count":3,"id":"0123456789abcdef"}`, `{"count":3,"id":"0123456789abcdef"}`},
	} {
		if got := steady(tt.text); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
