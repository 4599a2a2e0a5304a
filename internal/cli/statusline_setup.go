// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/statusline"
)

// The setup makes `ctx-lsp statusline` the status line of an agent. It is the only command that writes a file of an
// agent: it shows the change first and prompts the user.

// setupFlags are the flags of the setup.
type setupFlags struct {
	setup, undo, yes *bool
	agent            *choice
}

func newSetupFlags(fs *pflag.FlagSet) setupFlags {
	var ids []string
	for _, a := range agents.WithStatusLine() {
		ids = append(ids, a.ID)
	}
	f := setupFlags{
		setup: fs.Bool("setup", false, "write the command, with the other flags, into the agent's settings, after a confirmation"),
		agent: choiceFlag(fs, "agent", "with --setup: change the settings of `NAME`: claude-code, copilot-cli, qwen-code, antigravity or cursor; otherwise of the one that is found, or used last", ids...),
		undo:  fs.Bool("undo", false, "with --setup: restore the previous setting"),
		yes:   fs.Bool("yes", false, "with --setup: show the change and write it without a confirmation"),
	}
	f.agent.value = "" // the one that is found
	fs.Lookup("agent").DefValue = ""
	return f
}

// check returns an error for flags that cannot be used together.
func (f setupFlags) check(set *pflag.FlagSet) error {
	for _, name := range []string{"undo", "yes", "agent"} {
		if set.Changed(name) && !*f.setup {
			return fmt.Errorf("--%s requires --setup", name)
		}
	}
	return nil
}

// lineCommand returns the command for the agent: this program, with the flags for the appearance of its line.
func lineCommand(set *pflag.FlagSet) string {
	words := []string{"ctx-lsp"}
	if self, err := os.Executable(); err == nil {
		found, lookErr := exec.LookPath("ctx-lsp")
		if lookErr != nil || !sameFile(found, self) {
			words[0] = filepath.ToSlash(self)
		}
	}
	words = append(words, "statusline")
	set.Visit(func(f *pflag.Flag) {
		switch f.Name {
		case "template", "warn", "alarm", "mode", "timeout", "color":
			words = append(words, "--"+f.Name+"="+f.Value.String())
		case "plain":
			words = append(words, "--plain")
		}
	})
	for i, word := range words {
		words[i] = shellWord(word)
	}
	return strings.Join(words, " ")
}

func sameFile(a, b string) bool {
	first, err := os.Stat(a)
	second, other := os.Stat(b)
	return err == nil && other == nil && os.SameFile(first, second)
}

// shellWord quotes a word for the shell that an agent runs its command in.
func shellWord(word string) string {
	if word != "" && !strings.ContainsFunc(word, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("-_=./:%,+@", r)
	}) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// settingFor returns the setting of the requested agent. Without a request it chooses the only agent with a status line
// on this machine, or the agent of the newest session if there are several. For --undo it prefers agents with a status
// line to undo.
func settingFor(ctx context.Context, env *environment, f setupFlags) (*statusline.Setting, error) {
	if f.agent.value != "" {
		return statusline.SettingOf(env.host(), f.agent.value)
	}
	var found, undoable []*statusline.Setting
	for _, a := range agents.WithStatusLine() {
		if s, err := statusline.SettingOf(env.host(), a.ID); s.Exists || exists(filepath.Dir(s.File)) {
			found = append(found, s)
			if _, undoErr := s.Undo(); err == nil && undoErr == nil {
				undoable = append(undoable, s)
			}
		}
	}
	if *f.undo && len(undoable) > 0 {
		found = undoable
	}
	var names []string
	for _, s := range found {
		names = append(names, s.Agent)
	}
	switch {
	case len(found) == 0:
		return nil, fmt.Errorf("no agent with a status line was found on this machine; choose one of %s with --agent", strings.Join(f.agent.words, ", "))
	case len(found) == 1:
		return statusline.SettingOf(env.host(), found[0].Agent) // again, for its error
	}
	recent, _, err := sessions.NewFinder(env.host()).Find(ctx, sessions.Query{})
	if err != nil {
		return nil, err
	}
	for i := range recent { // the newest first
		if slices.Contains(names, recent[i].Agent) {
			env.hintf("%s was used last; --agent chooses another one of %s", agentName(recent[i].Agent), strings.Join(names, ", "))
			return statusline.SettingOf(env.host(), recent[i].Agent)
		}
	}
	return nil, fmt.Errorf("several agents with a status line were found on this machine; choose one of %s with --agent", strings.Join(names, ", "))
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// runStatuslineSetup shows the change, prompts the user, and writes it.
func runStatuslineSetup(ctx context.Context, env *environment, f setupFlags, command string, asJSON bool) int {
	s, err := settingFor(ctx, env, f)
	if err != nil {
		return env.fail(err)
	}
	plan, write := func() ([]configfile.Change, error) { return s.Set(command) }, s.Write
	if *f.undo {
		plan, write = s.Undo, s.WriteUndo
	}
	changes, err := plan()
	if err != nil {
		env.errorf("%s: %s", s.File, err)
		if !*f.undo {
			env.hintf(`to add it by hand: "%s": {"type": "command", "command": %s}`, strings.Join(s.Member, `": {"`), configfile.Text("", command).Value)
		}
		return exitError
	}
	written := len(changes) > 0
	if written {
		if code := askSetup(env, s, f, changes, asJSON); code != exitOK {
			return code
		}
		if err := write(changes); err != nil {
			return env.fail(err)
		}
	}
	if asJSON {
		return env.printJSON(struct {
			Schema  string `json:"schema"`
			Agent   string `json:"agent"`
			File    string `json:"file"`
			Target  string `json:"target"`
			Command string `json:"command"`
			Written bool   `json:"written"`
		}{"ctx.statusline-setup/1", s.Agent, s.File, s.Target, command, written})
	}
	switch {
	case !written:
		fmt.Fprintf(env.Stdout, "%s is already up to date; nothing was written.\n", env.name(s.File))
	case *f.undo && !exists(s.Target):
		fmt.Fprintf(env.Stdout, "%s was removed: --setup had created it, and it had no other setting.\n", env.name(s.File))
	case *f.undo:
		fmt.Fprintf(env.Stdout, "%s has its previous status line again.\n", env.name(s.File))
	default:
		fmt.Fprintf(env.Stdout, "Written. %s shows the status line from its next message on; ctx-lsp statusline --setup --undo removes it.\n", agentName(s.Agent))
	}
	return exitOK
}

func agentName(id string) string {
	if e, known := agent.Find(id); known {
		return e.Name
	}
	return id
}

// askSetup shows the change to the user and waits for a yes.
func askSetup(env *environment, s *statusline.Setting, f setupFlags, changes []configfile.Change, quiet bool) int {
	out := env.Stderr
	if !quiet {
		out = env.Stdout
	}
	about := env.name(s.File)
	if s.Linked() {
		about += ", a link to " + env.name(s.Target)
	}
	if !s.Exists {
		about += ", a new file"
	}
	fmt.Fprintf(out, "%s: %s\n", agentName(s.Agent), about)
	for _, line := range configfile.Lines(s.Text, changes) {
		fmt.Fprintf(out, "%5d %c %s\n", line.Number, line.Sign, env.name(line.Text))
	}
	for _, sentence := range s.Problems(env.Dir) {
		env.hintf("%s", sentence)
	}
	if *f.yes {
		return exitOK
	}
	if !env.StdinTerminal {
		env.errorf("nothing was written, because standard input is not a terminal; use --yes to write without a confirmation")
		return exitError
	}
	fmt.Fprint(out, "Write this? [y/N] ")
	if !env.readYes() {
		env.errorf("nothing was written")
		return exitError
	}
	return exitOK
}
