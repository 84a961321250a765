package tools_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/examples/inventory/tools"
)

func TestCollect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		layer := newLayer(t)
		for _, tt := range []struct {
			name, args, want string
		}{
			{"first run", `{"provider":"azure"}`, `{"provider":"azure","dry_run":false,"run":1,"assets":16,"regions":[{"value":"germanywestcentral","count":9},{"value":"westeurope","count":6},{"value":"global","count":1}]}`},
			{"dry run", `{"provider":"aws","regions":["cn-north-1","eu-west-1"],"dry_run":true}`, `{"provider":"aws","dry_run":true,"assets":2,"regions":[{"value":"cn-north-1","count":1},{"value":"eu-west-1","count":1}]}`},
			{"second run", `{"provider":"gcp","only":{"asset_types":["disk","queue"],"created_after":"2026-01-01T00:00:00Z"},"steps":1}`, `{"provider":"gcp","dry_run":false,"run":2,"assets":1,"regions":[{"value":"europe-west3","count":1}]}`},
		} {
			res := call(t, layer, "collect", []byte(tt.args))
			if string(res.Structured) != tt.want {
				t.Errorf("%s: %s %s\nwant %s", tt.name, text(res), res.Structured, tt.want)
			}
		}
	})
}

func TestCollectReports(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var steps, logs []string
		started := time.Now()
		res := call(t, newLayer(t), "collect", object{"provider": "aws", "steps": 3},
			mcplayer.OnProgress(func(p mcplayer.Progress) {
				steps = append(steps, fmt.Sprintf("%v %v/%v %s", time.Since(started), p.Done, p.Total, p.Message))
			}),
			mcplayer.OnLog(func(m mcplayer.LogMessage) {
				logs = append(logs, fmt.Sprintf("%s %s", m.Level, m.Data))
			}))
		if res.IsError {
			t.Fatal(text(res))
		}
		if want := []string{"100ms 1/3 6 of 20 assets", "200ms 2/3 13 of 20 assets", "300ms 3/3 20 of 20 assets"}; !slices.Equal(steps, want) {
			t.Errorf("progress %q, want %q", steps, want)
		}
		if want := []string{`info {"assets":20,"event":"started","provider":"aws"}`, `info {"event":"finished","provider":"aws"}`}; !slices.Equal(logs, want) {
			t.Errorf("log %q, want %q", logs, want)
		}
	})
}

func TestCollectTimesOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		layer := newLayer(t)
		started, steps := time.Now(), 0
		res := call(t, layer, "collect", object{"provider": "aws", "slow": true},
			mcplayer.OnProgress(func(mcplayer.Progress) { steps++ }))
		checkFailure(t, res, "timeout", "Tool collect timed out")
		if took := time.Since(started); took != 2*time.Second {
			t.Errorf("took %v", took)
		}
		if !errors.Is(res.Cause, mcplayer.ErrTimeout) {
			t.Errorf("cause %v", res.Cause)
		}
		synctest.Wait()
		if n := layer.Abandoned(); n != 0 {
			t.Errorf("%d handlers go on", n)
		}
		if got := value[tools.CollectResult](t, layer, "collect", object{"provider": "aws"}); got.Run != 1 {
			t.Errorf("run %d after one that timed out, want 1", got.Run)
		}
	})
}

func TestCollectEndsWithItsCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 150*time.Millisecond)
		defer cancel()
		_, err := newLayer(t).CallTool(ctx, "collect", object{"provider": "aws"})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
	})
}

func TestCollectUnknownRegion(t *testing.T) {
	res := call(t, newLayer(t), "collect", object{"provider": "gcp", "regions": []string{"eu", "moon-1"}})
	checkFailure(t, res, invalidParams,
		"regions[1]: the provider has no assets there; it has some in europe-west3, global, eu, europe-west9, asia-northeast1")
}
