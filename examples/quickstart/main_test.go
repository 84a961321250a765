package main

import (
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
)

// TestScenes plays all scenes on a clock that does not wait.
func TestScenes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		if err := run(t.Context(), &out); err != nil {
			t.Fatal(err)
		}
		for i, want := range []string{
			`> find_assets +read-only +`,
			`> collect +may change something +`,
			`> orders-api-01 is running in eu-central-1, criticality critical`,
			`> aws has 20 of 50 assets\n +> azure has 16 of 50 assets\n +> gcp has 14 of 50 assets`,
			`> "sent_bytes_lifetime": 9007199254741007\n`,
			`> Summary of staging-2026-11: cloudg://datasets/staging-2026-11/summary`,
			`> 1 found: orders-api-01 \{"ids":\["aws:ec2:instance/i-0f3a9c27d1b84e655"\]\}`,
			`> isError true, code -32602: Invalid arguments: .*colour`,
			`> isError true, code -32602: No asset has the id "aws:s3:no-such-bucket"`,
			`> error: .*Unknown tool: delete_everything`,
			`> step 3 of 4: 15 of 20 assets\n +> step 4 of 4: 20 of 20 assets\n +> 20 assets in 5 regions`,
			`> step 1 of 4: 3 of 14 assets\n +> isError true, code "timeout": Tool collect timed out\n`,
			`level=ERROR msg=panic .*error_id=[0-9a-f]{16} value="a bug in the tool crash" stack="\(\d+ lines\)"`,
			`> data \{"error_id":"[0-9a-f]{16}"\}`,
			`ends with: .*\.\.\. \[truncated by cloudg mcp layer\]`,
			`> report \{"truncated_chars":\d+\}`,
			`> the structured value has all 50 assets\n`,
		} {
			if !regexp.MustCompile(want).MatchString(out.String()) {
				t.Errorf("pattern %d, %s: not in the output", i, want)
			}
		}
		if t.Failed() {
			t.Log(out.String())
		}
	})
}
