// Command mcplayer is the operator's tool for layers of package mcplayer.
//
//	mcplayer audit verify FILE... (-key-env NAME | -key-file FILE) [-head HEX]
//	mcplayer vault inspect FILE (-key-env NAME | -key-file FILE) [-json]
//	mcplayer vault rotate FILE (-key-env NAME | -key-file FILE) (-new-key-env NAME | -new-key-file FILE)
//
// It exits with 0 if all is well, 1 if it found something, 2 if it could not do what
// was asked: bad usage, files that cannot be read.
package main

import (
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
	run     func(args []string, std streams) int
}

func commands() []command {
	return []command{
		auditVerify(),
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
