// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The exit codes of every command.
const (
	exitOK    = 0 // done
	exitError = 1 // failed; a message on standard error gives the reason
	exitUsage = 2 // the command line was wrong
	exitOver  = 3 // done, and the context is over the budget
	exitPart  = 4 // a part is missing, because something did not respond in time; standard error names it
)

// The groups of commands, in the order of the help.
const (
	dailyGroup   = "every day"
	explainGroup = "explain"
	measureGroup = "measure"
	connectGroup = "connect"
	buildGroup   = "build with it"
	aboutGroup   = "about"
)

var commandGroups = []string{dailyGroup, explainGroup, measureGroup, connectGroup, buildGroup, aboutGroup}

// An entry is one word after ctx-lsp. Its command is built only when it is called or listed.
type entry struct {
	name, group string
	build       func(*environment) *cobra.Command
}

// entries lists all commands, in the order of the help.
func entries() []entry {
	return []entry{
		{"status", dailyGroup, statusCommand},
		{"top", dailyGroup, topCommand},
		{"sessions", dailyGroup, sessionsCommand},
		{"history", dailyGroup, historyCommand},
		{"fits", dailyGroup, fitsCommand},
		{"handover", dailyGroup, handoverCommand},
		{"statusline", dailyGroup, statuslineCommand},
		{"doctor", dailyGroup, doctorCommand},
		{"whatif", explainGroup, whatIfCommand},
		{"forgot", explainGroup, forgotCommand},
		{"sees", explainGroup, seesCommand},
		{"count", measureGroup, countCommand},
		{"models", measureGroup, modelsCommand},
		{"vocab", measureGroup, vocabCommand},
		{"mcp-cost", measureGroup, mcpCostCommand},
		{"check", measureGroup, checkCommand},
		{"serve", connectGroup, serveCommand},
		{"mcp", connectGroup, mcpCommand},
		{"hook", connectGroup, hookCommand},
		{"export", connectGroup, exportCommand},
		{"call", buildGroup, callCommand},
		{"conformance", buildGroup, conformanceCommand},
		{"replay", buildGroup, replayCommand},
		{"help", aboutGroup, helpCommand},
		{"completion", aboutGroup, completionCommand},
		{"version", aboutGroup, versionCommand},
	}
}

func findEntry(name string) (entry, bool) {
	for _, e := range entries() {
		if e.name == name {
			return e, true
		}
	}
	return entry{}, false
}

func commandNames() []string {
	var names []string
	for _, e := range entries() {
		names = append(names, e.name)
	}
	return names
}

// Root returns the command line with every command, for generators of documents.
func Root() *cobra.Command { return documented().root(entries()) }

// A Group is a title of the help with its commands.
type Group struct {
	Name     string
	Commands []*cobra.Command
}

// Groups returns the commands in the order of the help, for generators of documents.
func Groups() []Group {
	var out []Group
	for _, name := range commandGroups {
		var shown []entry
		for _, e := range entries() {
			if e.group == name {
				shown = append(shown, e)
			}
		}
		out = append(out, Group{name, documented().commands(shown)})
	}
	return out
}

// documented returns an environment without defaults that depend on the machine.
func documented() *environment {
	return &environment{Getenv: func(string) string { return "" }, Columns: 80}
}

// root returns ctx-lsp with some of its commands.
func (env *environment) root(built []entry) *cobra.Command {
	root := &cobra.Command{
		Use:               "ctx-lsp",
		Short:             "show how full a coding agent's context window is, what fills it, and when it will be compacted",
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.SetIn(env.Stdin)
	root.SetOut(env.Stdout)
	root.SetErr(env.Stderr)
	root.SetHelpCommand(&cobra.Command{Hidden: true})
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { env.writeHelp(env.Stdout, c) })
	root.SetUsageFunc(func(c *cobra.Command) error { env.writeHelp(env.Stderr, c); return nil })
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return exit(env.usageError(c.Name(), flagError(c.Flags(), err)))
	})
	for _, e := range built {
		c := e.build(env)
		c.Flags().SortFlags = false
		c.DisableFlagsInUseLine = true
		env.preset(e.name, c.Flags())
		if c.Args == nil {
			c.Args = env.withoutEmpty
		}
		root.AddCommand(c)
	}
	return root
}

// run runs one command line and returns its exit code.
func run(ctx context.Context, env *environment, args []string) int {
	if env.unpacked == nil {
		env.unpacked = &sync.Map{}
	}
	defer env.removeUnpacked()
	if len(args) == 0 {
		env.writeCommands(env.Stdout, false)
		return exitOK
	}
	switch args[0] {
	case "-h", "--help":
		args = append([]string{"help"}, args[1:]...)
	case "--version", "-V":
		args = append([]string{"version"}, args[1:]...)
	case cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd:
		return env.execute(ctx, env.root(entries()), args)
	}
	name := args[0]
	e, ok := findEntry(name)
	if !ok {
		env.errorf("there is no command %q%s", name, suggestion(name, commandNames()))
		env.hintf("ctx-lsp help --all lists the commands")
		return exitUsage
	}
	root := env.root([]entry{e})
	for _, problem := range slices.Concat(env.settings().problems, env.allowed().problems) {
		env.errorf("%s", problem)
	}
	return env.execute(ctx, root, args)
}

func (env *environment) execute(ctx context.Context, root *cobra.Command, args []string) int {
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	var code exit
	switch {
	case err == nil && env.missing:
		return exitPart
	case err == nil:
		return exitOK
	case errors.As(err, &code):
		return int(code)
	}
	return env.fail(err)
}

// withoutEmpty refuses empty arguments, which come from unset variables.
func (env *environment) withoutEmpty(c *cobra.Command, args []string) error {
	if slices.Contains(args, "") {
		return exit(env.usageError(c.Name(), errors.New("an argument is empty; omit it if you do not need it")))
	}
	return nil
}

// exit is an exit code on its way through cobra. Its message is already printed.
type exit int

func (e exit) Error() string { return "" }

// does returns the RunE of a command whose function gets the arguments without flags and returns an exit code.
func does(run func(ctx context.Context, args []string) int) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		if err := flagAsValue(c.Flags()); err != nil {
			return c.FlagErrorFunc()(c, err)
		}
		if code := run(c.Context(), args); code != exitOK {
			return exit(code)
		}
		return nil
	}
}

// flagAsValue returns an error if a flag without its value has taken the next flag as one.
func flagAsValue(fs *pflag.FlagSet) (err error) {
	fs.Visit(func(f *pflag.Flag) {
		name, dashed := strings.CutPrefix(f.Value.String(), "--")
		if name, _, _ = strings.Cut(name, "="); err != nil || !dashed || f.Value.Type() != "string" || fs.Lookup(name) == nil {
			return
		}
		what, _ := pflag.UnquoteUsage(f)
		err = fmt.Errorf("--%s expects its %s before --%s, as in --%s=%s", f.Name, what, name, f.Name, what)
	})
	return err
}
