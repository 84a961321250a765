// Package catalog reads what a cloud collector wrote and answers questions about
// it. It knows nothing of MCP: the tools of the example stand on it as they
// would stand on a database.
package catalog
