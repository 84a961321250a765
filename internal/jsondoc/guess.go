package jsondoc

// guesses tell which name comes after which: objects of one kind have their
// members in one order, and comparing a name is faster than looking it up.
type guesses struct {
	keys *Keys // whose numbers these are
	last int
	next [MaxKeys]uint16 // number plus one of the name that followed last time
}

// use makes g ready for a run. Numbers of other runs mean nothing here.
func (g *guesses) use(keys *Keys) {
	if g.keys != keys {
		*g = guesses{keys: keys}
	}
}

func (g *guesses) id(name []byte) int {
	if n := g.next[g.last]; n != 0 && g.keys.names[n-1] == string(name) {
		g.last = int(n - 1)
		return g.last
	}
	id := g.keys.id(name)
	if id >= 0 {
		g.next[g.last] = uint16(id + 1)
		g.last = id
	}
	return id
}
