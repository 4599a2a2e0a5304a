// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
)

// The setup makes `ctx-lsp statusline` the status line of an agent. It is the only command that writes a file of an
// agent: it shows the change first and asks, changes nothing else in the file, and can undo the change.

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
	return setupFlags{
		setup: fs.Bool("setup", false, "write the command, with the other flags, into the agent's settings, after a confirmation"),
		agent: choiceFlag(fs, "agent", "with --setup: change the settings of `NAME`: claude-code, copilot-cli, qwen-code or antigravity", ids...),
		undo:  fs.Bool("undo", false, "with --setup: restore the previous setting"),
		yes:   fs.Bool("yes", false, "with --setup: show the change and write it without a confirmation"),
	}
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

// A statusSetting is where an agent keeps the command of its status line.
type statusSetting struct {
	agent  string
	file   string   // as the agent names it
	target string   // what it is a link to, else the same
	member []string // of the file
	now    []byte   // the file's text
	there  bool
	mode   fs.FileMode
}

// settingOf returns the setting of an agent on this machine.
func settingOf(env *environment, id string) statusSetting {
	line := agents.ByID(id).StatusLine
	return statusSetting{agent: id, member: line.Member, file: line.File(env.host(), agents.HomeOf(env.host(), id))}
}

// maxSettings bounds the file of settings.
const maxSettings = 4 << 20

// read reads the file, through a link if it is one.
func (s *statusSetting) read() error {
	s.target, s.now, s.there, s.mode = s.file, nil, false, 0o600
	if target, err := filepath.EvalSymlinks(s.file); err == nil {
		s.target = target
	} else if _, there := os.Lstat(s.file); there == nil {
		return fmt.Errorf("%s is a link to a file that does not exist", s.file)
	}
	info, err := os.Stat(s.target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a file", s.target)
	case info.Size() > maxSettings:
		return fmt.Errorf("%s has %s, too much for a settings file", s.target, megabytes(info.Size()))
	}
	if s.now, err = os.ReadFile(s.target); err != nil {
		return err
	}
	s.there, s.mode = true, info.Mode().Perm()
	return nil
}

// linked says that the file is reached through a link of its own, which the person should know of. Links of the
// folders above it, as macOS has them for /tmp, are no news.
func (s *statusSetting) linked() bool {
	info, err := os.Lstat(s.file)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// write puts the changed text in the file's place, whole or not at all, unless the file has changed since it was shown.
func (s *statusSetting) write(text []byte) error {
	shown := *s
	if err := s.read(); err != nil {
		return err
	}
	if s.there != shown.there || s.target != shown.target || !bytes.Equal(s.now, shown.now) {
		return fmt.Errorf("%s was changed in the meantime; nothing was written; try again", s.file)
	}
	folder := filepath.Dir(s.target)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	err := safefile.Replace(s.target, text, func(f *os.File) error {
		return cmp.Or(f.Chmod(s.mode), keepOwner(f, s.target), f.Sync())
	})
	return cmp.Or(err, safefile.SyncFolder(folder))
}

// setBefore is what is kept of a setup, to undo it: the value that it wrote, and the one that was there.
type setBefore struct {
	File   string  `json:"file"`
	Before *string `json:"before"` // as it stood there; null where there was none
	After  string  `json:"after"`
}

func (s *statusSetting) notes(env *environment) state.Notes {
	return state.NotesIn(env.host().StateDir(), "statusline-setup")
}

func (s *statusSetting) remembered(env *environment) (setBefore, bool) {
	m := s.notes(env)
	var kept setBefore
	text, err := os.ReadFile(m.Path(s.file))
	return kept, m.Folder != "" && err == nil && json.Unmarshal(text, &kept) == nil && kept.File == s.file
}

// remember keeps what is needed to undo a change. A second setup does not forget what was there before the first.
func (s *statusSetting) remember(env *environment, before, after []byte) error {
	keep := setBefore{File: s.file, After: string(after)}
	if before != nil {
		text := string(before)
		keep.Before = &text
	}
	if kept, some := s.remembered(env); some && configfile.Same([]byte(kept.After), before) {
		keep.Before = kept.Before
	}
	text, err := json.Marshal(keep)
	if err != nil {
		return err
	}
	m := s.notes(env)
	m.Write(m.Path(s.file), text)
	if kept, some := s.remembered(env); !some || kept.After != keep.After {
		return errors.New("the previous setting cannot be saved for --undo, so nothing was changed")
	}
	return nil
}

// lineCommand is what the agent is to run: this program, with the flags that say how its line looks.
func lineCommand(env *environment, set *pflag.FlagSet) string {
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

// shellWord quotes a word for the shell in which an agent runs its command.
func shellWord(word string) string {
	if word != "" && !strings.ContainsFunc(word, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("-_=./:%,+@", r)
	}) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// runStatuslineSetup shows what would change, asks, and writes it.
func runStatuslineSetup(_ context.Context, env *environment, f setupFlags, command string, asJSON bool) int {
	s := settingOf(env, f.agent.value)
	if err := s.read(); err != nil {
		return env.fail(err)
	}
	before, err := configfile.Value(s.now, s.member...)
	var changes []configfile.Change
	switch {
	case err != nil:
	case *f.undo:
		changes, err = s.undo(env, before)
	default:
		changes, err = configfile.Set(s.now, s.member, []configfile.Member{configfile.Text("type", "command"), configfile.Text("command", command)})
	}
	if err != nil {
		env.errorf("%s: %s", s.file, err)
		if !*f.undo {
			env.hintf(`to add it by hand: "%s": {"type": "command", "command": %s}`, strings.Join(s.member, `": {"`), configfile.Text("", command).Value)
		}
		return exitError
	}
	after := configfile.Apply(s.now, changes)
	written := false
	if len(changes) > 0 {
		if code := s.ask(env, f, changes, asJSON); code != exitOK {
			return code
		}
		value, err := configfile.Value(after, s.member...)
		if err == nil && !*f.undo {
			err = s.remember(env, before, value)
		}
		if err == nil {
			err = s.write(after)
		}
		if err != nil {
			return env.fail(err)
		}
		if *f.undo {
			os.Remove(s.notes(env).Path(s.file))
		}
		written = true
	}
	if asJSON {
		return env.printJSON(struct {
			Schema  string `json:"schema"`
			Agent   string `json:"agent"`
			File    string `json:"file"`
			Target  string `json:"target"`
			Command string `json:"command"`
			Written bool   `json:"written"`
		}{"ctx.statusline-setup/1", s.agent, s.file, s.target, command, written})
	}
	switch {
	case !written:
		fmt.Fprintf(env.Stdout, "%s is already up to date; nothing was written.\n", env.name(s.file))
	case *f.undo:
		fmt.Fprintf(env.Stdout, "%s has its previous status line again.\n", env.name(s.file))
	default:
		fmt.Fprintf(env.Stdout, "Written. %s shows the status line from its next message on; ctx-lsp statusline --setup --undo removes it.\n", agentName(s.agent))
	}
	return exitOK
}

func agentName(id string) string {
	if e, known := agent.Find(id); known {
		return e.Name
	}
	return id
}

// undo says what brings back the status line that was there before the setup.
func (s *statusSetting) undo(env *environment, now []byte) ([]configfile.Change, error) {
	kept, some := s.remembered(env)
	switch {
	case now == nil:
		return nil, errors.New("there is no status line to undo")
	case some && configfile.Same([]byte(kept.After), now):
		var before []byte
		if kept.Before != nil {
			before = []byte(*kept.Before)
		}
		return configfile.Restore(s.now, before, s.member...)
	case !some && bytes.Contains(now, []byte("ctx-lsp statusline")):
		return configfile.Restore(s.now, nil, s.member...) // it was written by hand
	}
	return nil, errors.New("the current status line was not written by --setup, so it was not changed")
}

// ask shows the change to a person and waits for a yes.
func (s *statusSetting) ask(env *environment, f setupFlags, changes []configfile.Change, quiet bool) int {
	out := env.Stderr
	if !quiet {
		out = env.Stdout
	}
	about := env.name(s.file)
	if s.linked() {
		about += ", a link to " + env.name(s.target)
	}
	if !s.there {
		about += ", a new file"
	}
	fmt.Fprintf(out, "%s: %s\n", agentName(s.agent), about)
	for _, line := range configfile.Lines(s.now, changes) {
		fmt.Fprintf(out, "%5d %c %s\n", line.Number, line.Sign, env.name(line.Text))
	}
	for _, sentence := range s.warnings(env) {
		env.hintf("%s", sentence)
	}
	switch {
	case *f.yes:
		return exitOK
	case !env.StdinTerminal:
		env.errorf("nothing was written, because standard input is not a terminal; use --yes to write without a confirmation")
		return exitError
	}
	fmt.Fprint(out, "Write this? [y/N] ")
	answer, _ := bufio.NewReader(env.typed()).ReadString('\n')
	if answer = strings.ToLower(strings.TrimSpace(answer)); answer != "y" && answer != "yes" {
		env.errorf("nothing was written")
		return exitError
	}
	return exitOK
}

// warnings lists why the line would not be seen.
func (s *statusSetting) warnings(env *environment) []string {
	if problems := agents.ByID(s.agent).StatusLine.Problems; problems != nil {
		return problems(s.now, s.target, env.Dir)
	}
	return nil
}
