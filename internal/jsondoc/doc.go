// Package jsondoc works on JSON documents as bytes: it checks, renders and
// rewrites them without building trees of Go values, so that numbers, member
// order and escapes survive as they were written.
package jsondoc
