// Package bench compares the detectors with other ways to find the same: gitleaks as a
// library, and a tree of values with a list of regular expressions. It is a module of
// its own, so that what it compares with is no dependency of the library.
package bench
