// Command mcplayer is the operator's tool for layers of package mcplayer.
//
//	mcplayer audit verify FILE... (-key-env NAME | -key-file FILE) [-head HEX]
//	mcplayer policy lint SOURCE [-specs FILE]
//	mcplayer policy test SOURCE CASES... [-specs FILE]
//	mcplayer policy explain SOURCE PRIMITIVE -specs FILE [-as ID] [-roles ROLES]
//	mcplayer policy preview SOURCE [FILE] [-input] [-as ID] [-roles ROLES] [-primitive PRIMITIVE -specs FILE]
//	mcplayer vault inspect FILE (-key-env NAME | -key-file FILE) [-json]
//	mcplayer vault rotate FILE (-key-env NAME | -key-file FILE) (-new-key-env NAME | -new-key-file FILE)
//
// With -h a command tells more. It exits with 0 if all is well, 1 if it found something,
// 2 if it could not do what was asked: bad usage, files that cannot be read, documents
// that do not load.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

// The exit codes.
const (
	exitOK      = 0
	exitFinding = 1
	exitTrouble = 2
)

// streams are what a command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// command is one thing the tool does. Each stands in a file of its own.
type command struct {
	name    string // its words: "audit verify"
	usage   string // its arguments
	summary string // one line
	details string // what else there is to know; its usage ends with it
	run     func(args []string, std streams) int
}

func commands() []command {
	return []command{
		auditVerify(),
		policyLint(),
		policyTest(),
		policyExplain(),
		policyPreview(),
		vaultInspect(),
		vaultRotate(),
	}
}

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run runs the command that args name and returns the exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	std := streams{stdin, stdout, stderr}
	if len(args) > 0 && (args[0] == "help" || isHelp(args[0])) {
		printUsage(stdout)
		return exitOK
	}
	for _, c := range commands() {
		words := strings.Fields(c.name)
		if len(args) >= len(words) && strings.Join(args[:len(words)], " ") == c.name {
			return c.run(args[len(words):], std)
		}
	}
	if len(args) > 0 {
		say(stderr, "mcplayer: unknown command %q", strings.Join(args[:min(2, len(args))], " "))
	}
	printUsage(stderr)
	return exitTrouble
}

func isHelp(arg string) bool { return arg == "-h" || arg == "-help" || arg == "--help" }

func printUsage(w io.Writer) {
	say(w, "usage:")
	for _, c := range commands() {
		say(w, "  mcplayer %s %s\n        %s", c.name, c.usage, c.summary)
	}
}

// newFlags returns the flags of a command. What is wrong with them is printed with
// the command's usage.
func newFlags(c command, std streams) *flag.FlagSet {
	flags := flag.NewFlagSet("mcplayer "+c.name, flag.ContinueOnError)
	flags.SetOutput(std.err)
	flags.Usage = func() {
		say(std.err, "usage: mcplayer %s %s", c.name, c.usage)
		flags.PrintDefaults()
		if c.details != "" {
			say(std.err, "\n%s", c.details)
		}
	}
	return flags
}

// parse reads flags and arguments in any order, and returns the arguments; what
// follows "--" is no flag.
func parse(flags *flag.FlagSet, args []string) (rest []string, err error) {
	for {
		before := args
		if err := flags.Parse(args); err != nil {
			return nil, err
		}
		args = flags.Args()
		if n := len(before) - len(args); n > 0 && before[n-1] == "--" {
			return append(rest, args...), nil
		}
		if len(args) == 0 {
			return rest, nil
		}
		rest, args = append(rest, args[0]), args[1:]
	}
}

// arguments parses the flags of a command and returns its arguments: at least and at most
// so many, -1 for any number. It is not ok if there is nothing more to do than to exit.
func arguments(flags *flag.FlagSet, args []string, std streams, least, most int) (rest []string, code int, ok bool) {
	rest, err := parse(flags, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return nil, exitOK, false
	case err != nil:
		return nil, exitTrouble, false
	case len(rest) < least:
		return nil, misused(flags, std, "arguments are missing"), false
	case most >= 0 && len(rest) > most:
		return nil, misused(flags, std, "%q is too much", rest[most]), false
	}
	return rest, exitOK, true
}

// misused reports bad usage.
func misused(flags *flag.FlagSet, std streams, format string, args ...any) int {
	say(std.err, flags.Name()+": "+format, args...)
	flags.Usage()
	return exitTrouble
}

// say prints a line. Where it cannot be printed there is nobody to tell.
func say(w io.Writer, format string, args ...any) {
	_, _ = fmt.Fprintf(w, format+"\n", args...)
}

// printJSON prints a value for machines.
func printJSON(w io.Writer, v any) {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		say(w, "%v", err)
	}
}

func exitCode(ok bool) int {
	if ok {
		return exitOK
	}
	return exitFinding
}
