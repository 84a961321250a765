package policy

import (
	"embed"
	"slices"
	"strings"
)

//go:embed profiles/*.yaml
var profiles embed.FS

// Profiles returns the names of the built-in profiles, sorted.
func Profiles() []string {
	return []string{"airgapped", "audit", "open", "read_only", "standard", "strict"}
}

// profileName returns the name of the profile that a source means; "" if it means none.
func profileName(source string) string {
	name := strings.ReplaceAll(source, "-", "_")
	if slices.Contains(Profiles(), name) {
		return name
	}
	return ""
}
