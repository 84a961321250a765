package main

import (
	"context"
	"strings"
)

// told calls what is denied, and what does not exist.
func (c cast) told(ctx context.Context, s *stage) error {
	guest, admin, auditor := c.find("standard", "guest"), c.find("standard", "admin"), c.find("team", "auditor")
	for _, tool := range []string{"raw_asset", "no_such_tool"} {
		s.say("under standard, the guest: > %s {}", tool)
		_, err := guest.CallTool(ctx, request{tool: tool})
		if err := s.refused(err); err != nil {
			return err
		}
	}
	s.say("under standard, the admin: > raw_asset %s", compact(object{"id": careless}))
	res, err := admin.CallTool(ctx, request{tool: "raw_asset", args: object{"id": careless}})
	if err != nil {
		return err
	}
	s.quote(text(res), `"access_key_id"`)
	s.say("under team, the auditor: > collect {}")
	if res, err = auditor.CallTool(ctx, request{tool: "collect"}); err != nil {
		return err
	}
	s.sayFailure(res)
	return nil
}

// steps says how a decision came about.
func (c cast) steps(_ context.Context, s *stage) error {
	why := c.find("team", "auditor").explain("collect")
	for _, step := range why.Steps {
		s.say("%-16s  %-18s  %s", step.Check, step.Rule, step.Outcome)
	}
	if len(why.NotReached) > 0 {
		s.say("not reached: %s", strings.Join(why.NotReached, ", "))
	}
	return nil
}
