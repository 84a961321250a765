// Package jsondoc works on JSON documents as bytes: it checks, renders and
// rewrites them without building trees of Go values, so that numbers, member
// order and escapes survive as they were written.
//
// A [Run] leads documents through steps. [Open] reads a document once into a flat
// index: sixteen bytes for each value, which tell where it starts and ends and how
// long its rendering is. [Document.Apply] then walks over the index, offers each
// value to the steps and writes the document with their edits spliced in; what
// nobody changes is copied in long pieces, or not at all if there is no edit. No
// value costs an allocation, and strings are unescaped only when a step reads them.
//
// The index is what makes looking ahead cheap: at the other members of an object
// ([Value.Sibling]), at the length of a list, or at how large the document would
// be if some step shortened it ([Document.Fits]), which touches only what remains.
package jsondoc
