package policy

// ring keeps the newest records.
type ring struct {
	size    int
	records []*record
	next    int // where the oldest stands once all is full
}

func (r *ring) add(rec *record) {
	switch {
	case r.size == 0:
	case len(r.records) < r.size:
		r.records = append(r.records, rec)
	default:
		r.records[r.next] = rec
		r.next = (r.next + 1) % r.size
	}
}

// inOrder returns the records, oldest first.
func (r *ring) inOrder() []*record {
	return append(append(make([]*record, 0, len(r.records)), r.records[r.next:]...), r.records[:r.next]...)
}

// resize keeps the newest that fit.
func (r *ring) resize(size int) {
	if size == r.size {
		return
	}
	all := r.inOrder()
	r.size, r.next = size, 0
	r.records = all[max(0, len(all)-size):]
}
