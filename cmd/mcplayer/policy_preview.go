package main

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/pipeline"
	"github.com/cloudg/mcplayer/pipeline/vault"
	"github.com/cloudg/mcplayer/policy"
)

func policyPreview() command {
	c := command{
		name:    "policy preview",
		usage:   "SOURCE [FILE] [-input] [-as ID] [-roles ROLES] [-primitive PRIMITIVE -specs FILE] [-json]",
		summary: "show what becomes of a document on its way to or from a caller; it shows the data itself",
		details: previewHelp + "\n\n" + primitiveHelp + "\n\n" + sourceHelp + "\n\n" + specsHelp,
	}
	c.run = func(args []string, std streams) int {
		flags := newFlags(c, std)
		v := preview{command: c.name}
		v.caller.addTo(flags)
		flags.BoolVar(&v.input, "input", false, "the document is the arguments of a call, not its result")
		flags.StringVar(&v.primitive, "primitive", "", "`primitive` of the specs; without it a tool that reads")
		specsFile := flags.String("specs", "", "`file` with the primitives of a server")
		flags.BoolVar(&v.json, "json", false, "print JSON")
		args, code, ok := arguments(flags, args, std, 1, 2)
		if !ok {
			return code
		}
		var err error
		if v.specs, err = readSpecs(*specsFile, std); err != nil {
			return failed(c.name, std, err)
		}
		return v.run(args, std)
	}
	return c
}

const previewHelp = `It exits with 1 if the caller may not use the primitive, or if the document is refused
or withheld. FILE is JSON or text; without it the standard input is read. Pseudonyms and
hashes are those of a key that is thrown away: those of a server are others, and are not
turned back.`

// preview is what was asked for.
type preview struct {
	command   string
	caller    caller
	primitive string
	specs     []*mcplayer.Spec
	input     bool
	json      bool
}

func (v *preview) run(args []string, std streams) int {
	names, err := vault.New(&vault.Options{Key: []byte(rand.Text()), Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return failed(v.command, std, err)
	}
	defer func() { _ = names.Close() }() // it keeps nothing
	_, p, err := loadPolicy(args[0], names, std)
	if err != nil {
		return failed(v.command, std, err)
	}
	s, err := v.subject(p)
	if err != nil {
		return failed(v.command, std, err)
	}
	file := "-"
	if len(args) > 1 {
		file = args[1]
	}
	doc, _, err := readFile(file, std)
	if err != nil {
		return failed(v.command, std, err)
	}
	return v.show(p, s, string(doc), std)
}

// subject returns the primitive, whose hints the policy must take.
func (v *preview) subject(p *policy.Policy) (s subject, err error) {
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
	return s, p.Admit(s.spec)
}

func (v *preview) show(p *policy.Policy, s subject, doc string, std streams) int {
	who := v.caller.principal()
	decision := p.Decide(s.spec, who)
	if s.uri != "" {
		decision = p.DecideURI(s.spec, who, s.uri)
	}
	if !decision.Allowed {
		say(std.out, "denied: %s", decision.Reason)
		return exitFinding
	}
	access := p.Bind(s.spec, who)
	through := access.Output
	if v.input {
		through = access.Input
	}
	shown, err := pipeline.NewPreview(context.Background(), through, s.call(who), doc)
	if refused, ok := errors.AsType[*mcplayer.Error](err); ok {
		say(std.out, "refused: %s", refused.Message)
		return exitFinding
	}
	if err != nil {
		say(std.out, "withheld: %v", err)
		return exitFinding
	}
	if v.json {
		printJSON(std.out, previewReportOf(shown))
	} else {
		printPreview(shown, std)
	}
	return exitOK
}
