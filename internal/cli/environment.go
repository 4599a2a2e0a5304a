// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mattn/go-isatty"

	"github.com/ctx-lsp/ctx-lsp/internal/process"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

// environment is everything outside its arguments that a command may use.
type environment struct {
	Stdin  io.Reader
	Stdout io.Writer // results
	Stderr io.Writer // messages and progress

	Getenv  func(string) string
	Environ func() []string  // every variable, as NAME=value
	Dir     string           // the working directory
	Now     func() time.Time // the clock
	// Processes lists processes; nil for those of this system.
	Processes process.System

	// StdinTerminal, StdoutTerminal and StderrTerminal report whether the stream is a terminal.
	StdinTerminal, StdoutTerminal, StderrTerminal bool
	// inputExplained is set once the hint about the end of standard input was printed.
	inputExplained bool
	// hidePaths shows only the last element of file paths.
	hidePaths bool
	// Columns is the width of the terminal, or 80 without one.
	Columns int
	// narrow means that the width is known, so that texts are wrapped to it.
	narrow bool
	// deadline ends a command that takes too long; nil if the command has no process of its own.
	deadline *deadline
	// missing is set if something did not respond in time, so that part of the result is missing.
	missing bool
	// storages are directories of an editor's extensions, as the editor has named them.
	storages []string
	// unpacked maps archives to the directories that they were unpacked to.
	unpacked *sync.Map
	// agents is the value of --agents; mayRead is the result of allowed, once it is known.
	agents  string
	mayRead *allowedAgents
	// daemonPatience and beforeReading are for status lines; zero except in tests.
	daemonPatience time.Duration
	beforeReading  func()
	// state is the directory for what the command keeps, "none" if it may keep nothing, and "" for the usual one.
	state string
	// finder finds sessions for a command that searches several times; nil if each search has its own.
	finder *sessions.Finder
	// read contains the user's settings, once they have been read.
	read *userSettings
}

// processes returns the system that lists processes.
func (env *environment) processes() process.System {
	if env.Processes != nil {
		return env.Processes
	}
	return process.Host()
}

// stateDir returns the directory for files that must survive a restart; "" if nothing is kept.
func (env *environment) stateDir() string {
	switch env.state {
	case "none":
		return ""
	case "":
		return env.host().StateDir()
	}
	return env.resolve(env.state)
}

// clock is replaced in builds that are tested with a clock that jumps.
var clock = time.Now

func processEnvironment() *environment {
	dropRelativeTemp()
	dir, _ := os.Getwd()
	env := &environment{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Getenv: os.Getenv, Environ: os.Environ, Dir: dir, Now: clock,
		StdinTerminal: isTerminal(os.Stdin), StdoutTerminal: isTerminal(os.Stdout), StderrTerminal: isTerminal(os.Stderr),
		Columns: 80, hidePaths: os.Getenv("CTX_HIDE_PATHS") == "1",
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		env.Columns, env.narrow = n, true
	} else if n := terminalColumns(os.Stdout); n > 0 {
		env.Columns, env.narrow = n, true
	}
	return env
}

// variables lists the environment, as NAME=value.
func (env *environment) variables() []string {
	if env.Environ == nil {
		return nil
	}
	return env.Environ()
}

func isTerminal(f *os.File) bool {
	return isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd())
}

// color reports whether to write color to standard output. mode is the value of --color: auto, always or never.
func (env *environment) color(mode string) bool {
	switch mode {
	case "always":
		return true
	case "never":
		return false
	}
	return env.StdoutTerminal && env.Getenv("NO_COLOR") == "" && env.Getenv("TERM") != "dumb"
}

// errorf prints an error message on standard error. Names in it may be untrusted; see [terminal.Sentence].
func (env *environment) errorf(format string, args ...any) {
	env.complain(fmt.Sprintf("ctx-lsp: "+format+"\n", terminal.Args(args)...))
}

// complain writes a message to standard error, and wraps it on a terminal.
func (env *environment) complain(text string) {
	if env.StderrTerminal {
		env.wrap(env.Stderr, text)
		return
	}
	_, _ = io.WriteString(env.Stderr, text) // a message that cannot be written cannot be read either
}

// hintf prints what to do about the error before it.
func (env *environment) hintf(format string, args ...any) {
	env.complain(fmt.Sprintf("ctx-lsp: hint: "+format+"\n", terminal.Args(args)...))
}

// name prepares a name for standard output: programs get it unchanged, and terminals without control characters.
func (env *environment) name(name string) string {
	if env.StdoutTerminal {
		return terminal.Name(name)
	}
	return name
}

// late reports the stores that did not respond to a search in time.
func (env *environment) late(problems []sessions.Problem) {
	for _, p := range problems {
		if p.Late {
			env.missing = true
			env.errorf("%s", p)
		}
	}
}

// input returns standard input for a command that reads it to its end. A user at a terminal sees how to end it.
func (env *environment) input() io.Reader {
	if env.StdinTerminal && !env.inputExplained {
		env.inputExplained = true
		env.hintf("reading standard input; end it with Ctrl+D")
	}
	return env.typed()
}

// typed returns standard input for a command that waits for a user: an interrupt ends it at once while it waits.
func (env *environment) typed() io.Reader {
	if env.StdinTerminal && env.deadline != nil {
		return waitedFor{env.Stdin, env.deadline}
	}
	return env.Stdin
}

// confirmed asks the user a question on standard error. Any reply but a yes is a no.
func (env *environment) confirmed(question string) bool {
	fmt.Fprint(env.Stderr, question)
	return env.readYes()
}

// readYes reads the reply of the user.
func (env *environment) readYes() bool {
	reply, _ := bufio.NewReader(env.typed()).ReadString('\n')
	reply = strings.ToLower(strings.TrimSpace(reply))
	return reply == "y" || reply == "yes"
}

// fail prints an error and returns its exit code.
func (env *environment) fail(err error) int {
	if errors.Is(err, context.DeadlineExceeded) {
		env.errorf("%s: it did not respond in time", plainError(err))
		return exitPart
	}
	env.errorf("%s", plainError(err))
	return exitError
}

// usageError prints what is wrong with a command line, and returns the exit code for that.
func (env *environment) usageError(name string, err error) int {
	env.errorf("%s: %s", name, err)
	env.hintf("ctx-lsp help %s shows its flags", name)
	return exitUsage
}
