package testkit_test

import (
	"testing"

	"github.com/cloudg/mcplayer/internal/testkit"
)

func TestCPUTimeGrows(t *testing.T) {
	before := testkit.CPUTime()
	for testkit.CPUTime() == before {
	}
	if now := testkit.CPUTime(); now <= before {
		t.Errorf("%v after %v", now, before)
	}
}
