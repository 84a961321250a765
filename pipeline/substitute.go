package pipeline

import "context"

// several is a transform that stands for some in a row.
type several []Transform

// Begin is never called: the builder takes the transforms one by one.
func (s several) Begin(context.Context, *Pass) Step { return nil }

// newSubstitute makes alias, regex_replace, rename_keys and template of one set of
// options, in that order.
func newSubstitute(o *Options) (Transform, error) {
	var all several
	for _, part := range []struct {
		options []string
		make    Factory
	}{
		{[]string{"aliases", "files"}, newAlias},
		{[]string{"rules"}, newRegexReplace},
		{[]string{"keys"}, newRename},
		{[]string{"templates"}, newTemplate},
	} {
		t, err := part.make(o)
		if err != nil {
			return nil, err
		}
		for _, name := range part.options {
			if _, ok := o.value(name); ok {
				all = append(all, t)
				break
			}
		}
	}
	return all, nil
}
