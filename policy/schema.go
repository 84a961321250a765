package policy

import "github.com/cloudg/mcplayer"

// The tables of what may stand in a document. They both read and write.

func (d *Document) fields() []field {
	fields := []field{
		{key: "name", value: textField{&d.Name}},
		{key: "description", value: textField{&d.Description}},
		{key: "extends", value: textField{&d.Extends}},
		{key: "hide_denied", value: flagField{&d.HideDenied}},
		{key: "honor_hints", value: flagField{&d.HonorHints}},
		{key: "audit", value: flagField{&d.Audit}},
		{key: "audit_size", value: countField{&d.AuditSize}},
	}
	fields = append(fields, d.Access.fields()...)
	return append(fields, []field{
		{key: "transforms", value: transformsField{&d.Transforms}},
		{key: "input_transforms", value: transformsField{&d.InputTransforms}},
		{key: "transform_options", value: overridesField{&d.TransformOptions}},
		{key: "binary", value: wordField{&d.Binary, []string{"pass", "scan", "withhold"}}},
		{key: "depseudonymize", value: wordField{&d.Depseudonymize, []string{"auto", "closed_world", "off"}}},
		{key: "detectors", value: looseObjectsField{&d.Detectors}},
		{key: "disabled_detectors", value: textsField{&d.DisabledDetectors}},
		{key: "roles", value: rolesField{&d.Roles}},
		{key: "rules", value: objectsField[Rule]{to: &d.Rules, fields: (*Rule).fields}},
		{key: "rate_limits", value: limitsField(&d.RateLimits)},
		{key: "vault", value: optionsField{&d.Vault}},
	}...)
}

func (a *Access) fields() []field {
	return []field{
		{key: "allow_tools", value: globsField{&a.AllowTools}, noNull: true},
		{key: "deny_tools", value: globsField{&a.DenyTools}},
		{key: "allow_resources", value: globsField{&a.AllowResources}, noNull: true},
		{key: "deny_resources", value: globsField{&a.DenyResources}},
		{key: "allow_prompts", value: globsField{&a.AllowPrompts}, noNull: true},
		{key: "deny_prompts", value: globsField{&a.DenyPrompts}},
		{key: "allow_categories", value: globsField{&a.AllowCategories}, noNull: true},
		{key: "deny_categories", value: globsField{&a.DenyCategories}},
		{key: "allow_capabilities", value: capabilitiesField{to: &a.AllowCapabilities}, noNull: true},
		{key: "deny_capabilities", value: capabilitiesField{to: &a.DenyCapabilities}},
		{key: "max_sensitivity", value: levelField{&a.MaxSensitivity}},
	}
}

func (u *Rule) fields() []field {
	fields := []field{
		{key: "name", value: textField{&u.Name}},
		{key: "description", value: textField{&u.Description}},
		{key: "match", value: matchField{&u.Match}, noNull: true},
	}
	fields = append(fields, u.Access.fields()...)
	return append(fields, []field{
		{key: "transforms", value: transformsField{&u.Transforms}},
		{key: "transforms_mode", value: wordField{&u.TransformsMode, []string{"append", "prepend", "replace"}}},
		{key: "transform_options", value: overridesField{&u.TransformOptions}},
		{key: "input_transforms", value: transformsField{&u.InputTransforms}},
		{key: "rate_limits", value: limitsField(&u.RateLimits)},
		{key: "honor_hints", value: flagField{&u.HonorHints}},
	}...)
}

func (m *Match) fields() []field {
	sensitivity := wordsField[mcplayer.Sensitivity]{&m.Sensitivity, sensitivities(), mcplayer.ParseSensitivity}
	return []field{
		{key: "roles", value: textsField{&m.Roles}, noNull: true},
		{key: "principals", value: globsField{&m.Principals}, noNull: true},
		{key: "names", value: globsField{&m.Names}, noNull: true},
		{key: "categories", value: globsField{&m.Categories}, noNull: true},
		{key: "tags", value: textsField{&m.Tags}, noNull: true},
		{key: "kinds", value: kindsField(&m.Kinds), noNull: true},
		{key: "sensitivity", value: sensitivity, noNull: true},
		{key: "capabilities", value: capabilitiesField{&m.Capabilities, true}, noNull: true},
	}
}

func (l *RateLimit) fields() []field {
	return []field{
		{key: "rate", value: numberField{&l.Rate}},
		{key: "per", value: wordField{&l.Per, []string{"second", "minute", "hour", "day"}}},
		{key: "burst", value: numberField{&l.Burst}},
		{key: "scope", value: wordField{&l.Scope, []string{"principal", "tool", "principal_tool", "global"}}},
		{key: "tools", value: globsField{&l.Tools}, noNull: true},
		{key: "kinds", value: kindsField(&l.Kinds), noNull: true},
	}
}

func kindsField(to *[]mcplayer.Kind) codec {
	return wordsField[mcplayer.Kind]{to, kinds(), mcplayer.ParseKind}
}

func limitsField(to *[]RateLimit) codec {
	return objectsField[RateLimit]{to, (*RateLimit).fields, func(r *reader, l *RateLimit, n *node, path string) {
		if rate := n.member("rate"); rate == nil || rate.kind == nullNode {
			r.wrong(n, path, "rate is missing: how many calls per minute, or per what per says")
		}
		if l.Burst != 0 && l.Burst < 1 {
			r.wrong(n, under(path, "burst"), "must be at least 1: a call takes a whole token")
		}
	}}
}
