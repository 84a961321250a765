package main

import (
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

// loadPolicy reads a document and puts it in force, which finds all that is wrong with it.
// The names take the place of the document's vault: no command opens that of a server.
func loadPolicy(source string, names pipeline.Pseudonyms, std streams) (*policy.Document, *policy.Policy, error) {
	doc, err := loadDocument(source, std)
	if err != nil {
		return nil, nil, err
	}
	builder := pipeline.NewBuilder(&pipeline.BuilderOptions{Pseudonyms: names})
	p, err := policy.New(doc, &policy.Options{Builder: builder, Logger: slog.New(slog.DiscardHandler)})
	return doc, p, err
}

// noNames has no pseudonyms, where nothing is transformed.
type noNames struct{}

func (noNames) AppendPseudonym(dst []byte, _, _ string, _ []byte) ([]byte, bool) { return dst, false }

func (noNames) AppendOriginals(dst []byte, _ string, text []byte) ([]byte, int, error) {
	return append(dst, text...), 0, nil
}

func loadDocument(source string, std streams) (*policy.Document, error) {
	if source != "-" {
		return policy.LoadDocument(source)
	}
	data, err := io.ReadAll(std.in)
	if err != nil {
		return nil, err
	}
	return policy.LoadDocumentBytes(data, "stdin")
}

// readFile reads a file; - is the standard input, which errors call stdin.
func readFile(name string, std streams) (data []byte, shown string, err error) {
	if name == "-" {
		data, err = io.ReadAll(std.in)
		return data, "stdin", err
	}
	data, err = os.ReadFile(name)
	return data, name, err
}

// failed tells why a command cannot do its work: the mistakes of a document in lines of
// their own.
func failed(name string, std streams, err error) int {
	problems := policy.Problems(err)
	if problems == nil {
		say(std.err, "mcplayer %s: %v", name, err)
	}
	for _, problem := range problems {
		say(std.err, "%v", problem)
	}
	return exitTrouble
}

const specsHelp = `The specs are what a policy knows of the primitives of a server, YAML or JSON:

  primitives:
    - {name: run_query, category: live, tags: [slow], sensitivity: internal,
       capabilities: [exec], read_only: false, open_world: true, hints: {skip: [sanitize]}}
    - {kind: resource_template, name: "cloudg://assets/{id}"}

A server writes them with policy.MarshalSpecs(registry.Specs()).`

// readSpecs reads the primitives of a server; none without a file.
func readSpecs(file string, std streams) ([]*mcplayer.Spec, error) {
	if file == "" {
		return nil, nil
	}
	data, name, err := readFile(file, std)
	if err != nil {
		return nil, err
	}
	return policy.ParseSpecs(data, name)
}
