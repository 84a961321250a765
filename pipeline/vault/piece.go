package vault

import (
	"encoding/binary"
	"errors"
)

// A piece is the contents of a record: the keys, entities and namespaces that got
// a number since the piece before, then entries. Each list has its length before it
// as a uvarint, and so has each word; keys are 8 bytes.

var errPiece = errors.New("a record holds something else than entries")

// mark tells what of a book is in the store.
type mark struct {
	place                  place
	keys, entities, spaces int
}

func (b *book) mark() mark {
	return mark{b.arena.end(), len(b.keys), len(b.entities.words), len(b.spaces.words)}
}

// pieces returns what came to a book since a mark, words without entries too: the
// mark that follows counts on them.
func (b *book) pieces(since mark) (pieces [][]byte) {
	now := b.mark()
	if since == now {
		return nil
	}
	words := b.newWords(since)
	for run := range b.arena.since(since.place) {
		pieces = append(pieces, append(words, run...))
		words = b.newWords(now)
	}
	if since.place == now.place {
		pieces = append(pieces, words)
	}
	return pieces
}

func (b *book) newWords(since mark) []byte {
	dst := binary.AppendUvarint(nil, uint64(len(b.keys)-since.keys))
	for _, id := range b.keys[since.keys:] {
		dst = append(dst, id[:]...)
	}
	for _, words := range [2][]string{b.entities.words[since.entities:], b.spaces.words[since.spaces:]} {
		dst = binary.AppendUvarint(dst, uint64(len(words)))
		for _, word := range words {
			dst = binary.AppendUvarint(dst, uint64(len(word)))
			dst = append(dst, word...)
		}
	}
	return dst
}

// reader reads pieces into a book, whose numbers may differ. The book must be
// indexed afterwards.
type reader struct {
	book                   *book
	nets                   *nets
	keys, entities, spaces []uint32
	entries                int
}

func (r *reader) read(piece []byte) error {
	n, piece, err := number(piece)
	for ; err == nil && n > 0; n-- {
		if len(piece) < len(keyID{}) {
			return errPiece
		}
		key, err := r.book.key(keyID(piece[:len(keyID{})]))
		if err != nil {
			return err
		}
		r.keys = append(r.keys, uint32(key))
		piece = piece[len(keyID{}):]
	}
	if err == nil {
		r.entities, piece, err = readWords(r.entities, &r.book.entities, piece)
	}
	if err == nil {
		r.spaces, piece, err = readWords(r.spaces, &r.book.spaces, piece)
	}
	if err != nil {
		return err
	}
	return r.readEntries(piece)
}

func (r *reader) readEntries(piece []byte) error {
	for len(piece) > 0 {
		e, ok := readEntry(piece)
		if !ok || int(e.key) >= len(r.keys) || int(e.entity) >= len(r.entities) || int(e.space) >= len(r.spaces) {
			return errPiece
		}
		piece = piece[e.size:]
		e.key, e.entity, e.space = uint8(r.keys[e.key]), r.entities[e.entity], r.spaces[e.space]
		if _, ok := r.book.arena.add(&e); !ok {
			return errors.New("it is too large")
		}
		r.nets.learn(e.space, e.value, e.name)
		r.entries++
	}
	return nil
}

// key returns the number of a key.
func (b *book) key(id keyID) (uint8, error) {
	for i, known := range b.keys {
		if known == id {
			return uint8(i), nil
		}
	}
	if len(b.keys) > 255 {
		return 0, errors.New("it holds entries of more than 256 keys")
	}
	b.keys = append(b.keys, id)
	return uint8(len(b.keys) - 1), nil
}

func readWords(numbers []uint32, n *numbering, piece []byte) ([]uint32, []byte, error) {
	count, piece, err := number(piece)
	for ; err == nil && count > 0; count-- {
		var size uint64
		if size, piece, err = number(piece); err != nil || size > uint64(len(piece)) {
			return nil, nil, errPiece
		}
		numbers = append(numbers, n.of(string(piece[:size])))
		piece = piece[size:]
	}
	return numbers, piece, err
}

func number(piece []byte) (n uint64, rest []byte, err error) {
	n, size := binary.Uvarint(piece)
	if size <= 0 {
		return 0, nil, errPiece
	}
	return n, piece[size:], nil
}
