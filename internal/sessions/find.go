// Copyright The ctx-lsp authors. MIT licence.

// Package sessions finds the sessions that coding agents keep on this machine, by location, path or id. Package agents
// knows the locations of each agent.
package sessions

import (
	"cmp"
	"context"
	"errors"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// Finder finds the sessions of this machine. It caches the heads that it has read, so that finding the sessions again
// only requires checking each directory. It is safe for concurrent use.
type Finder struct {
	environment dirs.Environment

	headsMu  sync.Mutex // guards heads, the fields after it, and the storages of the environment
	heads    map[string]head
	read     int  // how many of them were read since they were last saved
	recalled bool // heads saved by other processes were loaded

	unknown map[string]unknownFile // files without a workspace whose records were checked; guarded by headsMu
	forms   map[string]folderForms // names of files in unknown forms, by directory; guarded by headsMu

	holds    bool   // every search uses the first one's listing
	held     []pile // nil before the first search
	problems []Problem

	hosting atomic.Pointer[agents.Hosting] // sessions run by hosts, from the last search

	roots, files asked // paths that have not responded yet

	lateMu sync.Mutex // guards the field below
	late   []Problem  // paths that did not respond

	glanced atomic.Pointer[glance] // what the last search of all locations has seen
}

// NewFinder returns a Finder for the locations that depend on the environment.
func NewFinder(e dirs.Environment) *Finder {
	return &Finder{environment: e, heads: map[string]head{}, unknown: map[string]unknownFile{}, forms: map[string]folderForms{}}
}

// Hold makes every search use the listing of the first one, for a command that searches several times and ends soon. It
// must be called before the first search.
func (f *Finder) Hold() *Finder {
	f.holds = true
	return f
}

// Query selects sessions. The zero Query selects all.
type Query struct {
	// Workspace keeps sessions that were started in this directory or below it.
	Workspace string
	// Near keeps sessions that were started in this directory, below it or above it.
	Near string
	// Since keeps sessions that changed after this time.
	Since time.Time
	// Limit keeps the newest, not counting sub-agents; 0 keeps all.
	Limit int
	// Bytes keeps the newest, up to this total file size without sub-agents, but at least one; 0 keeps all.
	Bytes int64
	// Children adds the sub-agents of the sessions found.
	Children bool
	// ID keeps the sessions whose id begins with it, including sub-agents.
	ID string
	// Agent keeps the sessions of one agent; the locations of others are not searched.
	Agent string
}

// Find returns sessions, newest first, and the locations that could not be read. The error is set only if ctx was
// canceled; at its deadline Find returns the sessions found so far, and a problem that says so.
func (f *Finder) Find(ctx context.Context, q Query) ([]transcript.Session, []Problem, error) {
	candidates, problems := f.candidates(ctx, q.Agent)
	defer func() { f.note(problems) }()
	if q.Agent == "" {
		defer f.keepHeads(candidates)
	}
	m := matcher{query: q}
	if place := cmp.Or(q.Workspace, q.Near); place != "" {
		m.workspace, m.near = newWorkspace(place), map[string]bool{}
	}
	var parents, children, unnamed []transcript.Session
	var bytes int64
	for next := candidates.newest(); len(next) > 0 && !m.satisfied(len(parents), bytes); next = candidates.newest() {
		if err := ctx.Err(); errors.Is(err, context.DeadlineExceeded) {
			problems = append(problems, unfinished)
			break
		} else if err != nil {
			return nil, problems, err
		}
		for i, s := range f.describeAll(ctx, next, m.mayBeWanted, &problems) {
			unread := s != nil && len(unnamed) < mostUnnamed && mayBeUnread(s)
			if unread {
				unnamed = append(unnamed, *s)
			}
			if s != nil && m.near != nil && !m.isNear(s.Workspace) && m.movedHere(next[i], s.Workspace) {
				s.Workspace = cmp.Or(q.Workspace, q.Near)
			}
			if s != nil && m.near != nil && s.Checkout != "" && !m.isNear(s.Workspace) && m.isNear(s.Checkout) {
				s.Workspace = s.Checkout // queried by its checkout
			}
			switch {
			case s == nil, s.Parent != "" && q.ID == "":
			case m.keeps(*s, next[i]) && !m.satisfied(len(parents), bytes):
				if unread && m.near != nil && q.ID == "" && f.isUnknown(s, unnamed) {
					continue // it cannot be shown; it only marks the others
				}
				if bytes += s.Size; q.Bytes > 0 && bytes > q.Bytes && len(parents) > 0 {
					continue // only Bytes is used up by it
				}
				parents = append(parents, *s)
			}
		}
	}
	parents = unique(parents)
	f.markOutdated(ctx, parents, unnamed)
	if q.Children && len(parents) > 0 {
		m.begin(parents)
		for next := range slices.Chunk(candidates.those(m.mayBeChild), stepOfCandidates) {
			if err := ctx.Err(); errors.Is(err, context.DeadlineExceeded) {
				problems = append(problems, unfinished)
				break
			} else if err != nil {
				return nil, problems, err
			}
			for _, s := range f.describeAll(ctx, next, m.mayBeChild, &problems) {
				if s != nil && s.Parent != "" {
					children = append(children, *s)
				}
			}
		}
		parents = append(parents, descendants(parents, children)...)
	}
	return parents, problems, nil
}

// unfinished is the problem of a search that was ended by its deadline.
var unfinished = Problem{Path: "sessions", What: "the search did not end in time, so some sessions are missing", Late: true}

// Environment returns the environment of the search, with the storages added so far.
func (f *Finder) Environment() dirs.Environment { return f.places() }

// A matcher decides which sessions a query selects. It excludes most of them by path and time, without reading them.
type matcher struct {
	query     Query
	workspace workspace

	// The following describe the sessions found, for the search for their sub-agents.
	ids   map[string]bool
	since time.Time // none of them began before this

	near map[string]bool // caches isNear by directory; nil if the query does not name one
}

func (m matcher) satisfied(found int, bytes int64) bool {
	return m.query.Limit > 0 && found >= m.query.Limit || m.query.Bytes > 0 && bytes >= m.query.Bytes
}

func (m matcher) mayBeWanted(c *agents.Candidate) bool {
	if m.query.ID != "" {
		return c.ID == "" || strings.HasPrefix(c.ID, m.query.ID)
	}
	if dir := c.KnownWorkspace(); m.near != nil && dir != "" && !m.isNear(dir) && !m.movedHere(c, dir) {
		return false // its path decides, so it need not be read
	}
	return c.Parent == "" && (m.query.Since.IsZero() || !c.Modified().Before(m.query.Since))
}

// begin prepares the search for sub-agents.
func (m *matcher) begin(parents []transcript.Session) {
	m.ids = map[string]bool{}
	for i, p := range parents {
		m.ids[p.ID] = true
		if i == 0 || p.Started.Before(m.since) {
			m.since = p.Started
		}
	}
}

// mayBeChild reports whether a candidate may be a sub-agent of the sessions found. No sub-agent ends before its parent
// has begun.
func (m matcher) mayBeChild(c *agents.Candidate) bool {
	if c.Alone || c.Modified().Before(m.since) {
		return false
	}
	return c.Parent == "" || m.ids[c.Parent]
}

func (m matcher) keeps(s transcript.Session, c *agents.Candidate) bool {
	if !m.query.Since.IsZero() && s.Modified.Before(m.query.Since) {
		return false
	}
	if m.query.ID != "" && !strings.HasPrefix(s.ID, m.query.ID) {
		return false
	}
	return m.near == nil || m.isNear(s.Workspace) || s.Workspace == "" && c.ProjectHash != "" && c.ProjectHash == m.workspace.hash
}

// movedHere reports whether a session was started in a directory that no longer exists, while its transcript is in the
// directory that its agent uses for the query's: the project was moved together with its transcripts.
func (m matcher) movedHere(c *agents.Candidate, dir string) bool {
	a := agents.ByID(c.Agent)
	if a == nil || a.ProjectFolder == nil || filepath.Base(filepath.Dir(c.Path)) != a.ProjectFolder(cmp.Or(m.query.Workspace, m.query.Near)) {
		return false
	}
	_, err := os.Stat(dir)
	return errors.Is(err, fs.ErrNotExist)
}

// isNear reports whether the query selects sessions that were started in a directory. The result is cached, because
// thousands share a directory, and resolving links is slow.
func (m matcher) isNear(dir string) bool {
	near, known := m.near[dir]
	if !known {
		near = m.workspace.holds(dir) || m.query.Near != "" && dir != "" && newWorkspace(dir).holds(m.query.Near)
		m.near[dir] = near
	}
	return near
}

// Watched lists the directories that new sessions appear in.
func (f *Finder) Watched() []string {
	var folders []string
	for _, root := range agents.Roots(f.places()) {
		if root.List == nil || !root.Exists() {
			continue
		}
		folders = append(folders, root.Path)
	}
	return folders
}

// reason returns the text of an error without the path, which a Problem contains already.
func reason(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "there is no such file"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	}
	if e, ok := err.(*fs.PathError); ok {
		return e.Err.Error()
	}
	return err.Error()
}

// describeAll reads the heads of a few candidates, on all cores. The result is nil for each that is not wanted.
func (f *Finder) describeAll(ctx context.Context, candidates []*agents.Candidate, wanted func(*agents.Candidate) bool, problems *[]Problem) []*transcript.Session {
	sessions := make([]*transcript.Session, len(candidates))
	var chosen []int
	var paths []string
	for i, c := range candidates {
		switch {
		case !wanted(c):
		case c.Session != nil: // its store has described it
			sessions[i], _ = f.describe(c, nil)
		default:
			chosen, paths = append(chosen, i), append(paths, c.Path)
		}
	}
	described, failed := ask(ctx, &f.files, paths, runtime.GOMAXPROCS(0), func(i int) (*transcript.Session, error) {
		doc := documents.Get().(*json.Document)
		defer documents.Put(doc)
		return f.describe(candidates[chosen[i]], doc)
	})
	for i, err := range failed {
		sessions[chosen[i]] = described[i]
		if err != nil && !transcript.IsAbsent(err) {
			*problems = append(*problems, problem(paths[i], err))
		}
	}
	return sessions
}

// documents are reused, because parsing heads takes memory.
var documents = sync.Pool{New: func() any { return new(json.Document) }}

// describe returns the session of a candidate, from the cached head if possible.
func (f *Finder) describe(c *agents.Candidate, doc *json.Document) (found *transcript.Session, err error) {
	defer transcript.Survive(&err)
	defer func() {
		if found != nil {
			f.hosting.Load().Place(found)
		}
	}()
	if c.Session != nil {
		s := *c.Session
		s.Size = 0
		return &s, nil
	}
	f.headsMu.Lock()
	known, ok := f.heads[c.Path]
	if !ok && !f.recalled && f.read >= manyHeads {
		f.recallHeads()
		known, ok = f.heads[c.Path]
	}
	f.headsMu.Unlock()
	if ok && known.is(c) {
		s := known.session
		s.Modified, s.Size = c.Modified(), c.Info.Size()
		return &s, nil
	}
	s := transcript.Session{Agent: c.Agent, Path: c.Path, Form: c.Kind, Modified: c.Modified(), Size: c.Info.Size(), Workspace: c.Workspace, ID: c.ID, Parent: c.Parent}
	if err := readHead(&s, doc); err != nil {
		return nil, err
	}
	complete(&s)
	f.headsMu.Lock()
	f.heads[c.Path] = head{session: s, size: c.Info.Size(), info: c.Info}
	f.read++
	f.headsMu.Unlock()
	return &s, nil
}

// complete fills in fields that the session's head does not contain.
func complete(s *transcript.Session) {
	if s.Form == transcript.Folder {
		s.Key = s.ID
	}
	if s.Label == "" && s.Parent != "" {
		s.Label = labelOf(s.Path)
	}
	if s.ID == "" {
		s.ID = strings.TrimSuffix(strings.TrimSuffix(filepath.Base(s.Path), filepath.Ext(s.Path)), ".jsonl")
	}
}

// unique gives different ids to sessions with the same id, such as copies of a transcript. The newest keeps its id.
func unique(sessions []transcript.Session) []transcript.Session {
	taken := map[string]bool{}
	for i := range sessions {
		s := &sessions[i]
		if taken[s.ID] {
			s.ID += "@" + pathKey(s.Path)
		}
		taken[s.ID] = true
	}
	return sessions
}

func pathKey(path string) string {
	h := fnv.New32a()
	h.Write([]byte(path))
	return strconv.FormatUint(uint64(h.Sum32()), 36)
}

// descendants returns the children of the sessions, and their children. It leaves out sessions that claim to be their
// own ancestors.
func descendants(parents, children []transcript.Session) []transcript.Session {
	byParent := map[string][]transcript.Session{}
	for _, c := range children {
		byParent[c.Parent] = append(byParent[c.Parent], c)
	}
	var found []transcript.Session
	for generation := parents; len(generation) > 0; {
		var next []transcript.Session
		for _, p := range generation {
			next = append(next, byParent[p.ID]...)
			delete(byParent, p.ID)
		}
		found = append(found, next...)
		generation = next
	}
	return unique(found)
}
