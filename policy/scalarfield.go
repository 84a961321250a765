package policy

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/cloudg/mcplayer"
)

// textField is any text; "" is not set.
type textField struct{ to *string }

func (f textField) read(r *reader, n *node, path string) { *f.to, _ = r.scalar(n, path) }

func (f textField) write() *node {
	if *f.to == "" {
		return nil
	}
	return textOf(*f.to)
}

// wordField is one of some words.
type wordField struct {
	to      *string
	allowed []string
}

func (f wordField) read(r *reader, n *node, path string) {
	word, ok := r.scalar(n, path)
	if ok && !slices.Contains(f.allowed, word) {
		r.wrong(n, path, "unknown value %q; %s", word, offered(word, f.allowed))
		return
	}
	*f.to = word
}

func (f wordField) write() *node { return textField{f.to}.write() }

// flagField is true or false.
type flagField struct{ to **bool }

func (f flagField) read(r *reader, n *node, path string) {
	if n.kind != boolNode {
		r.wrong(n, path, "must be true or false, not %s", n.described())
		return
	}
	*f.to = new(strings.EqualFold(n.text, "true"))
}

func (f flagField) write() *node {
	if *f.to == nil {
		return nil
	}
	return &node{kind: boolNode, text: strconv.FormatBool(**f.to)}
}

// countField is a whole number that is not negative.
type countField struct{ to **int }

func (f countField) read(r *reader, n *node, path string) {
	i, err := strconv.ParseInt(n.text, 10, 32)
	if n.kind != numberNode || err != nil || i < 0 {
		r.wrong(n, path, "must be a whole number from 0 to %d", math.MaxInt32)
		return
	}
	*f.to = new(int(i))
}

func (f countField) write() *node {
	if *f.to == nil {
		return nil
	}
	return &node{kind: numberNode, text: strconv.Itoa(**f.to)}
}

// numberField is a number above 0; 0 is not set.
type numberField struct{ to *float64 }

func (f numberField) read(r *reader, n *node, path string) {
	x, err := strconv.ParseFloat(n.text, 64)
	if n.kind != numberNode || err != nil || x <= 0 {
		r.wrong(n, path, "must be a number above 0")
		return
	}
	*f.to = x
}

func (f numberField) write() *node {
	if *f.to == 0 {
		return nil
	}
	return &node{kind: numberNode, text: strconv.FormatFloat(*f.to, 'g', -1, 64)}
}

// levelField is a sensitivity.
type levelField struct{ to *mcplayer.Sensitivity }

func (f levelField) read(r *reader, n *node, path string) {
	var level string
	wordField{&level, sensitivities()}.read(r, n, path)
	*f.to, _ = mcplayer.ParseSensitivity(level)
}

func (f levelField) write() *node {
	if *f.to == 0 {
		return nil
	}
	return textOf(f.to.String())
}

func sensitivities() []string {
	return namesOf([]mcplayer.Sensitivity{mcplayer.Public, mcplayer.Internal, mcplayer.Confidential, mcplayer.Restricted})
}

func kinds() []string {
	return namesOf([]mcplayer.Kind{
		mcplayer.KindTool, mcplayer.KindResource, mcplayer.KindResourceTemplate, mcplayer.KindPrompt, mcplayer.KindCompletion,
	})
}

func namesOf[T interface{ String() string }](values []T) []string {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = v.String()
	}
	return names
}
