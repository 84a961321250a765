// Package mcplayer is the layer between an MCP server and its handlers.
package mcplayer
