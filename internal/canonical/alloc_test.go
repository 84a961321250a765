//go:build !race

// The race detector allocates on its own.

package canonical_test

import (
	"testing"

	"github.com/cloudg/mcplayer/internal/canonical"
	"github.com/go-json-experiment/json/jsontext"
)

func TestAppendAllocates(t *testing.T) {
	tests := []struct{ name, in string }{
		{"sorted", `{"a": 1,"b":[1.5,"x",null],"c":{"d":true}}`},
		{"unsorted", `{"c":{"e":"\u0041","d":true},"b":[1.5,"x",null],"a":1e3}`},
	}
	for _, tt := range tests {
		v, buf := jsontext.Value(tt.in), make([]byte, 0, 1024)
		got := testing.AllocsPerRun(200, func() {
			if _, err := canonical.Append(buf, v); err != nil {
				t.Error(err)
			}
		})
		if got != 0 {
			t.Errorf("%s: %v allocations", tt.name, got)
		}
	}
}
