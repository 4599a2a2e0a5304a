// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/process"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

const (
	// claimsEvery is how often the agents' own files about their processes are read while a client watches, and
	// processesEvery how often all processes are listed. Tests use less.
	claimsEvery    = 2 * time.Second
	processesEvery = 10 * time.Second
	// freshEnough is how old a list of processes may be to answer a request about a terminal.
	freshEnough = 500 * time.Millisecond
)

// heldSessions describes the agents' processes and the sessions that they run.
type heldSessions struct {
	mu        sync.Mutex // guards the fields below
	at        time.Time  // when the processes were last listed
	processes []process.Process
	claims    []transcript.Claim
	holdings  []process.Holding
	listed    []transcript.Session // sessions changed since the oldest running agent was started, read or not
}

// A fileSession is the file of a found session, and what is known about the session apart from its Reading. It is
// guarded by the session's mu.
type fileSession struct {
	transcript.Session
	cleared      *bool // whether the transcript begins with a /clear; nil until it was checked
	holding      *process.Holding
	held         bool      // a process was known to run it, and its end has not been noticed
	maybe        bool      // a process may run it, but that is not certain
	absent       bool      // no process on this machine can run it
	missingSince time.Time // when its process was first missing; zero while there is one, and if there never was
	applied      string    // the activity that was last passed to the session, "" for none
	titled       time.Time // the time of the index that its title was read from
}

// attend watches the agents' processes until ctx ends.
func (w *watcher) attend(ctx context.Context) {
	defer w.server.survive("watching processes")
	tick := time.NewTicker(w.claimsEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			w.lookAround(false)
		}
	}
}

// lookAround determines which process runs which session, and updates the sessions affected. It lists the processes
// again if the list is old, if an agent's own files have changed, or if now is set.
func (w *watcher) lookAround(now bool) {
	h := &w.holders
	h.mu.Lock()
	defer h.mu.Unlock()
	claims := process.Claims(w.server.options.Source.Environment())
	age := time.Since(h.at)
	if age > w.processesEvery || now && age > freshEnough || !reflect.DeepEqual(claims, h.claims) {
		h.processes, h.claims, h.at = process.Agents(w.server.processes()), claims, time.Now()
		h.listed = w.listed(oldestAgent(h.processes))
	}
	sessions := w.server.all(func(s *session) bool { return s.origin != nil && s.origin.Parent == "" })
	h.holdings = process.Resolve(h.processes, h.claims, w.resolvable(sessions, h))
	w.readHeld(h, sessions)
	holding, maybe := map[string]*process.Holding{}, map[string]bool{}
	for i := range h.holdings {
		if each := &h.holdings[i]; each.Session != "" {
			holding[each.Session] = each
		}
		for _, id := range h.holdings[i].Candidates {
			maybe[id] = true
		}
	}
	at := w.server.options.Now()
	for _, s := range sessions {
		s.mu.Lock()
		o := s.origin
		o.holding, o.maybe = holding[o.ID], maybe[o.ID]
		o.absent = process.Absent(h.processes, h.holdings, o.Agent, o.Workspace)
		switch {
		case o.holding != nil:
			o.missingSince, o.held = time.Time{}, true
		case o.maybe:
			o.missingSince = time.Time{} // an ending agent removes its own file first, so this proves nothing
		case o.held:
			o.missingSince, o.held = at, false
		}
		word := s.activity(at)
		look := s.reading != nil && (word.key() != o.applied || !o.titleTime().Equal(o.titled))
		s.mu.Unlock()
		if look {
			w.look(s.id)
		}
	}
}

func (w *watcher) look(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.follower != nil {
		w.follower.Look(id)
	}
}

// readHeld has every session read that a process is known to run, however old, and the likeliest of those that it may
// run, so that the user can choose among them.
func (w *watcher) readHeld(h *heldSessions, sessions []*session) {
	read := map[string]bool{}
	for _, s := range sessions {
		read[s.origin.ID] = true
	}
	var more bool
	want := func(id, dir string) {
		if id == "" || read[id] {
			return
		}
		var wanted bool
		w.server.eachWatching(func(_ *connection, each *watch) { wanted = wanted || each.wants(dir) })
		more = wanted && w.also(id) || more
	}
	for i := range h.claims {
		claim := &h.claims[i]
		if slices.ContainsFunc(h.processes, func(p process.Process) bool { return p.PID == claim.PID }) {
			want(claim.Session, claim.Dir)
		}
	}
	for i := range h.holdings {
		for _, id := range likeliest(&h.holdings[i]) {
			if at := slices.IndexFunc(h.listed, func(s transcript.Session) bool { return s.ID == id }); at >= 0 {
				want(id, h.listed[at].Workspace)
			}
		}
	}
	if more {
		w.want()
	}
}

// likeliest lists the session that a process runs, and the first of those that it may run. It does not change
// h.Candidates, because none of them may be treated as ended.
func likeliest(h *process.Holding) []string {
	return append(slices.Clone(h.Candidates[:min(len(h.Candidates), readAtOnce)]), h.Session)
}

// oldestAgent returns the start of the agent that has run longest, or the zero time if none runs.
func oldestAgent(processes []process.Process) (oldest time.Time) {
	for i := range processes {
		if p := &processes[i]; p.Agent != "" && (oldest.IsZero() || p.Started.Before(oldest)) {
			oldest = p.Started
		}
	}
	return oldest
}

// listed lists the sessions that a running agent may hold, without reading them. It returns nil if oldest is zero.
func (w *watcher) listed(oldest time.Time) []transcript.Session {
	if oldest.IsZero() {
		return nil
	}
	found, _, err := w.server.options.Source.Find(context.Background(), sessions.Query{Since: oldest})
	if err != nil {
		return nil
	}
	return found
}

// resolvable returns the data for matching processes with sessions. It includes unread sessions, because a match is no
// longer certain if another session began in the same folder.
func (w *watcher) resolvable(sessions []*session, h *heldSessions) []process.Session {
	oldest := oldestAgent(h.processes)
	var out []process.Session
	read := map[string]bool{}
	for _, s := range sessions {
		s.mu.Lock()
		o := s.origin
		read[o.ID] = true
		each := process.Session{ID: o.ID, Agent: o.Agent, Path: o.Path, Dir: o.Workspace, Begun: o.Started, Last: s.lastRecord()}
		if agents.WritesClaims(o.Agent) && !oldest.IsZero() && o.Started.After(oldest) {
			if o.cleared == nil {
				cleared := agents.Cleared(o.Agent, o.Path)
				o.cleared = &cleared
			}
			each.Cleared = *o.cleared
		}
		s.mu.Unlock()
		out = append(out, each)
	}
	for i := range h.listed {
		o := &h.listed[i]
		if read[o.ID] {
			continue
		}
		out = append(out, process.Session{
			ID: o.ID, Agent: o.Agent, Path: o.Path, Dir: o.Workspace, Begun: o.Started, Last: o.Modified,
			Cleared: o.Started.After(oldest) && agents.Cleared(o.Agent, o.Path),
		})
	}
	return out
}

// lastRecord returns the time of a session's last record; s.mu must be held.
func (s *session) lastRecord() time.Time {
	if s.summary.asOf != 0 {
		return time.UnixMilli(s.summary.asOf)
	}
	if info, err := os.Stat(s.origin.Path); err == nil && s.origin.Key == "" {
		return info.ModTime()
	}
	return s.origin.Modified
}

// An activityNow is an agent's activity in the form that its session gets it.
type activityNow struct {
	activity, waitingFor string
	since                int64
}

func (w activityNow) key() string {
	if w.activity == "" {
		return ""
	}
	key, _ := json.Marshal([]any{w.activity, w.waitingFor, w.since}) // these always encode
	return string(key)
}

// activity returns the agent's activity as its processes show it, empty if they show none; s.mu must be held. Records
// take precedence, because they are newer than a process check.
func (s *session) activity(now time.Time) activityNow {
	o, last := s.origin, s.lastRecord()
	idle, silent := activityNow{activity: "idle", since: last.UnixMilli()}, now.Sub(last)
	switch {
	case o.Parent != "":
		return activityNow{}
	case o.holding != nil:
		var claim activityNow
		switch o.holding.Status {
		case "busy":
			claim.activity = "working"
		case "waiting":
			claim.activity, claim.waitingFor = "waiting", waitedFor(o.holding.WaitingFor)
		case "idle":
			claim.activity, claim.waitingFor = "waiting", "prompt"
		}
		if claim.activity == "" || o.holding.Updated.Before(last.Add(-time.Second)) {
			return activityNow{}
		}
		claim.since = o.holding.Updated.UnixMilli()
		return claim
	case o.maybe:
		return activityNow{}
	case !o.missingSince.IsZero() && !last.After(o.missingSince):
		return activityNow{activity: "ended", since: o.missingSince.UnixMilli()}
	case process.Idle(false, o.absent, s.summary.working || o.applied == idle.key(), silent):
		return idle
	}
	return activityNow{}
}

// waitedFor converts Claude Code's description of what it waits for. Everything except input is an approval.
func waitedFor(words string) string {
	if words = strings.ToLower(words); strings.Contains(words, "input") || strings.Contains(words, "prompt") && !strings.Contains(words, "permission") {
		return "prompt"
	}
	return "approval"
}

// titleTime returns the modification time of the index with the session's title, or that of the last one read if it
// cannot be read; the session's mu must be held.
func (o *fileSession) titleTime() time.Time {
	info, err := os.Stat(agents.TitleIndex(o.Session))
	if err != nil {
		return o.titled
	}
	return info.ModTime()
}

// unrecorded is called after a session's records were read. It returns the changes that the records do not contain, or
// nil.
func (w *watcher) unrecorded(feed *follow.Feed, reading []byte) *api.UpdateParams {
	w.server.mu.Lock()
	s := w.server.sessions[keyOf("", feed.ID)]
	w.server.mu.Unlock()
	if s == nil || s.origin == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.origin
	if reading != nil { // the new records may have ended the last activity
		o.applied = ""
		if sum, ok := summarize(reading, s.summary); ok {
			s.summary.asOf = sum.asOf
		}
	}
	params := &api.UpdateParams{ID: feed.ID}
	var some bool
	current := s.activity(w.server.options.Now())
	if key := current.key(); key != o.applied {
		o.applied = key
		activity, since := api.Activity(current.activity), api.Time(current.since)
		params.Activity, params.WaitingFor, some = &activity, api.WaitingFor(current.waitingFor), true
		if current.activity != "" {
			params.Since = &since
		}
	}
	if at := o.titleTime(); !at.Equal(o.titled) {
		o.titled = at
		if title := agents.IndexedTitle(o.Session); title != "" {
			params.Title, some = &title, true
		}
	}
	if !some {
		return nil
	}
	return params
}

// processes returns the system that lists processes.
func (s *Server) processes() process.System {
	if s.options.Processes != nil {
		return s.options.Processes
	}
	return process.Host()
}
