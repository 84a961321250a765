// Package detect finds entities in text: secrets, credentials, identifiers,
// personal data, addresses.
//
// The built-in detectors work in one pass of a lexer over the bytes of a text;
// declarative rules stand behind one automaton of their keywords and run a regular
// expression only where a keyword occurs. A [Scanner] combines both and settles what
// overlaps: a secret beats all that it overlaps, otherwise the leftmost is taken,
// and of two at one place that of the detector listed first.
package detect
