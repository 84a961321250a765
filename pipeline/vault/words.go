package vault

// words are the numbers that a job found out for its words: of a namespace and of the
// entities, which they keep for good. So it need not lock the book for them.
type words struct {
	space    string
	number   uint32
	entities map[string]uint32 // nil: the number of the space is not known either
}

// maxWords bounds the entities that a job knows by number.
const maxWords = 256

// numbers returns the numbers of the namespace and of an entity. It is not ok if nothing
// was issued under them.
func (j *job) numbers(entity string) (space, number uint32, ok bool) {
	if w := &j.words; w.space == j.space {
		if number, ok = w.entities[entity]; ok {
			return w.number, number, true
		}
	}
	return j.lookUp(entity)
}

func (j *job) lookUp(entity string) (space, number uint32, ok bool) {
	j.v.mu.RLock()
	space, ok = j.v.book.spaces.find(j.space)
	if ok {
		number, ok = j.v.book.entities.find(entity)
	}
	j.v.mu.RUnlock()
	if !ok {
		return 0, 0, false
	}
	w := &j.words
	if w.space != j.space || w.entities == nil || len(w.entities) >= maxWords {
		*w = words{space: j.space, number: space, entities: map[string]uint32{}}
	}
	w.entities[entity] = number
	return space, number, true
}
