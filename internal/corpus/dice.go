package corpus

// dice gives the same numbers for the same seed, for ever (SplitMix64).
type dice struct{ state uint64 }

func newDice(seed, kind uint64) *dice { return &dice{seed<<8 | kind} }

func (d *dice) Uint64() uint64 {
	d.state += 0x9E3779B97F4A7C15
	z := d.state
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// IntN returns a number from 0 to before n.
func (d *dice) IntN(n int) int { return int((d.Uint64() >> 33) % uint64(n)) }
