// Package pipeline transforms JSON documents and texts on their way through a
// layer.
//
// A [Builder] makes a pipeline from specs: steps by the name of their type, with
// their options. The steps of a pipeline run in order on each value, in one pass
// over the bytes of the document: what no step changes comes out byte for byte as
// it went in. Text that is JSON is treated as JSON, and JSON inside strings too,
// three strings deep.
//
// Documents are bounded: 1,000 levels of objects and lists, 1 GiB. What is beyond
// that, is no JSON, or makes a step fail is withheld: the pass returns an error.
package pipeline
