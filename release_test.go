package mcplayer_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/result"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// counted begins passes of a censor and keeps them.
type counted struct{ begun []*censorPass }

func (p *counted) Begin(context.Context, mcplayer.CallInfo) mcplayer.Pass {
	pass := &censorPass{}
	p.begun = append(p.begun, pass)
	return pass
}

// Each pass of a call that went well is given back, once, after its last use: a pass of
// the kit panics when it is used later.
func TestPassesAreReleased(t *testing.T) {
	question := mcp.InputRequestMap{"q": &mcp.ElicitParams{Message: "secret?"}}
	tests := []struct {
		name string
		add  func(*mcplayer.Registry)
		call func(testing.TB, *lab) string
	}{
		{"value", returning("x", map[string]string{"a": "secret"}), callX},
		{"result", returning("x", result.Content(&mcp.TextContent{Text: "secret"})), callX},
		{"question", returning("x", result.AskInput(question, "")), callX},
		{"error", failing("x", errors.New("secret")), callX},
		{"resource", fixed("x://x", "secret"), func(t testing.TB, l *lab) string { return l.read(t, "x://x") }},
		{
			"prompt", prompting("x", nil, func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) { return "secret", nil }),
			func(t testing.TB, l *lab) string { return l.render(t, "x", nil) },
		},
		{"completion", completing(func(context.Context, *mcplayer.ToolContext, mcplayer.CompletionInput) ([]string, error) {
			return []string{"secret", "b"}, nil
		}), func(t testing.TB, l *lab) string {
			return l.propose(t, mcplayer.CompletionRef{Kind: mcplayer.KindPrompt, Name: "p"}, mcplayer.CompletionInput{Argument: "a"})
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in, out := &counted{}, &counted{}
			l := newLab(t, mcplayer.Options{Policy: &scripted{input: in, output: out}}, tt.add)
			if got := tt.call(t, l); strings.Contains(got, "secret") || !strings.Contains(got, gone) {
				t.Error(got)
			}
			for _, begun := range [][]*censorPass{in.begun, out.begun} {
				if len(begun) != 1 || !begun[0].released {
					t.Errorf("passes %+v, want one that was released", begun)
				}
			}
		})
	}
}

func callX(t testing.TB, l *lab) string { return l.wire(t, "x", nil) }

// clumsy panics when it is asked for what it need not know.
type clumsy struct {
	*censorPass
	changed, release bool
}

func (c clumsy) Begin(context.Context, mcplayer.CallInfo) mcplayer.Pass {
	c.censorPass = &censorPass{}
	return c
}

func (c clumsy) Changed() bool {
	if c.changed {
		panic("Changed")
	}
	return true
}

func (c clumsy) Release() {
	if c.release {
		panic("Release")
	}
}

// A pass that panics when it is asked or given back withholds the answer.
func TestPassesThatPanic(t *testing.T) {
	const withheld = `{"_meta":{"cloudg/error_code":"handler_error"},"content":[{"type":"text","text":"Result withheld: the output pipeline failed"}],"isError":true}`
	for name, tt := range map[string]struct {
		pass clumsy
		add  func(*mcplayer.Registry)
	}{
		"release":          {clumsy{release: true}, returning("x", 1)},
		"release an error": {clumsy{release: true}, failing("x", errors.New("secret"))},
		"changed":          {clumsy{changed: true}, failing("x", errors.New("secret"))},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t, mcplayer.Options{Policy: &scripted{output: tt.pass}}, tt.add)
			same(t, l.wire(t, "x", nil), withheld)
		})
	}
	l := newLab(t, mcplayer.Options{Policy: &scripted{input: clumsy{release: true}}}, returning("x", 1))
	if got := l.wire(t, "x", nil); !strings.Contains(got, "Internal error in tool x") {
		t.Errorf("got %s", got)
	}
}
