// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// oneSession returns the argument of a command that has one session at most: its id, its transcript, or "" for the
// current session.
func oneSession(args []string) (session string, err error) {
	switch {
	case len(args) > 1:
		return "", errors.New("expected one session")
	case len(args) == 1:
		return args[0], nil
	}
	return "", nil
}

var errNoArguments = errors.New("expected no arguments")

// flagError words an error of pflag like other errors, and suggests the flag that was meant.
func flagError(fs *pflag.FlagSet, err error) error {
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	var syntax *pflag.InvalidSyntaxError
	switch {
	case errors.As(err, &unknown):
		name := "--" + unknown.GetSpecifiedName()
		if short := unknown.GetSpecifiedShortnames(); short != "" {
			name = "-" + short
		}
		var known []string
		fs.VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
		return fmt.Errorf("there is no flag %s%s", name, suggestion(name, known))
	case errors.As(err, &missing):
		return fmt.Errorf("--%s requires a value: %s", missing.GetSpecifiedName(), valueOf(missing.GetFlag()))
	case errors.As(err, &invalid):
		f, why := invalid.GetFlag(), valueOf(invalid.GetFlag())
		if why == "" {
			why = invalid.Unwrap().Error()
		}
		return fmt.Errorf("--%s cannot be %q: %s", f.Name, invalid.GetValue(), why)
	case errors.As(err, &syntax):
		return fmt.Errorf("%s is not a flag", syntax.GetSpecifiedFlag())
	}
	return err
}

// valueOf describes the values that a flag accepts, or returns "" if the flag's own error does.
func valueOf(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "int", "int64", "uint", "uint64":
		return "expected a whole number"
	case "float64":
		return "expected a number"
	case "duration":
		return "expected a time such as 90s, 15m or 24h"
	case "bool":
		return "expected true, false or no value"
	case "string", "stringArray", "func":
		return "expected a text"
	}
	if c, ok := f.Value.(*choice); ok {
		return c.oneOf()
	}
	return ""
}

// A choice is the value of a flag that accepts one of a few words.
type choice struct {
	value string
	words []string
}

// choiceFlag defines a flag whose value is one of words; the default is the first of them.
func choiceFlag(fs *pflag.FlagSet, name, usage string, words ...string) *choice {
	c := &choice{value: words[0], words: words}
	fs.Var(c, name, usage)
	return c
}

// modeFlag defines --mode. Without it each session keeps its own mode.
func modeFlag(fs *pflag.FlagSet) *choice {
	c := choiceFlag(fs, "mode", "show the predicted next request, or the last measured prompt only", "hybrid", "provider")
	c.value = ""
	fs.Lookup("mode").DefValue = ""
	return c
}

// jsonFlag defines --json.
func jsonFlag(fs *pflag.FlagSet, usage string) *bool { return fs.Bool("json", false, usage) }

// unredactedFlag defines --unredacted.
func unredactedFlag(fs *pflag.FlagSet) *bool {
	return fs.Bool("unredacted", false, "keep values that look like keys, tokens or passwords")
}

// hidePathsFlag defines --hide-paths.
func hidePathsFlag(fs *pflag.FlagSet) *bool {
	return fs.Bool("hide-paths", false, "show only the last element of file paths")
}

// colorFlag defines --color.
func colorFlag(fs *pflag.FlagSet) *choice {
	return choiceFlag(fs, "color", "use color", "auto", "always", "never")
}

// oneOf lists the words that the flag accepts.
func (c *choice) oneOf() string { return "expected one of " + strings.Join(c.words, ", ") }

func (c *choice) String() string { return c.value }

// Type returns the words as the help shows them.
func (c *choice) Type() string { return strings.Join(c.words, "|") }

func (c *choice) Set(s string) error {
	if !slices.Contains(c.words, s) {
		return errors.New(c.oneOf())
	}
	c.value = s
	return nil
}
