package main

import (
	"log/slog"
	"slices"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/examples/inventory/server"
	"github.com/cloudg/mcplayer/policy"
)

// A member of the cast is somebody at a server under a policy.
type member struct {
	inProcess
	policy *policy.Policy
	name   string // of the policy
}

// under starts an inventory under a policy.
func (t *troupe) under(name string) (*mcplayer.Layer, *policy.Policy, error) {
	p, err := t.load(name)
	if err != nil {
		return nil, nil, err
	}
	layer, err := t.inventoryHere(server.Config{Policy: p, Logger: slog.New(slog.DiscardHandler)})
	return layer, p, err
}

// A cast are the callers whom the scenes about policies compare.
type cast []member

func (t *troupe) addCast() error {
	for _, of := range []struct {
		policy string
		who    []*mcplayer.Principal
	}{
		{"open", []*mcplayer.Principal{mcplayer.NewPrincipal("ben", "guest")}},
		{"standard", []*mcplayer.Principal{mcplayer.NewPrincipal("ben", "guest"), mcplayer.NewPrincipal("kim", "admin")}},
		{"team", []*mcplayer.Principal{mcplayer.NewPrincipal("ada", "auditor"), mcplayer.NewPrincipal("olu", "operator")}},
	} {
		layer, p, err := t.under(of.policy)
		if err != nil {
			return err
		}
		for _, who := range of.who {
			t.cast = append(t.cast, member{inProcess{layer, who}, p, of.policy})
		}
	}
	return nil
}

// find returns who has the role under the policy.
func (c cast) find(policy, role string) member {
	return c[slices.IndexFunc(c, func(m member) bool { return m.name == policy && m.as.HasRole(role) })]
}
