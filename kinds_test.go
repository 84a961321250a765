package mcplayer_test

import (
	"context"
	"errors"
	"testing"

	"github.com/cloudg/mcplayer"
)

func TestFailuresOfResourcesAndPromptsAreLoggedOnce(t *testing.T) {
	down := errors.New("the store is down")
	l := newLab(t, mcplayer.Options{}, func(r *mcplayer.Registry) {
		mcplayer.AddResource(r, mcplayer.Resource{URI: "test://a"}, func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) {
			return nil, down
		})
		mcplayer.AddPrompt(r, mcplayer.Prompt{Name: "p"}, func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) {
			return nil, down
		})
	})
	for _, tt := range []struct {
		name string
		call func() error
	}{
		{"resource", func() error { _, err := l.ReadResource(t.Context(), "test://a"); return err }},
		{"prompt", func() error { _, err := l.GetPrompt(t.Context(), "p", nil); return err }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := len(l.log.find(t, "handler failed"))
			if err := tt.call(); err == nil || err.(*mcplayer.Error).Message != "errorString: the store is down" {
				t.Errorf("got %v", err)
			}
			if n := len(l.log.find(t, "handler failed")) - before; n != 1 {
				t.Errorf("logged %d times as the handler's, want 1", n)
			}
			if again := l.log.find(t, "call failed"); len(again) > 0 {
				t.Errorf("logged again: %v", again)
			}
		})
	}
}
