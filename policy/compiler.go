package policy

import (
	"errors"
	"fmt"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/internal/glob"
)

// compiler collects what is wrong with a document while it is compiled.
type compiler struct {
	errs    []error
	limited map[string]int // how often a limit is written, by its id
}

// fail notes a mistake; path is the place in the document.
func (c *compiler) fail(path, format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf("%s "+format, append([]any{path}, args...)...))
}

func (c *compiler) err() error {
	if c.errs == nil {
		return nil
	}
	return fmt.Errorf("policy: configuration errors:\n%w", errors.Join(c.errs...))
}

// globs compiles a list; one that is not given stays nil.
func (c *compiler) globs(path string, patterns []string) *glob.List {
	if patterns == nil {
		return nil
	}
	list, err := glob.CompileList(patterns)
	if err != nil {
		c.fail(path, "has a bad pattern: %w", err)
	}
	return list
}

func (c *compiler) capabilities(path string, set mcplayer.Capabilities) {
	if unknown := set &^ (allButReveal | mcplayer.Reveal); unknown != 0 {
		c.fail(path, "has an unknown capability in %#b", uint8(unknown))
	}
}

// sensitivity checks one that may be 0, not set.
func (c *compiler) sensitivity(path string, s mcplayer.Sensitivity) {
	if s > mcplayer.Restricted {
		c.fail(path, "is the unknown sensitivity %d; allowed are public, internal, confidential, restricted", uint8(s))
	}
}

// kinds checks kinds up to the last one that makes sense.
func (c *compiler) kinds(path string, kinds []mcplayer.Kind, last mcplayer.Kind) {
	for _, k := range kinds {
		if k == 0 || k > last {
			c.fail(path, "has the kind %s; allowed are those from %s to %s", k, mcplayer.KindTool, last)
		}
	}
}
