// Package mcplayer is the layer between an MCP server and its handlers: it wraps
// access rules, validation, redaction, audit and limits around tools, resources,
// prompts and completions of servers built on the official Go SDK, whatever
// transport a request came through.
//
// A [Registry] holds primitives, a [Layer] serves them. Every call passes one
// fixed order of steps, in-process ([Layer.CallTool]) and through a server
// ([Layer.Mount]) alike:
//
//	request -> principal -> lookup -> middleware -> policy -> input pipeline
//	        -> validation -> guard -> handler
//	answer  <- middleware <- metadata <- text, links <- output pipeline <-
//
// What is unknown and what is hidden from the caller look the same. A failure is
// told in words that were written for clients; causes and stacks stay in the log
// of [Options.Logger]. A panic in a handler, a middleware or a pipeline never ends
// the process.
//
// [Policy] decides who sees and calls what, and is required: package policy has
// an open one. [Middleware] stands around every call. Package validate makes
// schema, decoder and check of one argument struct; package result holds the
// results. Both work on a bare SDK server too.
package mcplayer
