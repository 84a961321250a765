package vault

import (
	"encoding/binary"
	"errors"
)

// A frame is the length of a record and its complement, 4 bytes each, little
// endian, then the record. The complement tells a length that was changed from a
// record that was cut off.
const frameHead = 8

var errFrame = errors.New("the length of a record was changed")

func appendFrames(dst []byte, records [][]byte) []byte {
	for _, record := range records {
		n := uint32(len(record))
		dst = binary.LittleEndian.AppendUint32(dst, n)
		dst = binary.LittleEndian.AppendUint32(dst, ^n)
		dst = append(dst, record...)
	}
	return dst
}

// readFrames passes the records in data to visit; see [Store].
func readFrames(data []byte, visit func(record []byte) error) error {
	for len(data) > 0 {
		if len(data) < frameHead || data[0] == 0 && data[4] == 0 && each(data, isZero) {
			return ErrTorn // some file systems leave zeros after a loss of power
		}
		n := binary.LittleEndian.Uint32(data)
		if n != ^binary.LittleEndian.Uint32(data[4:]) {
			return errFrame
		}
		rest := data[frameHead:]
		if uint64(n) > uint64(len(rest)) {
			return ErrTorn
		}
		if err := visit(rest[:n:n]); err != nil {
			return err
		}
		data = rest[n:]
	}
	return nil
}

func isZero(c byte) bool { return c == 0 }
