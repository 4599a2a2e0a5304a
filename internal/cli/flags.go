// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// newFlags returns an empty flag set that reports errors instead of printing them.
func newFlags(name string) *flag.FlagSet {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	return fs
}

// parseFlags parses flags and arguments in any order and returns the arguments. What follows "--" is never a flag;
// a single "-" is an argument.
//
// A command hands the error to [environment.usageError], which prints it, or the command's help for -h and --help:
//
//	args, err := parseFlags(fs, args)
//	if err != nil {
//		return env.usageError("status", err)
//	}
func parseFlags(fs *flag.FlagSet, args []string) ([]string, error) {
	var rest []string
	for {
		if err := fs.Parse(args); err != nil {
			return nil, flagError(fs, err)
		}
		parsed := len(args) - fs.NArg()
		ended := parsed > 0 && args[parsed-1] == "--"
		args = fs.Args()
		if len(args) == 0 || ended {
			rest = append(rest, args...)
			if slices.Contains(rest, "") && fs.Name() != "complete" { // the beginning of an id may be empty
				return nil, errors.New("an empty argument names nothing; leave it out if nothing is meant")
			}
			return rest, nil
		}
		rest, args = append(rest, args[0]), args[1:]
	}
}

// parseSession reads the flags of a command that has one session at most:
// its id, its transcript, or "" for the session in front.
func parseSession(fs *flag.FlagSet, args []string) (session string, err error) {
	args, err = parseFlags(fs, args)
	switch {
	case err != nil || len(args) == 0:
		return "", err
	case len(args) > 1:
		return "", errors.New("it takes one session")
	}
	return args[0], nil
}

// flagError words an error of the flag package as other errors are worded, and suggests the flag that was meant.
func flagError(fs *flag.FlagSet, err error) error {
	if errors.Is(err, flag.ErrHelp) {
		return err
	}
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: -"); ok {
		name = strings.TrimPrefix(name, "-")
		var known []string
		fs.VisitAll(func(f *flag.Flag) { known = append(known, "--"+f.Name) })
		return fmt.Errorf("there is no flag --%s%s", name, suggestion("--"+name, known))
	}
	if name, ok := strings.CutPrefix(text, "flag needs an argument: -"); ok {
		return fmt.Errorf("--%s needs a value: %s", strings.TrimPrefix(name, "-"), valueOf(fs.Lookup(strings.TrimPrefix(name, "-"))))
	}
	if at := strings.LastIndex(text, " for flag -"); at > 0 && strings.HasPrefix(text, "invalid ") {
		name, why, _ := strings.Cut(text[at+len(" for flag -"):], ": ")
		value := text[strings.IndexByte(text, '"'):at]
		f := fs.Lookup(name)
		if _, ours := f.Value.(flag.Getter); ours || why == "" { // one of the package's own kinds
			why = valueOf(f)
		}
		return fmt.Errorf("--%s does not take %s: %s", name, value, why)
	}
	if rest, ok := strings.CutPrefix(text, "invalid boolean value "); ok {
		value, name, _ := strings.Cut(rest, " for -")
		name, why, _ := strings.Cut(name, ": ")
		if why == "parse error" { // the package's own kind
			why = "it takes true or false, or no value"
		}
		return fmt.Errorf("--%s does not take %s: %s", strings.TrimPrefix(name, "-"), value, why)
	}
	if name, ok := strings.CutPrefix(text, "bad flag syntax: "); ok {
		return fmt.Errorf("%s is no flag", name)
	}
	return errors.New(text)
}

// valueOf says what the value of a flag is.
func valueOf(f *flag.Flag) string {
	if f == nil {
		return "it takes one"
	}
	if c, ok := f.Value.(*choice); ok {
		return c.oneOf()
	}
	if g, ok := f.Value.(flag.Getter); ok {
		switch g.Get().(type) {
		case int, int64, uint, uint64:
			return "it takes a whole number"
		case float64:
			return "it takes a number"
		case time.Duration:
			return "it takes a time such as 90s, 15m or 24h"
		case bool:
			return "it takes true or false"
		}
	}
	return "it takes a text"
}

// A choice is the value of a flag that accepts one of a few words.
type choice struct {
	value string
	words []string
}

// choiceFlag defines a flag whose value is one of words; the default is the first of them.
func choiceFlag(fs *flag.FlagSet, name string, words ...string) *choice {
	c := &choice{value: words[0], words: words}
	fs.Var(c, name, strings.Join(words, "|"))
	return c
}

// modeFlag defines the flag that chooses the mode of Readings. Without the flag each session keeps its own mode.
func modeFlag(fs *flag.FlagSet) *choice {
	c := choiceFlag(fs, "mode", "hybrid", "provider")
	c.value = ""
	return c
}

// oneOf says which words it is one of.
func (c *choice) oneOf() string { return "it is one of " + strings.Join(c.words, ", ") }

func (c *choice) String() string { return c.value }

func (c *choice) Set(s string) error {
	for _, word := range c.words {
		if s == word {
			c.value = s
			return nil
		}
	}
	return errors.New(c.oneOf())
}
