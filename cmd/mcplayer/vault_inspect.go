package main

import (
	"flag"
	"maps"
	"slices"

	"github.com/cloudg/mcplayer/pipeline/vault"
)

func vaultInspect() command {
	c := command{
		name:    "vault inspect",
		usage:   "FILE (-key-env NAME | -key-file FILE) [-json]",
		summary: "tell what the file of a vault holds, without values; no process may have it open",
	}
	c.run = func(args []string, std streams) int {
		flags := newFlags(c, std)
		var key keySource
		key.addTo(flags)
		asJSON := flags.Bool("json", false, "print JSON")
		files, code, ok := arguments(flags, args, std, 1, 1)
		if !ok {
			return code
		}
		secret, err := key.read()
		if err != nil {
			return misused(flags, std, "%v", err)
		}
		found, err := vault.Inspect(files[0], secret)
		if err != nil {
			return vaultTrouble(flags, std, err)
		}
		return printVault(found, *asJSON, std)
	}
	return c
}

// vaultTrouble tells an error, which names the file.
func vaultTrouble(flags *flag.FlagSet, std streams, err error) int {
	say(std.err, "%s: %v", flags.Name(), err)
	return exitTrouble
}

func printVault(found *vault.Inspection, asJSON bool, std streams) int {
	if asJSON {
		printJSON(std.out, found)
		return exitOK
	}
	say(std.out, "%s: %d bytes, sealed with the key %s", found.File, found.Bytes, found.KeyID)
	say(std.out, "%d pseudonyms in %d namespaces", found.Entries, found.Namespaces)
	for _, group := range []struct {
		name   string
		counts map[string]int
	}{{"entity", found.Entities}, {"issued by key", found.Keys}} {
		for _, name := range slices.Sorted(maps.Keys(group.counts)) {
			say(std.out, "  %s %s: %d", group.name, name, group.counts[name])
		}
	}
	return exitOK
}
