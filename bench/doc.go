// Package bench compares parts of the library with other ways to do the same: the
// detectors with gitleaks and with a list of regular expressions, decisions of the
// policy with Cedar and Casbin, the middleware that guards handlers with failsafe-go,
// and the whole stack with middleware written by hand for go-sdk and mcp-go. Tests make
// sure that what is measured does the same. It is a module of its own, so that what it
// compares with is no dependency of the library.
package bench
