package policy

import (
	"fmt"
	"slices"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/internal/glob"
)

// What of a document does not do what it seems to.

// openGrants looks for what rules allow and the policy does not close: an allow of a rule opens
// the policy's lists and restricts nobody.
func (l *linter) openGrants() {
	for i := range l.written {
		for _, list := range allowedIn(&l.written[i].Access) {
			if !includes(list.patterns) || l.restricts(list.kind) || l.opens(i, list) {
				continue
			}
			l.add(LintOpenGrant, under(l.doc.rulePath(i), list.key),
				"it grants what the policy does not close, and restricts nobody: only an allow list of the policy itself does")
		}
	}
}

// restricts reports whether the policy has an allow list for primitives of a kind; 0: of any.
func (l *linter) restricts(kind mcplayer.Kind) bool {
	return slices.ContainsFunc(allowedIn(&l.doc.Access), func(own named) bool {
		return own.patterns != nil && (kind == 0 || own.kind == 0 || own.kind == kind)
	})
}

// opens reports whether a grant is from something that the policy denies, as far as it is known.
func (l *linter) opens(i int, list named) bool {
	denies := slices.ContainsFunc(deniedIn(&l.doc.Access), func(own named) bool {
		return len(own.patterns) > 0 && (list.kind == 0 || own.kind == 0 || own.kind == list.kind)
	})
	if !denies || len(l.specs) == 0 {
		return denies
	}
	allow, err := glob.CompileList(list.patterns)
	if err != nil {
		return true
	}
	specs := l.grantedSpecs(i, list, allow)
	return len(specs) == 0 || slices.ContainsFunc(specs, func(spec *mcplayer.Spec) bool {
		s := newSubject(spec)
		return spec.Kind == mcplayer.KindResourceTemplate || // its URIs may be denied
			l.rev.of(&s).denies(s.names) || l.rev.categories.deny.Match(spec.Category)
	})
}

// strangers looks for what a role is denied and callers without it are not: who can do without the
// role is not held up by it.
func (l *linter) strangers() {
	for i := range l.doc.Roles {
		first, more := "", 0
		for _, spec := range l.specs {
			switch {
			case !l.deniedToRoleAlone(i, spec):
			case first == "":
				first = fmt.Sprintf("%s '%s'", spec.Kind, spec.Name)
			default:
				more++
			}
		}
		if more > 0 {
			first += fmt.Sprintf(" and %d more", more)
		}
		if first != "" {
			l.add(LintRoleAlone, l.doc.rulePath(i), "the role is denied %s, which anonymous callers may use", first)
		}
	}
}

func (l *linter) deniedToRoleAlone(i int, spec *mcplayer.Spec) bool {
	who := mcplayer.NewPrincipal("somebody", "default", roleOf(&l.doc.Roles[i]))
	d := l.rev.bound(spec, who).decision
	return !d.Allowed && d.Rule == l.rev.rules[i].name && l.rev.bound(spec, mcplayer.Anonymous()).decision.Allowed
}
