// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// metrics count what the daemon does. They do not name sessions, workspaces or clients.
type metrics struct {
	received, failed, changes, notified atomic.Int64
	saves, saveErrors, engineErrors     atomic.Int64
	defects                             atomic.Int64

	mu      sync.Mutex // guards the fields below
	engine  histogram
	answers histogram
}

// bounds are the upper ends of the histograms' buckets.
var bounds = []time.Duration{
	100 * time.Microsecond, 300 * time.Microsecond, time.Millisecond, 3 * time.Millisecond, 10 * time.Millisecond,
	30 * time.Millisecond, 100 * time.Millisecond, 300 * time.Millisecond, time.Second, 3 * time.Second,
}

type histogram struct {
	buckets [11]int64
	sum     time.Duration
	count   int64
}

func (h *histogram) add(took time.Duration) {
	i := 0
	for i < len(bounds) && took > bounds[i] {
		i++
	}
	h.buckets[i]++
	h.sum += took
	h.count++
}

func (h *histogram) write(w io.Writer, name, help string) {
	fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s histogram\n", name, help, name)
	total := int64(0)
	for i, bound := range bounds {
		total += h.buckets[i]
		fmt.Fprintf(w, "%s_bucket{le=\"%g\"} %d\n", name, bound.Seconds(), total)
	}
	fmt.Fprintf(w, "%s_bucket{le=\"+Inf\"} %d\n%s_sum %g\n%s_count %d\n", name, h.count, name, h.sum.Seconds(), name, h.count)
}

func (m *metrics) called(took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.engine.add(took)
}

func (m *metrics) answered(took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.answers.add(took)
}

// WriteMetrics writes the daemon's counters as Prometheus text.
func (s *Server) WriteMetrics(w io.Writer) {
	m := &s.metrics
	counter := func(name, help string, value int64) {
		fmt.Fprintf(w, "# HELP ctx_%s_total %s\n# TYPE ctx_%s_total counter\nctx_%s_total %d\n", name, help, name, name, value)
	}
	gauge := func(name, help string, value int64) {
		fmt.Fprintf(w, "# HELP ctx_%s %s\n# TYPE ctx_%s gauge\nctx_%s %d\n", name, help, name, name, value)
	}
	s.mu.Lock()
	connections := len(s.connections)
	sessions := make([]*session, 0, len(s.sessions))
	for _, each := range s.sessions {
		sessions = append(sessions, each)
	}
	s.mu.Unlock()
	fullest := -1.0
	for _, each := range sessions {
		if reading, sum := each.snapshot(); reading != nil {
			fullest = max(fullest, sum.fullness)
		}
	}
	gauge("connections", "Connected clients.", int64(connections))
	if s.options.Telemetry != nil {
		s.options.Telemetry.WritePrometheus(w)
	}
	if fullest >= 0 {
		fmt.Fprintf(w, "# HELP ctx_fullest_percent Percentage of the compaction threshold used by the fullest session.\n# TYPE ctx_fullest_percent gauge\nctx_fullest_percent %g\n", fullest)
	}
	counter("messages", "Messages received.", m.received.Load())
	counter("errors", "Requests that returned an error.", m.failed.Load())
	counter("changes", "Changes of sessions.", m.changes.Load())
	counter("notifications", "Readings sent to watchers.", m.notified.Load())
	counter("saves", "Ledgers saved.", m.saves.Load())
	counter("save_errors", "Ledgers that could not be saved.", m.saveErrors.Load())
	counter("engine_errors", "Calls that crashed the engine.", m.engineErrors.Load())
	counter("defects", "Recovered internal errors of the daemon.", m.defects.Load())
	m.mu.Lock()
	engine, answers := m.engine, m.answers
	m.mu.Unlock()
	engine.write(w, "ctx_engine_seconds", "Time of one engine call.")
	answers.write(w, "ctx_answer_seconds", "Time of one request in the daemon.")
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	gauge("heap_bytes", "Bytes in use on the Go heap.", int64(memory.HeapInuse))
	gauge("goroutines", "Number of goroutines.", int64(runtime.NumGoroutine()))
	gauge("uptime_seconds", "Seconds since the start.", int64(time.Since(s.started).Seconds()))
}

// MetricsHandler serves WriteMetrics at /metrics of a listener at host. A web page could make its own domain resolve to
// this machine. So it accepts only requests for localhost, for an address, or for exactly the name of the listener; on
// the loopback interface, only for loopback addresses.
func (s *Server) MetricsHandler(host string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		if !answersTo(host, r.Host) {
			http.Error(w, "Metrics are served only to this machine's own addresses.", http.StatusForbidden)
			return
		}
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		s.WriteMetrics(w)
	})
	return mux
}

// answersTo reports whether a listener at one host accepts a request for another.
func answersTo(listening, asked string) bool {
	name := asked
	if host, _, err := net.SplitHostPort(asked); err == nil {
		name = host
	}
	name = strings.Trim(name, "[]")
	at, isAddress := netip.ParseAddr(name)
	own, err := netip.ParseAddr(listening)
	switch {
	case strings.EqualFold(name, "localhost"), isAddress == nil && at.IsLoopback():
		return true
	case listening == "localhost", err == nil && own.IsLoopback():
		return false
	}
	return isAddress == nil || strings.EqualFold(name, listening)
}
