// Package uri normalises resource URIs and matches them against URI templates
// (RFC 6570) that were compiled once.
package uri
