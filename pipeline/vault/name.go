package vault

import "encoding/hex"

// Names: a prefix and ten hexadecimal digits.

func formatName(j *job, dst, _ []byte) []byte    { return j.hex(append(dst, "res-"...), 10) }
func formatGroup(j *job, dst, _ []byte) []byte   { return j.hex(append(dst, "rg-"...), 10) }
func formatPerson(j *job, dst, _ []byte) []byte  { return j.hex(append(dst, "person-"...), 10) }
func formatTag(j *job, dst, _ []byte) []byte     { return j.hex(append(dst, "tag-"...), 10) }
func formatDataset(j *job, dst, _ []byte) []byte { return j.hex(append(dst, "ds-"...), 10) }
func formatAccount(j *job, dst, _ []byte) []byte { return j.hex(append(dst, "acct-"...), 10) }

// plainFormat returns the shape of an entity whose values have none of their own.
func plainFormat(entity string) format {
	switch entity {
	case "person":
		return formatPerson
	case "tag_value":
		return formatTag
	case "dataset_name", "dataset":
		return formatDataset
	}
	return nil
}

// plain gives a value the shape of anything else: the first ten characters of its
// entity and ten hexadecimal digits.
func (j *job) plain(dst []byte, entity string, value []byte) (out []byte, ok bool) {
	return j.name(dst, entity, value, nil)
}

// hex appends n hexadecimal digits of the sum, at most 64.
func (j *job) hex(dst []byte, n int) []byte {
	var digits [2 * len(j.sum)]byte
	hex.Encode(digits[:], j.sum[:])
	return append(dst, digits[:n]...)
}

const maxEntityPrefix = 10

// appendEntity appends what of the name of an entity stands before its names.
func appendEntity(dst []byte, entity string) []byte {
	for i := range min(len(entity), maxEntityPrefix) {
		c := entity[i] | 0x20
		switch {
		case isAlnum(c):
		case i == 0:
			c = 'x' // names start with a letter or a digit
		default:
			c = '_'
		}
		dst = append(dst, c)
	}
	return append(dst, '-')
}
