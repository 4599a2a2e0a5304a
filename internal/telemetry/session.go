// Copyright The ctx-lsp authors. MIT licence.

package telemetry

import (
	"cmp"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// A session is the Meter's state of a session: a few numbers.
type session struct {
	// The numbers passed so far, and the last Reading if it has no news and was not read yet.
	queued                         bool
	queuedCalls, queuedCompactions int64
	latest                         []byte
	fresh                          bool

	read  bool // the fields below are set
	ended bool // it has ended and is only remembered
	// These never decrease: a transcript that is read again from its beginning contains nothing new.
	calls, compactions, steps, breaks int64
	landing                           bool // the next request is the first after a compaction

	called                              [2]string // agent and model, as named in the Reading
	agent, model, basis, level, project string
	live                                bool
	asOf, used, fixed                   int64
	window, threshold, headroom         *int64
	utilization                         *api.Hundredths
	kinds                               map[api.Kind]int64
}

// fixed are the kinds of the fixed context.
var fixed = map[api.Kind]bool{"system": true, "tools": true, "mcpTools": true, "skills": true, "agents": true, "memory": true, "prefix": true}

// apply counts the events in a Reading that have not been counted. Only one goroutine applies at a time.
func (m *Meter) apply(news queuedReading) {
	var r api.Reading
	if !r.GlanceAt(news.reading) {
		return // a later one may be readable
	}
	m.mu.Lock()
	s := m.sessions[news.id]
	m.mu.Unlock()
	if s == nil {
		return
	}
	var history *api.HistoryAnswer
	begins := !s.read && !s.fresh
	if !begins && m.options.History != nil && (r.Spent.Calls > s.calls+1 || r.Compaction.Count > s.compactions) {
		history, _ = m.options.History(news.id) // without it some requests are counted as missed
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if called := [2]string{r.Agent, r.Model}; s.called != called || s.agent == "" {
		s.called = called
		s.agent, s.model = m.names.forSession(r.Agent, r.Model)
	}
	if !begins {
		m.count(s, &r, history)
	}
	s.read, s.ended = true, false
	s.calls, s.compactions, s.steps = max(s.calls, r.Spent.Calls), max(s.compactions, r.Compaction.Count), max(s.steps, r.Accuracy.Steps)
	if r.Cache.Breaks != nil {
		s.breaks = max(s.breaks, r.Cache.Breaks.Count)
	}
	s.take(&r)
	if m.options.Project != nil && r.Workspace != "" {
		s.project = m.options.Project(r.Workspace)
	}
}

// count counts the requests and compactions since the last Reading; m.mu is held.
func (m *Meter) count(s *session, r *api.Reading, history *api.HistoryAnswer) {
	series := []Attribute{{AgentName, s.agent}, {RequestModel, s.model}}
	if r.Compaction.Count > s.compactions {
		m.compacted(s, r, history, series)
	}
	m.broken(s, r, history, series)
	request := func(in int64) {
		m.record(RequestsAt, float64(in), series)
		if s.landing {
			s.landing = false
			m.record(CompactionAfter, float64(in), append(series[:2:2], compacted))
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

// broken counts the breaks of the cache since the last Reading.
func (m *Meter) broken(s *session, r *api.Reading, history *api.HistoryAnswer, series []Attribute) {
	if r.Cache.Breaks == nil {
		return
	}
	further := r.Cache.Breaks.Count - s.breaks
	for i := range max(further, 0) {
		cause := "unknown"
		if i == further-1 {
			cause = string(r.Cache.Breaks.Last.Cause)
		} else if history != nil {
			if at := int64(len(history.Breaks)) - further + i; at >= 0 {
				cause = string(history.Breaks[at].Cause)
			}
		}
		m.add(CacheBreaks, 1, append(series[:2:2], Attribute{BreakCauseOf, cause}))
	}
}

func (m *Meter) compacted(s *session, r *api.Reading, history *api.HistoryAnswer, series []Attribute) {
	further := r.Compaction.Count - s.compactions
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
		m.add(Compactions, 1, append(series[:2:2], Attribute{TriggerOf, trigger}, compacted))
		if before > 0 {
			m.record(CompactionBefore, float64(before), series)
		}
	}
	s.landing = true
}

// compacted is the attribute of compactions and of the first prompt after one.
var compacted = Attribute{CompactedOf, "true"}

func (m *Meter) miss(n int64) {
	if n > 0 {
		m.add(Missed, n, nil)
	}
}

func (m *Meter) add(of *Instrument, n int64, attributes []Attribute) {
	m.counts.add(of, n, attributes...)
	for _, to := range m.senders {
		to.add(of, n, attributes)
	}
}

func (m *Meter) record(of *Instrument, value float64, attributes []Attribute) {
	m.counts.record(of, value, attributes...)
	for _, to := range m.senders {
		to.record(of, value, attributes)
	}
}

// take stores the values of the gauges.
func (s *session) take(r *api.Reading) {
	c := &r.Compaction
	s.basis, s.level = cmp.Or(string(r.Basis), "unknown"), cmp.Or(string(c.Level), "ok")
	s.live = r.Activity == "working" || r.Activity == "waiting"
	s.used, s.window, s.threshold = r.Used, r.Limit, c.Threshold
	s.headroom, s.utilization = c.Left, c.Percent
	if s.threshold == nil {
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

// nearer reports whether a is nearer its compaction threshold than b. If both are equally near, or their thresholds are
// unknown, the larger session wins, then the newer one.
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

// points returns the gauges of a session. Unknown values have no point.
func (s *session) points() []Point {
	series := []Attribute{{AgentName, s.agent}, {RequestModel, s.model}, {BasisOf, s.basis}}
	points := []Point{{ContextUsed, series, float64(s.used)}}
	for of, value := range map[*Instrument]*int64{ContextWindow: s.window, WindowSize: s.window, ContextThreshold: s.threshold, ContextHeadroom: s.headroom} {
		if value != nil {
			points = append(points, Point{of, series, float64(*value)})
		}
	}
	if s.utilization != nil {
		points = append(points, Point{ContextUtilization, series, float64(*s.utilization) / 1e4})
	}
	if s.window != nil && *s.window > 0 {
		points = append(points, Point{WindowUtilization, series, float64(s.used) / float64(*s.window)})
	}
	for kind, tokens := range s.kinds {
		points = append(points, Point{ContextComposition, append(series[:3:3], Attribute{KindOf, string(kind)}), float64(tokens)})
	}
	return points
}
