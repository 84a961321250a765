package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
)

// A printer plays scenes and writes what was said.
type printer struct {
	w      io.Writer
	scenes int
	err    error // the first of writing
}

func (p *printer) printf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

// play plays a scene at all places at once, shows the first and compares the
// others with it.
func (p *printer) play(ctx context.Context, sc scene, places []place) error {
	p.scenes++
	p.printf("\n%d. %s. %s\n", p.scenes, sc.title, sc.about)
	stages, errs := make([]*stage, len(places)), make([]error, len(places))
	var all sync.WaitGroup
	for i, place := range places {
		stages[i] = newStage(place)
		all.Go(func() { errs[i] = sc.play(ctx, stages[i]) })
	}
	all.Wait()
	p.printf("%s", stages[0].said())
	for i, place := range places {
		if errs[i] == nil {
			errs[i] = sameAs(stages[0], stages[i])
		}
		if errs[i] != nil {
			errs[i] = fmt.Errorf("%s, %s: %w", sc.title, place.name, errs[i])
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if len(places) > 1 {
		p.printf("   = the same: %s\n", names(places[1:]))
	}
	return p.err
}
