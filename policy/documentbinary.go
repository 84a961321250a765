package policy

import "github.com/cloudg/mcplayer"

// binary returns what the document says of bytes.
func (d *Document) binary() mcplayer.Binary {
	switch d.Binary {
	case "pass":
		return mcplayer.BinaryPass
	case "withhold":
		return mcplayer.BinaryWithhold
	}
	return mcplayer.BinaryScan
}
