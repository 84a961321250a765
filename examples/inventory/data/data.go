// Package data holds what the example serves: one run of a cloud collector over
// three providers. Everything in it is made up.
package data

import _ "embed"

// Inventory is the collector's file as it was written.
//
//go:embed inventory.json
var Inventory string
