package detect

// concatFinder joins neighbours that are known exactly to longer words, and chooses
// among the words of a sequence.
type concatFinder struct {
	*needFinder
	parts []part
	best  need

	run   []string // what the parts from first on match exactly
	first int
}

func (f *needFinder) concat(parts []part) part {
	c := concatFinder{needFinder: f, parts: parts, run: []string{""}}
	for i, p := range parts {
		if c.grows(p) {
			c.run = joined(c.run, p.exact)
			continue
		}
		c.endRun(i)
		if p.exact != nil {
			c.run, c.first = p.exact, i
			continue
		}
		c.offer(p.need, i, i+1)
		c.offerLonger(p.need, i)
		c.run, c.first = []string{""}, i+1
	}
	out := part{most: c.most(0, len(parts))}
	if c.first == 0 {
		return f.matching(out.most, c.run...)
	}
	c.endRun(len(parts))
	for _, p := range parts {
		out.least += p.least
	}
	out.need, out.head = c.best, parts[0].head
	return out
}

// grows reports whether the run goes on with a part: not where long words would become
// many.
func (c *concatFinder) grows(p part) bool {
	long := shortest(c.run) > minWord && len(p.exact) > minWord
	return p.exact != nil && !long && len(c.run)*len(p.exact) <= maxExact
}

// joined returns each text followed by each end.
func joined(texts, ends []string) (all []string) {
	for _, text := range texts {
		for _, end := range ends {
			all = append(all, text+end)
		}
	}
	return all
}

func (c *concatFinder) endRun(i int) {
	if shortest(c.run) == 0 || !c.fits(c.run) {
		return
	}
	n := need{words: c.run}
	if i < len(c.parts) {
		n.follow = c.parts[i].head
	}
	c.offer(n, c.first, i)
}

// offerLonger joins what stands before a part with the words that the part begins
// with.
func (c *concatFinder) offerLonger(n need, i int) {
	if n.before == 0 && len(n.words)*len(c.run) <= maxExact {
		n.words = joined(c.run, n.words)
		c.offer(n, c.first, i+1)
	}
}

// offer takes what is needed by the parts from i to j if it is better than the best.
func (c *concatFinder) offer(n need, i, j int) {
	if len(n.words) == 0 {
		return
	}
	n.before = c.most(0, i).plus(n.before)
	n.after = n.after.plus(c.most(j, len(c.parts)))
	if n.betterThan(c.best) {
		c.best = n
	}
}

func (c *concatFinder) most(i, j int) (sum extent) {
	for _, p := range c.parts[i:j] {
		sum = sum.plus(p.most)
	}
	return sum
}

// betterThan prefers words with a known place, then long ones, then few.
func (n need) betterThan(other need) bool {
	if len(other.words) == 0 {
		return true
	}
	known := n.before != unbounded && n.after != unbounded
	if otherKnown := other.before != unbounded && other.after != unbounded; known != otherKnown {
		return known
	}
	if a, b := shortest(n.words), shortest(other.words); a != b {
		return a > b
	}
	return len(n.words) < len(other.words)
}
