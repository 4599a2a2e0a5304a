// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

func helpCommand(env *environment) *cobra.Command {
	c := &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "list the commands, or show one command's help",
		Example: `  ctx-lsp help
  ctx-lsp help --all
  ctx-lsp help status
  ctx-lsp help --json`,
		ValidArgsFunction: completeWords(commandNames()),
	}
	fs := c.Flags()
	all := fs.Bool("all", false, "list every command")
	asJSON := jsonFlag(fs, "print names, summaries and help texts as JSON, schema ctx.help/1")
	colorFlag(fs)
	c.RunE = does(func(ctx context.Context, names []string) int {
		if len(names) > 1 {
			return env.usageError("help", errors.New("expected one command"))
		}
		shown := entries()
		if len(names) == 1 {
			e, ok := findEntry(names[0])
			if !ok {
				env.errorf("there is no command %q%s", names[0], suggestion(names[0], commandNames()))
				env.hintf("ctx-lsp help --all lists the commands")
				return exitUsage
			}
			shown = []entry{e}
		}
		switch {
		case *asJSON:
			return env.printJSON(env.helpOf(shown))
		case len(names) == 1:
			env.writeHelp(env.Stdout, env.root(shown).Commands()[0])
		default:
			env.writeCommands(env.Stdout, *all)
		}
		return exitOK
	})
	return c
}

// writeCommands prints the most common commands and names the others, or prints all of them.
func (env *environment) writeCommands(to io.Writer, all bool) {
	w := &strings.Builder{}
	fmt.Fprint(w, "ctx-lsp shows how full a coding agent's context window is, what fills it, and when it will be compacted.\n")
	for _, group := range commandGroups {
		var names []string
		var lines strings.Builder
		for _, e := range entries() {
			if e.group != group {
				continue
			}
			names = append(names, e.name)
			if all || group == dailyGroup {
				fmt.Fprintf(&lines, "  %-12s %s\n", e.name, e.build(env).Short)
			}
		}
		title := strings.ToUpper(group[:1]) + group[1:]
		switch {
		case all || group == dailyGroup:
			fmt.Fprintf(w, "\n%s:\n%s", title, lines.String())
			if !all {
				w.WriteByte('\n')
			}
		default:
			fmt.Fprintf(w, "%-15s %s\n", title+":", strings.Join(names, ", "))
		}
	}
	fmt.Fprint(w, "\n`ctx-lsp help COMMAND` shows one command, `ctx-lsp help --all` describes every command. Every command has\n"+
		"--json and --color=auto|always|never. Exit codes: 0 done, 1 error, 2 usage, 3 over budget.\n")
	env.wrap(to, w.String())
}

// writeHelp prints one command's help: its summary, examples, details and flags.
func (env *environment) writeHelp(to io.Writer, c *cobra.Command) {
	if !c.HasParent() {
		env.writeCommands(to, false)
		return
	}
	w := &strings.Builder{}
	fmt.Fprintf(w, "ctx-lsp %s: %s\n\n", c.Name(), c.Short)
	if c.Use != c.Name() {
		fmt.Fprintf(w, "Usage: ctx-lsp %s\n\n", c.Use)
	}
	if c.Example != "" {
		fmt.Fprintf(w, "%s\n\n", strings.TrimRight(c.Example, "\n"))
	}
	env.wrap(to, w.String())
	w.Reset()
	if c.Long != "" {
		fmt.Fprintf(w, "%s\n\n", strings.TrimSpace(c.Long))
	}
	env.wrap(to, w.String())
	fmt.Fprintf(to, "Flags:\n%s", flagUsages(c.LocalFlags(), max(env.Columns, 60)))
}

// flagUsages returns the list of flags, wrapped to a width.
func flagUsages(fs *pflag.FlagSet, columns int) string {
	fs.SortFlags = false
	return fs.FlagUsagesWrapped(columns)
}

// helpOf returns the output of help --json for some commands.
func (env *environment) helpOf(shown []entry) any {
	type command struct {
		Name    string `json:"name"`
		Group   string `json:"group"`
		Summary string `json:"summary"`
		Usage   string `json:"usage"`
	}
	help := struct {
		Schema   string    `json:"schema"`
		Commands []command `json:"commands"`
	}{Schema: "ctx.help/1"}
	for i, c := range env.commands(shown) {
		var text strings.Builder
		env.writeHelp(&text, c)
		help.Commands = append(help.Commands, command{c.Name(), shown[i].group, c.Short, text.String()})
	}
	return help
}

// commands builds some commands, in their order.
func (env *environment) commands(shown []entry) []*cobra.Command {
	root := env.root(shown)
	byName := map[string]*cobra.Command{}
	for _, c := range root.Commands() {
		byName[c.Name()] = c
	}
	var out []*cobra.Command
	for _, e := range shown {
		out = append(out, byName[e.name])
	}
	return out
}

// wrap writes a text, in lines as wide as the terminal if its width is known.
func (env *environment) wrap(w io.Writer, text string) {
	if env.narrow {
		text = terminal.WrapHelp(text, env.Columns)
	}
	_, _ = io.WriteString(w, text) // a help text that cannot be written cannot be read either
}
