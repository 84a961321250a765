package main

import (
	"encoding/json"
	"errors"
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
		file, code := vaultFile(flags, std, args)
		if file == "" {
			return code
		}
		secret, err := key.read()
		if err != nil {
			return misused(flags, std, "%v", err)
		}
		found, err := vault.Inspect(file, secret)
		if err != nil {
			return vaultTrouble(flags, std, err)
		}
		return printVault(found, *asJSON, std)
	}
	return c
}

// vaultFile parses flags and returns the one file among the arguments, or none and the
// exit code.
func vaultFile(flags *flag.FlagSet, std streams, args []string) (file string, code int) {
	files, err := parse(flags, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return "", exitOK
	case err != nil:
		return "", exitTrouble
	case len(files) != 1 || files[0] == "":
		return "", misused(flags, std, "give one file")
	}
	return files[0], exitOK
}

// vaultTrouble tells an error, which names the file.
func vaultTrouble(flags *flag.FlagSet, std streams, err error) int {
	say(std.err, "%s: %v", flags.Name(), err)
	return exitTrouble
}

func printVault(found *vault.Inspection, asJSON bool, std streams) int {
	if asJSON {
		e := json.NewEncoder(std.out)
		e.SetIndent("", "  ")
		if e.Encode(found) != nil {
			return exitTrouble
		}
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
