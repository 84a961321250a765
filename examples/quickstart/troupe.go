package main

import (
	"context"
	"errors"
	"path/filepath"
	"strconv"
	"strings"
)

// A place is where scenes play: somebody who answers calls, and the log that only
// the server's operator sees.
type place struct {
	name string
	caller
	log *journal
}

// troupe holds all servers that run for the show.
type troupe struct {
	inventory     []place // the same server, reached in different ways
	wrap          []place
	guarded       []place // the inventory under the policy standard
	strict        []place // the same under strict
	cast          cast
	investigation investigation
	stacked       *stacked
	url           string   // of the server with sessions
	tokens        tokenSet // that it lets in
	closers       []func() error
}

// maxOutput is little, so that a cut can be seen.
const maxOutput = 6000

func (t *troupe) start(ctx context.Context, dir string) error {
	var err error
	tokens := filepath.Join(dir, "tokens.json")
	if t.tokens, err = writeTokens(tokens); err != nil {
		return err
	}
	inventory, flags := filepath.Join(dir, "inventory"), []string{"-demo", "-max-output", strconv.Itoa(maxOutput)}
	if err := t.addStdio(ctx, &t.inventory, "stdio", inventory, flags...); err != nil {
		return err
	}
	flags = append(flags, "-http", "127.0.0.1:0", "-tokens", tokens)
	if t.url, err = t.addHTTP(ctx, "HTTP", inventory, flags...); err != nil {
		return err
	}
	if _, err = t.addHTTP(ctx, "HTTP without sessions", inventory, append(flags, "-stateless")...); err != nil {
		return err
	}
	if err := t.addInProcess(&t.inventory, "this process", nil); err != nil {
		return err
	}
	if err := t.addStdio(ctx, &t.wrap, "stdio", filepath.Join(dir, "wrap")); err != nil {
		return err
	}
	return errors.Join(
		t.addBoth(ctx, &t.guarded, inventory, "standard"),
		t.addBoth(ctx, &t.strict, inventory, "strict"),
		t.addCast(), t.addStacked(dir), t.addInvestigation())
}

// addBoth starts an inventory under a profile twice: as a process and in this one.
func (t *troupe) addBoth(ctx context.Context, to *[]place, inventory, profile string) error {
	if err := t.addStdio(ctx, to, "stdio", inventory, "-demo", "-policy", profile); err != nil {
		return err
	}
	p, err := t.load(profile)
	if err != nil {
		return err
	}
	return t.addInProcess(to, "this process", p)
}

// close stops the servers, the last one first.
func (t *troupe) close() error {
	var errs []error
	for i := len(t.closers) - 1; i >= 0; i-- {
		errs = append(errs, t.closers[i]())
	}
	return errors.Join(errs...)
}

// names lists places.
func names(places []place) string {
	list := make([]string, len(places))
	for i, p := range places {
		list[i] = p.name
	}
	return strings.Join(list, ", ")
}
