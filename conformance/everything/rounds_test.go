//lint:file-ignore SA1019 the suite calls what 2026-07-28 deprecates

package everything_test

import (
	"errors"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cloudg/mcplayer/conformance/everything"
)

func TestRoundsRememberAndFinish(t *testing.T) {
	play := rounds(t, "test_input_required_result_multi_round")
	first := move(t, play, everything.Turn{})
	second := move(t, play, everything.Turn{State: first.State, Responses: accept("step1", "name", "Alice")})
	last := move(t, play, everything.Turn{State: second.State, Responses: accept("step2", "color", "green")})
	if first.State == second.State {
		t.Error("the state did not change between the rounds")
	}
	if want := "Alice likes green."; last.Text != want || last.Ask != nil {
		t.Errorf("last round = %+v, want the text %q", last, want)
	}
}

func TestRoundsRefuseForeignState(t *testing.T) {
	play := rounds(t, "test_input_required_result_tampered_state")
	mine := move(t, play, everything.Turn{}).State
	other := move(t, rounds(t, "test_input_required_result_request_state"), everything.Turn{}).State
	for _, state := range []string{mine + "-TAMPERED", "x" + mine, other, "."} {
		_, err := play(everything.Turn{State: state, Responses: accept("confirm", "ok", true)})
		var wire *jsonrpc.Error
		if !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInvalidParams {
			t.Errorf("state %q: error = %v, want code %d", state, err, jsonrpc.CodeInvalidParams)
		}
	}
	if got := move(t, play, everything.Turn{State: mine, Responses: accept("confirm", "ok", true)}); got.Ask != nil {
		t.Errorf("own state = %+v, want the end", got)
	}
}

func TestRoundsAskOnlyForWhatTheClientCan(t *testing.T) {
	play := rounds(t, "test_input_required_result_capabilities")
	got := move(t, play, everything.Turn{Capabilities: &mcp.ClientCapabilities{Sampling: &mcp.SamplingCapabilities{}}})
	if len(got.Ask) != 1 || got.Ask["greeting"] == nil {
		t.Errorf("asked for %v, want the greeting only", got.Ask)
	}
	if got := move(t, play, everything.Turn{}); got.Ask != nil {
		t.Errorf("asked a client without capabilities for %v", got.Ask)
	}
}

func rounds(t *testing.T, name string) func(everything.Turn) (everything.Move, error) {
	t.Helper()
	for _, r := range everything.RoundTools() {
		if r.Name == name {
			return r.Play
		}
	}
	t.Fatalf("no tool %s", name)
	return nil
}

func move(t *testing.T, play func(everything.Turn) (everything.Move, error), turn everything.Turn) everything.Move {
	t.Helper()
	m, err := play(turn)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func accept(key, field string, value any) mcp.InputResponseMap {
	return mcp.InputResponseMap{key: &mcp.ElicitResult{Action: "accept", Content: map[string]any{field: value}}}
}
