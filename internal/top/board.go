// Copyright The ctx-lsp authors. MIT licence.

// Package top is the screen of live sessions: a table of all of them, with the one that compacts next first, and a page
// for each. Package terminal does the drawing.
package top

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

// A Board stores the state of the live sessions. Any number of goroutines update it; the screen queries it at its own
// pace, so a Reading that is replaced before it was shown costs nothing.
type Board struct {
	// IdleAfter is how long a session that no process runs may be without a record before it is idle.
	IdleAfter time.Duration
	// AbsentAfter is the same for a session in the middle of its work that no process can run.
	AbsentAfter time.Duration

	mu       sync.Mutex // guards the fields below
	sessions map[string]*entry
	changes  int64           // the number of updates
	held     map[string]bool // the sessions that a process runs, by their own ids
	absent   map[string]bool // the sessions that no process can run
	waiting  func() int      // returns the number of followed sessions; nil if unknown
}

type entry struct {
	live    terminal.Live
	session string // its own id, which may differ from the engine's
	folder  string // the directory it was started in; "" if unknown
	reading []byte
	stale   bool // live is older than reading
	changed int64
}

// NewBoard returns an empty board.
func NewBoard(idleAfter, absentAfter time.Duration) *Board {
	return &Board{IdleAfter: idleAfter, AbsentAfter: absentAfter, sessions: map[string]*entry{}}
}

// Update replaces the Reading of a session. agent, folder and modified are used as far as the Reading lacks them. A
// session keeps the directory it was started in, even if its agent changes to another one.
func (b *Board) Update(id, session, agent, folder string, modified time.Time, reading []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := b.entry(id)
	e.session, e.folder, e.reading, e.stale = session, folder, reading, true
	e.live.Problem = ""
	if e.live.Agent == "" {
		e.live.Agent = agent
	}
	if e.live.AsOf.IsZero() {
		e.live.AsOf = modified
	}
}

// Fail sets the reason why a session cannot be read now.
func (b *Board) Fail(id, agent, problem string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := b.entry(id)
	e.live.Agent, e.live.Problem = cmp.Or(e.live.Agent, agent), problem
}

func (b *Board) entry(id string) *entry {
	e := b.sessions[id]
	if e == nil {
		e = &entry{live: terminal.Live{ID: id}}
		b.sessions[id] = e
	}
	b.changes++
	e.changed = b.changes
	return e
}

// Forget removes a session.
func (b *Board) Forget(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.changes++
	delete(b.sessions, id)
}

// Held sets the sessions that processes run now, which are live however old their last record is, and those that no
// process can run.
func (b *Board) Held(held, absent map[string]bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.changes++
	b.held, b.absent = held, absent
}

// Expect sets a function that returns the number of followed sessions, so that Waiting can report how many are still
// unread.
func (b *Board) Expect(followed func() int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.waiting = followed
}

// Waiting returns how many sessions were found but not read yet.
func (b *Board) Waiting() int {
	b.mu.Lock()
	followed := b.waiting
	known := len(b.sessions)
	b.mu.Unlock()
	if followed == nil {
		return 0
	}
	return max(followed()-known, 0)
}

// Session returns a session's own id, which may differ from the engine's.
func (b *Board) Session(id string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if e := b.sessions[id]; e != nil {
		return cmp.Or(e.session, id)
	}
	return id
}

// Changed returns the number of updates so far, and the number at the last update of one session.
func (b *Board) Changed(id string) (all, one int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if e := b.sessions[id]; e != nil {
		one = e.changed
	}
	return b.changes, one
}

// Sessions returns all sessions in their current state, in no particular order.
func (b *Board) Sessions(now time.Time) []terminal.Live {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := make([]terminal.Live, 0, len(b.sessions))
	for _, e := range b.sessions {
		if e.stale {
			fill(&e.live, e.reading)
			e.stale = false
		}
		l := e.live
		if e.folder != "" {
			l.Workspace = e.folder
		}
		silent, stopped := now.Sub(l.AsOf), b.absent[e.session] && l.Activity == "working"
		l.Idle = l.Activity == "idle" || l.Activity == "ended" || !b.held[e.session] && silent > b.IdleAfter || stopped && silent > b.AbsentAfter
		list = append(list, l)
	}
	shorten(list)
	return list
}

// LiveOf returns the part of a Reading that the table shows.
func LiveOf(id string, reading []byte) terminal.Live {
	l := terminal.Live{ID: id, Short: id[:min(8, len(id))]}
	fill(&l, reading)
	return l
}

// fill sets the part of a Reading that the table shows.
func fill(l *terminal.Live, reading []byte) {
	var r api.Reading
	if !r.GlanceAt(reading) {
		l.Problem = "its Reading cannot be read"
		return
	}
	if r.Agent != "" && r.Agent != "generic" {
		l.Agent = r.Agent
	}
	c := &r.Compaction
	l.Title, l.Model, l.Workspace = cmp.Or(r.Title, r.Opening), r.Model, r.Workspace
	l.Activity, l.Level, l.Percent, l.ThresholdShare = r.Activity, c.Level, r.Percent, c.ThresholdShare
	l.Left, l.Calls, l.Hint, l.Display, l.Back = c.Left, c.CallsLeft, c.Hint.Text, r.Display, r.Cache.Back
	if at := r.AsOf; at != nil && *at > 0 {
		l.AsOf = time.UnixMilli(int64(*at))
	}
}

// shorten sets the shortest unique beginning of each session's id, of at least eight characters.
func shorten(list []terminal.Live) {
	ids := make([]string, len(list))
	for i := range list {
		ids[i] = list[i].ID
	}
	slices.Sort(ids)
	for i := range list {
		id := list[i].ID
		at, _ := slices.BinarySearch(ids, id)
		length := 8
		for _, near := range []int{at - 1, at + 1} {
			if near < 0 || near >= len(ids) || ids[near] == id {
				continue
			}
			same := 0
			for same < min(len(id), len(ids[near])) && id[same] == ids[near][same] {
				same++
			}
			length = max(length, same+1)
		}
		list[i].Short = id[:min(length, len(id))]
	}
}

// An Order is a sort order of the table.
type Order int

// The orders of the table. Idle sessions come last, except in the last order, which is about them.
const (
	ByCompaction Order = iota // the next session to compact first
	ByFullness
	ByAge
	ByAgent
	ByCold // the next session to become cold first; among cold ones the most expensive
	orders
)

func (o Order) String() string {
	return [...]string{"next compaction", "fullness", "age", "agent", "cold cache"}[o]
}

// Orders maps the words of the command line to orders.
var Orders = map[string]Order{"compaction": ByCompaction, "full": ByFullness, "age": ByAge, "agent": ByAgent, "cold": ByCold}

// Sort sorts sessions by an order at the given time.
func Sort(list []terminal.Live, by Order, now time.Time) {
	slices.SortFunc(list, func(a, b terminal.Live) int {
		if by == ByCold {
			return cmp.Or(nextCold(&a, &b, now), b.AsOf.Compare(a.AsOf), cmp.Compare(a.ID, b.ID))
		}
		if a.Idle != b.Idle {
			if a.Idle {
				return 1
			}
			return -1
		}
		order := 0
		switch by {
		case ByCompaction:
			order = nextToCompact(&a, &b)
		case ByFullness:
			order = cmp.Compare(fullness(&b), fullness(&a))
		case ByAge:
			order = b.AsOf.Compare(a.AsOf)
		case ByAgent:
			order = cmp.Or(cmp.Compare(a.AgentName(), b.AgentName()), nextToCompact(&a, &b))
		}
		return cmp.Or(order, b.AsOf.Compare(a.AsOf), cmp.Compare(a.ID, b.ID))
	})
}

// nextCold compares by when the cache becomes cold: warm sessions come first, followed by those that may be cold and by
// cold ones, the most expensive first. Sessions with an unknown cache come last.
func nextCold(a, b *terminal.Live, now time.Time) int {
	state := func(l *terminal.Live) int {
		return slices.Index([]terminal.Warmth{terminal.Warm, terminal.MaybeWarm, terminal.Cold, terminal.NoWarmth}, terminal.WarmthOf(l.Back, now))
	}
	order := cmp.Compare(state(a), state(b))
	switch {
	case order != 0 || a.Back == nil || b.Back == nil:
		return order
	case terminal.WarmthOf(a.Back, now) == terminal.Warm:
		return cmp.Or(cmp.Compare(a.Back.WarmUntil, b.Back.WarmUntil), cmp.Compare(b.Back.Rewritten, a.Back.Rewritten))
	}
	return cmp.Compare(b.Back.Rewritten, a.Back.Rewritten)
}

// fullness returns a session's percentage; less than any other if its window is unknown.
func fullness(l *terminal.Live) api.Hundredths {
	if l.Percent == nil {
		return -1
	}
	return *l.Percent
}

// nextToCompact compares by the calls left, then by the tokens left. Sessions without a known threshold come last.
func nextToCompact(a, b *terminal.Live) int {
	calls := func(l *terminal.Live) int64 {
		switch {
		case l.Left == nil:
			return 1 << 62
		case *l.Left <= 0:
			return -1
		case l.Calls == nil:
			return 1 << 61
		}
		return l.Calls.Likely
	}
	left := func(l *terminal.Live) int64 {
		if l.Left == nil {
			return 1 << 62
		}
		return *l.Left
	}
	return cmp.Or(cmp.Compare(calls(a), calls(b)), cmp.Compare(left(a), left(b)))
}

// matches reports whether each word of a filter occurs in a session's row, directory or model.
func matches(l *terminal.Live, filter string) bool {
	text := strings.ToLower(strings.Join([]string{l.AgentName(), l.Title, l.ID, l.Workspace, l.Model, string(l.Level)}, "\n"))
	for _, word := range strings.Fields(strings.ToLower(filter)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}
