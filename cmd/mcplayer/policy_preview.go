package main

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/pipeline"
	"github.com/cloudg/mcplayer/pipeline/vault"
)

func policyPreview() command {
	c := command{
		name:    "policy preview",
		usage:   "SOURCE [FILE] [-input] [-as ID] [-roles ROLES] [-primitive PRIMITIVE -specs FILE] [-json]",
		summary: "show what becomes of a document on its way to or from a caller; it shows the data itself",
		details: previewHelp + "\n\n" + primitiveHelp + "\n\n" + sourceHelp + "\n\n" + specsHelp,
	}
	c.run = func(args []string, std streams) int {
		v := preview{matter: newMatter(c, std)}
		v.caller.addTo(v.flags)
		v.flags.BoolVar(&v.input, "input", false, "the document is the arguments of a call, not its result")
		v.flags.StringVar(&v.primitive, "primitive", "", "`primitive` of the specs; without it a tool that reads")
		names, err := vault.New(&vault.Options{Key: []byte(rand.Text()), Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			return v.failed(err)
		}
		defer func() { _ = names.Close() }() // it keeps nothing
		args, code, ok := v.load(args, 0, 1, names)
		if !ok {
			return code
		}
		return v.run(append(args, "-")[0])
	}
	return c
}

const previewHelp = `It exits with 1 if the caller may not use the primitive, or if the document is refused
or withheld. FILE is JSON or text; without it the standard input is read. Pseudonyms and
hashes are those of a key that is thrown away: those of a server are others, and are not
turned back.`

// preview is what was asked for.
type preview struct {
	*matter
	caller    caller
	primitive string
	input     bool
}

func (v *preview) run(file string) int {
	s, err := v.subject()
	if err != nil {
		return v.failed(err)
	}
	who := v.caller.principal()
	if d := s.decide(v.policy, who); !d.Allowed {
		say(v.std.out, "denied: %s", d.Reason)
		return exitFinding
	}
	doc, _, err := v.read(file)
	if err != nil {
		return v.failed(err)
	}
	access := v.policy.Bind(s.spec, who)
	if access == nil {
		return v.failed(errors.New("the caller's pipelines cannot be built")) // the log tells why
	}
	through := access.Output
	if v.input {
		through = access.Input
	}
	shown, err := pipeline.NewPreview(context.Background(), through, s.call(who), string(doc))
	if err != nil {
		return v.refused(err)
	}
	if v.json {
		printJSON(v.std.out, previewReportOf(shown))
	} else {
		printPreview(shown, v.std)
	}
	return exitOK
}

// subject returns the primitive, whose hints the policy must take.
func (v *preview) subject() (s subject, err error) {
	s = subject{spec: &mcplayer.Spec{
		Kind: mcplayer.KindTool, Name: "preview", Category: "general",
		Sensitivity: mcplayer.Internal, Capabilities: mcplayer.ReadState,
		Annotations: mcplayer.Annotations{ReadOnly: new(true), OpenWorld: new(false)},
	}}
	if v.primitive != "" {
		if s, err = findSubject(v.specs, v.primitive); err != nil {
			return s, err
		}
	}
	return s, v.policy.Admit(s.spec)
}

// refused tells why the document does not come through.
func (v *preview) refused(err error) int {
	if e, ok := errors.AsType[*mcplayer.Error](err); ok {
		say(v.std.out, "refused: %s", e.Message)
	} else {
		say(v.std.out, "withheld: %v", err)
	}
	return exitFinding
}
