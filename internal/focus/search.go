// Copyright The ctx-lsp authors. MIT licence.

package focus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/process"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// ErrNoSession is the error of a search that has found no session.
var ErrNoSession = errors.New("no session of a coding agent was found")

// ErrUnknownName is the error of a search for a name that no session has.
var ErrUnknownName = errors.New("no file or session is called")

// MaxChoices is the maximum number of sessions of a directory to choose from, the newest ones.
const MaxChoices = 200

// A Search finds the session that a user means, among those of this machine.
type Search struct {
	Finder *sessions.Finder
	Dir    string // the working directory
	Now    func() time.Time
	// Processes lists processes; nil for those of this system.
	Processes process.System
	// NotBelow leaves out sessions of directories below Dir, unless both are in one repository.
	NotBelow bool
	// Opening, if set, returns the first words of a session without a title.
	Opening func(context.Context, transcript.Session) string
}

// Found is the session that a user means.
type Found struct {
	Session  transcript.Session
	Children []transcript.Session // its sub-agents
	Which    string               // the session among the others, as a clause; "" if there is only one, or it was named
}

// Front returns the session to show if none is named: the one whose agent runs this command, otherwise one that was
// started here. "Here" is the repository that contains the working directory (otherwise that directory) and the
// directories above it.
func (s *Search) Front(ctx context.Context) (Found, error) {
	list, choice, ok, err := s.Here(ctx, time.Time{})
	if err != nil {
		return Found{}, err
	}
	if !ok {
		return Found{}, fmt.Errorf("%w in %s", ErrNoSession, s.Dir)
	}
	found := Found{Session: list[choice.Index]}
	if len(list) > 1 {
		found.Which = choice.Which
	}
	found.Children, err = s.Children(ctx, found.Session)
	return found, err
}

// Here returns the sessions of the directory that changed since a time (zero for any), and picks the current one. ok is
// false if there is none. Every front end without an editor picks by it.
func (s *Search) Here(ctx context.Context, since time.Time) (list []transcript.Session, choice Choice, ok bool, err error) {
	front := Look("", s.Dir)
	list, _, err = s.Finder.Find(ctx, sessions.Query{Near: front.Workspace, Limit: MaxChoices, Since: since})
	if err != nil {
		return nil, choice, false, err
	}
	for i := range list {
		// Agents that record only a fingerprint of the directory have recorded that of this one.
		list[i].Workspace = cmp.Or(list[i].Workspace, front.Workspace)
	}
	processes := process.Agents(s.processes())
	unplaced, err := s.unplaced(ctx, processes, front.Workspace)
	if err != nil {
		return nil, choice, false, err
	}
	list = append(list, unplaced...)
	if s.NotBelow && Repository(s.Dir) == "" {
		list = slices.DeleteFunc(list, func(one transcript.Session) bool { return !Within(one.Workspace, s.Dir) })
	}
	choice, ok = s.choose(front, list, processes)
	return list, choice, ok, nil
}

// unplaced returns sessions without a recorded directory. Each gets the directory of its agent's only process, if that
// is near a workspace.
func (s *Search) unplaced(ctx context.Context, processes []process.Process, workspace string) ([]transcript.Session, error) {
	var found []transcript.Session
	for i := range processes {
		p := &processes[i]
		if a := agents.ByID(p.Agent); a == nil || !a.NoDirectory || p.Dir == "" || !Near(workspace, p.Dir) {
			continue
		}
		rival := func(other process.Process) bool { return other.Agent == p.Agent && other.Dir != p.Dir }
		if slices.ContainsFunc(processes, rival) {
			continue
		}
		list, _, err := s.Finder.Find(ctx, sessions.Query{Agent: p.Agent, Since: p.Started})
		if err != nil {
			return nil, err
		}
		for _, one := range list {
			known := func(other transcript.Session) bool { return other.Path == one.Path }
			if one.Workspace == "" && !slices.ContainsFunc(found, known) {
				one.Workspace = p.Dir
				found = append(found, one)
			}
		}
	}
	return found, nil
}

// Named returns the session with an id, or the only one whose id has this beginning; otherwise the only one of the
// newest whose title contains the name, ignoring case.
func (s *Search) Named(ctx context.Context, name string) (Found, error) {
	list, _, err := s.Finder.Find(ctx, sessions.Query{ID: name})
	if err != nil {
		return Found{}, err
	}
	if exact := slices.DeleteFunc(slices.Clone(list), func(one transcript.Session) bool { return one.ID != name }); len(exact) > 0 {
		list = exact
	}
	described := func(one transcript.Session) string { return one.ID }
	if len(list) == 0 {
		titles := map[string]string{}
		if list, err = s.titled(ctx, name, titles); err != nil {
			return Found{}, err
		}
		described = func(one transcript.Session) string { return fmt.Sprintf("%.8s (%s)", one.ID, titles[one.ID]) }
	}
	switch len(list) {
	case 0:
		return Found{}, fmt.Errorf("%w %q", ErrUnknownName, name)
	case 1:
		children, err := s.Children(ctx, list[0])
		return Found{Session: list[0], Children: children}, err
	}
	var ids []string
	for _, one := range list {
		if len(ids) == 5 {
			ids = append(ids, "…")
			break
		}
		ids = append(ids, described(one))
	}
	return Found{}, fmt.Errorf("%q matches %d sessions: %s", name, len(list), strings.Join(ids, ", "))
}

// titled returns the newest sessions whose titles contain the words, and adds these titles to the map.
func (s *Search) titled(ctx context.Context, words string, titles map[string]string) ([]transcript.Session, error) {
	words = strings.ToLower(strings.Join(strings.Fields(words), " "))
	if words == "" {
		return nil, nil
	}
	list, _, err := s.Finder.Find(ctx, sessions.Query{Limit: MaxChoices})
	return slices.DeleteFunc(list, func(one transcript.Session) bool {
		title := sessions.Title(one)
		if title == "" && s.Opening != nil {
			title = s.Opening(ctx, one)
		}
		titles[one.ID] = title
		return !strings.Contains(strings.ToLower(title), words)
	}), err
}

// Children returns the sub-agents of a session.
func (s *Search) Children(ctx context.Context, of transcript.Session) ([]transcript.Session, error) {
	family, _, err := s.Finder.Find(ctx, sessions.Query{ID: of.ID, Children: true})
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(family, func(c transcript.Session) bool { return c.Parent == "" || c.ID == of.ID }), nil
}

// Choose picks one of the sessions, based on which of them the agents' processes run.
func (s *Search) Choose(front Front, list []transcript.Session) (Choice, bool) {
	return s.choose(front, list, process.Agents(s.processes()))
}

func (s *Search) processes() process.System {
	if s.Processes != nil {
		return s.Processes
	}
	return process.Host()
}

func (s *Search) choose(front Front, list []transcript.Session, processes []process.Process) (Choice, bool) {
	known := make([]process.Session, 0, len(list))
	for _, one := range list {
		known = append(known, process.Session{
			ID: one.ID, Agent: one.Agent, Path: one.Path, Dir: one.Workspace, Begun: one.Started, Last: one.Modified,
			Cleared: len(list) > 1 && agents.Cleared(one.Agent, one.Path),
		})
	}
	holdings := process.Resolve(processes, process.Claims(s.Finder.Environment()), known)
	held := process.Held(holdings)
	if h, ok := process.Above(os.Getpid(), processes, holdings); ok && h.Session != "" {
		front.Held, front.HeldWhy, front.ByProcess = h.Session, h.Reason, true
	}
	choices := make([]Session, 0, len(list))
	for _, one := range list {
		choices = append(choices, Session{
			ID: one.ID, Dir: one.Workspace, Newest: one.Modified.UnixMilli(), Live: held[one.ID] || s.Now().Sub(one.Modified) < process.IdleAfter,
		})
	}
	return Choose(front, choices)
}
