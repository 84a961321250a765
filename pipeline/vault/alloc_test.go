//go:build !race

// The race detector allocates on its own.

package vault_test

import (
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/pipeline/vault"
)

func TestAllocations(t *testing.T) {
	v := open(t, vault.Options{Namespace: vault.Principal})
	dst := make([]byte, 0, 1<<12)
	for _, tt := range shapes {
		if strings.HasPrefix(tt.entity, "special") {
			continue // not remembered: they are read each time
		}
		value := []byte(tt.value)
		name := []byte(issue(t, v, tt.entity, tt.value))
		for what, f := range map[string]func(){
			"known":   func() { v.AppendPseudonym(dst, "ada", tt.entity, value) },
			"look-up": func() { v.Lookup(dst, "ada", tt.entity, value) },
			"resolve": func() { _, _, _ = v.AppendOriginals(dst, "ada", name) },
		} {
			if n := testing.AllocsPerRun(50, f); n != 0 {
				t.Errorf("%s, %s: %v allocations", tt.name, what, n)
			}
		}
	}
	text := []byte(strings.Repeat("restart "+issue(t, v, "resource_name", "web")+" at 10.0.0.1 by user@host.example; ", 20))
	if n := testing.AllocsPerRun(50, func() { _, _, _ = v.AppendOriginals(dst, "ada", text) }); n != 0 {
		t.Errorf("free text: %v allocations", n)
	}
}
