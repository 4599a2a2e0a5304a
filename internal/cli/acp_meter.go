// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/acp"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/process"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// An acpMeter measures the sessions of one connection. What passes is noted at once and measured later, in one
// goroutine, so that no message waits for it.
type acpMeter struct {
	env     *environment
	mode    string
	asJSON  bool
	pid     int
	tell    func(session string, usage acp.Usage) error
	finder  *sessions.Finder
	engine  *engine.Pool
	started time.Time
	wake    chan struct{}

	mu       sync.Mutex
	agent    string // as core/agent names it; empty while it is not known
	version  string
	sessions map[string]*acpSession
}

// An acpSession is one session of the connection.
type acpSession struct {
	id, cwd, model string

	// The following is noted while messages pass; the meter's mu guards it.
	pieces  []acp.Piece
	bytes   int
	lossy   bool // more has passed than could be kept, so that its text is not counted any more
	changed bool
	rested  bool
	ended   bool
	known   acp.Usage // better than what the agent says; none while Size is 0
	told    *acp.Usage
	before  int // pieces that had passed when the agent told it

	// The following belongs to the goroutine that measures.
	feed   *follow.Feed
	stored []byte // the last Reading of the store
	looked time.Time
	looks  int    // searches since the agent last answered
	open   string // the id in the engine, for a session whose text is counted
	sent   [2]int64
	items  int // of it
	asked  int // requests of which the agent has told the size
}

const (
	maxACPSessions = 256
	maxACPText     = 32 << 20 // of a session, that waits to be counted
	maxACPSearches = 8        // for the store, after each answer of the agent
	acpPace        = 300 * time.Millisecond
	acpSearchPace  = 2 * time.Second
)

func newACPMeter(env *environment, mode string, asJSON bool, pid int, command []string) *acpMeter {
	m := &acpMeter{
		env: env, mode: mode, asJSON: asJSON, pid: pid, finder: sessions.NewFinder(env.host()), started: env.Now(),
		wake: make(chan struct{}, 1), sessions: map[string]*acpSession{},
	}
	for _, word := range command {
		if m.agent = acpAgent(filepath.Base(word)); m.agent != "" {
			break
		}
	}
	return m
}

// acpAgent is the agent that a name speaks of: a program's, or what an agent calls itself.
func acpAgent(name string) string {
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

// note changes what is noted of a session.
func (m *acpMeter) note(session string, change func(s *acpSession)) {
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

// Agent implements acp.Watcher, as the following do.
func (m *acpMeter) Agent(name, version string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if known := acpAgent(name); known != "" {
		m.agent = known
	}
	m.version = version
}

// Began notes a session.
func (m *acpMeter) Began(session, cwd, model string) {
	m.mu.Lock()
	if m.sessions[session] == nil && session != "" && len(m.sessions) < maxACPSessions {
		m.sessions[session] = &acpSession{id: session}
	}
	m.mu.Unlock()
	m.note(session, func(s *acpSession) {
		s.ended = false
		if cwd != "" {
			s.cwd = cwd
		}
		if model != "" {
			s.model = model
		}
	})
}

// Said notes a piece of a conversation.
func (m *acpMeter) Said(session string, piece acp.Piece) {
	m.note(session, func(s *acpSession) {
		if s.lossy || s.bytes+len(piece.Text) > maxACPText {
			s.lossy, s.pieces, s.bytes, s.before = true, nil, 0, 0
			return
		}
		s.bytes += len(piece.Text)
		if last := len(s.pieces) - 1; last >= 0 && piece.More && (s.told == nil || last >= s.before) && s.pieces[last].Kind == piece.Kind && len(s.pieces[last].Text) < 1<<20 {
			s.pieces[last].Text += piece.Text
			return
		}
		s.pieces = append(s.pieces, piece)
	})
}

// Told notes what the agent says of a session's size.
func (m *acpMeter) Told(session string, used, size int64) {
	m.note(session, func(s *acpSession) { s.told, s.before = &acp.Usage{Used: used, Size: size}, len(s.pieces) })
}

// Rested notes that the agent has answered.
func (m *acpMeter) Rested(session string) { m.note(session, func(s *acpSession) { s.rested = true }) }

// Ended notes that a session is closed.
func (m *acpMeter) Ended(session string) { m.note(session, func(s *acpSession) { s.ended = true }) }

// Usage is what is known better than the agent's own numbers.
func (m *acpMeter) Usage(session string) (acp.Usage, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s := m.sessions[session]; s != nil && s.known.Size > 0 {
		return s.known, true
	}
	return acp.Usage{}, false
}

// run measures until the connection ends.
func (m *acpMeter) run(ctx context.Context) {
	e, err := nativeEngine(m.env, 1)
	if err != nil {
		m.env.errorf("acp: the session is not measured: %s", err)
		return
	}
	defer e.Close()
	m.engine = e
	_ = teach(ctx, m.env, e) // without what was learned it measures too
	again := time.NewTicker(acpSearchPace)
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-m.wake:
		case <-again.C: // a store is written some time after the message
		}
		m.mu.Lock()
		var due []*acpSession
		for _, s := range m.sessions {
			if s.rested {
				s.rested, s.looks = false, 0
			}
			if s.changed || s.feed != nil || s.looks < maxACPSearches {
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
		case <-time.After(acpPace):
		}
	}
}

// measure measures one session anew and tells the client where that has changed.
func (m *acpMeter) measure(ctx context.Context, s *acpSession) {
	m.mu.Lock()
	pieces, told, before, ended, lossy := s.pieces, s.told, s.before, s.ended, s.lossy
	s.pieces, s.bytes, s.told, s.changed = nil, 0, nil, false
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
		reading, err = m.fromText(ctx, s, pieces, told, before, lossy)
		if err != nil || reading == nil {
			return
		}
		if r, err = terminal.Parse(reading); err != nil {
			return
		}
	}
	usage := acp.Usage{Used: r.Used}
	switch {
	case r.Limit != nil && *r.Limit > 0:
		usage.Size = *r.Limit
	case told != nil:
		usage.Size = told.Size
	default:
		usage.Size = s.sent[1]
	}
	if usage.Size <= 0 {
		return // the protocol has no word for a window that is not known
	}
	about := map[string]any{"from": from, "basis": r.Basis}
	if r.Compaction.Line != nil {
		about["line"] = *r.Compaction.Line
	}
	usage.About, _ = json.Marshal(map[string]any{"ctx": about}) // numbers and words always encode
	if from == "store" {
		m.mu.Lock()
		s.known = usage
		m.mu.Unlock()
	} else if told != nil {
		s.sent = [2]int64{told.Used, told.Size} // the client has it from the agent
	}
	if s.sent == [2]int64{usage.Used, usage.Size} {
		return
	}
	s.sent = [2]int64{usage.Used, usage.Size}
	if m.tell(s.id, usage) == nil && m.asJSON {
		line, _ := json.Marshal(map[string]any{"schema": "ctx.acp/1", "session": s.id, "used": usage.Used, "size": usage.Size, "from": from, "basis": r.Basis})
		fmt.Fprintf(m.env.Stderr, "%s\n", line)
	}
}

// fromStore reads the session from its agent's store; nil while none was found.
func (m *acpMeter) fromStore(ctx context.Context, s *acpSession) []byte {
	if s.feed == nil && s.looks < maxACPSearches && m.env.Now().Sub(s.looked) >= acpSearchPace {
		s.looked = m.env.Now()
		s.looks++
		if found, some := m.find(ctx, s); some {
			s.feed = follow.NewFeed(found, m.engine.Call)
			s.feed.HidePaths, s.feed.Settings, s.feed.Files, s.feed.Says = m.env.hidePaths, agents.SettingsOf(m.env.host(), found), m.env.files(found), m.env.says()
		}
	}
	if s.feed == nil {
		return nil
	}
	reading, err := s.feed.Read(ctx)
	if err == nil && reading != nil {
		if reading, err = inMode(ctx, m.engine, reading, m.mode); err == nil {
			s.stored = reading
		}
	}
	return s.stored
}

// find finds the session in the store of its agent: by its id, or by the process that the agent has started for it.
func (m *acpMeter) find(ctx context.Context, s *acpSession) (transcript.Session, bool) {
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
		return transcript.Session{}, false // which of them it is, is not certain
	}
	near, _, err := m.finder.Find(ctx, sessions.Query{Near: s.cwd, Agent: of, Since: m.started, Limit: maxChoices})
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
		if h.Session != "" && h.Proof != process.ByStart && below(h.Process.PID, m.pid, processes) {
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

// below says whether a process is another one or was started below it.
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

// fromText counts the text that has passed, on top of what the agent has told of the size.
func (m *acpMeter) fromText(ctx context.Context, s *acpSession, pieces []acp.Piece, told *acp.Usage, before int, lossy bool) ([]byte, error) {
	if lossy {
		return nil, nil // a part would look like the whole
	}
	if s.open == "" {
		if len(pieces) == 0 && told == nil {
			return nil, nil
		}
		if err := m.openText(ctx, s, told); err != nil {
			return nil, err
		}
	}
	items := make([]api.Appendix, 0, len(pieces))
	through := int64(s.items)
	for i, p := range pieces {
		if p.Text == "" {
			continue
		}
		items = append(items, api.Item{Kind: api.Kind(p.Kind), Text: api.Text(p.Text), Name: p.Name})
		if i < before {
			through++ // the agent counts what has passed, its answer with it
		}
	}
	s.items += len(items)
	call := client.Call(m.engine.Call)
	reading, err := call.Update(ctx, &api.UpdateParams{ID: s.open, Append: items}).JSON()
	if err == nil && told != nil && told.Used > 0 {
		s.asked++
		reading, err = call.Usage(ctx, &api.UsageParams{
			ID: s.open, Request: fmt.Sprint(s.asked), Provider: "ctx", Through: &through, Usage: api.Usage{In: &told.Used},
		}).JSON()
	}
	if err != nil {
		return nil, err
	}
	return inMode(ctx, m.engine, reading, m.mode)
}

// openText opens a session of which no store is known.
func (m *acpMeter) openText(ctx context.Context, s *acpSession, told *acp.Usage) error {
	m.mu.Lock()
	open := api.OpenParams{ID: "acp " + s.id, Workspace: s.cwd, Model: s.model, Agent: m.agent}
	if told != nil && told.Size > 0 {
		open.Limits = &api.Limits{Window: &told.Size}
	}
	m.mu.Unlock()
	var err error
	for range 2 {
		if _, err = client.Call(m.engine.Call).Open(ctx, &open).JSON(); err == nil {
			s.open = open.ID
			return nil
		}
		open.Agent = "" // one without a rule cannot be named
	}
	return err
}

// end forgets a session.
func (m *acpMeter) end(ctx context.Context, s *acpSession) {
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
