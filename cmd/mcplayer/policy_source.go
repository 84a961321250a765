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
func loadPolicy(source string, builder *pipeline.Builder, std streams) (*policy.Document, *policy.Policy, error) {
	doc, err := loadDocument(source, std)
	if err != nil {
		return nil, nil, err
	}
	p, err := policy.New(doc, &policy.Options{Builder: builder, Logger: slog.New(slog.DiscardHandler)})
	return doc, p, err
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
