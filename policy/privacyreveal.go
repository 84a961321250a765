package policy

import (
	"context"
	"maps"
	"strings"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/pipeline"
)

type revealArguments struct {
	// A member called token would be taken for a secret.
	Pseudonym string `json:"pseudonym" jsonschema:"the pseudonym or alias, as it was shown" validate:"required,max=4096"`
}

type revealed struct {
	Pseudonym string `json:"pseudonym"`
	Value     string `json:"value"`
}

// reveal tells what a pseudonym or an alias stands for. The check of the call has put
// it into the trail and the log.
func (p *Policy) reveal(ctx context.Context, tc *mcplayer.ToolContext, in revealArguments) (*revealed, error) {
	back, err := p.current.Load().reversal()
	if err != nil {
		return nil, err
	}
	name := strings.TrimSpace(in.Pseudonym)
	value, err := back.Begin(ctx, mcplayer.CallInfo{Principal: tc.Principal()}).Text(name)
	if err != nil {
		return nil, err
	}
	if value == name {
		return nil, mcplayer.ReferenceNotFound("Unknown pseudonym: nothing was shown to this caller under that name", nil)
	}
	return &revealed{name, value}, nil
}

// reversal builds what turns pseudonyms back, and the aliases of all that the document
// and its rules say.
func (r *revision) reversal() (mcplayer.Pipeline, error) {
	all := reversal{aliases: map[string]string{}}
	for _, list := range r.pipes.lists() {
		back, err := r.pipes.turnsBack(r.pipes.withOptions(r.pipes.stepsOf(list.transforms), nil))
		if err != nil {
			return nil, err
		}
		maps.Copy(all.aliases, back.aliases)
	}
	steps := r.pipes.completed([]step{{typ: typeDepseudonymize}}, all)
	return r.pipes.builder.Build([]pipeline.Spec{{Type: typeDepseudonymize, Options: steps[0].options}})
}

type auditLogArguments struct {
	Limit     int     `json:"limit,omitempty" jsonschema:"how many entries at most" validate:"min=1,max=1000" default:"100"`
	Decision  Outcome `json:"decision,omitempty" jsonschema:"only entries with this decision" validate:"omitempty,oneof=allowed denied rate_limited rejected not_found"`
	Name      string  `json:"name,omitempty" jsonschema:"only calls of the primitive of this name"`
	Principal string  `json:"principal,omitempty" jsonschema:"only calls of this principal"`
}

type auditLog struct {
	Entries  []Entry  `json:"entries"`
	Counters Counters `json:"counters"`
}

func (p *Policy) auditLog(_ context.Context, _ *mcplayer.ToolContext, in auditLogArguments) (auditLog, error) {
	f := EntryFilter{Decision: in.Decision, Name: in.Name, Principal: in.Principal, Limit: in.Limit}
	return auditLog{p.Entries(f), p.Counters()}, nil
}
