// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// These are the exit codes of every command.
const (
	exitOK    = 0 // done
	exitError = 1 // could not do it; a sentence on standard error says why
	exitUsage = 2 // the command line was wrong
	exitOver  = 3 // done, and the context is over the budget that was asked about
)

// A command is one word after ctx-lsp.
type command struct {
	name    string
	summary string // one line in the list of commands; no capital, no period
	usage   string // the whole help text, examples first; flags are written as they are typed (--name)
	hidden  bool   // not shown in the list and in completions
	run     func(ctx context.Context, env *environment, args []string) int
}

var commands []command

// register adds a command. It is called from the init function of the command's file.
func register(c command) {
	commands = append(commands, c)
	slices.SortFunc(commands, func(a, b command) int { return strings.Compare(a.name, b.name) })
}

func findCommand(name string) (command, bool) {
	for _, c := range commands {
		if c.name == name {
			return c, true
		}
	}
	return command{}, false
}

// run carries out one command line and returns its exit code.
func run(ctx context.Context, env *environment, args []string) int {
	if len(args) == 0 {
		env.writeCommands(env.Stderr)
		return exitUsage
	}
	switch args[0] {
	case "-h", "--help", "-help":
		args = append([]string{"help"}, args[1:]...)
	case "--version", "-version", "-V":
		args = append([]string{"version"}, args[1:]...)
	}
	name, rest := splitCommand(args)
	c, ok := findCommand(name)
	if !ok {
		env.errorf("there is no command %q%s", name, suggestion(name, commandNames()))
		env.hintf("ctx-lsp help lists the commands")
		return exitUsage
	}
	return c.run(ctx, env, rest)
}

// splitCommand finds the command's name. Flags may come before it: `ctx-lsp --json status` is `ctx-lsp status --json`.
func splitCommand(args []string) (name string, rest []string) {
	at := 0
	if strings.HasPrefix(args[0], "-") {
		for i, arg := range args {
			if _, ok := findCommand(arg); ok {
				at = i
				break
			}
		}
	}
	return args[at], slices.Concat(args[:at], args[at+1:])
}

func commandNames() []string {
	var names []string
	for _, c := range commands {
		if !c.hidden {
			names = append(names, c.name)
		}
	}
	return names
}

func (env *environment) writeCommands(to io.Writer) {
	w := &strings.Builder{}
	defer func() { env.wrap(to, w.String()) }()
	fmt.Fprint(w, "ctx-lsp tells how full a coding agent's context window is, what fills it, and when it is compacted.\n\n"+
		"  ctx-lsp status             the session in front in this workspace\n"+
		"  ctx-lsp watch              the same, live\n"+
		"  ctx-lsp sessions           every session on this machine\n\nCommands:\n")
	width := 0
	for _, name := range commandNames() {
		width = max(width, len(name))
	}
	for _, c := range commands {
		if !c.hidden {
			fmt.Fprintf(w, "  %-*s  %s\n", width, c.name, c.summary)
		}
	}
	fmt.Fprint(w, "\nctx-lsp help COMMAND tells more. Every command has --json and --color=auto|always|never.\n"+
		"Exit codes: 0 done, 1 error, 2 usage, 3 over budget.\n")
}

func init() {
	register(command{
		name:    "help",
		summary: "the commands, or one command's help",
		usage: `  ctx-lsp help
  ctx-lsp help status
  ctx-lsp help --json
  ctx-lsp help --man > ~/.local/share/man/man1/ctx-lsp.1     then man ctx-lsp shows it

Flags:
  --man                  all of it as a manual page
  --markdown             all of it as Markdown: docs/commands.md
  --color=auto|always|never
`,
		run: runHelp,
	})
}

func runHelp(ctx context.Context, env *environment, args []string) int {
	fs := newFlags("help")
	asJSON := fs.Bool("json", false, "print names, summaries and help texts as JSON")
	man := fs.Bool("man", false, "a manual page")
	asMarkdown := fs.Bool("markdown", false, "Markdown")
	colorFlag(fs)
	names, err := parseFlags(fs, args)
	if err == nil && len(names) > 1 {
		err = errors.New("it takes one command")
	}
	if err != nil {
		return env.usageError("help", err)
	}
	shown := slices.DeleteFunc(slices.Clone(commands), func(c command) bool { return c.hidden })
	if len(names) == 1 {
		c, ok := findCommand(names[0])
		if !ok {
			env.errorf("there is no command %q%s", names[0], suggestion(names[0], commandNames()))
			env.hintf("ctx-lsp help lists the commands")
			return exitUsage
		}
		shown = []command{c}
	}
	switch {
	case *asJSON:
		return env.printJSON(helpOf(shown))
	case *man:
		_, err = fmt.Fprint(env.Stdout, manualPage(shown, currentVersion().Version))
	case *asMarkdown:
		_, err = fmt.Fprint(env.Stdout, manualMarkdown(shown))
	case len(names) == 1:
		env.writeUsage(env.Stdout, shown[0])
	default:
		env.writeCommands(env.Stdout)
	}
	if err != nil {
		return env.fail(err)
	}
	return exitOK
}

// helpOf is what help --json prints of some commands.
func helpOf(shown []command) any {
	type entry struct {
		Name    string `json:"name"`
		Summary string `json:"summary"`
		Usage   string `json:"usage"`
	}
	help := struct {
		Schema   string  `json:"schema"`
		Commands []entry `json:"commands"`
	}{Schema: "ctx.help/1"}
	for _, c := range shown {
		help.Commands = append(help.Commands, entry{c.name, c.summary, c.usage})
	}
	return help
}

// writeUsage prints a command's help.
func (env *environment) writeUsage(w io.Writer, c command) {
	env.wrap(w, fmt.Sprintf("ctx-lsp %s: %s\n\n%s\n", c.name, c.summary, strings.TrimRight(c.usage, "\n")))
}
