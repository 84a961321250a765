package main

import "github.com/cloudg/mcplayer/pipeline/vault"

func vaultRotate() command {
	c := command{
		name:    "vault rotate",
		usage:   "FILE (-key-env NAME | -key-file FILE) (-new-key-env NAME | -new-key-file FILE)",
		summary: "seal the file of a vault with another key; what was issued still resolves",
	}
	c.run = func(args []string, std streams) int {
		flags := newFlags(c, std)
		var before, after keySource
		before.addTo(flags)
		after.addAs(flags, "new-key")
		files, code, ok := arguments(flags, args, std, 1, 1)
		if !ok {
			return code
		}
		key, err := before.read()
		if err != nil {
			return misused(flags, std, "%v", err)
		}
		newKey, err := after.readAs("new-key")
		if err != nil {
			return misused(flags, std, "%v", err)
		}
		if err := vault.Rotate(files[0], newKey, key); err != nil {
			return vaultTrouble(flags, std, err)
		}
		say(std.out, "ok: %s is sealed with the new key; keep the old one among previous_keys", files[0])
		return exitOK
	}
	return c
}
