package policy

// Load puts the document in force that [LoadDocument] reads.
func Load(source string, o *Options) (*Policy, error) {
	doc, err := LoadDocument(source)
	if err != nil {
		return nil, err
	}
	return New(doc, o)
}

// MustLoad is [Load] with the default options. It panics on an error: it is for sources that are
// written in the program.
func MustLoad(source string) *Policy {
	p, err := Load(source, nil)
	if err != nil {
		panic(err)
	}
	return p
}
