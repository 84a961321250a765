// Package policy decides who may see and call what, how often, and what happens to
// the data on its way in and out.
//
// A policy is a [Document] in YAML or JSON: [Load] reads one of the embedded
// profiles, a file or the document itself, [New] puts it in force. [Policy.Decide]
// and [Policy.Explain] tell what holds for a primitive and a caller, [Policy.Reload]
// replaces the document while calls run, [Lint] finds what can have no effect, and
// [Test] checks decisions against cases.
//
// The same function decides for lists, lookups, calls and explanations. What a
// document does not allow is denied; what is wrong in it is an error when it is
// loaded, with file, line and path.
package policy
