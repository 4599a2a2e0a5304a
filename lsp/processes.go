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
	// claimsEvery is how often the agents' own files about their processes are read, and processesEvery how often all
	// processes are listed, while somebody watches.
	claimsEvery    = 2 * time.Second
	processesEvery = 10 * time.Second
	// freshEnough is how old a list of processes may be to answer a question about a terminal.
	freshEnough = 500 * time.Millisecond
)

// heldSessions is what is known of the agents' processes.
type heldSessions struct {
	mu        sync.Mutex // guards the fields below
	at        time.Time  // when the processes were last listed
	processes []process.Process
	claims    []transcript.Claim
	holdings  []process.Holding
	listed    []transcript.Session // those carried on since the oldest agent that runs was started, read or not
}

// A fileSession is the file of a session that was found, and what is known of the session besides its Reading. The
// session's mu guards it.
type fileSession struct {
	transcript.Session
	cleared *bool // the transcript begins with a /clear; nil before it was looked at
	holding *process.Holding
	held    bool      // a process was known to hold it, and was not seen to end
	maybe   bool      // a process may hold it, but nothing proves that
	absent  bool      // no process on this machine can run it
	gone    time.Time // when the process that held it was missed; zero while there is one, or if there never was
	applied string    // the activity that the session was given last, "" for none
	titled  time.Time // the time of the index from which its title was read
}

// attend watches the agents' processes until ctx ends.
func (w *watcher) attend(ctx context.Context) {
	tick := time.NewTicker(claimsEvery)
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

// lookAround finds out which process holds which session, and tells the sessions for which that changes something. It
// lists processes again when the list is old, when an agent's own files have changed, or when now is set.
func (w *watcher) lookAround(now bool) {
	h := &w.holders
	h.mu.Lock()
	defer h.mu.Unlock()
	claims := process.Claims(w.server.options.Source.Environment())
	age := time.Since(h.at)
	if age > processesEvery || now && age > freshEnough || !reflect.DeepEqual(claims, h.claims) {
		h.processes, h.claims, h.at = process.Agents(w.server.processes()), claims, time.Now()
		h.listed = w.listed(oldestAgent(h.processes))
	}
	sessions := w.server.all(func(s *session) bool { return s.origin != nil && s.origin.Parent == "" })
	h.holdings = process.Resolve(h.processes, h.claims, w.known(sessions, h))
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
			o.gone, o.held = time.Time{}, true
		case o.maybe:
			o.gone = time.Time{} // an agent that ends removes its own file first, so that moment proves nothing
		case o.held:
			o.gone, o.held = at, false
		}
		word, _ := s.activity(at)
		look := s.reading != nil && (word.key() != o.applied || o.retitled())
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

// readHeld has every session read that a process is known to hold, however long it has been silent, and the likeliest
// of those that it may hold, among which a person chooses.
func (w *watcher) readHeld(h *heldSessions, sessions []*session) {
	read := map[string]bool{}
	for _, s := range sessions {
		read[s.origin.ID] = true
	}
	more := false
	want := func(id, dir string) {
		if id == "" || read[id] {
			return
		}
		wanted := false
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

// likeliest lists the session that a process holds, and the first of those that it may hold. The list of the candidates
// stays as it is: each of them is one that nobody may take for ended.
func likeliest(h *process.Holding) []string {
	return append(slices.Clone(h.Candidates[:min(len(h.Candidates), readAtOnce)]), h.Session)
}

// oldestAgent is the start of the agent that has run for longest; it is zero where none runs.
func oldestAgent(processes []process.Process) (oldest time.Time) {
	for i := range processes {
		if p := &processes[i]; p.Agent != "" && (oldest.IsZero() || p.Started.Before(oldest)) {
			oldest = p.Started
		}
	}
	return oldest
}

// listed lists the sessions that an agent which runs may hold. It reads none of them.
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

// known lists what tells which process holds which session, of the sessions that are read and of those that are not:
// another one that began in the same folder takes the certainty from the first.
func (w *watcher) known(sessions []*session, h *heldSessions) []process.Session {
	oldest := oldestAgent(h.processes)
	out := make([]process.Session, 0, len(sessions)+len(h.listed))
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

// lastRecord is the time of a session's last record; s.mu is held.
func (s *session) lastRecord() time.Time {
	if s.summary.asOf > 0 {
		return time.UnixMilli(s.summary.asOf)
	}
	if info, err := os.Stat(s.origin.Path); err == nil && s.origin.Key == "" {
		return info.ModTime()
	}
	return s.origin.Modified
}

// An activityNow is the activity of an agent, as its session gets it.
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

// activity is what is known of an agent's activity besides its records, and whether anything is; s.mu is held. A record
// is always newer than a look at a process.
func (s *session) activity(now time.Time) (activityNow, bool) {
	o, last := s.origin, s.lastRecord()
	idle, silent := activityNow{activity: "idle", since: last.UnixMilli()}, now.Sub(last)
	switch {
	case o.Parent != "":
		return activityNow{}, false
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
			return activityNow{}, false
		}
		claim.since = o.holding.Updated.UnixMilli()
		return claim, true
	case o.maybe:
		return activityNow{}, false
	case !o.gone.IsZero() && !last.After(o.gone):
		return activityNow{activity: "ended", since: o.gone.UnixMilli()}, true
	case silent > process.IdleAfter:
		return idle, true
	case o.absent && silent > process.AbsentAfter && (s.summary.working || o.applied == idle.key()):
		return idle, true // its records end in the middle of work, and its agent does not run
	}
	return activityNow{}, false
}

// waitedFor says what Claude Code waits for. It says so in its own words; all but input is an approval.
func waitedFor(words string) string {
	if words = strings.ToLower(words); strings.Contains(words, "input") || strings.Contains(words, "prompt") && !strings.Contains(words, "permission") {
		return "prompt"
	}
	return "approval"
}

// retitled says whether the index with the session's title was written after the title was read; the session's mu is
// held.
func (o *fileSession) retitled() bool {
	path := agents.TitleIndex(o.Session)
	if path == "" {
		return false
	}
	info, err := os.Stat(path)
	return err == nil && !info.ModTime().Equal(o.titled)
}

// knows is called after a session's records were read, and gives the session what they do not tell.
func (w *watcher) knows(feed *follow.Feed, reading []byte) *api.UpdateParams {
	w.server.mu.Lock()
	s := w.server.sessions[keyOf("", feed.ID)]
	w.server.mu.Unlock()
	if s == nil || s.origin == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.origin
	if reading != nil { // the new records may have ended what was said before
		o.applied = ""
		if sum, ok := summarise(reading, s.summary); ok {
			s.summary.asOf = sum.asOf
		}
	}
	params, some := &api.UpdateParams{ID: feed.ID}, false
	said, _ := s.activity(w.server.options.Now())
	if key := said.key(); key != o.applied {
		o.applied = key
		activity, since := api.Activity(said.activity), api.Time(said.since)
		params.Activity, params.WaitingFor, some = &activity, api.WaitingFor(said.waitingFor), true
		if said.activity != "" {
			params.Since = &since
		}
	}
	if path := agents.TitleIndex(o.Session); path != "" {
		if info, err := os.Stat(path); err == nil && !info.ModTime().Equal(o.titled) {
			o.titled = info.ModTime()
			if title := agents.IndexedTitle(o.Session); title != "" {
				params.Title, some = &title, true
			}
		}
	}
	if !some {
		return nil
	}
	return params
}

// processes is the system that lists processes.
func (s *Server) processes() process.System {
	if s.options.Processes != nil {
		return s.options.Processes
	}
	return process.Host()
}
