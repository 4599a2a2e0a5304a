// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Follower keeps sessions read into an engine while they grow, and notices
// new ones.
//
// Changes are noticed by the system's notifications where those are cheap and
// by looking at sizes and times otherwise; see notice.go. A change is in the
// engine, and OnUpdate called, well within 200 ms of the write.
type Follower struct {
	Finder *Finder
	Call   Call
	// OnUpdate is told what has changed. It is called by several goroutines,
	// for one session by one at a time.
	OnUpdate func(Update)
	// Prepare, if set, may change a feed before its first Read.
	Prepare func(*Feed)
	// Knows, if set, is asked after every look at a session that is open: what it answers are the parameters of a
	// ctx/session/update that tells what records do not, nil for nothing. The Reading is nil where nothing was read. It
	// is called by several goroutines, for one session by one at a time.
	Knows func(feed *Feed, reading []byte) []byte

	wantedMu sync.Mutex // guards wanted and only
	wanted   []Query
	only     []Session

	followedMu sync.Mutex // guards followed
	followed   map[string]*followed

	changed chan struct{}
	reading chan struct{} // a token for each core: who holds one may read
}

// Update is news of one session.
type Update struct {
	Session Session
	ID      string // in the engine
	// Reading is the session's Reading after the change, nil if the change
	// brought none.
	Reading []byte
	// First is set for the first Reading of a session that is followed.
	First bool
	// Gone is set when the session is no longer on disk or no longer wanted;
	// it has been closed in the engine.
	Gone bool
	// Problem is a sentence when the session cannot be read just now. It is
	// tried again at the next change.
	Problem string
}

const (
	// lookEvery is how often the files that are followed are looked at where
	// the system does not tell of changes.
	lookEvery = 100 * time.Millisecond
	// lookAnyway is how often they are looked at where it does: network
	// folders and mounts of other systems change without telling.
	lookAnyway = time.Second
	// searchEvery is how often new sessions are searched for, beside the
	// times that a folder tells of something new; where it takes long, less
	// often.
	searchEvery = 5 * time.Second
	// maxFollowed is how many sessions are followed, those that changed last.
	maxFollowed = 500
	// graceForAbsent is how long a session may be away before it is gone:
	// agents replace files, and take compressed ones out again.
	graceForAbsent = 10 * time.Second
)

// NewFollower follows what Want asks for once Run is called.
func NewFollower(finder *Finder, call Call, onUpdate func(Update)) *Follower {
	return &Follower{
		Finder: finder, Call: call, OnUpdate: onUpdate,
		followed: map[string]*followed{},
		changed:  make(chan struct{}, 1),
		reading:  make(chan struct{}, runtime.GOMAXPROCS(0)),
	}
}

// Want says which sessions to follow, instead of those wanted before. A
// session that is followed stays so while its query still finds it.
func (f *Follower) Want(queries ...Query) {
	f.wantedMu.Lock()
	f.wanted, f.only = slices.Clone(queries), nil
	f.wantedMu.Unlock()
	f.search()
}

// Only follows the given sessions, wherever they are, and searches for no
// others.
func (f *Follower) Only(sessions ...Session) {
	f.wantedMu.Lock()
	f.wanted, f.only = nil, slices.Clone(sessions)
	f.wantedMu.Unlock()
	f.search()
}

// search has new sessions looked for soon.
func (f *Follower) search() {
	select {
	case f.changed <- struct{}{}:
	default:
	}
}

// Sessions are the sessions that are followed now.
func (f *Follower) Sessions() []Session {
	f.followedMu.Lock()
	defer f.followedMu.Unlock()
	var sessions []Session
	for _, w := range f.followed {
		sessions = append(sessions, w.feed.Session)
	}
	slices.SortFunc(sessions, func(a, b Session) int { return b.Modified.Compare(a.Modified) })
	return sessions
}

// ReadAgain has the sessions with these ids in the engine read from their beginning, where they are followed: the
// engine has lost what their readers remembered. It says how many there are.
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

// Look has the session with this id in the engine looked at soon, whether it has changed or not.
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
	feed   *Feed
	wake   chan struct{}
	stop   context.CancelFunc
	done   chan struct{}
	ready  chan struct{} // closed after the first read
	seen   state         // of the file when it was last looked at
	absent time.Time     // since when no search has found it
	told   bool          // a Reading has been reported
	again  atomic.Bool   // it is to be read from its beginning
}

// state is what a look at a file tells.
type state struct {
	size     int64
	modified time.Time
}

// Run follows until ctx ends, and then closes nothing: the engine keeps what
// it has read.
func (f *Follower) Run(ctx context.Context) error {
	notices := newNotices()
	defer notices.close()
	defer f.stopAll()

	look := time.NewTicker(notices.lookEvery())
	defer look.Stop()
	var searched time.Time
	var cost time.Duration // of the last search
	soon := time.NewTimer(0)
	defer soon.Stop()

	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case path := <-notices.changes():
			if !f.wakePath(path) && mayBeSession(path) {
				soon.Reset(max(50*time.Millisecond, 10*cost))
			}
		case <-f.changed:
			soon.Reset(0)
		case <-soon.C:
			began := time.Now()
			f.refresh(ctx, notices)
			searched = time.Now()
			cost = searched.Sub(began)
			look.Reset(notices.lookEvery())
		case now := <-look.C:
			f.lookAtAll()
			if now.Sub(searched) >= max(searchEvery, 100*cost) {
				soon.Reset(0)
			}
		}
	}
}

// refresh searches, and follows what was found.
func (f *Follower) refresh(ctx context.Context, notices *notices) {
	f.wantedMu.Lock()
	queries, only := f.wanted, f.only
	f.wantedMu.Unlock()

	found := map[string]Session{}
	var order []string
	for _, s := range only {
		found[s.ID] = s
		order = append(order, s.ID)
	}
	for _, q := range queries {
		q.Children = true
		sessions, _, err := f.Finder.Find(ctx, q)
		if err != nil {
			return
		}
		for _, s := range sessions {
			if _, twice := found[s.ID]; !twice {
				order = append(order, s.ID)
			}
			found[s.ID] = s
		}
	}

	order = newest(found, order)

	f.followedMu.Lock()
	var gone []*followed
	for id, w := range f.followed {
		s, there := found[id]
		switch {
		case !there && w.absent.IsZero():
			w.absent = time.Now()
		case !there && time.Since(w.absent) > graceForAbsent, there && s.Path != w.feed.Session.Path:
			gone = append(gone, w)
			delete(f.followed, id)
		case there:
			w.absent = time.Time{}
		}
	}
	f.followedMu.Unlock()
	for _, w := range gone {
		w.end()
		w.feed.Close(context.WithoutCancel(ctx))
		f.OnUpdate(Update{Session: w.feed.Session, ID: w.feed.ID, Gone: true})
	}

	f.followedMu.Lock()
	for _, id := range order {
		if _, known := f.followed[id]; !known {
			f.start(ctx, found[id])
		}
	}
	folders := f.Finder.Watched()
	for _, w := range f.followed {
		folders = append(folders, filepath.Dir(w.feed.Session.Path))
	}
	f.followedMu.Unlock()
	notices.watch(folders)
}

// newest leaves only the sessions that changed last, and those that started them.
func newest(found map[string]Session, order []string) []string {
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

// start begins to follow a session; f.followedMu is held.
func (f *Follower) start(ctx context.Context, s Session) {
	ctx, stop := context.WithCancel(ctx)
	w := &followed{feed: NewFeed(s, f.Call), wake: make(chan struct{}, 1), stop: stop, done: make(chan struct{}), ready: make(chan struct{}), seen: stateOf(s)}
	var parent *followed
	if s.Parent != "" {
		if parent = f.followed[s.Parent]; parent != nil {
			w.feed.Parent = parent.feed.ID
		}
	}
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
	if parent != nil { // it must be in the engine first
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
		reading, err := f.readOnce(ctx, w)
		if first { // even without a Reading: its children need not wait
			close(w.ready)
			first = false
		}
		if ctx.Err() != nil {
			return
		}
		u := Update{Session: w.feed.Session, ID: w.feed.ID, Reading: reading, First: reading != nil && !w.told}
		w.told = w.told || reading != nil
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			u.Problem = err.Error()
		}
		if u.Reading != nil || u.Problem != "" {
			f.OnUpdate(u)
		}
	}
}

// readOnce reads what a session has become, when its turn is there. A defect that one transcript brings to light is
// that session's problem, and not the end of the process in which everybody's are followed.
func (f *Follower) readOnce(ctx context.Context, w *followed) (reading []byte, err error) {
	f.reading <- struct{}{}
	defer func() { <-f.reading }()
	defer survive(&err)
	if w.again.Swap(false) {
		w.feed.Again(ctx)
	}
	reading, err = w.feed.Read(ctx)
	if f.Knows != nil && err == nil && w.feed.opened {
		if params := f.Knows(w.feed, reading); params != nil {
			if told, fault := w.feed.tell(ctx, params); fault == nil {
				reading = told
			}
		}
	}
	return reading, err
}

// survive is deferred where a file is read: a defect is an error.
func survive(err *error) {
	if fault := recover(); fault != nil {
		*err = fmt.Errorf("reading it failed inside: %v", fault)
	}
}

func (w *followed) end() {
	w.stop()
	<-w.done
}

func (w *followed) poke() {
	select {
	case w.wake <- struct{}{}:
	default: // it will look once more anyway
	}
}

// wakePath wakes the session that a changed file belongs to.
func (f *Follower) wakePath(path string) bool {
	f.followedMu.Lock()
	defer f.followedMu.Unlock()
	known := false
	for _, w := range f.followed {
		if w.feed.Session.owns(path) {
			w.poke()
			known = true
		}
	}
	return known
}

// owns says whether a change of the file may be a change of the session.
func (s Session) owns(path string) bool {
	switch s.kind {
	case kindDatabase:
		return strings.HasPrefix(path, s.Path)
	case kindTask:
		return filepath.Dir(path) == filepath.Dir(s.Path)
	}
	return path == s.Path
}

// lookAtAll wakes the sessions whose files have changed.
func (f *Follower) lookAtAll() {
	f.followedMu.Lock()
	defer f.followedMu.Unlock()
	for _, w := range f.followed {
		if now := stateOf(w.feed.Session); now != w.seen {
			w.seen = now
			w.poke()
		}
	}
}

func (f *Follower) stopAll() {
	f.followedMu.Lock()
	defer f.followedMu.Unlock()
	for _, w := range f.followed {
		w.end()
	}
}

// mayBeSession says whether news of a path is worth a search.
func mayBeSession(path string) bool {
	return looksLikeSession(path) || filepath.Ext(path) == ""
}
