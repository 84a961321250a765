package untrusted

// A command to send something is looked at only where a URL is near.
const (
	urlBefore = 120 // how far a URL may stand before the verb, in bytes
	urlAfter  = 240 // and behind it
	maxSends  = 8   // how many verbs wait for a URL
)

// sending remembers the verbs and URLs of a text as the pass over it comes to
// them. Each verb is looked at once.
type sending[T text] struct {
	verbs [maxSends]site[T] // that no URL followed yet
	count int
	url   int // where the last URL was seen, from 1 on
}

// verb remembers a verb, and reports whether it is a command to send something
// and a URL stands before it.
func (f *sending[T]) verb(at site[T]) bool {
	if f.url > 0 && at.start-f.url < urlBefore {
		return at.phrase(ruleSend, at.inner)
	}
	var first site[T]
	if f.count == maxSends {
		first = f.verbs[0]
		copy(f.verbs[:], f.verbs[1:])
		f.count--
	}
	f.verbs[f.count] = at
	f.count++
	// Many verbs do not hide the first of them.
	return first.end > 0 && at.start-first.end < urlAfter && first.phrase(ruleSend, first.inner)
}

// to reports whether one of the verbs is a command to send something to the URL
// at i.
func (f *sending[T]) to(i int) bool {
	f.url = i + 1
	verbs := f.verbs[:f.count]
	f.count = 0
	for _, at := range verbs {
		if i-at.end < urlAfter && at.phrase(ruleSend, at.inner) {
			return true
		}
	}
	return false
}

// send: send, upload, forward or leak something of value to a URL or webhook. It
// must be a command; "agents send metrics to https://..." is none.
func (p *phrase[T]) send() bool {
	verb, ok := p.next()
	if !ok || !verb.is(rSend) {
		return false
	}
	const words = 18
	var c cargo
	for n := range words {
		word, ok := p.next()
		if !ok || p.gap.is(gapStop) {
			break
		}
		if n == 0 && word.is(rUnsent) {
			return false
		}
		if word.is(rURL) && (c.toward || p.gap.is(gapColon|gapComma)) && c.goes(word.is(rHook), p.isAddress()) {
			return p.begins()
		}
		c.add(word)
	}
	return c.secret && p.urlBefore() && p.begins()
}

// cargo is what is to be sent, as far as it was read.
type cargo struct {
	secret bool // keys, the conversation
	data   bool // files, results
	all    bool // all of it, or yours
	one    bool // a was read last: one of many is of no value
	toward bool // to was read: the rest is about where
}

func (c *cargo) add(word role) {
	if !c.toward && !c.one {
		c.secret = c.secret || word.is(rSecret)
		c.data = c.data || word.is(rData)
	}
	c.all = c.all || word.is(rAll|rYour|rAny)
	c.one = word.is(rOne)
	c.toward = c.toward || word.is(rToward)
}

// goes reports whether it is worth something to a webhook or to an address.
func (c *cargo) goes(hook, address bool) bool {
	if hook {
		return c.secret || c.data && c.all
	}
	return address && (c.secret || c.data)
}

// isAddress reports whether a URL goes on behind its scheme or www.
func (p *phrase[T]) isAddress() bool {
	if p.squeezed {
		return true
	}
	rest := p.s[p.at:min(len(p.s), p.at+3)]
	return len(rest) > 1 && (rest[0] == '.' || string(rest) == "://" || rest[0] == '[')
}

// urlBefore reports whether a URL stands in the same sentence before the trigger.
func (p *phrase[T]) urlBefore() bool {
	first := max(0, p.from-urlBefore)
	for i := p.from - len("://"); i >= first; i-- {
		switch p.s[i] {
		case '\n':
			return false
		case ':':
			if string(p.s[i:i+3]) == "://" {
				return true
			}
		}
	}
	return false
}
