package main

import (
	"context"
	"embed"
	"log/slog"
	"slices"

	"github.com/cloudg/mcplayer/policy"
)

// documents are policies of this example's own.
//
//go:embed *.yaml
var documents embed.FS

// vaultKey is what pseudonyms are derived from: the same in all processes of the
// show, so that their answers can be compared. A real one is random, and in no source.
const vaultKey = "a made-up key for the show alone"

// load puts a policy in force: a profile, or a document of the example's own.
func (t *troupe) load(name string) (*policy.Policy, error) {
	doc, err := document(name)
	if err != nil {
		return nil, err
	}
	doc.Vault = map[string]any{"key": vaultKey}
	p, err := policy.New(doc, &policy.Options{Logger: slog.New(slog.DiscardHandler)})
	if err == nil {
		t.closers = append(t.closers, func() error { return p.Close(context.Background()) })
	}
	return p, err
}

func document(name string) (*policy.Document, error) {
	if slices.Contains(policy.Profiles(), name) {
		return policy.LoadDocument(name)
	}
	return policy.LoadDocumentFS(documents, name+".yaml")
}
