package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/cloudg/mcplayer/middleware"
)

func auditVerify() command {
	c := command{
		name:    "audit verify",
		usage:   "FILE... (-key-env NAME | -key-file FILE) [-head HEX]",
		summary: "check the chain of audit files, the oldest first; - is the standard input",
	}
	c.run = func(args []string, std streams) int {
		flags := newFlags(c, std)
		var key keySource
		key.addTo(flags)
		head := flags.String("head", "", "head of the chain that was kept elsewhere, in `hex`")
		files, code, ok := arguments(flags, args, std, 1, -1)
		if !ok {
			return code
		}
		secret, err := key.read()
		if err != nil {
			return misused(flags, std, "%v", err)
		}
		return verifyFiles(files, secret, *head, std)
	}
	return c
}

// keySource is where a key comes from: never the command line, which others can see.
type keySource struct{ env, file string }

func (k *keySource) addTo(flags *flag.FlagSet) { k.addAs(flags, "key") }

// addAs adds the flags under another name than key.
func (k *keySource) addAs(flags *flag.FlagSet, name string) {
	flags.StringVar(&k.env, name+"-env", "", "environment variable `name` with the "+strings.ReplaceAll(name, "-", " "))
	flags.StringVar(&k.file, name+"-file", "", "`file` with the "+strings.ReplaceAll(name, "-", " ")+"; one newline at its end is not part of it")
}

func (k *keySource) read() ([]byte, error) { return k.readAs("key") }

func (k *keySource) readAs(name string) ([]byte, error) {
	switch {
	case (k.env == "") == (k.file == ""):
		return nil, fmt.Errorf("give the %s with one of -%s-env and -%s-file", strings.ReplaceAll(name, "-", " "), name, name)
	case k.file != "":
		key, err := os.ReadFile(k.file)
		return bytes.TrimSuffix(key, []byte("\n")), err
	}
	key := os.Getenv(k.env)
	if key == "" {
		return nil, fmt.Errorf("the environment variable %s is empty", k.env)
	}
	return []byte(key), nil
}

// verifyFiles checks files that hold one chain.
func verifyFiles(names []string, key []byte, head string, std streams) int {
	files := &joinedFiles{names: names, stdin: std.in}
	defer files.close()
	chain, err := middleware.VerifyAudit(files, key, head)
	if fault, ok := errors.AsType[*middleware.AuditFault](err); ok {
		name, line := files.place(fault.Line)
		say(std.out, "%s:%d: %s", name, line, fault.Reason)
		return exitFinding
	}
	if err != nil {
		say(std.err, "mcplayer audit verify: %v", err)
		return exitTrouble
	}
	say(std.out, "ok: %d lines, head %s", chain.Lines, chain.Head)
	if chain.Torn > 0 {
		say(std.out, "%d lines were not written whole", chain.Torn)
	}
	if strings.Trim(chain.Previous, "0") != "" {
		say(std.out, "%s continues a file with the head %s", names[0], chain.Previous)
	}
	return exitOK
}
