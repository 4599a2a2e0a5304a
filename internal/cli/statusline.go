// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/process"
	"github.com/ctx-lsp/ctx-lsp/internal/statusline"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

func statuslineCommand(env *environment) *cobra.Command {
	c := &cobra.Command{
		Use:   "statusline [SESSION | FILE]",
		Short: "print one line for an agent's status line, or for shells, tmux and other bars",
		Example: `  ctx-lsp statusline --setup          make it the agent's status line, after a confirmation
  ctx-lsp statusline --setup --undo   restore the previous status line
  ctx-lsp statusline --template='{number} of {limit}[ · {hint}]'
  ctx-lsp statusline --warn=120k --alarm=80%
  ctx-lsp statusline --for=shell                      without input: this directory's current session, or the newest on this machine
  ctx-lsp statusline --for=shell --here --dir=DIR     only a session that was started in another directory, such as a pane's
  ctx-lsp statusline --for=shell --color=tmux         colors in the notation of tmux and zellij's zjstatus
  ctx-lsp statusline --for=shell 0197f1c2             a session by its id, the beginning of it, or its transcript`,
		Long: `An agent sends its JSON on standard input. If the session cannot be read, the last good line is printed with its age.

With --for=shell the command reads no input, and prints nothing if there is no session. The current session is remembered
for some seconds and looked up again in the background; its number is always current. An idle session is printed without the
color of its level. Values that only an agent reports, such as its cost, are unknown in this form.

In a template, a part in [ ] is omitted if its field is unknown. {#yellow}colors{#}: red, green, yellow, blue, magenta,
cyan, white, black, grey, bold, dim, level (the level's color), or ff8700; nothing else is colored then. {sep= | }
separates the parts with other characters.

Fields of a template:
` + statusline.Fields() + `
Exit codes: 0 done, also if there is no session; 1 the session could not be read, 2 usage.`,
		ValidArgsFunction: env.completeSessions,
	}
	fs := c.Flags()
	f := statuslineFlags{asked: fs}
	f.reader = choiceFlag(fs, "for", "print for an agent, which sends its JSON, or for a shell", "agent", "shell")
	f.template = fs.String("template", "", "print this `TEMPLATE` (or CTX_STATUSLINE)")
	fs.Var(&f.warn, "warn", "show yellow from `N|P%` on, in tokens or percent, instead of by the compaction threshold")
	fs.Var(&f.alarm, "alarm", "show red from `N|P%` on")
	f.mode = modeFlag(fs)
	f.timeout = fs.Duration("timeout", time.Second, "print the last good line after this `TIME`")
	f.setup = newSetupFlags(fs)
	fs.BoolVar(&f.front.Here, "here", false, "--for=shell: only a session of this directory, its repository or a directory above")
	fs.StringVar(&f.dir, "dir", env.Dir, "--for=shell: act as if started in this `DIRECTORY`")
	fs.Lookup("dir").DefValue = ""
	fs.DurationVar(&f.front.Since, "since", 12*time.Hour, "--for=shell: only a session that changed within this `TIME`; 0 for any age")
	fs.Lookup("since").DefValue = "12h"
	f.refresh = fs.Bool(refreshFlag, false, "")
	_ = fs.MarkHidden(refreshFlag)
	f.asJSON = jsonFlag(fs, "print the Reading instead of a line; null if there is no session")
	f.look.color = choiceFlag(fs, "color", "use color; auto means unless NO_COLOR is set, because the agent shows it", "auto", "always", "never", "tmux")
	f.look.plain = fs.Bool("plain", false, "use ASCII and no color")
	c.RunE = does(func(ctx context.Context, args []string) int {
		word, err := oneSession(args)
		if err == nil {
			err = f.check(word)
		}
		if *f.template == "" {
			if *f.template = env.Getenv("CTX_STATUSLINE"); *f.template == "" {
				*f.template = statusline.DefaultTemplate
			}
		}
		if err == nil {
			err = env.statuslineProgram().Check(f.draw(env), f.forShell())
		}
		if err != nil {
			return env.usageError("statusline", err)
		}
		if f.forShell() {
			return runShellLine(ctx, env, &f, word)
		}
		return runStatusline(ctx, env, &f)
	})
	return c
}

// statuslineFlags are the flags of statusline.
type statuslineFlags struct {
	asked       *pflag.FlagSet
	reader      *choice
	template    *string
	warn, alarm statusline.Bound
	mode        *choice
	timeout     *time.Duration
	setup       setupFlags
	front       statusline.Front
	dir         string
	refresh     *bool
	asJSON      *bool
	look        outputFlags
}

func (f *statuslineFlags) forShell() bool { return f.reader.value == "shell" }

// check returns an error for flags that cannot be used together.
func (f *statuslineFlags) check(word string) error {
	switch {
	case *f.timeout <= 0:
		return errors.New("--timeout must be greater than 0")
	case f.front.Since < 0:
		return errors.New("--since must not be negative")
	case f.dir == "":
		return errors.New("--dir requires the path of a directory")
	case f.forShell() && *f.setup.setup:
		return errors.New("--setup writes the settings of agents; for shells, copy the lines in docs/editors.md")
	case !f.forShell() && word != "":
		return errors.New("a session can be named only with --for=shell; an agent sends its own")
	case !f.forShell() && f.look.color.value == "tmux":
		return errors.New("--color=tmux requires --for=shell")
	}
	if !f.forShell() {
		for _, name := range []string{"here", "dir", "since"} {
			if f.asked.Changed(name) {
				return fmt.Errorf("--%s requires --for=shell", name)
			}
		}
	}
	return f.setup.check(f.asked)
}

// style returns how the line is drawn. An agent and tmux read the line and show its colors.
func (f *statuslineFlags) style(env *environment) terminal.Style {
	style := f.look.style(env)
	switch {
	case f.look.color.value == "tmux":
		style.Color = !*f.look.plain
	case !f.forShell() && f.look.color.value == "auto" && !*f.look.plain:
		style.Color = env.Getenv("NO_COLOR") == ""
	}
	return style
}

// draw returns how the line is drawn.
func (f *statuslineFlags) draw(env *environment) statusline.Look {
	return statusline.Look{Template: *f.template, Style: f.style(env), Warn: f.warn, Alarm: f.alarm, Tmux: f.look.color.value == "tmux"}
}

// refreshFlag makes the command find the current session and print nothing.
const refreshFlag = "refresh"

// statuslineProgram returns what a status line needs from this process.
func (env *environment) statuslineProgram() *statusline.Program {
	v := currentVersion()
	return &statusline.Program{
		Machine: env.machine(), Dir: env.Dir, Now: env.Now, Processes: env.Processes, Getenv: env.Getenv, Input: env.input,
		Version: v.Version, Build: v.Version + " " + v.Revision + " " + v.Ledger, Refuses: env.refusal, RefusesPath: env.refuses,
		Engine: func(brief bool) (*engine.Pool, error) {
			return engine.Native(withAdded(env, engine.Options{Instances: 1, Brief: brief}))
		},
		Failed: func(err error) { env.errorf("%s", err) }, Late: env.late,
		Named: func(ctx context.Context, word string) (transcript.Session, error) {
			s, _, err := chooseSession(ctx, env, word)
			return s, err
		},
		DaemonPatience: env.daemonPatience, BeforeReading: env.beforeReading,
	}
}

// runStatusline prints the line for an agent, or sets it up.
func runStatusline(ctx context.Context, env *environment, f *statuslineFlags) int {
	if *f.setup.setup {
		return runStatuslineSetup(ctx, env, f.setup, lineCommand(f.asked), *f.asJSON)
	}
	defer collectNothing(env)()
	ctx, cancel := context.WithTimeout(ctx, *f.timeout)
	defer cancel()
	line, err := env.statuslineProgram().Agent(ctx, f.mode.value)
	if err != nil {
		env.errorf("%s", err)
	}
	if *f.asJSON {
		return env.printReading(line.Reading)
	}
	if _, err := fmt.Fprintln(env.Stdout, line.ForAgent(f.draw(env))); err != nil {
		return env.fail(err)
	}
	return exitOK
}

// runShellLine prints the line of a session without any input: the named one, otherwise the current one.
func runShellLine(ctx context.Context, env *environment, f *statuslineFlags, word string) int {
	env.Dir = filepath.Clean(env.resolve(f.dir))
	program := env.statuslineProgram()
	if *f.refresh {
		program.Find(ctx, f.front)
		return exitOK
	}
	f.front.Later = func() { findLater(env, f.front) }
	defer collectNothing(env)()
	ctx, done := env.hurry(ctx)
	defer done()
	ctx, cancel := context.WithTimeout(ctx, *f.timeout)
	defer cancel()
	line, err := program.Shell(ctx, f.front, word, f.mode.value)
	if err != nil {
		env.errorf("%s", plainError(err))
		if line.Reading == nil {
			return exitError
		}
	}
	if *f.asJSON {
		return env.printReading(idleReading(env, line.Found(), line.Reading))
	}
	if text := line.ForShell(f.draw(env)); text != "" {
		if err := env.printLine([]byte(text)); err != nil {
			return env.fail(err)
		}
	}
	return exitOK
}

// findLater starts another process that finds the current session.
func findLater(env *environment, front statusline.Front) {
	self, err := os.Executable()
	if err != nil {
		return
	}
	again := exec.Command(self, "statusline", "--for=shell", "--"+refreshFlag, "--dir="+env.Dir, "--since="+front.Since.String(), "--here="+strconv.FormatBool(front.Here))
	again.Env = env.variables()
	_ = process.StartDetached(again) // without it the next run tries again
}

// printReading prints a Reading; nil is printed as null.
func (env *environment) printReading(reading []byte) int {
	if reading == nil {
		reading = []byte("null")
	}
	if err := env.printLine(reading); err != nil {
		return env.fail(err)
	}
	return exitOK
}
