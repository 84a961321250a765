package main

import (
	"context"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/conformance/everything"
	"github.com/cloudg/mcplayer/result"
)

// addRounds adds what answers with a request for input first.
func addRounds(reg *mcplayer.Registry) {
	for _, t := range everything.RoundTools() {
		mcplayer.AddTool(reg, tool(t.Info), playTool(t.Play))
	}
	p := everything.RoundPrompt()
	mcplayer.AddPrompt(reg, prompt(everything.Prompt{Info: p.Info}), playPrompt(p.Play))
}

func playTool(play func(everything.Turn) (everything.Move, error)) handler[none] {
	return func(_ context.Context, tc *mcplayer.ToolContext, _ none) (*result.ToolResult, error) {
		move, err := play(turn(tc))
		switch {
		case err != nil:
			return nil, err
		case move.Ask != nil:
			return result.AskInput(move.Ask, move.State), nil
		default:
			return result.Text(move.Text), nil
		}
	}
}

func playPrompt(play func(everything.Turn) (everything.Move, error)) mcplayer.PromptHandler {
	return func(_ context.Context, tc *mcplayer.ToolContext, _ map[string]string) (any, error) {
		move, err := play(turn(tc))
		switch {
		case err != nil:
			return nil, err
		case move.Ask != nil:
			return &result.Prompt{Input: result.Input{Requests: move.Ask, State: move.State}}, nil
		default:
			return move.Text, nil
		}
	}
}

func turn(tc *mcplayer.ToolContext) everything.Turn {
	return everything.Turn{
		Responses:    tc.InputResponses(),
		State:        tc.RequestState(),
		Capabilities: capabilities(tc),
	}
}
