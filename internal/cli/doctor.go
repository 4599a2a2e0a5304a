// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/focus"
	"github.com/ctx-lsp/ctx-lsp/internal/history"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// A checkup contains all results of doctor.
type checkup struct {
	Schema  string              `json:"schema"`
	Version string              `json:"version"`
	Module  string              `json:"module,omitempty"` // the compiler of the WebAssembly module
	Agents  []foundAgent        `json:"agents"`
	Session *checkedSession     `json:"session"`
	Counted []history.CountedBy `json:"vocabularies"` // added vocabularies that count requests of the session
	Learned foundState          `json:"learned"`
	Cache   string              `json:"cache"`
	NotRead notRead             `json:"notRead"`    // agents that the settings exclude
	Chosen  []chosenSetting     `json:"settings"`   // those that differ from the default
	Odd     []string            `json:"odd"`        // sentences
	Phrases []json.RawMessage   `json:"oddPhrases"` // the same as phrases; null for a third-party sentence
	Sources []foundSources      `json:"sources"`    // sources of the compaction threshold, in the newest session of each agent

	newest []transcript.Session // one session of each agent
}

type foundAgent struct {
	Agent    string     `json:"agent"`
	Name     string     `json:"name"`
	Path     string     `json:"path"`
	From     string     `json:"from,omitempty"` // the environment variable that moved it
	Exists   bool       `json:"exists"`
	Readable bool       `json:"readable"`
	Sessions int        `json:"sessions"`
	Newest   *time.Time `json:"newest,omitempty"`
}

type checkedSession struct {
	Session   string            `json:"session"`
	Agent     string            `json:"agent"`
	Version   string            `json:"version"`
	Path      string            `json:"path"`
	Workspace string            `json:"workspace"`
	Model     string            `json:"model"`
	Records   int64             `json:"records"`
	Skipped   int64             `json:"skipped"`
	Settings  map[string]string `json:"settings"`
	Reading   json.RawMessage   `json:"reading"`
	Setup     string            `json:"setup"` // how what sessions here begin with has changed; a sentence, or nothing

	reading *api.Reading
}

// notRead lists the agents that are not read, and the settings and files that exclude them.
type notRead struct {
	Agents []string `json:"agents"` // names
	By     []string `json:"by"`
}

type foundState struct {
	Path  string `json:"path"`
	Bytes int64  `json:"bytes"`
}

func doctorCommand(env *environment) *cobra.Command {
	c := &cobra.Command{
		Use:   "doctor [SESSION | FILE]",
		Short: "check this machine: agents found, rules in force, problems",
		Example: `  ctx-lsp doctor                   this machine, and the current session of this workspace
  ctx-lsp doctor 0197f1c2          a session by its id, words of its title, or its transcript
  ctx-lsp doctor --sources         where the compaction threshold of each agent comes from
  ctx-lsp doctor --json
  ctx-lsp doctor --forget          list everything that ctx-lsp keeps, then remove it`,
		Long: `Without --forget the command changes nothing but its index of sessions. With it, learned corrections, ledgers, the index,
remembered readings and caches are listed, and removed after a confirmation. Files of agents, added vocabularies and a
running daemon's ledgers stay.`,
		ValidArgsFunction: env.completeSessions,
	}
	fs := c.Flags()
	fs.Func("storage", "also search this `DIRECTORY`, where an editor's extensions keep their files; may be repeated", func(folder string) error {
		if !filepath.IsAbs(folder) {
			return errors.New("expected the absolute path of a directory")
		}
		env.storages = append(env.storages, folder)
		return nil
	})
	sources := fs.Bool("sources", false, "list only the sources of the compaction threshold, in order of precedence: for the newest session of each agent, or for SESSION")
	forget := fs.Bool("forget", false, "list everything that ctx-lsp keeps, and remove it")
	yes := fs.Bool("yes", false, "with --forget: remove without a confirmation")
	asJSON := jsonFlag(fs, "print JSON")
	look := lookFlags(fs)
	c.RunE = does(func(ctx context.Context, args []string) int {
		word, err := oneSession(args)
		switch {
		case err != nil:
		case *yes && !*forget:
			err = errors.New("--yes requires --forget")
		case *forget && word != "":
			err = errors.New("--forget removes everything and cannot be used with a session")
		case *forget && *sources:
			err = errors.New("--forget and --sources cannot be used together")
		}
		if err != nil {
			return env.usageError("doctor", err)
		}
		if *forget {
			return runForget(env, *yes, *asJSON)
		}
		c := &checkup{Schema: "ctx.doctor/1", Version: currentVersion().Version, Module: engine.Compiler(), Cache: env.host().CacheDir(), Counted: []history.CountedBy{}, Chosen: env.chosenSettings(), Odd: []string{}, Phrases: []json.RawMessage{}, Sources: []foundSources{}}
		ctx, done := env.hurry(ctx)
		defer done()
		env.finder = sessions.NewFinder(env.host()).Hold()
		if err := c.agents(ctx, env); err != nil {
			return env.fail(err)
		}
		if *sources {
			if err := c.sources(ctx, env, word); err != nil {
				return env.chooseFailed(err)
			}
			if *asJSON {
				return env.printJSON(struct {
					Schema  string         `json:"schema"`
					Sources []foundSources `json:"sources"`
				}{"ctx.sources/2", c.Sources})
			}
			var b strings.Builder
			if len(c.Sources) == 0 {
				fmt.Fprintln(&b, "There is no session of a coding agent.")
			}
			c.printSources(&b, look.style(env))
			env.wrap(env.Stdout, b.String())
			return exitOK
		}
		switch err := c.session(ctx, env, word); {
		case errors.Is(err, focus.ErrNoSession):
			c.strange(phrase.NoSessionHere, phrase.Name(env.Dir))
		case err != nil && word != "":
			return env.chooseFailed(err)
		case err != nil:
			env.missing = env.missing || errors.Is(err, context.DeadlineExceeded)
			c.strange(phrase.NewestUnread, phrase.Name(err.Error()))
		}
		if err := c.sources(ctx, env, ""); err != nil {
			env.missing = env.missing || errors.Is(err, context.DeadlineExceeded)
		}
		c.state(env)
		if *asJSON {
			return env.printJSON(c)
		}
		var b strings.Builder
		c.print(&b, env.Now(), look.style(env))
		env.wrap(env.Stdout, b.String())
		return exitOK
	})
	return c
}

// firstsChecked is how many sessions are checked for changes of the fixed context.
const firstsChecked = 50

// agents checks the locations of every agent's sessions.
func (c *checkup) agents(ctx context.Context, env *environment) error {
	found, problems, err := env.finder.Find(ctx, sessions.Query{Children: true})
	if err != nil {
		return err
	}
	for _, p := range problems {
		c.strange(phrase.PlaceUnread, phrase.Name(p.Path), phrase.Name(p.What))
		env.missing = env.missing || p.Late
	}
	for _, sentence := range sessions.Oddities(ctx, env.host(), found) {
		if !slices.Contains(c.Odd, sentence.String()) {
			c.add(sentence)
		}
	}
	for _, root := range agents.Roots(env.host()) {
		a := foundAgent{Agent: root.Agent, Name: root.Name, Path: root.Path, From: root.From, Exists: root.Exists(), Readable: root.Readable}
		for _, s := range found {
			if s.Agent == root.Agent && (s.Path == root.Path || strings.HasPrefix(s.Path, root.Path+string(filepath.Separator))) {
				a.Sessions++
				if a.Newest == nil || s.Modified.After(*a.Newest) {
					at := s.Modified
					a.Newest = &at
				}
			}
		}
		if root.From != "" && !a.Exists {
			c.strange(phrase.PlaceMissing, phrase.Name(root.From), phrase.Name(root.Name), phrase.Name(root.Path))
		}
		c.Agents = append(c.Agents, a)
	}
	c.remember(found)
	c.NotRead = notRead{append([]string{}, env.allowed().notRead()...), append([]string{}, env.allowed().sources()...)}
	inFuture := 0
	for _, s := range found {
		if s.Modified.After(env.Now().Add(time.Hour)) {
			inFuture++
		}
	}
	if inFuture > 0 {
		c.strange(phrase.FutureSessions, phrase.Count(int64(inFuture)))
	}
	return nil
}

// session reads the session that the command line names.
func (c *checkup) session(ctx context.Context, env *environment, word string) error {
	s, _, err := chooseSession(ctx, env, word)
	if err != nil {
		return err
	}
	e, err := nativeEngine(env, 1)
	if err != nil {
		return err
	}
	defer e.Close()
	_ = teach(ctx, env, e) // without what was learned it is read too; state reports the error
	machine := env.machine()
	feed := machine.Feed(s, e.Call)
	feed.Loads = machine.Loads
	var added []string
	if folder, err := vocabularyFolder(env); err == nil {
		added, _ = addedVocabularies(folder) // a folder that cannot be read offers nothing, here as in the engine
	}
	drift := history.NewDrift(added)
	feed.OnStep = drift.Add
	reading, err := feed.Read(ctx)
	if err != nil {
		return err
	}
	if reading == nil {
		return fmt.Errorf("%s contains no record", s.Path)
	}
	r, err := terminal.Parse(reading)
	if err != nil {
		return err
	}
	c.Session = &checkedSession{
		Session: s.ID, Agent: r.Agent, Version: s.Version, Path: s.Path, Workspace: s.Workspace, Model: r.Model,
		Records: feed.Records, Skipped: feed.Skipped, Settings: feed.Settings, Reading: reading, reading: r,
	}
	if firsts, err := env.firstsIn(ctx, env.workspace(), s.Agent, firstsChecked); err == nil && len(firsts.Agents) == 1 && word == "" {
		c.Session.Setup = firsts.Agents[0].Sentence
	}
	if feed.Skipped > 0 {
		c.strange(phrase.RecordsUnread, phrase.Count(feed.Skipped), phrase.Count(feed.Records))
	}
	for _, path := range agents.RefusedSettings(s.Agent, s.Workspace) {
		c.strange(phrase.SettingsRefused, phrase.Name(path), phrase.Name(r.Agent))
	}
	if dirs.Local(s.Workspace) {
		if _, err := os.Stat(s.Workspace); err != nil {
			c.strange(phrase.DirectoryMissing, phrase.Name(s.Workspace))
		}
	}
	if r.Limit == nil {
		c.strange(phrase.ModelWindowUnknown, phrase.Name(r.Model))
	}
	c.warn(reading)
	c.Counted = drift.Found()
	for _, v := range c.Counted {
		if v.Odd() {
			c.strange(phrase.VocabularyOff, phrase.Name(v.Name), phrase.Name(v.Difference()), phrase.Count(v.Requests), phrase.Name(strings.Join(v.Models, ", ")))
		}
	}
	return nil
}

// state checks the files that this program stores itself.
func (c *checkup) state(env *environment) {
	store := state.OpenLearned(env.host().StateDir())
	c.Learned.Path = store.Path()
	if info, err := os.Stat(store.Path()); err == nil {
		c.Learned.Bytes = info.Size()
	}
	numbers, err := store.Load()
	switch {
	case err != nil:
		c.strange(phrase.LearnedUnused, phrase.Name(err.Error()))
	case numbers == nil && c.Learned.Bytes > 0:
		c.strange(phrase.LearnedDamaged, phrase.Name(store.Path()))
	}
}

func (c *checkup) print(w io.Writer, now time.Time, s terminal.Style) {
	fmt.Fprintf(w, "ctx-lsp %s, %s\n\nAgents\n", c.Version, moduleBy(c.Module))
	for _, a := range c.Agents {
		if !a.Exists && a.From == "" {
			continue
		}
		state := fmt.Sprintf("%d sessions", a.Sessions)
		if a.Sessions == 1 {
			state = "1 session"
		}
		if a.Newest != nil {
			state += ", the newest " + terminal.Age(now.Sub(*a.Newest)) + " old"
		}
		if !a.Readable {
			state = "found, but its sessions are not supported yet"
		}
		if !a.Exists {
			state = "not found"
		}
		path := a.Path
		if a.From != "" {
			path += " (" + a.From + ")"
		}
		fmt.Fprintf(w, "  %-20s %s\n  %-20s %s\n", a.Name, s.Clean(path), "", state)
	}
	c.printAbsent(w, s)
	if len(c.NotRead.Agents) > 0 {
		fmt.Fprintf(w, "  not read             %s; excluded by %s\n", strings.Join(c.NotRead.Agents, ", "), s.Clean(strings.Join(c.NotRead.By, ", ")))
	}
	if found := c.Session; found != nil {
		r := found.reading
		fmt.Fprintf(w, "\nSession %s\n", s.Clean(found.Session))
		row := func(name, value string) {
			if value != "" {
				fmt.Fprintf(w, "  %-20s %s\n", name, s.Clean(value))
			}
		}
		row("agent", strings.TrimSpace(found.Agent+" "+found.Version))
		row("transcript", found.Path)
		row("workspace", found.Workspace)
		row("model", found.Model)
		if r.Limit != nil {
			row("window", terminal.Digits(*r.Limit)+" tokens, "+terminal.SourceName(r.LimitSource))
		} else {
			row("window", "unknown")
		}
		row("compaction rule", r.Compaction.Rule)
		row("  since", r.Compaction.Since)
		row("  source", r.Compaction.Source)
		if r.Compaction.Threshold != nil {
			row("  threshold", terminal.Digits(*r.Compaction.Threshold)+" tokens")
			row("  from", r.Compaction.ThresholdFrom.Text)
		} else {
			row("  threshold", "none")
		}
		for _, name := range slices.Sorted(maps.Keys(found.Settings)) {
			row("  your setting", name+" = "+found.Settings[name])
		}
		row("used", r.Display.Mark+r.Display.Used+" ("+r.Display.Percent+"), "+string(r.Basis))
		for _, v := range c.Counted {
			row("counted by", v.String())
		}
		row("fixed context", found.Setup)
		row("records", terminal.Digits(found.Records)+" read, "+terminal.Digits(found.Skipped)+" not readable")
	}
	if len(c.Sources) > 0 {
		fmt.Fprintf(w, "\nSources of the compaction threshold, in the newest session of each agent\n")
		c.printSources(w, s)
	}
	if len(c.Chosen) > 0 {
		fmt.Fprintf(w, "\nSettings that differ from the default\n")
		for _, chosen := range c.Chosen {
			fmt.Fprintf(w, "  %-20s %s  (%s)\n", chosen.Key, s.Clean(chosen.Value), s.Clean(chosen.Source))
		}
	}
	fmt.Fprintf(w, "\nState\n  learned              %s", c.Learned.Path)
	if c.Learned.Bytes > 0 {
		fmt.Fprintf(w, " (%d bytes; ctx-lsp doctor --forget removes it)\n", c.Learned.Bytes)
	} else {
		fmt.Fprintln(w, " (nothing yet)")
	}
	fmt.Fprintf(w, "  cache                %s\n", c.Cache)
	if len(c.Odd) == 0 {
		fmt.Fprintln(w, "\nAll good.")
		return
	}
	fmt.Fprintln(w, "\nProblems")
	for _, sentence := range c.Odd {
		fmt.Fprintf(w, "  %s\n", s.Clean(sentence))
	}
}

// printAbsent lists the agents without sessions here. If no agent has any, it prints the main directories that were
// searched.
func (c *checkup) printAbsent(w io.Writer, s terminal.Style) {
	names := c.absent()
	if len(names) == 0 {
		return
	}
	if !slices.ContainsFunc(c.Agents, func(a foundAgent) bool { return a.Exists || a.From != "" }) {
		fmt.Fprintln(w, "  No agent has left a session here. Searched, among others:")
		for i, a := range c.Agents {
			first := slices.IndexFunc(c.Agents, func(other foundAgent) bool { return other.Agent == a.Agent }) == i
			if first && agent.ProofOf(a.Agent).Lab != "" {
				fmt.Fprintf(w, "  %-20s %s\n", a.Name, s.Clean(a.Path))
			}
		}
	} else {
		fmt.Fprintf(w, "  not found            %s\n", strings.Join(names, ", "))
	}
	fmt.Fprintln(w, "  ctx-lsp doctor --json lists every directory that was searched.")
}

// absent returns the names of the agents of which nothing was found.
func (c *checkup) absent() []string {
	var names []string
	for _, a := range c.Agents {
		present := slices.ContainsFunc(c.Agents, func(other foundAgent) bool { return other.Agent == a.Agent && (other.Exists || other.From != "") })
		if name, _, _ := strings.Cut(a.Name, " ("); !present && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
