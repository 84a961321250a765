package vault

// FirstName returns the name of a value that the first attempt derives, issued or
// not.
func (v *Vault) FirstName(value []byte) []byte {
	j := v.begin("", true)
	defer v.end(j)
	j.derive("resource_name", value, 0)
	return formatName(j, nil, value)
}

// LoadFrames reads the frames of a file and returns how many are whole.
func LoadFrames(data []byte) (n int, err error) {
	err = readFrames(data, func([]byte) error { n++; return nil })
	return n, err
}

// LoadPiece reads the contents of a record, and indexes and writes what it read.
func LoadPiece(piece []byte) ([][]byte, error) {
	r := reader{book: newBook(keyID{}), nets: &nets{}}
	if err := r.read(piece); err != nil {
		return nil, err
	}
	r.book.index(r.entries)
	return r.book.pieces(mark{}), nil
}
