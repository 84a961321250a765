// Package policy decides who may call what.
package policy
