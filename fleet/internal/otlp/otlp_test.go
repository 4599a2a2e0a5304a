// Copyright The ctx-lsp authors. MIT licence.

package otlp

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"encoding/pem"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	collector "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	"google.golang.org/protobuf/proto"
)

// A sink is a collector that keeps what it receives, and responds as a test requires.
type sink struct {
	mu      sync.Mutex
	bodies  [][]byte
	headers []http.Header
	answer  func(n int, w http.ResponseWriter, r *http.Request) bool // false accepts the report
}

func (s *sink) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	s.mu.Lock()
	s.bodies, s.headers = append(s.bodies, body), append(s.headers, r.Header.Clone())
	n := len(s.bodies)
	s.mu.Unlock()
	if s.answer != nil && s.answer(n, w, r) {
		return
	}
	w.Header().Set("Content-Type", r.Header.Get("Content-Type"))
}

func (s *sink) seen() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.bodies)
}

// The instruments of the tests, a part of those of ctx-lsp.
var instruments = []instrument{
	{Name: "ctx.context.used", Unit: "{token}", Kind: "gauge"},
	{Name: "ctx.context.utilization", Unit: "1", Kind: "gauge"},
	{Name: "ctx.context.composition", Unit: "{token}", Kind: "gauge"},
	{Name: "ctx.compactions", Unit: "{compaction}", Kind: "counter"},
	{Name: "ctx.requests.at", Unit: "{token}", Kind: "histogram", Bounds: []float64{32_000, 48_000}},
	{Name: "ctx.prediction.error", Unit: "1", Kind: "histogram", Bounds: []float64{0.01, 0.1}},
	{Name: "ctx.telemetry.dropped", Unit: "{report}", Kind: "dropped"},
}

var series = map[string]string{"gen_ai.agent.name": "claude-code", "gen_ai.request.model": "claude-sonnet-4-5"}

func gauges() []point {
	all := []point{{"ctx.context.used", 20_000, series}, {"ctx.context.utilization", 0.12, series}}
	for _, kind := range []string{"system", "tools", "user"} {
		all = append(all, point{"ctx.context.composition", 5_000, map[string]string{"ctx.kind": kind}})
	}
	return all
}

// A running is a sink as ctx-lsp starts it, with its output.
type running struct {
	mu    sync.Mutex
	in    *io.PipeWriter
	list  []string
	ended chan error
	err   string // the error with which it did not start
}

// sending starts a sink with a short interval and one measured request.
func sending(t *testing.T, variables map[string]string) *running {
	t.Helper()
	for name, value := range variables { // the SDK reads the environment itself
		t.Setenv(name, value)
	}
	t.Setenv("OTEL_METRIC_EXPORT_INTERVAL", "200")
	r := start(t, os.Getenv)
	if r.err != "" {
		t.Fatal(r.err)
	}
	r.count(t, "ctx.requests.at", 19_000)
	return r
}

// start starts a sink and waits until it is ready or refuses.
func start(t *testing.T, getenv func(string) string) *running {
	t.Helper()
	fromTest, in := io.Pipe()
	out, toTest := io.Pipe()
	r := &running{in: in, ended: make(chan error, 1)}
	go func() {
		err := Run(fromTest, toTest, Settings{Version: "1.2.3", Getenv: getenv})
		_ = fromTest.CloseWithError(io.ErrClosedPipe)
		_ = toTest.Close()
		r.ended <- err
	}()
	t.Cleanup(func() { r.close(t, 100) })
	r.write(t, line{Instruments: instruments})
	decoder := json.NewDecoder(out)
	var first reply
	if err := decoder.Decode(&first); err != nil {
		t.Fatal(err)
	}
	if !first.Ready {
		r.err = first.Error
		return r
	}
	go func() {
		for {
			var each reply
			if decoder.Decode(&each) != nil {
				return
			}
			if each.Ask > 0 {
				text, _ := json.Marshal(line{Asked: each.Ask, Gauges: gauges()})
				_, _ = in.Write(append(text, '\n'))
			}
			if each.Say != "" {
				r.mu.Lock()
				r.list = append(r.list, each.Say)
				r.mu.Unlock()
			}
		}
	}()
	return r
}

func (r *running) write(t *testing.T, l line) {
	t.Helper()
	text, err := json.Marshal(l)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = r.in.Write(append(text, '\n')) // a sink that has ended does not read
}

func (r *running) count(t *testing.T, of string, value float64) {
	t.Helper()
	r.write(t, line{Count: &point{of, value, series}})
}

// close closes the sink, which may continue to send for that many milliseconds.
func (r *running) close(t *testing.T, ms int64) {
	t.Helper()
	r.write(t, line{Close: &ms, Gauges: gauges()})
	_ = r.in.Close()
	select {
	case err := <-r.ended:
		if err != nil {
			t.Error(err)
		}
		r.ended <- nil
	case <-time.After(20 * time.Second):
		t.Error("it does not end")
	}
}

func (r *running) all() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.list, "\n")
}

func (r *running) sentences() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.list)
}

func within(t *testing.T, limit time.Duration, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(limit); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within %v: %s", limit, what)
		}
	}
}

// names returns the metrics of a report, with the number of points of each.
func names(t *testing.T, body []byte) map[string]int {
	t.Helper()
	var request collector.ExportMetricsServiceRequest
	if err := proto.Unmarshal(body, &request); err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for _, resource := range request.GetResourceMetrics() {
		for _, a := range resource.GetResource().GetAttributes() {
			found[a.GetKey()+"="+a.GetValue().GetStringValue()]++
		}
		for _, scope := range resource.GetScopeMetrics() {
			for _, metric := range scope.GetMetrics() {
				found[metric.GetName()] += len(metric.GetGauge().GetDataPoints()) + len(metric.GetSum().GetDataPoints()) + len(metric.GetHistogram().GetDataPoints())
			}
		}
	}
	return found
}

func TestACollectorGetsEveryMetric(t *testing.T) {
	s := &sink{}
	server := httptest.NewServer(s)
	defer server.Close()
	words := sending(t, map[string]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT": server.URL + "/base", "OTEL_EXPORTER_OTLP_HEADERS": "authorization=Bearer%20token",
		"OTEL_RESOURCE_ATTRIBUTES": "team=core",
	})
	within(t, 5*time.Second, "two reports", func() bool { return s.seen() >= 2 })
	found := names(t, s.bodies[1])
	for name, points := range map[string]int{
		"ctx.context.used": 1, "ctx.context.composition": 3, "ctx.context.utilization": 1, "ctx.requests.at": 1,
		"ctx.telemetry.dropped": 1, "service.name=ctx-lsp": 1, "service.version=1.2.3": 1, "team=core": 1,
	} {
		if found[name] != points {
			t.Errorf("%s has %d points, want %d; there are %v", name, found[name], points, found)
		}
	}
	if h := s.headers[0]; h.Get("Authorization") != "Bearer token" || h.Get("Content-Type") != "application/x-protobuf" {
		t.Errorf("the headers are %v", h)
	}
	if words.all() != "" {
		t.Errorf("it said %q", words.all())
	}
}

func TestReportsAreJSONWhereThatIsAskedFor(t *testing.T) {
	s := &sink{}
	s.answer = func(_ int, w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"partialSuccess":{"rejectedDataPoints":"2","errorMessage":"two are too old"}}`))
		return true
	}
	server := httptest.NewServer(s)
	defer server.Close()
	words := sending(t, map[string]string{
		"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": server.URL, "OTEL_EXPORTER_OTLP_PROTOCOL": "http/json", "OTEL_EXPORTER_OTLP_COMPRESSION": "gzip",
	})
	within(t, 5*time.Second, "what the collector has refused is said", func() bool { return strings.Contains(words.all(), "two are too old") })
	unzipped, err := gzip.NewReader(bytes.NewReader(s.bodies[0]))
	if err != nil || s.headers[0].Get("Content-Type") != "application/json" {
		t.Fatalf("%v, headers %v", err, s.headers[0])
	}
	var report struct {
		ResourceMetrics []struct {
			ScopeMetrics []struct {
				Metrics []struct {
					Name      string
					Histogram *struct {
						AggregationTemporality int
						DataPoints             []struct{ Count string }
					}
				}
			}
		}
	}
	if err := json.NewDecoder(unzipped).Decode(&report); err != nil {
		t.Fatal(err)
	}
	for _, m := range report.ResourceMetrics[0].ScopeMetrics[0].Metrics {
		if m.Name == "ctx.requests.at" && (m.Histogram == nil || m.Histogram.AggregationTemporality != 2 || m.Histogram.DataPoints[0].Count != "1") {
			t.Errorf("the histogram is %+v", m.Histogram)
		}
	}
}

func TestABadCollectorCostsASentence(t *testing.T) {
	dead, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	dead.Close()
	stuck := make(chan struct{})
	defer close(stuck)
	for _, test := range []struct {
		name, sentence string
		answer         func(n int, w http.ResponseWriter, r *http.Request) bool
		recovers       bool
	}{
		{"asks to wait", "it asks to wait (429)", func(n int, w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Retry-After", "1")
			if n == 1 {
				w.WriteHeader(http.StatusTooManyRequests)
			}
			return n == 1
		}, true},
		{"dies in the middle", "ends the connection in the middle", func(n int, w http.ResponseWriter, _ *http.Request) bool {
			if n <= 2 { // the second time from another local port, and by a reset
				conn, _, _ := w.(http.Hijacker).Hijack()
				if n == 2 {
					_ = conn.(*net.TCPConn).SetLinger(0)
				}
				conn.Close()
			}
			return n <= 2
		}, true},
		{"refuses", "OTEL_EXPORTER_OTLP_HEADERS", func(_ int, w http.ResponseWriter, _ *http.Request) bool {
			w.WriteHeader(http.StatusUnauthorized)
			return true
		}, false},
		{"leads elsewhere", "nothing is sent to where it leads", func(_ int, w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, "http://example.invalid/", http.StatusTemporaryRedirect)
			return true
		}, false},
		{"is slow", "does not answer in time", func(_ int, _ http.ResponseWriter, r *http.Request) bool {
			select {
			case <-stuck:
			case <-r.Context().Done():
			}
			return true
		}, false},
		{"is not there", "refused", nil, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := &sink{answer: test.answer}
			server := httptest.NewServer(s)
			defer server.Close()
			address := server.URL
			if test.answer == nil {
				address = "http://" + dead.Addr().String()
			}
			words := sending(t, map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": address, "OTEL_EXPORTER_OTLP_TIMEOUT": "300"})
			within(t, 5*time.Second, "a sentence with "+test.sentence, func() bool { return strings.Contains(words.all(), test.sentence) })
			begun := time.Now()
			for range 1000 {
				words.count(t, "ctx.requests.at", 19_000)
			}
			if took := time.Since(begun); took > time.Second {
				t.Errorf("reading a thousand measurements took %v", took)
			}
			if test.recovers {
				within(t, 8*time.Second, "it works again", func() bool { return strings.Contains(words.all(), "again") })
			}
			begun = time.Now()
			words.close(t, 200)
			if took := time.Since(begun); took > 3*time.Second {
				t.Errorf("the end waits %v for the collector", took)
			}
			sentences := 1
			if test.recovers {
				sentences++
			}
			if words.sentences() != sentences {
				t.Errorf("it says %d sentences instead of %d:\n%s", words.sentences(), sentences, words.all())
			}
		})
	}
}

func TestACertificateIsTrustedByName(t *testing.T) {
	s := &sink{}
	server := httptest.NewTLSServer(s)
	defer server.Close()
	server.Config.ErrorLog = nil
	words := sending(t, map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": server.URL})
	within(t, 5*time.Second, "a sentence about the certificate", func() bool { return strings.Contains(words.all(), "OTEL_EXPORTER_OTLP_CERTIFICATE") })
	words.close(t, 0)
	if s.seen() > 0 {
		t.Error("a report went to somebody who is not trusted")
	}
	path := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	words = sending(t, map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": server.URL, "OTEL_EXPORTER_OTLP_CERTIFICATE": path})
	within(t, 5*time.Second, "a report", func() bool { return s.seen() > 0 })
	if words.all() != "" {
		t.Errorf("it said %q", words.all())
	}
}

// TestTheOldestReportIsDropped checks that the memory of a daemon stays bounded if its collector is unreachable for
// days.
func TestTheOldestReportIsDropped(t *testing.T) {
	open := make(chan struct{})
	var once sync.Once
	s := &sink{answer: func(int, http.ResponseWriter, *http.Request) bool {
		<-open
		return false
	}}
	server := httptest.NewServer(s)
	defer server.Close()
	defer once.Do(func() { close(open) })
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", server.URL)
	t.Setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "60000")
	t.Setenv("OTEL_METRIC_EXPORT_INTERVAL", "100")
	sender, err := newSender(Settings{Getenv: os.Getenv}, instruments, &replies{to: json.NewEncoder(io.Discard)})
	if err != nil {
		t.Fatal(err)
	}
	sender.mu.Lock()
	sender.closing = true // its Asks are not answered
	sender.mu.Unlock()
	defer sender.close(0)
	within(t, time.Minute, "more reports than are kept", func() bool { return sender.queue.lost() >= 5 })
	once.Do(func() { close(open) })
	dropped := func() (n int64) {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, body := range s.bodies {
			var request collector.ExportMetricsServiceRequest
			if proto.Unmarshal(body, &request) != nil {
				continue
			}
			for _, metric := range request.GetResourceMetrics()[0].GetScopeMetrics()[0].GetMetrics() {
				if metric.GetName() == "ctx.telemetry.dropped" {
					n = max(n, metric.GetSum().GetDataPoints()[0].GetAsInt())
				}
			}
		}
		return n
	}
	within(t, 20*time.Second, "the collector is told how many were dropped", func() bool { return dropped() >= 5 })
}

func TestWhatIsWrongWithAVariableIsASentence(t *testing.T) {
	for variables, sentence := range map[string]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT=localhost:4318":                                              "an address like http://localhost:4318",
		"OTEL_EXPORTER_OTLP_ENDPOINT=http://u:p@h":                                                "OTEL_EXPORTER_OTLP_HEADERS is the place",
		"OTEL_EXPORTER_OTLP_ENDPOINT=http://h OTEL_EXPORTER_OTLP_PROTOCOL=grpc":                   "http/protobuf or http/json",
		"OTEL_EXPORTER_OTLP_ENDPOINT=https://h OTEL_EXPORTER_OTLP_CERTIFICATE=/nowhere/to/be.pem": "OTEL_EXPORTER_OTLP_CERTIFICATE cannot be read",
	} {
		values := map[string]string{}
		for _, each := range strings.Fields(variables) {
			name, value, _ := strings.Cut(each, "=")
			values[name] = value
		}
		r := start(t, func(name string) string { return values[name] })
		if !strings.Contains(r.err, sentence) {
			t.Errorf("%s: %q", variables, r.err)
		}
	}
}
