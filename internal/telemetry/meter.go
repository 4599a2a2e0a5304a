// Copyright The ctx-lsp authors. MIT licence.

package telemetry

import (
	"cmp"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// Options are the settings and functions of a Meter.
type Options struct {
	// Project returns the project name to report for a workspace: a keyed hash, or what the settings ask for. If nil,
	// no project is reported.
	Project func(workspace string) string
	// History returns the history of a session, for events between two Readings. It may be nil.
	History func(session string) (*api.HistoryAnswer, error)
}

// A Meter follows sessions by their Readings. Passing it a Reading costs the caller almost nothing: Readings are read
// later, by the Meter's own goroutine.
type Meter struct {
	options Options

	wake chan struct{}
	done chan struct{}

	working sync.Mutex // held while Readings are read; locked before mu

	mu       sync.Mutex // guards the fields below
	sessions map[string]*session
	waiting  []queuedReading // Readings with news, in order
	dirty    map[string]bool // sessions that have a newer Reading without news
	names    names
	counts   counts
	senders  []*Sender
	closed   bool
}

// queuedReading is a Reading to be read, because a request was measured or a compaction happened. Without a Reading it
// means that the session has ended.
type queuedReading struct {
	id        string
	reading   []byte
	mayReturn bool
}

// maxWaiting is the maximum number of Readings in the queue. Beyond it only the last one of each session is kept, and
// the session's history fills the gap.
const maxWaiting = 4096

// maxRemembered limits how many sessions are remembered after they have ended.
const maxRemembered = 20_000

// rest is the pause of the Meter between two passes over new Readings.
const rest = 250 * time.Millisecond

// New returns a Meter, which the caller must close.
func New(options Options) *Meter {
	m := &Meter{
		options: options, wake: make(chan struct{}, 1), done: make(chan struct{}),
		sessions: map[string]*session{}, dirty: map[string]bool{}, names: newNames(), counts: newCounts(),
	}
	go m.run()
	return m
}

// Close stops the Meter after it has read everything that was passed to it.
func (m *Meter) Close() {
	m.mu.Lock()
	closed := m.closed
	m.closed = true
	m.mu.Unlock()
	if !closed {
		close(m.done)
		m.read(true)
	}
}

func (m *Meter) run() {
	for {
		select {
		case <-m.done:
			return
		case <-m.wake:
		}
		m.read(false)
		select {
		case <-m.done:
			return
		case <-time.After(rest):
		}
	}
}

// Record passes a Reading, which must not be changed afterwards, with its numbers of calls and compactions. fresh means
// that the whole session happened while the Meter was running; for any other session, the first Reading is only the
// starting point. Record never blocks.
func (m *Meter) Record(id string, reading []byte, calls, compactions int64, fresh bool) {
	m.mu.Lock()
	if m.closed {
		m.mu.Unlock()
		return
	}
	s := m.sessions[id]
	if s == nil {
		s = &session{fresh: fresh}
		m.sessions[id] = s
	}
	news := calls > s.queuedCalls || compactions > s.queuedCompactions || !s.queued
	if news && len(m.waiting) < maxWaiting {
		s.queued, s.queuedCalls, s.queuedCompactions = true, max(calls, s.queuedCalls), max(compactions, s.queuedCompactions)
		m.waiting = append(m.waiting, queuedReading{id: id, reading: reading})
		s.latest = nil
		delete(m.dirty, id)
	} else {
		s.latest = reading
		m.dirty[id] = true
	}
	m.mu.Unlock()
	if news {
		m.awake()
	}
}

func (m *Meter) awake() {
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// RecordReading does the same as Record, for callers that have not parsed the Reading.
func (m *Meter) RecordReading(id string, reading []byte, fresh bool) {
	spent, _ := json.Member(reading, "spent")
	compaction, _ := json.Member(reading, "compaction")
	m.Record(id, reading, count(spent, "calls"), count(compaction, "count"), fresh)
}

func count(object []byte, name string) int64 {
	value, _ := json.Member(object, name)
	n, _ := strconv.ParseInt(string(value), 10, 64) // 0 if it is not a number
	return n
}

// Forget marks a session as no longer followed. Its counts stay. A session that may return under the same id, because
// its transcript still exists, is remembered, so that nothing of it is counted twice.
func (m *Meter) Forget(id string, mayReturn bool) {
	m.mu.Lock()
	if s := m.sessions[id]; s != nil && s.latest != nil { // the Reading may have news if the queue was full
		m.waiting = append(m.waiting, queuedReading{id: id, reading: s.latest})
		s.latest = nil
		delete(m.dirty, id)
	}
	m.waiting = append(m.waiting, queuedReading{id: id, mayReturn: mayReturn})
	m.mu.Unlock()
	m.awake()
}

// read reads the Readings with news. Readings without news change only gauges, and are read only if asked is set.
func (m *Meter) read(asked bool) {
	m.working.Lock()
	defer m.working.Unlock()
	m.mu.Lock()
	news := m.waiting
	m.waiting = nil
	if asked {
		for id := range m.dirty { // these are newer than Readings of the same session in the queue
			if s := m.sessions[id]; s != nil && s.latest != nil {
				news = append(news, queuedReading{id: id, reading: s.latest})
				s.latest = nil
			}
		}
		clear(m.dirty)
	}
	m.mu.Unlock()
	for _, each := range news {
		if each.reading != nil {
			m.apply(each)
			continue
		}
		m.mu.Lock()
		if s := m.sessions[each.id]; s != nil && each.mayReturn && len(m.sessions) < maxRemembered {
			s.ended, s.fresh, s.kinds = true, false, nil
		} else {
			delete(m.sessions, each.id)
		}
		m.mu.Unlock()
	}
}

// Snapshot returns the current gauges and counters, and the histograms.
func (m *Meter) Snapshot() ([]Point, []Distribution) {
	m.read(true)
	m.mu.Lock()
	defer m.mu.Unlock()
	points := m.gauges()
	for _, p := range m.counts.points {
		points = append(points, *p)
	}
	distributions := make([]Distribution, 0, len(m.counts.distributions))
	for _, d := range m.counts.distributions {
		each := *d
		each.Counts = slices.Clone(d.Counts)
		distributions = append(distributions, each)
	}
	slices.SortFunc(points, func(a, b Point) int { return byPlace(a.Of, b.Of, a.Attributes, b.Attributes) })
	slices.SortFunc(distributions, func(a, b Distribution) int { return byPlace(a.Of, b.Of, a.Attributes, b.Attributes) })
	return points, distributions
}

// Gauges returns the current gauges.
func (m *Meter) Gauges() []Point {
	m.read(true)
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.gauges()
}

// gauges returns the points of the live session nearest its compaction threshold, for each agent and model; m.mu is
// held.
func (m *Meter) gauges() (points []Point) {
	fullest := map[[2]string]*session{}
	projects := map[[2]string]*session{}
	levels := map[string]int{"ok": 0, "soon": 0, "now": 0, "over": 0}
	for _, s := range m.sessions {
		if !s.read || s.ended {
			continue
		}
		levels[s.level]++
		key := [2]string{s.agent, s.model}
		if was := fullest[key]; s.live && (was == nil || nearer(s, was)) {
			fullest[key] = s
		}
		at := [2]string{s.agent, s.project}
		if was := projects[at]; s.project != "" && s.fixed > 0 && (was == nil || newer(s, was)) {
			projects[at] = s
		}
	}
	for _, s := range fullest {
		points = append(points, s.points()...)
	}
	shown := make([]*session, 0, len(projects))
	for _, s := range projects {
		shown = append(shown, s)
	}
	slices.SortFunc(shown, func(a, b *session) int {
		return cmp.Or(cmp.Compare(b.asOf, a.asOf), cmp.Compare(a.agent, b.agent), cmp.Compare(a.project, b.project))
	})
	for _, s := range shown[:min(len(shown), maxProjects)] {
		points = append(points, Point{FirstRequest, []Attribute{{AgentName, s.agent}, {ProjectOf, s.project}}, float64(s.fixed)})
	}
	for _, level := range []string{"ok", "soon", "now", "over"} {
		points = append(points, Point{Sessions, []Attribute{{LevelOf, level}}, float64(levels[level])})
	}
	return points
}
