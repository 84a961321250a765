package policy

import (
	"encoding/binary"
	"errors"
	"strings"
	"sync"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/pipeline"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// How many pipelines are remembered: pairs by primitive and matching rules, and what
// was built by its steps, which primitives share.
const (
	maxPairs = 16384
	maxBuilt = 1024
)

// pipelines makes the input and output pipelines of primitives and callers.
// It is safe for concurrent use.
type pipelines struct {
	doc       *Document
	builder   *pipeline.Builder
	rules     []Rule // roles, then rules
	protected protected

	mu    sync.Mutex
	pairs *simplelru.LRU[pairKey, pair]
	built *simplelru.LRU[string, mcplayer.Pipeline]
}

// pairKey is a primitive with the rules that match it and a caller.
type pairKey struct {
	spec  *mcplayer.Spec
	rules string
}

type pair struct{ in, out mcplayer.Pipeline }

// newPipelines checks all transforms of a document: the policy's own, and those with each rule
// alone. The error tells all mistakes with their places.
func newPipelines(doc *Document, b *pipeline.Builder) (*pipelines, error) {
	p := &pipelines{doc: doc, builder: b, protected: newProtected(doc, b)}
	p.rules = append(append(p.rules, doc.Roles...), doc.Rules...)
	var err error
	if p.pairs, err = simplelru.NewLRU[pairKey, pair](maxPairs, nil); err != nil {
		return nil, err
	}
	if p.built, err = simplelru.NewLRU[string, mcplayer.Pipeline](maxBuilt, nil); err != nil {
		return nil, err
	}
	return p, p.check()
}

// of returns the pipelines of a primitive for callers whom, with it, the given rules match:
// indices of roles, then rules, in their order. On an error nothing may pass.
func (p *pipelines) of(spec *mcplayer.Spec, matched []int) (in, out mcplayer.Pipeline, err error) {
	var key []byte
	for _, i := range matched {
		key = binary.AppendUvarint(key, uint64(i))
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	known, ok := p.pairs.Get(pairKey{spec, string(key)})
	if !ok {
		if known, err = p.build(spec, matched); err != nil {
			return nil, nil, err
		}
		p.pairs.Add(pairKey{spec, string(key)}, known)
	}
	return known.in, known.out, nil
}

func (p *pipelines) build(spec *mcplayer.Spec, matched []int) (pair, error) {
	in, out, err := p.steps(spec, matched)
	if err != nil {
		return pair{}, err
	}
	input, errIn := p.made(in)
	output, errOut := p.made(out)
	return pair{input, output}, errors.Join(errIn, errOut)
}

// made builds steps, or returns what was built of the same steps before.
func (p *pipelines) made(steps []step) (mcplayer.Pipeline, error) {
	specs := make([]pipeline.Spec, len(steps))
	for i, s := range steps {
		specs[i] = pipeline.Spec{Type: s.typ, ID: s.id, Options: s.options}
	}
	key, err := stepsKey(steps)
	if err != nil {
		return p.builder.Build(specs)
	}
	if known, ok := p.built.Get(key); ok {
		return known, nil
	}
	made, err := p.builder.Build(specs)
	if err == nil {
		p.built.Add(key, made)
	}
	return made, err
}

// stepsKey tells steps apart by all that they are built of.
func stepsKey(steps []step) (string, error) {
	var b strings.Builder
	e := jsontext.NewEncoder(&b)
	for _, s := range steps {
		n := nodeOf([]any{s.typ, s.id, s.options})
		if err := n.writeJSON(e); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}
