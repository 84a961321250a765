// Package middleware holds the built-in middleware of a layer. Each stands in a file
// of its own, is made by a New function and goes into a layer by its Handle method.
package middleware
