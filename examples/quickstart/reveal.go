package main

import (
	"context"
	"errors"
	"strings"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
)

// An investigation is an inventory with the privacy tools, where some may ask what a
// pseudonym stands for.
type investigation struct {
	analyst, lead inProcess
	policy        *policy.Policy
	strict        *policy.Policy
}

func (t *troupe) addInvestigation() error {
	layer, p, err := t.under("investigation")
	if err != nil {
		return err
	}
	strict, err := t.load("strict")
	if err != nil {
		return err
	}
	policy.AddPrivacyTools(layer.Registry(), p)
	t.investigation = investigation{
		inProcess{layer, mcplayer.NewPrincipal("ada", "analyst")},
		inProcess{layer, mcplayer.NewPrincipal("lea", "lead")},
		p, strict,
	}
	return layer.Registry().Err()
}

// scenes play at the analyst's place.
func (i investigation) scenes() []scene {
	return []scene{{
		"Who may reveal",
		"For the analyst the tool does not exist; the lead uses it, and the policy's trail tells of both.",
		i.reveal,
	}}
}

func (i investigation) reveal(ctx context.Context, s *stage) error {
	name, err := s.pseudonym(ctx)
	if err != nil {
		return err
	}
	s.say("ada, analyst:")
	_, err = s.call(ctx, "reveal_token", object{"pseudonym": name})
	if err := s.refused(err); err != nil {
		return err
	}
	s.say("lea, lead: > reveal_token %s", compact(object{"pseudonym": name}))
	res, err := i.lead.CallTool(ctx, request{tool: "reveal_token", args: object{"pseudonym": name}})
	if err != nil {
		return err
	}
	if res.IsError {
		return errors.New(text(res))
	}
	s.say("%s", compact(res.StructuredContent))
	i.sayTrail(s)
	i.sayStrict(s)
	return nil
}

func (i investigation) sayTrail(s *stage) {
	for _, e := range i.policy.Entries(policy.EntryFilter{Name: "reveal_token"}) {
		s.say("in the trail: %-9s  %s  %s, %s", e.Decision, e.Name, e.Principal, strings.Join(e.Roles, " "))
	}
}

// sayStrict says why under strict nobody reveals.
func (i investigation) sayStrict(s *stage) {
	tool, _ := i.lead.layer.Registry().Lookup(mcplayer.KindTool, "reveal_token")
	why := i.strict.Explain(tool, mcplayer.NewPrincipal("kim", "admin"))
	s.say("under strict, an admin: %s", why.Reason)
}
