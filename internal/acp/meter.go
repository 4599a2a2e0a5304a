// Copyright The ctx-lsp authors. MIT licence.

package acp

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/process"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// Metering contains the settings and functions of a Meter.
type Metering struct {
	Host    dirs.Environment
	Now     func() time.Time
	Mode    string   // "" for the session's own mode
	Process int      // the agent's process
	Command []string // its command line
	Engine  func(context.Context) (*engine.Pool, error)
	Follow  func(transcript.Session, client.Call) *follow.Feed
	Failed  func(error)    // called if nothing can be measured
	Sent    func(Measured) // called after a size was sent; may be nil
}

// Measured is a size that was sent to the client.
type Measured struct {
	Session    string
	Used, Size int64
	From       string // "store" or "text"
	Basis      api.Basis
}

// A Meter measures the sessions of one connection. Messages are recorded at once and measured later, in one goroutine,
// so that none is delayed.
type Meter struct {
	Metering
	to      *Connection
	finder  *sessions.Finder
	engine  *engine.Pool
	started time.Time
	wake    chan struct{}

	mu       sync.Mutex
	agent    string // the agent's id; "" while unknown
	version  string
	sessions map[string]*meteredSession
}

// A meteredSession is one session of the connection.
type meteredSession struct {
	id, cwd, model string

	// The following fields are recorded while messages pass, under the meter's mu.
	pieces       []Piece
	bytes        int
	lossy        bool // more text passed than is kept, so the text is no longer counted
	changed      bool
	turnEnded    bool
	ended        bool
	better       Usage // better than the agent's own numbers; unknown while Size is 0
	lastMeasured *Usage
	before       int  // number of pieces before the agent reported its size
	reports      bool // the agent reports its compactions

	// The following fields belong to the measuring goroutine.
	feed       *follow.Feed
	stored     []byte // the last Reading of the store
	searchedAt time.Time
	searches   int    // searches since the agent last responded
	open       string // the id in the engine of a session counted by its text
	sent       [2]int64
	items      int // items in the engine
	reported   int // number of requests with a size reported by the agent

	storeRead   bool  // the store was read
	compactions int64 // number in the store when it was last read
	shown       int64 // how many of them the client knows
	compactedAt time.Time
}

const (
	mostSessions = 256
	mostText     = 32 << 20 // uncounted text of a session, in bytes
	mostNear     = 200      // sessions of a directory to search, the newest ones
	mostSearches = 8        // searches for the store after each response
	measurePace  = 300 * time.Millisecond
	searchPace   = 2 * time.Second
)

// NewMeter returns a Meter. It starts measuring when Run is called.
func NewMeter(of Metering) *Meter {
	m := &Meter{
		Metering: of, finder: sessions.NewFinder(of.Host), started: of.Now(),
		wake: make(chan struct{}, 1), sessions: map[string]*meteredSession{},
	}
	for _, word := range of.Command {
		if m.agent = agentNamed(filepath.Base(word)); m.agent != "" {
			break
		}
	}
	return m
}

// agentNamed returns the agent with a name: that of a program, or the one the agent reports for itself; "" if unknown.
func agentNamed(name string) string {
	name = strings.ToLower(strings.TrimSuffix(name, ".exe"))
	for _, a := range agents.All() {
		if name == a.ID || len(a.Programs) > 0 && name == a.Programs[0] {
			return a.ID
		}
	}
	for _, a := range agents.All() {
		if a.ACPName != "" && strings.Contains(name, a.ACPName) {
			return a.ID
		}
	}
	return ""
}

// note changes the recorded state of a session and wakes the measuring goroutine.
func (m *Meter) note(session string, change func(s *meteredSession)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s := m.sessions[session]; s != nil {
		change(s)
		s.changed = true
		select {
		case m.wake <- struct{}{}:
		default:
		}
	}
}

// Agent implements Watcher, like the methods below.
func (m *Meter) Agent(name, version string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if known := agentNamed(name); known != "" {
		m.agent = known
	}
	m.version = version
}

// Began adds a session, or updates its directory and model.
func (m *Meter) Began(session, cwd, model string) {
	m.mu.Lock()
	if m.sessions[session] == nil && session != "" && len(m.sessions) < mostSessions {
		m.sessions[session] = &meteredSession{id: session}
	}
	m.mu.Unlock()
	m.note(session, func(s *meteredSession) {
		s.ended = false
		if cwd != "" {
			s.cwd = cwd
		}
		if model != "" {
			s.model = model
		}
	})
}

// Added records an addition to a conversation.
func (m *Meter) Added(session string, piece Piece) {
	m.note(session, func(s *meteredSession) {
		if s.lossy || s.bytes+len(piece.Text) > mostText {
			s.lossy, s.pieces, s.bytes, s.before = true, nil, 0, 0
			return
		}
		s.bytes += len(piece.Text)
		if last := len(s.pieces) - 1; last >= 0 && piece.More && (s.lastMeasured == nil || last >= s.before) && s.pieces[last].Kind == piece.Kind && len(s.pieces[last].Text) < 1<<20 {
			s.pieces[last].Text += piece.Text
			return
		}
		s.pieces = append(s.pieces, piece)
	})
}

// Reported records the size of a session reported by the agent.
func (m *Meter) Reported(session string, used, size int64) {
	m.note(session, func(s *meteredSession) { s.lastMeasured, s.before = &Usage{Used: used, Size: size}, len(s.pieces) })
}

// Compacting records that the agent reports its compactions.
func (m *Meter) Compacting(session string) {
	m.note(session, func(s *meteredSession) { s.reports = true })
}

// Compacted replaces the conversation so far by a summary.
func (m *Meter) Compacted(session, summary string) {
	m.note(session, func(s *meteredSession) {
		s.pieces, s.bytes, s.lossy = []Piece{{Kind: compactedPiece, Text: summary}}, len(summary), false
		if s.lastMeasured != nil {
			s.lastMeasured, s.before = &Usage{Size: s.lastMeasured.Size}, 0
		}
	})
}

// compactedPiece is the kind of a piece that summarizes all pieces before it.
const compactedPiece = "compacted"

// TurnEnded records that the agent has responded.
func (m *Meter) TurnEnded(session string) {
	m.note(session, func(s *meteredSession) { s.turnEnded = true })
}

// Ended records that a session was closed.
func (m *Meter) Ended(session string) { m.note(session, func(s *meteredSession) { s.ended = true }) }

// Usage returns the size of a session if it is known better than from the agent's own numbers.
func (m *Meter) Usage(session string) (Usage, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s := m.sessions[session]; s != nil && s.better.Size > 0 {
		return s.better, true
	}
	return Usage{}, false
}

// Run measures until the connection ends.
func (m *Meter) Run(ctx context.Context, connection *Connection) {
	m.to = connection
	e, err := m.Engine(ctx)
	if err != nil {
		m.Failed(err)
		return
	}
	defer e.Close()
	m.engine = e
	again := time.NewTicker(searchPace)
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-m.wake:
		case <-again.C: // the store is written some time after the message
		}
		m.mu.Lock()
		var due []*meteredSession
		for _, s := range m.sessions {
			if s.turnEnded {
				s.turnEnded, s.searches = false, 0
			}
			if s.changed || s.feed != nil || s.searches < mostSearches {
				due = append(due, s)
			}
		}
		m.mu.Unlock()
		for _, s := range due {
			m.measure(ctx, s)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(measurePace):
		}
	}
}

// measure measures a session, and sends the client its size if that has changed.
func (m *Meter) measure(ctx context.Context, s *meteredSession) {
	m.mu.Lock()
	pieces, measured, before, ended, lossy := s.pieces, s.lastMeasured, s.before, s.ended, s.lossy
	s.pieces, s.bytes, s.lastMeasured, s.changed = nil, 0, nil, false
	m.mu.Unlock()
	if ended {
		m.end(ctx, s)
		return
	}
	from := "store"
	reading := m.fromStore(ctx, s)
	r, err := terminal.Parse(reading)
	if reading == nil || err != nil || r.LastRequest == nil && r.Compactions == 0 {
		from = "text"
		reading, err = m.fromText(ctx, s, pieces, measured, before, lossy)
		if err != nil || reading == nil {
			return
		}
		if r, err = terminal.Parse(reading); err != nil {
			return
		}
	}
	if from == "store" {
		m.showCompactions(s, r.Compactions)
	}
	usage := Usage{Used: r.Used}
	switch {
	case r.Limit != nil && *r.Limit > 0:
		usage.Size = *r.Limit
	case measured != nil:
		usage.Size = measured.Size
	default:
		usage.Size = s.sent[1]
	}
	if usage.Size <= 0 {
		return // the protocol cannot express an unknown window
	}
	about := map[string]any{"from": from, "basis": r.Basis}
	if r.Compaction.Line != nil {
		about["line"] = *r.Compaction.Line
	}
	usage.About, _ = json.Marshal(map[string]any{"ctx": about}) // numbers and words can always be encoded
	if from == "store" {
		m.mu.Lock()
		s.better = usage
		m.mu.Unlock()
	} else if measured != nil {
		s.sent = [2]int64{measured.Used, measured.Size} // the agent has sent it to the client
	}
	if s.sent == [2]int64{usage.Used, usage.Size} {
		return
	}
	s.sent = [2]int64{usage.Used, usage.Size}
	if m.to.SendUsage(s.id, usage) == nil && m.Sent != nil {
		m.Sent(Measured{Session: s.id, Used: usage.Used, Size: usage.Size, From: from, Basis: r.Basis})
	}
}

// showCompactions sends the client the compactions that are in the store and not reported by the agent. Those present
// at the first read are part of the history that the client loads. A new one is held back for a while, in case the
// agent reports it.
func (m *Meter) showCompactions(s *meteredSession, compactions int64) {
	if !s.storeRead {
		s.storeRead, s.shown = true, compactions
	}
	if compactions != s.compactions {
		s.compactions, s.compactedAt = compactions, m.Now()
	}
	m.mu.Lock()
	reports := s.reports
	m.mu.Unlock()
	if reports || compactions < s.shown {
		s.shown = compactions
	}
	for s.shown < compactions && m.Now().Sub(s.compactedAt) >= searchPace {
		s.shown++
		if m.to.SendCompaction(s.id, fmt.Sprintf("ctx-%d", s.shown), json.RawMessage(`{"ctx":{"from":"store"}}`)) != nil {
			return
		}
	}
}

// fromStore returns the last Reading of the session from its agent's store; nil while none was found.
func (m *Meter) fromStore(ctx context.Context, s *meteredSession) []byte {
	if s.feed == nil && s.searches < mostSearches && m.Now().Sub(s.searchedAt) >= searchPace {
		s.searchedAt = m.Now()
		s.searches++
		if found, some := m.find(ctx, s); some {
			s.feed = m.Follow(found, m.engine.Call)
		}
	}
	if s.feed == nil {
		return nil
	}
	reading, err := s.feed.Read(ctx)
	if err == nil && reading != nil {
		if reading, err = client.Call(m.engine.Call).InMode(ctx, reading, m.Mode); err == nil {
			s.stored = reading
		}
	}
	return s.stored
}

// find returns the session from the store of its agent: by its id, or by the process that the agent started for it. It
// returns false if the session is not found or uncertain.
func (m *Meter) find(ctx context.Context, s *meteredSession) (transcript.Session, bool) {
	m.mu.Lock()
	of, others := m.agent, len(m.sessions)
	m.mu.Unlock()
	found, _, err := m.finder.Find(ctx, sessions.Query{ID: s.id, Agent: of, Limit: 1})
	if err != nil {
		return transcript.Session{}, false
	}
	for _, each := range found {
		if each.ID == s.id {
			return each, true
		}
	}
	if others > 1 {
		return transcript.Session{}, false // it is uncertain which of them it is
	}
	near, _, err := m.finder.Find(ctx, sessions.Query{Near: s.cwd, Agent: of, Since: m.started, Limit: mostNear})
	if err != nil || len(near) == 0 {
		return transcript.Session{}, false
	}
	known := make([]process.Session, 0, len(near))
	for _, each := range near {
		known = append(known, process.Session{ID: each.ID, Agent: each.Agent, Path: each.Path, Dir: each.Workspace, Begun: each.Started, Last: each.Modified})
	}
	processes := process.Agents(process.Host())
	held := ""
	for _, h := range process.Resolve(processes, process.Claims(m.finder.Environment()), known) {
		if h.Session != "" && h.Proof != process.ByStart && below(h.Process.PID, m.Process, processes) {
			if held != "" && held != h.Session {
				return transcript.Session{}, false
			}
			held = h.Session
		}
	}
	for _, each := range near {
		if held != "" && each.ID == held {
			return each, true
		}
	}
	return transcript.Session{}, false
}

// below reports whether a process is the other one or was started below it.
func below(pid, ancestor int, processes []process.Process) bool {
	parent := make(map[int]int, len(processes))
	for i := range processes {
		parent[processes[i].PID] = processes[i].Parent
	}
	for steps := 0; pid > 1 && steps < 64; steps++ {
		if pid == ancestor {
			return true
		}
		pid = parent[pid]
	}
	return false
}

// fromText counts the text that has passed, on top of the size reported by the agent. It returns nil if nothing can be
// counted.
func (m *Meter) fromText(ctx context.Context, s *meteredSession, pieces []Piece, measured *Usage, before int, lossy bool) ([]byte, error) {
	if lossy {
		return nil, nil // a part would be taken for the whole
	}
	if s.open == "" {
		if len(pieces) == 0 && measured == nil {
			return nil, nil
		}
		if err := m.openText(ctx, s, measured); err != nil {
			return nil, err
		}
	}
	call := client.Call(m.engine.Call)
	if len(pieces) > 0 && pieces[0].Kind == compactedPiece {
		if err := m.compact(ctx, call, s, pieces[0].Text); err != nil {
			return nil, err
		}
		pieces, before = pieces[1:], before-1
	}
	items := make([]api.Appendix, 0, len(pieces))
	through := int64(s.items)
	for i, p := range pieces {
		if p.Text == "" {
			continue
		}
		items = append(items, api.Item{Kind: api.Kind(p.Kind), Text: api.Text(p.Text), Name: p.Name})
		if i < before {
			through++ // the agent's number includes what has passed, with its response
		}
	}
	s.items += len(items)
	reading, err := call.Update(ctx, &api.UpdateParams{ID: s.open, Append: items}).JSON()
	if err == nil && measured != nil && measured.Used > 0 {
		s.reported++
		reading, err = call.Usage(ctx, &api.UsageParams{
			ID: s.open, Request: fmt.Sprint(s.reported), Provider: "ctx", Through: &through, Usage: api.Usage{In: &measured.Used},
		}).JSON()
	}
	if err != nil {
		return nil, err
	}
	return client.Call(m.engine.Call).InMode(ctx, reading, m.Mode)
}

// compact replaces the counted text by a summary, which may be "".
func (m *Meter) compact(ctx context.Context, call client.Call, s *meteredSession, summary string) error {
	compacted := api.CompactedParams{ID: s.open}
	s.items = 0
	if summary != "" {
		compacted.Summary, s.items = summary, 1
	}
	_, err := call.Compacted(ctx, &compacted).JSON()
	return err
}

// openText opens a session without a known store in the engine.
func (m *Meter) openText(ctx context.Context, s *meteredSession, measured *Usage) error {
	m.mu.Lock()
	open := api.OpenParams{ID: "acp " + s.id, Workspace: s.cwd, Model: s.model, Agent: m.agent}
	if measured != nil && measured.Size > 0 {
		open.Limits = &api.Limits{Window: &measured.Size}
	}
	m.mu.Unlock()
	var err error
	for range 2 {
		if _, err = client.Call(m.engine.Call).Open(ctx, &open).JSON(); err == nil {
			s.open = open.ID
			return nil
		}
		open.Agent = "" // an agent without a rule cannot be named
	}
	return err
}

// end closes a session and removes it.
func (m *Meter) end(ctx context.Context, s *meteredSession) {
	if s.feed != nil {
		s.feed.Close(ctx)
	}
	if s.open != "" {
		client.Call(m.engine.Call).Close(ctx, &api.SessionParams{ID: s.open})
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if s.ended {
		delete(m.sessions, s.id)
	}
}
