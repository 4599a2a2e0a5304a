// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/document"
	"github.com/ctx-lsp/ctx-lsp/internal/focus"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	ownjson "github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

const (
	watchAge   = 24 * time.Hour          // a session unchanged for longer is listed as an earlier one
	readAtOnce = 6                       // how many inactive sessions are read automatically, newest first
	mostAtOnce = 6 << 20                 // their maximum total size in bytes; the newest is read anyway
	readHere   = 10                      // the same for each folder that a client shows or works in
	mostHere   = 32 << 20                // their maximum total size in bytes
	hereAtMost = 4                       // how many folders that a client has worked in are remembered
	firstReads = 1500 * time.Millisecond // how long ctx/watch waits for sessions; others are sent when read
	longSearch = time.Minute             // a search ends after this time even if a session was not read
)

// A watch is what one client wants to see.
type watch struct {
	workspaces []string    // the repositories of its folders; empty for everything
	shows      []string    // the repositories of the folders that it shows, whose sessions are read first
	worksIn    []string    // those of the folders named by ctx/focus, most recent last
	look       readingView // how Readings are shown
	unasked    bool        // for a plain client; see plainclient.go
}

// watchOf returns a watch on folders. A folder inside a repository means the whole repository, as in package focus.
func watchOf(folders []string) *watch {
	w := &watch{}
	for _, folder := range folders {
		w.workspaces = append(w.workspaces, focus.Look("", folder).Workspace)
	}
	return w
}

// wants reports whether the watch includes sessions that were started in dir.
func (w *watch) wants(dir string) bool {
	return len(w.workspaces) == 0 ||
		slices.ContainsFunc(w.workspaces, func(workspace string) bool { return focus.Near(workspace, dir) })
}

// here returns the folders whose sessions are read before those of other folders.
func (w *watch) here() []string { return append(slices.Clone(w.shows), w.worksIn...) }

// worksAt returns the watch after its client switched to another folder, or nil if that changes nothing.
func (w *watch) worksAt(folder string) *watch {
	if slices.Contains(w.shows, folder) || slices.Contains(w.worksIn, folder) || !w.wants(folder) {
		return nil
	}
	changed := *w
	changed.worksIn = append(slices.Clone(w.worksIn), folder)
	if len(changed.worksIn) > hereAtMost {
		changed.worksIn = changed.worksIn[1:]
	}
	return &changed
}

// besidesHome returns folders without the home directory and its parents, because every session would belong to those.
func besidesHome(folders []string, home string) []string {
	return slices.DeleteFunc(slices.Clone(folders), func(folder string) bool { return focus.Within(folder, home) })
}

// A watcher follows the sessions on this machine while a client watches.
type watcher struct {
	server                      *Server
	claimsEvery, processesEvery time.Duration

	holders  heldSessions
	previews previewCache

	mu       sync.Mutex // guards the fields below
	follower *follow.Follower
	stop     context.CancelFunc
	stopped  chan struct{}   // closed when the follower has ended
	ended    chan struct{}   // closed when the engine has closed the last follower's sessions; nil before the first end
	asked    []string        // sessions to read because a client shows them or a process runs them
	problems map[string]bool // problems already reported
	reread   time.Time       // when sessions were last read again
	began    time.Time       // when the follower was started

	news signal // fires when a session was read
}

func newWatcher(s *Server) *watcher {
	return &watcher{server: s, claimsEvery: claimsEvery, processesEvery: processesEvery, problems: map[string]bool{}}
}

// startWatch answers ctx/watch with the existing sessions. From then on, each change is sent as ctx/reading.
func (c *connection) startWatch(r *request) ([]byte, *api.Error) {
	var asked api.WatchParams
	if err := r.read(&asked); err != nil {
		return nil, err
	}
	workspace := asked.Workspace
	if path, ok := document.Path(workspace); ok {
		workspace = path
	}
	if workspace != "" && !filepath.IsAbs(workspace) {
		return nil, api.Invalid("workspace", "must be an absolute path or a file URI.")
	}
	roots, err := rootsOf(asked.Folders, workspace)
	if err != nil {
		return nil, err
	}
	look, err := readReadingView(r.fields)
	if err != nil {
		return nil, err
	}
	w := &watch{}
	if workspace != "" {
		w = watchOf([]string{workspace})
	}
	w.look, w.shows = look, besidesHome(roots, c.server.options.Home)
	c.mu.Lock()
	if c.watching != nil {
		w.worksIn = c.watching.worksIn
	}
	c.watching = w
	c.mu.Unlock()
	c.showQuietly(finding{}) // the client shows the number itself
	found := c.server.watcher.search(c.ctx, w)
	searching := c.awaitSearch(r, found)
	var readings [][]byte
	for _, s := range c.server.all(func(s *session) bool { return s.owner == nil }) {
		reading, sum := s.snapshot()
		wanted := w.wants(s.dir(sum))
		s.watchedBy(c, wanted)
		if wanted && reading != nil {
			readings = append(readings, c.server.viewed(look, s, reading))
		}
	}
	slices.SortFunc(readings, func(a, b []byte) int {
		return strings.Compare(string(wire.MemberOf(a, "session")), string(wire.MemberOf(b, "session")))
	})
	var out ownjson.Writer
	out.BeginObject()
	out.Key("sessions")
	out.BeginArray()
	for _, reading := range readings {
		out.Raw(reading)
	}
	out.EndArray()
	out.Key("roots")
	out.BeginArray()
	for _, root := range roots {
		out.String(root)
	}
	out.EndArray()
	out.Field(`,"searching":`)
	out.Bool(searching)
	out.EndObject()
	return out.Buf, nil
}

// maxFolders is how many folders one client may show.
const maxFolders = 256

// rootsOf returns the roots of the folders that a client shows, or of a workspace. A folder inside a repository means
// the whole repository, as in package focus.
func rootsOf(folders []string, workspace string) ([]string, *api.Error) {
	if len(folders) > maxFolders {
		return nil, api.Invalid("folders", "has more than "+strconv.Itoa(maxFolders)+" elements.")
	}
	if folders == nil && workspace != "" {
		folders = []string{workspace}
	}
	roots := []string{}
	for _, folder := range folders {
		if path, ok := document.Path(folder); ok {
			folder = path
		}
		if filepath.IsAbs(folder) {
			roots = append(roots, focus.Look("", folder).Workspace)
		}
	}
	return roots, nil
}

// stopWatch answers ctx/unwatch.
func (c *connection) stopWatch(*request) ([]byte, *api.Error) {
	c.mu.Lock()
	c.watching, c.focus, c.focused, c.unwatched = nil, nil, nil, true
	c.mu.Unlock()
	for _, s := range c.server.all(func(s *session) bool { return s.found }) {
		s.watchedBy(c, false)
	}
	c.server.watcher.want()
	return []byte("{}"), nil
}

// queriesOf returns the sessions to read automatically in some workspaces, or on the whole machine if there are none:
// the newest sessions of the folders that clients show, a few of the newest others, and every session that changes
// after began. Their sub-agents are read too. All others are only listed, however new they are, and read when a client
// shows them or a process is found to run them; see earlier.go.
func (w *watcher) queriesOf(workspaces, here []string, began time.Time) []sessions.Query {
	if len(workspaces) == 0 {
		workspaces = []string{""}
	}
	since := w.server.options.Now().Add(-watchAge)
	var queries []sessions.Query
	for _, folder := range here {
		queries = append(queries, sessions.Query{Near: folder, Since: since, Limit: readHere, Bytes: mostHere})
	}
	for _, workspace := range workspaces {
		queries = append(queries,
			sessions.Query{Near: workspace, Since: began},
			sessions.Query{Near: workspace, Since: since, Limit: readAtOnce, Bytes: mostAtOnce})
	}
	return queries
}

// want passes what all clients want to the follower. It starts the follower for the first client and ends it after the
// last. It reports whether anything is followed.
func (w *watcher) want() bool {
	if w.server.options.Source == nil {
		return false
	}
	watched, everything := false, false
	var workspaces, here []string
	w.server.eachWatching(func(_ *connection, wanted *watch) {
		watched, everything = true, everything || len(wanted.workspaces) == 0
		workspaces = append(workspaces, wanted.workspaces...)
		here = append(here, wanted.here()...)
	})
	w.mu.Lock()
	defer w.mu.Unlock()
	if !watched {
		w.end()
		return false
	}
	if everything {
		workspaces = nil
	}
	slices.Sort(workspaces)
	slices.Sort(here)
	if w.follower == nil {
		w.began = w.server.options.Now()
	}
	queries := w.queriesOf(slices.Compact(workspaces), slices.Compact(here), w.began)
	for _, id := range w.asked {
		queries = append(queries, sessions.Query{ID: id})
	}
	if w.follower == nil {
		ctx, stop := context.WithCancel(context.Background())
		follower := follow.NewFollower(w.server.options.Source, w.server.callRaw, w.update)
		follower.Prepare = w.prepare
		follower.Knows = w.unrecorded
		if machine := w.server.options.Machine; machine != nil {
			follower.Windows = machine.Windows
		}
		stopped := make(chan struct{})
		go w.attend(ctx)
		w.follower, w.stop, w.stopped = follower, stop, stopped
		ended := w.ended
		go func() {
			defer close(stopped)
			defer w.server.survive("following sessions")
			if ended != nil { // or the engine would close sessions that were just opened again
				select {
				case <-ended:
				case <-ctx.Done():
					return
				}
			}
			_ = follower.Run(ctx) // ends only when ctx does
		}()
	}
	w.follower.Want(queries...)
	return true
}

// beginning returns when the follower was started.
func (w *watcher) beginning() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.began
}

// end stops following; w.mu must be held. The sessions are removed from the engine.
func (w *watcher) end() {
	if w.follower == nil {
		return
	}
	w.stop()
	stopped := w.stopped
	w.follower, w.asked = nil, nil
	found := w.server.all(func(s *session) bool { return s.found })
	for _, s := range found {
		w.server.remove(s) // a client that watches from now on starts over
	}
	w.server.lanes.Begin() // the engine must not stop before this has ended
	ended := make(chan struct{})
	w.ended = ended
	go func() {
		defer w.server.lanes.Ended()
		defer w.server.survive("ending watches")
		<-stopped
		w.server.keepLearned()
		var closing sync.WaitGroup
		for _, s := range found {
			closing.Add(1)
			w.server.lanes.Run("session "+s.id, 0, func() {
				defer closing.Done()
				w.server.end(s)
			})
		}
		closing.Wait()
		close(ended)
	}()
}

// readAgainEvery is the minimum time between two rereads of transcripts after an engine failed, because one of them may
// be the cause.
const readAgainEvery = time.Minute

// readAgain rereads, from the beginning, sessions that an engine has lost or restored without their readers' state.
func (w *watcher) readAgain(sessions []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.follower == nil || time.Since(w.reread) < readAgainEvery {
		return
	}
	if w.follower.ReadAgain(sessions) > 0 {
		w.reread = time.Now()
	}
}

// close stops following and waits.
func (w *watcher) close() {
	w.mu.Lock()
	stopped := w.stopped
	w.end()
	w.mu.Unlock()
	if stopped != nil {
		<-stopped
	}
}

// prepare makes a session for a transcript that is about to be read. If an editor has opened a session with the same
// name, it gets a different one.
func (w *watcher) prepare(feed *follow.Feed) {
	found := feed.Session
	s := &session{id: feed.ID, key: keyOf("", feed.ID), found: true, origin: &fileSession{Session: found}, watchers: map[*connection]struct{}{}}
	s.summary.workspace, s.summary.agent = found.Workspace, found.Agent
	if existing := w.server.enter(s); existing != s && !existing.found {
		feed.ID = found.Agent + ":" + feed.ID
		s.id, s.key = feed.ID, keyOf("", feed.ID)
		s = w.server.enter(s)
	} else {
		s = existing
	}
	if machine := w.server.options.Machine; machine != nil {
		machine.Prepare(feed)
		feed.Loads = machine.Loads
	}
	w.server.eachWatching(func(c *connection, wanted *watch) {
		if wanted.wants(found.Workspace) {
			s.watchedBy(c, true)
		}
	})
}

// update handles what the follower has read.
func (w *watcher) update(u follow.Update) {
	w.server.mu.Lock()
	s := w.server.sessions[keyOf("", u.ID)]
	w.server.mu.Unlock()
	if s == nil || !s.found {
		return
	}
	if u.Problem != "" {
		w.complain(u.Session.Path + ": " + u.Problem)
	}
	if u.Removed {
		w.server.sendClosed(s)
		w.server.remove(s)
		w.server.followUpSoon()
		return
	}
	if u.Reading != nil {
		allowance := u.Allowance
		if allowance == nil {
			allowance = w.server.options.AccountLimits.Of(u.Session.Agent, u.Session.ID)
		}
		s.mu.Lock()
		s.allowance, s.part = allowance, u.Part
		s.mu.Unlock()
		w.server.changed(s, asFound(u.Reading, &u.Session, allowance))
		if s.below.Swap(false) { // the Reading may be from before the change of a sub-agent
			w.includeBelow(s)
		}
		w.changedBelow(wire.MemberText(u.Reading, "parent"))
	}
	if u.Reading != nil && !u.Part || u.Problem != "" {
		s.mu.Lock()
		s.seen = true
		s.mu.Unlock()
		w.news.fire()
	}
}

// changedBelow updates the clients of a session after its sub-agents have changed. The session itself writes nothing
// while it waits for them.
func (w *watcher) changedBelow(id string) {
	if id == "" {
		return
	}
	w.server.mu.Lock()
	parent := w.server.sessions[keyOf("", id)]
	w.server.mu.Unlock()
	if parent == nil || !parent.found {
		return
	}
	parent.below.Store(true)
	w.includeBelow(parent)
}

// includeBelow requests the Reading of a session again, because its sub-agents have changed.
func (w *watcher) includeBelow(parent *session) {
	parent.asking.Lock() // an older Reading must not be stored after a newer one
	defer parent.asking.Unlock()
	reading, fault := w.server.readingOf(noRequest, parent, "", false)
	if fault != nil {
		return // not read yet; the sub-agents will be included when it is
	}
	parent.mu.Lock()
	allowance := parent.allowance
	parent.mu.Unlock()
	w.server.changed(parent, asFound(reading, &parent.origin.Session, allowance))
}

// asFound returns a copy of a Reading with more members: the transcript, if an editor can open it as text, the host
// that runs the session, and the account limits that its agent reported. It returns nil for an empty Reading.
func asFound(reading []byte, from *transcript.Session, allowance *api.Allowance) []byte {
	if len(reading) == 0 {
		return nil
	}
	w := ownjson.Writer{Buf: make([]byte, 0, len(reading)+len(from.Path)+len(from.Host)+256)}
	w.Reopen(reading)
	if ext := filepath.Ext(from.Path); ext == ".jsonl" || ext == ".json" {
		w.StringField(`,"file":`, from.Path)
	}
	if from.Host != "" {
		w.StringField(`,"host":`, from.Host)
	}
	if allowance != nil {
		text, _ := json.Marshal(allowance) // numbers always encode
		w.Field(`,"allowance":`)
		w.Raw(text)
	}
	w.EndObject()
	return w.Buf
}

// encoded returns rows of a panel as JSON.
func encoded(rows []api.HostRow) []byte {
	text, _ := json.Marshal(rows) // names and paths always encode
	return text
}

// complain reports a problem with reading, once.
func (w *watcher) complain(problem string) {
	w.mu.Lock()
	news := !w.problems[problem] && len(w.problems) < 1000
	if news {
		w.problems[problem] = true
	}
	w.mu.Unlock()
	if news {
		w.server.log.Warn("a session cannot be read", "problem", problem)
		w.server.eachWatching(func(c *connection, _ *watch) { c.logMessage(messageWarning, problem) })
	}
}

func (s *Server) eachWatching(do func(*connection, *watch)) {
	type pair struct {
		c      *connection
		wanted *watch
	}
	s.mu.Lock()
	var watching []pair
	for c := range s.connections {
		c.mu.Lock()
		if c.watching != nil {
			watching = append(watching, pair{c, c.watching})
		}
		c.mu.Unlock()
	}
	s.mu.Unlock()
	for _, each := range watching {
		do(each.c, each.wanted)
	}
}

// sendClosed sends ctx/closed to the watchers of a found or shared session that ends. No Reading follows it.
func (s *Server) sendClosed(closed *session) {
	closed.sending.Lock()
	defer closed.sending.Unlock()
	id, _ := json.Marshal(closed.id) // a string always encodes
	frame := wire.NotificationFrame("ctx/closed", []byte(`{"session":`+string(id)+`}`))
	watchers, _ := closed.audience()
	for _, c := range watchers {
		closed.watchedBy(c, false)
		if !closed.found || !c.unasked() {
			_ = c.out.Follow(closed.key, frame) // a connection that failed is given up elsewhere
		}
	}
}
