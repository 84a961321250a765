package policy

import (
	"context"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/pipeline/vault"
)

// privacyStatus is what privacy_status says.
type privacyStatus struct {
	Policy   policyStatus `json:"policy"`
	Caller   callerStatus `json:"caller"`
	Vault    *vaultStatus `json:"vault,omitempty"` // of the policy, not of the host
	Counters Counters     `json:"counters"`
}

type policyStatus struct {
	Name        string `json:"policy_name"`
	Description string `json:"description,omitempty"`
	Fingerprint string `json:"fingerprint"`
}

// callerStatus tells what the results of an ordinary tool look like to the caller.
type callerStatus struct {
	Roles         []string `json:"roles"`
	Steps         []string `json:"output_transforms"`
	InputSteps    []string `json:"input_transforms"`
	Pseudonymizes bool     `json:"sees_pseudonyms"`
	Aliases       int      `json:"aliases"`
	Reveals       bool     `json:"may_reveal"`
}

// vaultStatus holds figures of the vault.
type vaultStatus struct {
	Namespace  string `json:"namespace"`
	TTLSeconds int    `json:"ttl_seconds"` // 0: for ever
	InFile     bool   `json:"in_file"`
	Entries    int    `json:"entries"`
	Collisions uint64 `json:"collisions"`
	Refused    uint64 `json:"refused"`
}

func (p *Policy) status(_ context.Context, tc *mcplayer.ToolContext, _ struct{}) (privacyStatus, error) {
	r := p.current.Load()
	caller, err := r.callerStatus(tc.Principal())
	return privacyStatus{
		Policy:   policyStatus{r.name, r.doc.Description, r.doc.Fingerprint()},
		Caller:   caller,
		Vault:    r.names.status(),
		Counters: p.Counters(),
	}, err
}

// ordinary returns a tool that reads: what holds for it holds for most. It is a spec
// of its own each time, so nothing is remembered of it.
func ordinary() *mcplayer.Spec {
	return &mcplayer.Spec{Kind: mcplayer.KindTool, Category: "general", Sensitivity: mcplayer.Internal, Capabilities: mcplayer.ReadState}
}

func (r *revision) callerStatus(who *mcplayer.Principal) (callerStatus, error) {
	matched := r.matching(ordinary(), who)
	in, out, err := r.pipes.steps(ordinary(), matched)
	if err != nil {
		return callerStatus{}, err
	}
	back, err := r.pipes.turnsBack(out)
	reveal := ordinary()
	reveal.Name, reveal.Sensitivity, reveal.Capabilities = "reveal_token", mcplayer.Restricted, mcplayer.Reveal
	decision, _ := r.inquire(r.newPlan(reveal), who).decide()
	return callerStatus{who.Roles(), typesOf(out), typesOf(in), back.pseudonyms, len(back.aliases), decision.Allowed}, err
}

// matching returns the rules that match a primitive and a caller, without remembering
// them.
func (r *revision) matching(spec *mcplayer.Spec, who *mcplayer.Principal) []int {
	q := r.inquire(r.newPlan(spec), who)
	_, _ = q.decide()
	return q.matched
}

func typesOf(steps []step) []string {
	types := make([]string, len(steps))
	for i, s := range steps {
		types[i] = s.typ
	}
	return types
}

func (n *names) status() *vaultStatus {
	if n == nil {
		return nil
	}
	v := n.vault.Load()
	if v == nil {
		return nil
	}
	s, namespace := v.Stats(), n.options.Namespace
	if namespace == "" {
		namespace = vault.Global
	}
	return &vaultStatus{namespace, n.options.TTLSeconds, n.options.File != "", s.Entries, s.Collisions, s.Refused}
}
