package jsondoc

// guesses is where a walk stands in Keys.next, which tells what name comes after which:
// objects of one kind have their members in one order, and comparing a name is faster than
// looking it up.
type guesses struct {
	keys *Keys // whose numbers these are
	last int
}

// use makes g ready for a run. Numbers of other runs mean nothing here.
func (g *guesses) use(keys *Keys) {
	if g.keys != keys {
		*g = guesses{keys: keys}
	}
}

// id returns the number of a name at a depth: names as common as id stand in objects of
// several kinds, mostly at depths of their own.
func (g *guesses) id(name []byte, depth int) int {
	next := &g.keys.next[g.last][depth%guessDepths]
	n := next.Load()
	if n != 0 && g.keys.names[n-1] == string(name) {
		g.last = int(n - 1)
		return g.last
	}
	id := g.keys.id(name)
	if id < 0 {
		return id
	}
	if n == 0 { // the first guess stays: one that goroutines keep changing would cost more
		next.Store(uint32(id + 1))
	}
	g.last = id
	return id
}
