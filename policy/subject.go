package policy

import (
	"net/url"
	"slices"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/internal/uri"
)

// allButReveal is what a tool may do that tells nothing of itself.
const allButReveal = mcplayer.ReadState | mcplayer.WriteState | mcplayer.ReadFS | mcplayer.WriteFS |
	mcplayer.CloudAccess | mcplayer.Exec

// subject is a primitive as rules look at it.
type subject struct {
	spec *mcplayer.Spec
	word string // of its lists: tool, resource, prompt
	// names are those that denials look at: of a resource its URI, as it is written and
	// in normal form.
	names []string
	// has is what the primitive declares; presumed is what it counts as having for
	// denials.
	has, presumed mcplayer.Capabilities
}

func newSubject(spec *mcplayer.Spec) subject {
	s := subject{spec: spec, word: wordOf(spec.Kind), names: []string{spec.Name}, has: declared(spec)}
	s.presumed = presumed(spec)
	if s.word == "resource" {
		s.names = spellings(spec.Name)
	}
	return s
}

func wordOf(kind mcplayer.Kind) string {
	if kind == mcplayer.KindResourceTemplate {
		kind = mcplayer.KindResource
	}
	return kind.String()
}

// declared returns what a primitive says that it can do. Resources and prompts that
// say nothing read.
func declared(spec *mcplayer.Spec) mcplayer.Capabilities {
	if spec.Capabilities == 0 && spec.Kind != mcplayer.KindTool {
		return mcplayer.ReadState
	}
	return spec.Capabilities
}

// presumed returns what a primitive counts as being able to do where that is denied:
// a tool that says nothing counts as able to do everything but reveal, unless it is
// annotated as read-only and not open-world.
func presumed(spec *mcplayer.Spec) mcplayer.Capabilities {
	has, a := declared(spec), spec.Annotations
	if has != 0 || isTrue(a.ReadOnly) && a.OpenWorld != nil && !*a.OpenWorld {
		return has
	}
	return allButReveal
}

func isTrue(b *bool) bool { return b != nil && *b }

// spellings returns the forms of a URI that a pattern may be written for: as it is,
// normalised, with the host in lower case (RFC 3986, section 6.2.2), and decoded, as a
// handler sees it.
func spellings(raw string) []string {
	all := []string{raw}
	normal, err := uri.Normalize(raw)
	if err != nil {
		return all
	}
	decoded, err := url.PathUnescape(normal)
	if err != nil {
		decoded = normal
	}
	for _, form := range []string{normal, uri.FoldHost(normal), decoded} {
		if !slices.Contains(all, form) {
			all = append(all, form)
		}
	}
	return all
}
