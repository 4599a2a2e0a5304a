// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/sqlite"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// A Follower reads sessions into an engine while they grow, and notices new ones.
//
// It notices changes by the system's notifications where those are cheap, and otherwise by checking sizes and times;
// see notice.go. A change is in the engine, and OnUpdate was called, well within 200 ms of the write.
type Follower struct {
	Finder *sessions.Finder
	Call   client.Call
	// OnUpdate is called with each change. Several goroutines call it, but for one session only one at a time.
	OnUpdate func(Update)
	// Prepare, if set, may change a feed before its first Read.
	Prepare func(*Feed)
	// Knows, if set, is called after every check of an open session. It returns changes that the records do not
	// contain, or nil. The Reading is nil if nothing was read. Several goroutines call Knows, but for one session only
	// one at a time.
	Knows func(feed *Feed, reading []byte) *api.UpdateParams
	// Windows, if set, returns the windows that agents have reported outside their records. The engine gets a change at
	// the next check of the files.
	Windows Windows
	// OnSearched, if set, is called once, when the first search has ended.
	OnSearched func()
	// Pace, if set, limits the cost of following: a session is read again only after this time multiplied by the number
	// of followed sessions. With a pace of 10 ms, two hundred sessions are each read every two seconds, and five after
	// 50 ms.
	Pace time.Duration

	wantedMu sync.Mutex // guards wanted and only
	wanted   []sessions.Query
	only     []transcript.Session

	followedMu sync.Mutex // guards followed
	followed   map[string]*followed
	checks     int       // checks that Run has made
	windowsAt  time.Time // the last change of Windows that Run has applied

	searched atomic.Bool // the first search has ended

	changed chan struct{}
	reading chan struct{} // contains a token for each core; a goroutine may read while it has one
}

// Update is a change of one session.
type Update struct {
	Session transcript.Session
	ID      string // the id in the engine
	// Reading is the session's Reading after the change; nil without a new one.
	Reading []byte
	// First is set for the first Reading of a session, and for those of parts before it.
	First bool
	// Part is set if the session has records that are not read yet, because reading them takes longer than publishEvery.
	// The Reading is marked, and another one follows.
	Part bool
	// Removed is set if the session is no longer on disk or no longer wanted; it was closed in the engine.
	Removed bool
	// Allowance is the agent's last report of its account's limits; nil for none.
	Allowance *api.Allowance
	// Problem says why the session cannot be read now. Reading is tried again at the next change.
	Problem string
}

const (
	// lookEvery is how often the followed files are checked if the system does not report changes.
	lookEvery = 100 * time.Millisecond
	// lookAnyway is how often they are checked if it does, because network directories and mounts of other systems
	// change without a report.
	lookAnyway = time.Second
	// publishEvery is how often the Reading of a session is published whose records take longer to read.
	publishEvery = time.Second
	// searchEvery is how often new sessions are searched for, in addition to changes reported for a directory. If a
	// search takes long, only the directories are checked, and searching costs at most 0.05% of CPU time while they do
	// not change, and 1% while they do.
	searchEvery = 5 * time.Second
	// checkAtLeast is the longest time between two checks of the directories that contain sessions.
	checkAtLeast = 6 * searchEvery
	// maxFollowed is how many sessions are followed; the most recently changed ones are chosen.
	maxFollowed = 500
	// restful is the age of the last change after which a session is checked only every restfulLooks times.
	restful      = 10 * time.Minute
	restfulLooks = 5
	// graceForAbsent is how long the file of a session may be missing before the session is dropped, because agents
	// replace files, and decompress them again.
	graceForAbsent = 10 * time.Second
)

// NewFollower returns a Follower that follows the sessions passed to Want once Run is called.
func NewFollower(finder *sessions.Finder, call client.Call, onUpdate func(Update)) *Follower {
	return &Follower{
		Finder: finder, Call: call, OnUpdate: onUpdate,
		followed: map[string]*followed{},
		changed:  make(chan struct{}, 1),
		reading:  make(chan struct{}, runtime.GOMAXPROCS(0)),
	}
}

// Want replaces the queries for sessions to follow. A followed session stays as long as a query finds it.
func (f *Follower) Want(queries ...sessions.Query) {
	f.wantedMu.Lock()
	f.wanted, f.only = slices.Clone(queries), nil
	f.wantedMu.Unlock()
	f.search()
}

// Only follows the given sessions, wherever they are, while their files exist, and searches for no others.
func (f *Follower) Only(sessions ...transcript.Session) {
	f.wantedMu.Lock()
	f.wanted, f.only = nil, slices.Clone(sessions)
	f.wantedMu.Unlock()
	f.search()
}

// search starts a search for new sessions soon.
func (f *Follower) search() {
	select {
	case f.changed <- struct{}{}:
	default:
	}
}

// Sessions returns the followed sessions, most recently changed first.
func (f *Follower) Sessions() []transcript.Session {
	f.followedMu.Lock()
	defer f.followedMu.Unlock()
	var sessions []transcript.Session
	for _, w := range f.followed {
		sessions = append(sessions, w.feed.Session)
	}
	slices.SortFunc(sessions, func(a, b transcript.Session) int { return b.Modified.Compare(a.Modified) })
	return sessions
}

// ReadAgain rereads, from the beginning, the followed sessions with these ids in the engine, because the engine has
// lost the state of their readers. It returns how many there are.
func (f *Follower) ReadAgain(ids []string) int {
	f.followedMu.Lock()
	defer f.followedMu.Unlock()
	n := 0
	for _, w := range f.followed {
		if slices.Contains(ids, w.feed.ID) {
			w.again.Store(true)
			w.poke()
			n++
		}
	}
	return n
}

// Look has the session with this id in the engine checked soon, even if it has not changed.
func (f *Follower) Look(id string) {
	f.followedMu.Lock()
	defer f.followedMu.Unlock()
	for _, w := range f.followed {
		if w.feed.ID == id {
			w.poke()
		}
	}
}

// followed is one session and the goroutine that reads it.
type followed struct {
	feed     *Feed
	wake     chan struct{}
	stop     context.CancelFunc
	done     chan struct{}
	ready    chan struct{}    // closed after the first read
	seen     transcript.State // the state of the file at the last check
	absent   time.Time        // since when no search has found it
	reported bool             // a Reading was reported
	again    atomic.Bool      // it must be reread from the beginning
}

// Searched reports whether the first search has ended, so that Sessions contains the existing ones.
func (f *Follower) Searched() bool { return f.searched.Load() }

// Run follows sessions until ctx ends. It does not close them then, so the engine keeps everything read.
func (f *Follower) Run(ctx context.Context) error {
	notices := newNotices()
	defer notices.close()
	defer f.stopAll()
	f.windowsChanged()

	look := time.NewTicker(notices.lookEvery())
	defer look.Stop()
	var next schedule
	soon := time.NewTimer(0)
	defer soon.Stop()

	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case path := <-notices.changes():
			if !f.wakePath(path) && mayBeSession(path) {
				notices.watchMade(path)
				soon.Reset(next.noticed)
			}
		case <-f.changed:
			soon.Reset(0)
		case <-soon.C:
			next.run(func() bool { return f.refresh(ctx, notices) })
			if !f.searched.Swap(true) && f.OnSearched != nil {
				f.OnSearched()
			}
			look.Reset(f.lookEvery(notices))
		case now := <-look.C:
			f.lookAtAll()
			if next.due(now, f.Finder.Changed) {
				soon.Reset(0)
			}
		}
	}
}

// schedule decides when to search without a notice.
type schedule struct {
	pauses
	searched time.Time     // the end of the last search
	checked  time.Time     // the last check of the directories found
	cost     time.Duration // the duration of that check
}

// run searches, and plans the next search by the cost of this one.
func (s *schedule) run(search func() (complete bool)) {
	began := time.Now()
	complete := search()
	s.searched = time.Now()
	s.pauses = pausesAfter(s.searched.Sub(began), complete)
}

// due reports whether to search now: if the last search is long ago, or if a check of the directories found, when that
// is due, shows that they have changed.
func (s *schedule) due(now time.Time, changed func() bool) bool {
	quiet := now.Sub(s.searched)
	if quiet >= s.search {
		return true
	}
	if quiet < s.check || now.Sub(s.checked) < min(max(searchEvery, 2000*s.cost), checkAtLeast) {
		return false
	}
	began := time.Now()
	defer func() { s.checked, s.cost = now, time.Since(began) }()
	return changed()
}

// pauses are the times to wait after a search: for the next one if a change was noticed, for a check of the directories
// found, and for the next one without a change.
type pauses struct{ noticed, check, search time.Duration }

// pausesAfter returns the pauses after a search of the given cost, so that searching takes a small share of the time.
// The cost is wall time, which a busy machine multiplies, so the pauses before the cheap steps have an upper bound. An
// incomplete search is repeated soon, because a location that was left out is not watched either.
func pausesAfter(cost time.Duration, complete bool) pauses {
	p := pauses{
		noticed: min(max(50*time.Millisecond, 10*cost), searchEvery),
		check:   min(max(searchEvery, 100*cost), 2*searchEvery),
		search:  max(searchEvery, 2000*cost),
	}
	if !complete {
		p.search = min(p.search, 2*searchEvery)
	}
	return p
}

// refresh searches for sessions, and follows the ones found. It reports whether every location has responded.
func (f *Follower) refresh(ctx context.Context, notices *notices) (complete bool) {
	complete = true
	f.wantedMu.Lock()
	queries, only := f.wanted, f.only
	f.wantedMu.Unlock()

	found := map[string]transcript.Session{}
	var order []string
	for _, s := range only {
		if agents.IsThere(s) {
			found[s.ID] = s
			order = append(order, s.ID)
		}
	}
	for _, q := range queries {
		q.Children = true
		matching, problems, err := f.Finder.Find(ctx, q)
		if err != nil {
			return false
		}
		complete = complete && !slices.ContainsFunc(problems, func(p sessions.Problem) bool { return p.Late })
		for _, s := range matching {
			if _, twice := found[s.ID]; !twice {
				order = append(order, s.ID)
			}
			found[s.ID] = s
		}
	}

	order = newest(found, order)

	for _, w := range f.dropped(found) {
		w.end()
		w.feed.Close(context.WithoutCancel(ctx))
		f.OnUpdate(Update{Session: w.feed.Session, ID: w.feed.ID, Removed: true})
	}
	folders := f.startNew(ctx, found, order, queries)
	if notices.watch(folders) { // changes between the search and this moment were not reported
		f.lookAt(func(*followed) bool { return true })
		if len(queries) > 0 && f.Finder.Changed() {
			f.search()
		}
	}
	return complete
}

// dropped removes and returns the followed sessions that no search has found for a while, or that have moved.
func (f *Follower) dropped(found map[string]transcript.Session) (removed []*followed) {
	f.followedMu.Lock()
	defer f.followedMu.Unlock()
	for id, w := range f.followed {
		s, there := found[id]
		switch {
		case !there && w.absent.IsZero():
			w.absent = time.Now()
		case !there && time.Since(w.absent) > graceForAbsent, there && s.Path != w.feed.Session.Path:
			removed = append(removed, w)
			delete(f.followed, id)
		case there:
			w.absent = time.Time{}
			if w.feed.noteUnread(&s) {
				w.poke()
			}
		}
	}
	return removed
}

// startNew follows the sessions that are not followed yet, and returns the directories to watch. It releases the lock
// even if Prepare panics, because stopAll takes it then.
func (f *Follower) startNew(ctx context.Context, found map[string]transcript.Session, order []string, queries []sessions.Query) (folders []string) {
	f.followedMu.Lock()
	defer f.followedMu.Unlock()
	for _, id := range order {
		if _, known := f.followed[id]; !known {
			f.start(ctx, found[id])
		}
	}
	if f.pause() >= lookAnyway { // a notice would not speed up reading, and each costs time
		return nil
	}
	folders = f.Finder.Watched()
	if slices.ContainsFunc(queries, func(q sessions.Query) bool { return q.Workspace == "" && q.Near == "" }) {
		folders = append(folders, f.Finder.NewestFolders(maxWatches/2)...)
	}
	for _, w := range f.followed {
		folders = append(folders, filepath.Dir(w.feed.Session.Path))
	}
	return folders
}

// pause returns how long a session rests after being read; f.followedMu must be held.
func (f *Follower) pause() time.Duration { return time.Duration(len(f.followed)) * f.Pace }

// lookEvery returns how often the files are checked in addition to notices.
func (f *Follower) lookEvery(n *notices) time.Duration {
	f.followedMu.Lock()
	defer f.followedMu.Unlock()
	return max(n.lookEvery(), min(f.pause(), lookAnyway))
}

// newest keeps only the most recently changed sessions, and their parents.
func newest(found map[string]transcript.Session, order []string) []string {
	if len(order) <= maxFollowed {
		return order
	}
	byTime := slices.Clone(order)
	slices.SortStableFunc(byTime, func(a, b string) int { return found[b].Modified.Compare(found[a].Modified) })
	kept := map[string]bool{}
	for _, id := range byTime[:maxFollowed] {
		for ; id != "" && !kept[id]; id = found[id].Parent {
			kept[id] = true
		}
	}
	for id := range found {
		if !kept[id] {
			delete(found, id)
		}
	}
	return slices.DeleteFunc(order, func(id string) bool { return !kept[id] })
}

// start starts following a session; f.followedMu must be held.
func (f *Follower) start(ctx context.Context, s transcript.Session) {
	ctx, stop := context.WithCancel(ctx)
	w := &followed{feed: NewFeed(s, f.Call), wake: make(chan struct{}, 1), stop: stop, done: make(chan struct{}), ready: make(chan struct{}), seen: agents.StateOf(s)}
	var parent *followed
	if s.Parent != "" {
		if parent = f.followed[s.Parent]; parent != nil {
			w.feed.Parent = parent.feed.ID
		}
	}
	w.feed.Windows, w.feed.publishAfter = f.Windows, publishEvery
	if f.Prepare != nil {
		f.Prepare(w.feed)
	}
	f.followed[s.ID] = w
	w.wake <- struct{}{}
	go f.read(ctx, w, parent)
}

// read is the goroutine of one session.
func (f *Follower) read(ctx context.Context, w, parent *followed) {
	defer close(w.done)
	if parent != nil { // the parent must be in the engine first
		select {
		case <-parent.ready:
		case <-ctx.Done():
			return
		}
	}
	first := true
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.wake:
		}
		if !first && !w.feed.behind && !f.rest(ctx) {
			return
		}
		reading, err := f.readOnce(ctx, w)
		if first { // even without a Reading, because the children must not wait for one
			close(w.ready)
			first = false
		}
		if ctx.Err() != nil {
			return
		}
		u := Update{Session: w.feed.Session, ID: w.feed.ID, Reading: reading, First: reading != nil && !w.reported, Part: w.feed.behind, Allowance: w.feed.Allowance}
		w.reported = w.reported || reading != nil && !u.Part
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			u.Problem = err.Error()
		}
		if u.Reading != nil || u.Problem != "" {
			f.OnUpdate(u)
		}
		if u.Part && err == nil {
			w.poke()
		} else if pause := unsettled(w.feed.Session); pause > 0 {
			time.AfterFunc(pause, w.poke)
		}
	}
}

// settlesUsually is how long SQLite usually takes to show a commit after it has written its log.
const settlesUsually = 250 * time.Millisecond

// unsettled returns when a session in a database should be read again, because the database may not show its last
// change yet; 0 if it does.
func unsettled(s transcript.Session) time.Duration {
	switch left := agents.SettlesIn(s, agents.StateOf(s), time.Now()); {
	case left <= 0:
		return 0
	case left > sqlite.Settles-settlesUsually:
		return settlesUsually
	default:
		return left + time.Millisecond
	}
}

// rest waits until a session may be read again; everything appended in the meantime is then read at once. It returns
// false if ctx has ended.
func (f *Follower) rest(ctx context.Context) bool {
	if f.Pace <= 0 {
		return true
	}
	f.followedMu.Lock()
	pause := f.pause()
	f.followedMu.Unlock()
	select {
	case <-ctx.Done():
		return false
	case <-time.After(pause):
		return true
	}
}

// readOnce reads the additions to a session when a token is free. A panic caused by a transcript becomes a problem of
// that session, and does not end the process.
func (f *Follower) readOnce(ctx context.Context, w *followed) (reading []byte, err error) {
	f.reading <- struct{}{}
	defer func() { <-f.reading }()
	defer transcript.Survive(&err)
	if w.again.Swap(false) {
		w.feed.Again(ctx)
	}
	reading, err = w.feed.Read(ctx)
	if f.Knows != nil && err == nil && w.feed.opened {
		if params := f.Knows(w.feed, reading); params != nil {
			if updated, fault := w.feed.call.Update(ctx, params).JSON(); fault == nil {
				reading = updated
			}
		}
	}
	return reading, err
}

// end stops reading the session, and waits until its goroutine has ended. Follower.followedMu must not be held, because
// that goroutine takes it to pace itself.
func (w *followed) end() {
	w.stop()
	<-w.done
}

func (w *followed) poke() {
	select {
	case w.wake <- struct{}{}:
	default: // the session will be checked again anyway
	}
}

// wakePath wakes the session that a changed file belongs to, and reports whether there is one.
func (f *Follower) wakePath(path string) bool {
	f.followedMu.Lock()
	defer f.followedMu.Unlock()
	known := false
	for _, w := range f.followed {
		if w.feed.Session.Owns(path) {
			w.poke()
			known = true
		}
	}
	return known
}

// lookAtAll wakes the sessions whose files have changed. Sessions that have not changed for long are checked less
// often.
func (f *Follower) lookAtAll() {
	f.checks++
	if f.windowsChanged() {
		f.pokeAll()
	}
	f.lookAt(func(w *followed) bool { return f.checks%restfulLooks == 0 || time.Since(w.seen.Modified) <= restful })
}

// windowsChanged reports whether an agent has reported a window since the last call.
func (f *Follower) windowsChanged() bool {
	if f.Windows == nil {
		return false
	}
	last := f.windowsAt
	f.windowsAt = f.Windows.Changed()
	return !f.windowsAt.Equal(last)
}

// pokeAll wakes all sessions.
func (f *Follower) pokeAll() {
	f.followedMu.Lock()
	defer f.followedMu.Unlock()
	for _, w := range f.followed {
		w.poke()
	}
}

// lookAt wakes the chosen sessions whose files have changed.
func (f *Follower) lookAt(chosen func(*followed) bool) {
	f.followedMu.Lock()
	defer f.followedMu.Unlock()
	for _, w := range f.followed {
		if !chosen(w) {
			continue
		}
		if now := agents.StateOf(w.feed.Session); now != w.seen {
			w.seen = now
			w.poke()
		}
	}
}

// stopAll stops reading every session, and waits for all of them.
func (f *Follower) stopAll() {
	f.followedMu.Lock()
	all := slices.Collect(maps.Values(f.followed))
	f.followedMu.Unlock()
	for _, w := range all {
		w.stop()
	}
	for _, w := range all {
		w.end()
	}
}

// mayBeSession reports whether a change of a path is worth a search.
func mayBeSession(path string) bool {
	return sessions.LooksLikeSession(path) || filepath.Ext(path) == ""
}
