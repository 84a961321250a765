package main

import (
	"flag"
	"io"
	"log/slog"
	"os"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/pipeline"
	"github.com/cloudg/mcplayer/policy"
)

const sourceHelp = `SOURCE is the name of a built-in profile, a file, - for the standard input, or the
document itself as a JSON object. If it is "", it is what CLOUDG_MCP_POLICY holds,
else the profile standard. Transform types that a program registers itself are not
known here.`

const specsHelp = `The specs are what a policy knows of the primitives of a server, YAML or JSON:

  primitives:
    - {name: run_query, category: live, tags: [slow], sensitivity: internal,
       capabilities: [exec], read_only: false, open_world: true, hints: {skip: [sanitize]}}
    - {kind: resource_template, name: "cloudg://assets/{id}"}

A server writes them with policy.MarshalSpecs(registry.Specs()).`

// matter is what a policy command is about: a policy and the primitives of a server.
type matter struct {
	command string
	std     streams
	flags   *flag.FlagSet
	file    string // of the specs
	json    bool

	doc    *policy.Document
	policy *policy.Policy
	specs  []*mcplayer.Spec // nil without a file
}

// newMatter returns a matter with the flags that all commands have.
func newMatter(c command, std streams) *matter {
	m := &matter{command: c.name, std: std, flags: newFlags(c, std)}
	m.flags.StringVar(&m.file, "specs", "", "`file` with the primitives of a server")
	m.flags.BoolVar(&m.json, "json", false, "print JSON")
	return m
}

// load reads the command line, the policy and the specs, and returns the arguments behind
// the source: at least and at most so many, -1 for any number. It is not ok if there is
// nothing more to do than to exit. The names take the place of the document's vault: no
// command opens that of a server.
func (m *matter) load(args []string, least, most int, names pipeline.Pseudonyms) (rest []string, code int, ok bool) {
	if most >= 0 {
		most++
	}
	args, code, ok = arguments(m.flags, args, m.std, least+1, most)
	if !ok {
		return nil, code, false
	}
	err := m.loadPolicy(args[0], names)
	if err == nil {
		err = m.readSpecs()
	}
	if err != nil {
		return nil, m.failed(err), false
	}
	return args[1:], exitOK, true
}

// loadPolicy reads a document and puts it in force, which finds all that is wrong with it.
func (m *matter) loadPolicy(source string, names pipeline.Pseudonyms) (err error) {
	if m.doc, err = m.readDocument(source); err != nil {
		return err
	}
	m.policy, err = policy.New(m.doc, &policy.Options{
		Builder: pipeline.NewBuilder(&pipeline.BuilderOptions{Pseudonyms: names}),
		Logger:  errorLog(m.std.err),
	})
	return err
}

// errorLog prints what goes wrong later on.
func errorLog(w io.Writer) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{
		Level: slog.LevelError,
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	}))
}

func (m *matter) readDocument(source string) (*policy.Document, error) {
	if source != "-" {
		return policy.LoadDocument(source)
	}
	data, name, err := m.read(source)
	if err != nil {
		return nil, err
	}
	return policy.LoadDocumentBytes(data, name)
}

func (m *matter) readSpecs() error {
	if m.file == "" {
		return nil
	}
	data, name, err := m.read(m.file)
	if err != nil {
		return err
	}
	m.specs, err = policy.ParseSpecs(data, name)
	return err
}

// read reads a file; - is the standard input, which errors call stdin.
func (m *matter) read(file string) (data []byte, name string, err error) {
	if file == "-" {
		data, err = io.ReadAll(m.std.in)
		return data, "stdin", err
	}
	data, err = os.ReadFile(file)
	return data, file, err
}

// failed tells why the command cannot do its work: the mistakes of a document in lines of
// their own.
func (m *matter) failed(err error) int {
	problems := policy.Problems(err)
	if problems == nil {
		say(m.std.err, "mcplayer %s: %v", m.command, err)
	}
	for _, problem := range problems {
		say(m.std.err, "%v", problem)
	}
	return exitTrouble
}

// noNames has no pseudonyms, where nothing is transformed.
type noNames struct{}

func (noNames) AppendPseudonym(dst []byte, _, _ string, _ []byte) ([]byte, bool) { return dst, false }

func (noNames) AppendOriginals(dst []byte, _ string, text []byte) ([]byte, int, error) {
	return append(dst, text...), 0, nil
}
