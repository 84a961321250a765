package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/cloudg/mcplayer/examples/inventory/tools"
)

// callers shows who a caller is to the server. Only this scene differs from place
// to place.
func callers(t *troupe) scene {
	return scene{
		"Who is calling",
		"Over stdio the user of this machine; over HTTP the owner of the token that came with this very request.",
		func(ctx context.Context, s *stage) error {
			if err := s.whoami(ctx, "stdio", s); err != nil {
				return err
			}
			return s.playCallers(ctx, t)
		},
	}
}

func (s *stage) playCallers(ctx context.Context, t *troupe) (err error) {
	token := newBearer(t.tokens.analyst)
	ada, err := connect(ctx, token.transport(t.url))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ada.Close()) }()
	ben, err := connect(ctx, overHTTP(t.url, t.tokens.ben))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ben.Close()) }()
	if err := s.whoami(ctx, "HTTP, Ada's client", ada); err != nil {
		return err
	}
	if err := s.whoami(ctx, "HTTP, Ben's client", ben); err != nil {
		return err
	}
	token.token.Store(t.tokens.admin)
	if err := s.whoami(ctx, "Ada's session, her other token", ada); err != nil {
		return err
	}
	if err := s.knock(ctx, t.url, "Ada's session, Ben's token", t.tokens.ben, ada.ID()); err != nil {
		return err
	}
	return s.knock(ctx, t.url, "HTTP, a made-up token", "guess", "")
}

// whoami asks the server who is calling.
func (s *stage) whoami(ctx context.Context, from string, c caller) error {
	res, err := c.CallTool(ctx, request{tool: "whoami", args: object{}})
	if err != nil {
		return err
	}
	var who tools.WhoamiResult
	if err := decode(res, &who); err != nil {
		return err
	}
	s.say("%-31s %s, roles %s", from+":", who.ID, strings.Join(who.Roles, " "))
	return nil
}

// knock sends a request that must be turned away before it is read.
func (s *stage) knock(ctx context.Context, url, from, token, session string) error {
	body := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"whoami","arguments":{}}}`)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, body)
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if session != "" {
		r.Header.Set("Mcp-Session-Id", session)
	}
	res, err := newBearer(token).RoundTrip(r)
	if err != nil {
		return err
	}
	if res.StatusCode < 400 {
		err = fmt.Errorf("%s was let in", from)
	}
	s.say("%-31s %s", from+":", res.Status)
	return errors.Join(err, res.Body.Close())
}
