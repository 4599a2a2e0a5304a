// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	shown "github.com/ctx-lsp/ctx-lsp/internal/focus"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/process"
	"github.com/ctx-lsp/ctx-lsp/internal/promptload"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// host is the place of this environment's sessions and state.
func (env *environment) host() dirs.Environment {
	host := env.places()
	if a := env.allowed(); !a.user.all || !a.administrator.all {
		host.Allowed = a.has
	}
	return host
}

// places is host without what restricts it.
func (env *environment) places() dirs.Environment {
	home := env.Getenv("HOME")
	if runtime.GOOS == "windows" {
		home = env.Getenv("USERPROFILE")
	}
	if home == "" {
		home, _ = os.UserHomeDir()
	}
	if info, err := os.Stat(home); err == nil && !info.IsDir() {
		home = "" // such as /dev/null, for accounts without a home
	}
	host := dirs.New(runtime.GOOS, home, env.Getenv)
	host.Storages = env.storages
	return host
}

// look says how a command draws for a person.
type look struct {
	color *choice
	plain *bool
}

func lookFlags(fs *pflag.FlagSet) look {
	plain := fs.Bool("plain", false, "use ASCII and no color")
	return look{colorFlag(fs), plain}
}

func (l look) style(env *environment) terminal.Style {
	return terminal.Style{
		Color:   env.color(l.color.value) && !*l.plain,
		Unicode: !*l.plain && terminal.UnicodeLocale(runtime.GOOS, env.Getenv),
		Width:   env.Columns,
	}
}

// nativeEngine is the engine of commands that run for a moment only.
func nativeEngine(env *environment, instances int) (*engine.Pool, error) {
	return engine.Native(withAdded(env, engine.Options{Instances: instances}))
}

// errNoSession says that a search has found no session.
var errNoSession = errors.New("no session of a coding agent was found")

// chooseSession finds the session that a command line names: by a transcript's path, or by an id or its beginning.
// Without a name it is the current session, and a hint names it if there are others.
func chooseSession(ctx context.Context, env *environment, word string) (transcript.Session, []transcript.Session, error) {
	s, children, which, err := findSession(ctx, env, word)
	if which != "" {
		env.hintf("this is session %s, %s", s.ID, which)
	}
	return s, children, err
}

// findSession chooses without a hint. It returns which of several sessions it chose as a clause, or "" if there is one
// only.
func findSession(ctx context.Context, env *environment, word string) (transcript.Session, []transcript.Session, string, error) {
	finder := sessions.NewFinder(env.host()).Hold()
	defer func() { env.late(finder.Late()) }()
	if word == "" {
		return frontSession(ctx, env, finder)
	}
	s, children, err := namedSession(ctx, env, finder, word)
	return s, children, "", err
}

// namedSession finds a session by a transcript's path, or by its id or the beginning of it.
func namedSession(ctx context.Context, env *environment, finder *sessions.Finder, word string) (transcript.Session, []transcript.Session, error) {
	path := word
	if !filepath.IsAbs(path) {
		path = filepath.Join(env.Dir, path)
	}
	if s, ok, err := env.sessionIn(ctx, path); ok {
		return s, nil, err
	}
	sessions, _, err := finder.Find(ctx, sessions.Query{ID: word})
	if err != nil {
		return transcript.Session{}, nil, err
	}
	var exact []transcript.Session
	for _, s := range sessions {
		if s.ID == word {
			exact = append(exact, s)
		}
	}
	if len(exact) > 0 {
		sessions = exact
	}
	switch len(sessions) {
	case 0:
		return transcript.Session{}, nil, fmt.Errorf("no file or session is called %q", word)
	case 1:
		children, err := childrenOf(ctx, finder, sessions[0])
		return sessions[0], children, err
	}
	var ids []string
	for _, s := range sessions {
		if len(ids) == 5 {
			ids = append(ids, "…")
			break
		}
		ids = append(ids, s.ID)
	}
	return transcript.Session{}, nil, fmt.Errorf("%q matches %d sessions: %s", word, len(sessions), strings.Join(ids, ", "))
}

// maxChoices is how many sessions of a folder can be chosen from, the newest ones.
const maxChoices = 200

// frontSession finds the session to show when none is named, by the choice that every face makes: the one whose agent
// runs this command, or else one that was started here. "Here" is the repository that contains the working directory,
// or that directory where there is none, and what lies above it.
func frontSession(ctx context.Context, env *environment, finder *sessions.Finder) (transcript.Session, []transcript.Session, string, error) {
	front := shown.Look("", env.Dir)
	sessions, _, err := finder.Find(ctx, sessions.Query{Near: front.Workspace, Limit: maxChoices})
	if err != nil {
		return transcript.Session{}, nil, "", err
	}
	for i := range sessions {
		// The agents that record only a fingerprint of the folder have recorded that of this one.
		sessions[i].Workspace = cmp.Or(sessions[i].Workspace, front.Workspace)
	}
	picked, some := choose(env, finder, front, sessions)
	if !some {
		return transcript.Session{}, nil, "", fmt.Errorf("%w for %s", errNoSession, env.Dir)
	}
	s := sessions[picked.Index]
	which := ""
	if len(sessions) > 1 {
		which = picked.Which
	}
	children, err := childrenOf(ctx, finder, s)
	return s, children, which, err
}

// choose picks one of the sessions, with what the agents' processes tell.
func choose(env *environment, finder *sessions.Finder, front shown.Front, sessions []transcript.Session) (shown.Choice, bool) {
	known := make([]process.Session, 0, len(sessions))
	for _, s := range sessions {
		known = append(known, process.Session{
			ID: s.ID, Agent: s.Agent, Path: s.Path, Dir: s.Workspace, Begun: s.Started, Last: s.Modified,
			Cleared: len(sessions) > 1 && agents.Cleared(s.Agent, s.Path),
		})
	}
	processes := process.Agents(process.Host())
	holdings := process.Resolve(processes, process.Claims(finder.Environment()), known)
	held := map[string]bool{}
	for _, h := range holdings {
		held[h.Session] = true
		for _, id := range h.Candidates {
			held[id] = true
		}
	}
	if h, some := process.Above(os.Getpid(), processes, holdings); some && h.Session != "" {
		front.Held, front.HeldWhy, front.ByProcess = h.Session, h.Reason, true
	}
	choices := make([]shown.Session, 0, len(sessions))
	for _, s := range sessions {
		choices = append(choices, shown.Session{
			ID: s.ID, Dir: s.Workspace, Newest: s.Modified.UnixMilli(), Live: held[s.ID] || env.Now().Sub(s.Modified) < process.IdleAfter,
		})
	}
	return shown.Choose(front, choices)
}

// repository is the root of the repository that contains a directory, or "".
func repository(dir string) string { return shown.Repository(dir) }

// childrenOf are the sub-agents of a session.
func childrenOf(ctx context.Context, finder *sessions.Finder, s transcript.Session) ([]transcript.Session, error) {
	family, _, err := finder.Find(ctx, sessions.Query{ID: s.ID, Children: true})
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(family, func(c transcript.Session) bool { return c.Parent == "" || c.ID == s.ID }), nil
}

// chooseFailed reports a session that could not be chosen.
func (env *environment) chooseFailed(err error) int {
	env.errorf("%s", err)
	if errors.Is(err, errNoSession) {
		env.hintf("ctx-lsp sessions lists the sessions of other directories; ctx-lsp doctor shows the directories that were searched")
	}
	if env.missing {
		return exitPart // it may be among what did not answer
	}
	return exitError
}

// readSession reads a session and its sub-agents into an engine, and returns the Reading.
func readSession(ctx context.Context, env *environment, e engine.Engine, s transcript.Session, children []transcript.Session) ([]byte, error) {
	feed := follow.NewFeed(s, e.Call)
	feed.HidePaths = env.hidePaths
	feed.Settings, feed.Loads, feed.Files, feed.Says = agents.SettingsOf(env.host(), s), env.loads, env.files(s), env.says()
	reading, err := feed.Read(ctx)
	if err != nil {
		return nil, err
	}
	if reading == nil {
		return nil, fmt.Errorf("%s contains no record", s.Path)
	}
	if s.Agent == "" {
		if r, err := terminal.Parse(reading); err == nil && r.Agent == "generic" {
			return nil, fmt.Errorf("%s contains no record of a supported coding agent", s.Path)
		}
	}
	for _, c := range children { // each comes after its parent
		child := follow.NewFeed(c, e.Call)
		child.Parent, child.HidePaths = c.Parent, env.hidePaths
		if _, err := child.Read(ctx); err != nil {
			env.errorf("the sub-agent %s is not shown: %s", c.ID, err)
		}
	}
	if len(children) > 0 {
		return client.Call(e.Call).Reading(ctx, &api.ReadingParams{ID: feed.ID}).JSON()
	}
	return reading, nil
}

// loads finds what the agent of a session on this machine loads by itself.
func (env *environment) loads(s transcript.Session, hidePaths bool) *promptload.Loaded {
	var names []string
	if dirs.Local(s.Workspace) {
		servers, _ := agents.MCPServers(env.host(), s.Workspace)
		for i := range servers {
			if servers[i].Agent == s.Agent && !servers[i].Off && !slices.Contains(names, servers[i].Name) {
				names = append(names, servers[i].Name)
			}
		}
	}
	return agents.Loads(env.host(), s, names, hidePaths)
}

// files finds what the agent of a session on this machine sends of files without a record.
func (env *environment) files(s transcript.Session) promptload.Files {
	return agents.FilesOf(env.host(), s)
}

// teach tells an engine the lessons of earlier sessions.
func teach(ctx context.Context, env *environment, e engine.Engine) error {
	numbers, err := state.OpenLearned(env.host().StateDir()).LoadAt(env.Now())
	if err != nil || numbers == nil {
		return err
	}
	_, err = client.Call(e.Call).LearnedSet(ctx, &api.LearnedParams{Learned: json.RawMessage(numbers)}).JSON()
	return err
}

// keepLearned adds the lessons of an engine's sessions to those that are kept, with or without what they have shown of
// their limits.
func keepLearned(ctx context.Context, env *environment, e engine.Engine, limits bool) {
	answer, err := client.Call(e.Call).LearnedGet(ctx, &api.NoParams{}).JSON()
	if err == nil {
		var numbers struct {
			Learned json.RawMessage `json:"learned"`
		}
		if err = json.Unmarshal(answer, &numbers); err == nil {
			store := state.OpenLearned(env.host().StateDir())
			if limits {
				err = store.Keep(ctx, numbers.Learned)
			} else {
				err = store.KeepCorrections(ctx, numbers.Learned)
			}
		}
	}
	if err != nil {
		env.errorf("%s", err)
	}
}

// printLine prints one line of a command's result.
func (env *environment) printLine(text []byte) error {
	_, err := env.Stdout.Write(append(text, '\n'))
	return err
}

// withSchema puts the name of a format in front of the members of an answer of the core.
func withSchema(schema string, object []byte) []byte {
	return append([]byte(`{"schema":"`+schema+`",`), object[1:]...)
}

// printJSON prints a command's result as one line of JSON, and returns the exit code of the command.
func (env *environment) printJSON(value any) int {
	line, err := json.Marshal(value)
	if err == nil {
		err = env.printLine(line)
	}
	if err != nil {
		return env.fail(err)
	}
	return exitOK
}
