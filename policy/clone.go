package policy

import (
	"slices"

	"github.com/cloudg/mcplayer/internal/jsontree"
)

// clone returns a copy that shares nothing that its owner can change.
func (d *Document) clone() *Document {
	c := *d
	c.HideDenied, c.HonorHints = cloneRef(d.HideDenied), cloneRef(d.HonorHints)
	c.Audit, c.AuditSize = cloneRef(d.Audit), cloneRef(d.AuditSize)
	c.Access = d.Access.clone()
	c.Transforms, c.InputTransforms = cloneEach(d.Transforms, Transform.clone), cloneEach(d.InputTransforms, Transform.clone)
	c.TransformOptions = cloneValue(d.TransformOptions)
	c.Detectors, c.Vault = cloneValue(d.Detectors), cloneValue(d.Vault)
	c.DisabledDetectors = slices.Clone(d.DisabledDetectors)
	c.Roles, c.Rules = cloneEach(d.Roles, Rule.clone), cloneEach(d.Rules, Rule.clone)
	c.RateLimits = cloneEach(d.RateLimits, RateLimit.clone)
	return &c
}

func (a Access) clone() Access {
	for _, list := range []*[]string{
		&a.AllowTools, &a.DenyTools, &a.AllowResources, &a.DenyResources,
		&a.AllowPrompts, &a.DenyPrompts, &a.AllowCategories, &a.DenyCategories,
	} {
		*list = slices.Clone(*list)
	}
	return a
}

func (t Transform) clone() Transform {
	t.Options = cloneValue(t.Options)
	return t
}

func (u Rule) clone() Rule {
	u.Match, u.Access = u.Match.clone(), u.Access.clone()
	u.Transforms, u.InputTransforms = cloneEach(u.Transforms, Transform.clone), cloneEach(u.InputTransforms, Transform.clone)
	u.TransformOptions = cloneValue(u.TransformOptions)
	u.RateLimits = cloneEach(u.RateLimits, RateLimit.clone)
	u.HonorHints = cloneRef(u.HonorHints)
	return u
}

func (m Match) clone() Match {
	for _, list := range []*[]string{&m.Roles, &m.Principals, &m.Names, &m.Categories, &m.Tags} {
		*list = slices.Clone(*list)
	}
	m.Kinds, m.Sensitivity = slices.Clone(m.Kinds), slices.Clone(m.Sensitivity)
	return m
}

func (l RateLimit) clone() RateLimit {
	l.Tools, l.Kinds = slices.Clone(l.Tools), slices.Clone(l.Kinds)
	return l
}

// cloneEach keeps the difference between nil and empty.
func cloneEach[T any](list []T, clone func(T) T) []T {
	list = slices.Clone(list)
	for i := range list {
		list[i] = clone(list[i])
	}
	return list
}

func cloneValue[T any](v T) T {
	c, _ := jsontree.Clone(v).(T)
	return c
}

func cloneRef[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return new(*p)
}
