// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/pflag"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/conversation"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/focus"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// host returns the environment for this user's sessions and state, limited to the agents that may be read.
func (env *environment) host() dirs.Environment {
	host := env.places()
	if a := env.allowed(); !a.user.all || !a.administrator.all {
		host.Allowed = a.has
	}
	return host
}

// places returns host without that limit.
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

// outputFlags contains the flags for how a command draws its output.
type outputFlags struct {
	color *choice
	plain *bool
}

func lookFlags(fs *pflag.FlagSet) outputFlags {
	plain := fs.Bool("plain", false, "use ASCII and no color")
	return outputFlags{colorFlag(fs), plain}
}

func (l outputFlags) style(env *environment) terminal.Style {
	return terminal.Style{
		Color:   env.color(l.color.value) && !*l.plain,
		Unicode: !*l.plain && terminal.UnicodeLocale(runtime.GOOS, env.Getenv),
		Width:   env.Columns,
	}
}

// nativeEngine returns the engine of commands that run only briefly.
func nativeEngine(env *environment, instances int) (*engine.Pool, error) {
	return engine.Native(withAdded(env, engine.Options{Instances: instances}))
}

// taughtEngine returns a nativeEngine that has what earlier sessions have taught.
func taughtEngine(ctx context.Context, env *environment) (*engine.Pool, error) {
	e, err := nativeEngine(env, 1)
	if err != nil {
		return nil, err
	}
	if err := teach(ctx, env, e); err != nil {
		e.Close()
		return nil, err
	}
	return e, nil
}

// chooseSession finds the session that a command line names: by the path of a transcript, by an id or its beginning, or
// by words of its title; "-" reads the name from standard input. Without a name it returns the current session, and
// prints a hint if there are others.
func chooseSession(ctx context.Context, env *environment, word string) (transcript.Session, []transcript.Session, error) {
	found, err := findSession(ctx, env, word)
	env.hintWhich(found)
	return found.Session, found.Children, err
}

// hintWhich prints which of several sessions was chosen.
func (env *environment) hintWhich(found focus.Found) {
	if found.Which != "" {
		env.hintf("this is session %s, %s", found.Session.ID, found.Which)
	}
}

// findSession is chooseSession without the hint.
func findSession(ctx context.Context, env *environment, word string) (focus.Found, error) {
	search := env.search()
	if env.finder == nil {
		places := env.host()
		places.Distributions = word != "" || agents.InDistribution(env.Dir)
		search.Finder = sessions.NewFinder(places)
	}
	search.Finder.Hold()
	defer func() { env.late(search.Finder.Late()) }()
	if word == "" {
		return search.Front(ctx)
	}
	if word == "-" {
		lines := bufio.NewScanner(env.input())
		for word == "-" && lines.Scan() {
			if name := strings.TrimSpace(lines.Text()); name != "" {
				word = name
			}
		}
		if word == "-" {
			return focus.Found{}, errors.New("standard input contains no name of a session")
		}
	}
	path := word
	if !filepath.IsAbs(path) {
		path = filepath.Join(env.Dir, path)
	}
	if s, ok, err := env.sessionIn(ctx, path); ok {
		return focus.Found{Session: s}, err
	}
	return search.Named(ctx, word)
}

// search returns a search for the session that the user means.
func (env *environment) search() *focus.Search {
	return &focus.Search{Finder: cmp.Or(env.finder, sessions.NewFinder(env.host())), Dir: env.Dir, Now: env.Now, Processes: env.Processes, Opening: conversation.Opening}
}

// repository returns the root of the repository that contains a directory, or "".
func repository(dir string) string { return focus.Repository(dir) }

// chooseFailed reports a session that could not be chosen.
func (env *environment) chooseFailed(err error) int {
	env.errorf("%s", err)
	if errors.Is(err, focus.ErrNoSession) {
		const searched = "ctx-lsp doctor lists the searched directories"
		if env.missing || env.hasSessions() {
			env.hintf("ctx-lsp sessions lists the sessions of other directories; " + searched)
		} else {
			env.hintf("no agent has left a session on this machine; " + searched)
		}
	}
	if errors.Is(err, focus.ErrUnknownName) {
		env.hintf("ctx-lsp sessions lists the sessions with their ids and titles")
	}
	if env.missing {
		return exitPart // it may be among what did not answer
	}
	return exitError
}

// hasSessions reports whether this machine has a session of any agent in any directory.
func (env *environment) hasSessions() bool {
	found, _, err := sessions.NewFinder(env.host()).Find(context.Background(), sessions.Query{Limit: 1})
	return err != nil || len(found) > 0
}

// readSession reads a session and its sub-agents into an engine, and returns the Reading.
func readSession(ctx context.Context, env *environment, e engine.Engine, s transcript.Session, children []transcript.Session) ([]byte, error) {
	bar := newProgress(env, "reading", s.Size+totalSize(children))
	defer bar.clear()
	return env.machine().Read(ctx, bar.through(e.Call), s, children, func(child transcript.Session, err error) {
		env.errorf("the sub-agent %s is not shown: %s", child.ID, err)
	})
}

// machine returns this machine for reading sessions.
func (env *environment) machine() *follow.Machine {
	return &follow.Machine{Host: env.host(), HidePaths: env.hidePaths, Windows: env.windows()}
}

// windows returns the windows that agents have reported outside their records.
func (env *environment) windows() state.ReportedWindows {
	return state.ReportedWindowsIn(env.host().StateDir())
}

// teach passes the learned corrections of earlier sessions to an engine.
func teach(ctx context.Context, env *environment, e engine.Engine) error {
	return follow.Teach(ctx, e.Call, state.OpenLearned(env.host().StateDir()), env.Now())
}

// keepLearned saves the corrections learned by an engine, with or without those about limits.
func keepLearned(ctx context.Context, env *environment, e engine.Engine, limits bool) {
	if err := follow.KeepLessons(ctx, e.Call, state.OpenLearned(env.host().StateDir()), limits); err != nil {
		env.errorf("%s", err)
	}
}

// jsonOut returns standard output for JSON: a terminal gets characters that it would obey as escapes.
func (env *environment) jsonOut() io.Writer {
	if env.StdoutTerminal {
		return terminal.JSONWriter{To: env.Stdout}
	}
	return env.Stdout
}

// printLine prints one line of a command's result.
func (env *environment) printLine(text []byte) error {
	_, err := env.jsonOut().Write(append(text, '\n'))
	return err
}

// withSchema adds the name of a format in front of the members of a result of the core.
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
