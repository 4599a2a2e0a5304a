// Copyright The ctx-lsp authors. MIT licence.

package telemetry

import (
	"cmp"
	stdjson "encoding/json"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// A session is what the Meter remembers of one: a few numbers.
type session struct {
	// What was told so far, and a Reading that has no news and was not read yet.
	told                       bool
	toldCalls, toldCompactions int64
	latest                     []byte
	fresh                      bool

	read  bool // the fields below hold something
	ended bool // it is only remembered
	// These never fall: a transcript that is read again from its beginning tells nothing new.
	calls, compactions, steps int64
	landing                   bool // the next request is the first after a compaction

	called                              [2]string // agent and model, as the Reading calls them
	agent, model, basis, level, project string
	live                                bool
	asOf, used, fixed                   int64
	window, line, headroom              *int64
	utilization                         *api.Hundredths
	kinds                               map[api.Kind]int64
}

// A glance is what the Meter reads of a Reading.
type glance struct {
	Agent       string           `json:"agent"`
	Model       string           `json:"model"`
	Workspace   string           `json:"workspace"`
	Activity    string           `json:"activity"`
	Basis       string           `json:"basis"`
	Used        int64            `json:"used"`
	Limit       *int64           `json:"limit"`
	Free        *int64           `json:"free"`
	Percent     *api.Hundredths  `json:"percent"`
	LastRequest *api.LastRequest `json:"lastRequest"`
	Breakdown   []struct {
		Kind     api.Kind `json:"kind"`
		Tokens   int64    `json:"tokens"`
		Deferred bool     `json:"deferred"`
	} `json:"breakdown"`
	Compaction struct {
		Line    *int64          `json:"line"`
		Left    *int64          `json:"left"`
		Percent *api.Hundredths `json:"percent"`
		Level   string          `json:"level"`
	} `json:"compaction"`
	Accuracy struct {
		Last *struct {
			Percent api.Hundredths `json:"percent"`
		} `json:"last"`
		Steps int64 `json:"steps"`
	} `json:"accuracy"`
	Spent struct {
		Calls int64 `json:"calls"`
	} `json:"spent"`
	Compactions int64     `json:"compactions"`
	AsOf        *api.Time `json:"asOf"`
}

// fixed are the kinds that surround a conversation in each prompt.
var fixed = map[api.Kind]bool{"system": true, "tools": true, "mcpTools": true, "skills": true, "agents": true, "memory": true, "prefix": true}

// apply counts what a Reading tells and has not been counted. Only one goroutine applies at a time.
func (m *Meter) apply(news told) {
	var r glance
	if stdjson.Unmarshal(news.reading, &r) != nil {
		return // a later one can be read
	}
	m.mu.Lock()
	s := m.sessions[news.id]
	m.mu.Unlock()
	if s == nil {
		return
	}
	var history *api.HistoryAnswer
	begins := !s.read && !s.fresh
	if !begins && m.options.History != nil && (r.Spent.Calls > s.calls+1 || r.Compactions > s.compactions) {
		history, _ = m.options.History(news.id) // without it less is known, and that is counted
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if called := [2]string{r.Agent, r.Model}; s.called != called || s.agent == "" {
		s.called = called
		s.agent, s.model = m.names.of(r.Agent, r.Model)
	}
	if !begins {
		m.count(s, &r, history)
	}
	s.read, s.ended = true, false
	s.calls, s.compactions, s.steps = max(s.calls, r.Spent.Calls), max(s.compactions, r.Compactions), max(s.steps, r.Accuracy.Steps)
	s.take(&r)
	if m.options.Project != nil && r.Workspace != "" {
		s.project = m.options.Project(r.Workspace)
	}
}

// count counts the requests and compactions since the last Reading; m.mu is held.
func (m *Meter) count(s *session, r *glance, history *api.HistoryAnswer) {
	series := []Attribute{{AgentName, s.agent}, {RequestModel, s.model}}
	if r.Compactions > s.compactions {
		m.compacted(s, r, history, series)
	}
	request := func(in int64) {
		m.record(RequestsAt, float64(in), series)
		if s.landing {
			s.landing = false
			m.record(CompactionAfter, float64(in), series)
		}
	}
	switch further := r.Spent.Calls - s.calls; {
	case further <= 0:
	case further > 1 && history != nil:
		seen := int64(0)
		for _, point := range history.Points {
			if point.Call > s.calls && point.Call <= r.Spent.Calls {
				seen++
				request(point.Used)
			}
		}
		m.miss(further - seen)
	case r.LastRequest != nil:
		request(r.LastRequest.In)
		m.miss(further - 1)
	default:
		m.miss(further)
	}
	if last := r.Accuracy.Last; last != nil && r.Accuracy.Steps > s.steps {
		m.record(PredictionError, float64(max(last.Percent, -last.Percent))/1e4, series)
	}
}

func (m *Meter) compacted(s *session, r *glance, history *api.HistoryAnswer, series []Attribute) {
	further := r.Compactions - s.compactions
	var last []api.HistoryCompaction
	if history != nil {
		last = history.Compactions[max(0, int64(len(history.Compactions))-further):]
	}
	for i := range further {
		trigger := "unknown"
		before := s.used
		if at := i - further + int64(len(last)); at >= 0 {
			trigger = cmp.Or(string(last[at].Trigger), trigger)
			if last[at].Before != nil {
				before = *last[at].Before
			}
		}
		m.add(Compactions, 1, append(series[:2:2], Attribute{TriggerOf, trigger}))
		if before > 0 {
			m.record(CompactionBefore, float64(before), series)
		}
	}
	s.landing = true
}

func (m *Meter) miss(n int64) {
	if n > 0 {
		m.add(Missed, n, nil)
	}
}

func (m *Meter) add(of *Instrument, n int64, attributes []Attribute) {
	m.counts.add(of, n, attributes...)
	for _, to := range m.sinks {
		to.add(of, n, attributes)
	}
}

func (m *Meter) record(of *Instrument, value float64, attributes []Attribute) {
	m.counts.record(of, value, attributes...)
	for _, to := range m.sinks {
		to.record(of, value, attributes)
	}
}

// take keeps what gauges show.
func (s *session) take(r *glance) {
	s.basis, s.level = cmp.Or(r.Basis, "unknown"), cmp.Or(r.Compaction.Level, "ok")
	s.live = r.Activity == "working" || r.Activity == "waiting"
	s.used, s.window, s.line = r.Used, r.Limit, r.Compaction.Line
	s.headroom, s.utilization = r.Compaction.Left, r.Compaction.Percent
	if s.line == nil {
		s.headroom, s.utilization = r.Free, r.Percent
	}
	if r.AsOf != nil {
		s.asOf = int64(*r.AsOf)
	}
	s.fixed, s.kinds = 0, map[api.Kind]int64{}
	for _, row := range r.Breakdown {
		if row.Deferred {
			continue
		}
		s.kinds[row.Kind] += row.Tokens
		if fixed[row.Kind] {
			s.fixed += row.Tokens
		}
	}
}

// nearer says whether a is nearer its line than b. Where that is the same, or nothing is known of the line, the larger
// one counts, and then the newer one.
func nearer(a, b *session) bool {
	share := func(s *session) int64 {
		if s.utilization == nil {
			return -1
		}
		return int64(*s.utilization)
	}
	return cmp.Or(cmp.Compare(share(a), share(b)), cmp.Compare(a.used, b.used), cmp.Compare(a.asOf, b.asOf)) > 0
}

func newer(a, b *session) bool {
	return cmp.Or(cmp.Compare(a.asOf, b.asOf), cmp.Compare(a.fixed, b.fixed)) > 0
}

// points are the gauges of a session. What is not known has no point.
func (s *session) points() []Point {
	series := []Attribute{{AgentName, s.agent}, {RequestModel, s.model}, {BasisOf, s.basis}}
	points := []Point{{ContextUsed, series, float64(s.used)}}
	for of, value := range map[*Instrument]*int64{ContextWindow: s.window, ContextLine: s.line, ContextHeadroom: s.headroom} {
		if value != nil {
			points = append(points, Point{of, series, float64(*value)})
		}
	}
	if s.utilization != nil {
		points = append(points, Point{ContextUtilization, series, float64(*s.utilization) / 1e4})
	}
	for kind, tokens := range s.kinds {
		points = append(points, Point{ContextComposition, append(series[:3:3], Attribute{KindOf, string(kind)}), float64(tokens)})
	}
	return points
}
