package validate

import (
	"reflect"

	"github.com/go-json-experiment/json/jsontext"
)

// A Checker is an [Args] that knows its Go type. It is immutable and safe for concurrent use.
type Checker[T any] struct{ args *Args }

// For compiles the argument type T. See [Compile].
func For[T any](opts *Options) (*Checker[T], error) {
	args, err := Compile(reflect.TypeFor[T](), opts)
	if err != nil {
		return nil, err
	}
	return &Checker[T]{args}, nil
}

// MustFor is [For] for package variables: it panics if T cannot be compiled.
func MustFor[T any](opts *Options) *Checker[T] {
	c, err := For[T](opts)
	if err != nil {
		panic(err)
	}
	return c
}

// Schema returns the JSON schema of T, made once. It is shared: do not write to it.
func (c *Checker[T]) Schema() jsontext.Value { return c.args.Schema() }

// Decode reads the arguments of a call. See [Args.Decode].
func (c *Checker[T]) Decode(doc jsontext.Value) (T, error) {
	var v, none T
	if err := c.args.Decode(doc, &v); err != nil {
		return none, err
	}
	return v, nil
}
