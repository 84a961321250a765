//lint:file-ignore SA1019 the suite calls what 2026-07-28 deprecates

package everything

import (
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Turn is what one request brings to a handler that works in rounds: the
// client's answers to the round before, the state that round left, and what
// the client is able to answer.
type Turn struct {
	Responses    mcp.InputResponseMap
	State        string
	Capabilities *mcp.ClientCapabilities
}

// A Move is what such a handler answers: requests for input, with the state
// the next round needs, or the final text.
type Move struct {
	Ask   mcp.InputRequestMap
	State string
	Text  string
}

// A Rounds is a tool or prompt without arguments that asks the client for
// input before it answers (SEP-2322).
type Rounds struct {
	Info
	Play func(Turn) (Move, error)
}

// RoundTools returns the tools that work in rounds. State that one of them
// made is good for that tool of this slice only.
func RoundTools() []Rounds {
	return []Rounds{
		{Info{"test_input_required_result_elicitation", "Asks for a name."}, greet},
		{Info{"test_input_required_result_sampling", "Asks the model a question."}, askCapital},
		{Info{"test_input_required_result_list_roots", "Asks for the client's roots."}, countRoots},
		{Info{"test_input_required_result_request_state", "Asks for a confirmation and keeps state."}, confirm()},
		{Info{"test_input_required_result_multiple_inputs", "Asks for three kinds of input at once."}, askAll()},
		{Info{"test_input_required_result_multi_round", "Asks twice, and remembers the first answer."}, askTwice()},
		{Info{"test_input_required_result_tampered_state", "Refuses state it did not make."}, confirm()},
		{Info{"test_input_required_result_capabilities", "Asks only for what the client can answer."}, askAble},
	}
}

// RoundPrompt returns the prompt that works in rounds. Its text is the one
// message of the prompt.
func RoundPrompt() Rounds {
	return Rounds{Info{"test_input_required_result_prompt", "Asks for the context to use."}, askContext}
}

func greet(t Turn) (Move, error) {
	if name, ok := field(t, "user_name", "name"); ok {
		return Move{Text: "Hello, " + name + "!"}, nil
	}
	return Move{Ask: mcp.InputRequestMap{"user_name": askName()}}, nil
}

func askCapital(t Turn) (Move, error) {
	if said, ok := sampled(t, "capital_question"); ok {
		return Move{Text: "The model says: " + said}, nil
	}
	return Move{Ask: mcp.InputRequestMap{"capital_question": question("What is the capital of France?", 100)}}, nil
}

func countRoots(t Turn) (Move, error) {
	if uris, ok := roots(t, "client_roots"); ok {
		return Move{Text: fmt.Sprintf("%d roots: %s", len(uris), strings.Join(uris, ", "))}, nil
	}
	return Move{Ask: mcp.InputRequestMap{"client_roots": &mcp.ListRootsParams{}}}, nil
}

// confirm returns a handler that answers once the user has confirmed, if the
// state that comes with the confirmation is its own.
func confirm() func(Turn) (Move, error) {
	s := newSeal()
	return func(t Turn) (Move, error) {
		if t.State != "" {
			if _, err := s.open(t.State); err != nil {
				return Move{}, badState(err)
			}
			if _, ok := accepted(t, "confirm"); ok {
				return Move{Text: "state-ok: confirmed"}, nil
			}
		}
		ask := mcp.InputRequestMap{"confirm": form("Please confirm", confirmSchema)}
		return Move{Ask: ask, State: s.close("to be confirmed")}, nil
	}
}

func askAll() func(Turn) (Move, error) {
	s := newSeal()
	return func(t Turn) (Move, error) {
		name, named := field(t, "user_name", "name")
		greeting, greeted := sampled(t, "greeting")
		uris, rooted := roots(t, "client_roots")
		if named && greeted && rooted {
			return Move{Text: fmt.Sprintf("%s %s, you have %d roots.", greeting, name, len(uris))}, nil
		}
		return Move{Ask: allInputs(), State: s.close("asked for all")}, nil
	}
}

// askTwice returns a handler whose state after round one is "" and after
// round two the name it was told.
func askTwice() func(Turn) (Move, error) {
	s := newSeal()
	return func(t Turn) (Move, error) {
		if t.State == "" {
			ask := mcp.InputRequestMap{"step1": form("Step 1: What is your name?", nameSchema)}
			return Move{Ask: ask, State: s.close("")}, nil
		}
		name, err := s.open(t.State)
		if err != nil {
			return Move{}, badState(err)
		}
		if color, ok := field(t, "step2", "color"); ok {
			return Move{Text: name + " likes " + color + "."}, nil
		}
		if told, ok := field(t, "step1", "name"); ok {
			name = told
		}
		ask := mcp.InputRequestMap{"step2": form("Step 2: What is your favorite color?", colorSchema)}
		return Move{Ask: ask, State: s.close(name)}, nil
	}
}

func askAble(t Turn) (Move, error) {
	if len(t.Responses) > 0 {
		return Move{Text: "Thank you."}, nil
	}
	ask := allInputs()
	c := t.Capabilities
	if c == nil || c.Elicitation == nil {
		delete(ask, "user_name")
	}
	if c == nil || c.Sampling == nil {
		delete(ask, "greeting")
	}
	if c == nil || c.RootsV2 == nil {
		delete(ask, "client_roots")
	}
	if len(ask) == 0 {
		return Move{Text: "This client cannot be asked for anything."}, nil
	}
	return Move{Ask: ask}, nil
}

func askContext(t Turn) (Move, error) {
	if context, ok := field(t, "user_context", "context"); ok {
		return Move{Text: "Use this context: " + context}, nil
	}
	return Move{Ask: mcp.InputRequestMap{"user_context": form("What context should the prompt use?", contextSchema)}}, nil
}

func allInputs() mcp.InputRequestMap {
	return mcp.InputRequestMap{
		"user_name":    askName(),
		"greeting":     question("Generate a greeting", 50),
		"client_roots": &mcp.ListRootsParams{},
	}
}

func askName() *mcp.ElicitParams { return form("What is your name?", nameSchema) }

// badState is the protocol's error for state that a client has changed.
func badState(err error) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "Invalid requestState: " + err.Error()}
}

// accepted returns the form that the user filled in under key.
func accepted(t Turn, key string) (map[string]any, bool) {
	res, ok := t.Responses[key].(*mcp.ElicitResult)
	if !ok || res == nil || res.Action != "accept" {
		return nil, false
	}
	return res.Content, true
}

// field returns one text field, not empty, of the form under key.
func field(t Turn, key, name string) (string, bool) {
	content, _ := accepted(t, key)
	s, _ := content[name].(string)
	return s, s != ""
}

// sampled returns what the model said under key. The SDK decodes every
// sampling response as the type that may hold tool calls.
func sampled(t Turn, key string) (string, bool) {
	res, ok := t.Responses[key].(*mcp.CreateMessageWithToolsResult)
	if !ok || res == nil {
		return "", false
	}
	return firstText(res.Content), true
}

func roots(t Turn, key string) ([]string, bool) {
	res, ok := t.Responses[key].(*mcp.ListRootsResult)
	if !ok || res == nil {
		return nil, false
	}
	var uris []string
	for _, r := range res.Roots {
		uris = append(uris, r.URI)
	}
	return uris, true
}
