// Copyright The ctx-lsp authors. MIT licence.

//go:build !no_otlp

package telemetry_test

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

	"github.com/ctx-lsp/ctx-lsp/internal/telemetry"
)

// A sink is a collector that keeps what it is sent, and answers as a test wants.
type sink struct {
	mu      sync.Mutex
	bodies  [][]byte
	headers []http.Header
	answer  func(n int, w http.ResponseWriter, r *http.Request) bool // false takes the report
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

// said keeps the sentences of a sender.
type said struct {
	mu   sync.Mutex
	list []string
}

func (s *said) say(sentence string, _ bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, sentence)
}

func (s *said) all() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.list, "\n")
}

func (s *said) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.list)
}

// sending is a Meter with one session that sends often.
func sending(t *testing.T, variables map[string]string) (*telemetry.Meter, *telemetry.Sender, *said) {
	t.Helper()
	m, words := telemetry.New(telemetry.Options{}), &said{}
	t.Cleanup(m.Close)
	for name, value := range variables { // the SDK reads the environment itself
		t.Setenv(name, value)
	}
	t.Setenv("OTEL_METRIC_EXPORT_INTERVAL", "200")
	sender, err := m.Send(telemetry.Settings{Version: "1.2.3", Getenv: os.Getenv, Say: words.say})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { sender.Close(100 * time.Millisecond) })
	m.TellReading("a", reading{used: 20_000, line: 167_000, calls: 1, in: 19_000}.text(), true)
	return m, sender, words
}

func within(t *testing.T, limit time.Duration, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(limit); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within %v: %s", limit, what)
		}
	}
}

// names are the metrics of a report, with the number of their points.
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
	_, sender, words := sending(t, map[string]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT": server.URL + "/base", "OTEL_EXPORTER_OTLP_HEADERS": "authorization=Bearer%20token",
		"OTEL_RESOURCE_ATTRIBUTES": "team=core",
	})
	within(t, 5*time.Second, "two reports", func() bool { return s.seen() >= 2 })
	found := names(t, s.bodies[1])
	for name, points := range map[string]int{
		"ctx.context.used": 1, "ctx.context.line": 1, "ctx.context.composition": 3, "ctx.context.utilization": 1, "ctx.requests.at": 1, "ctx.sessions": 4,
		"ctx.telemetry.dropped": 1, "service.name=ctx-lsp": 1, "service.version=1.2.3": 1, "team=core": 1,
	} {
		if found[name] != points {
			t.Errorf("%s has %d points, want %d; there are %v", name, found[name], points, found)
		}
	}
	if h := s.headers[0]; h.Get("Authorization") != "Bearer token" || h.Get("Content-Type") != "application/x-protobuf" {
		t.Errorf("the headers are %v", h)
	}
	for _, body := range s.bodies {
		if bytes.Contains(body, []byte("secret-id")) || bytes.Contains(body, []byte("private")) {
			t.Error("a report names a session, or holds a label")
		}
	}
	if sender.Sent() == 0 || words.all() != "" {
		t.Errorf("%d bytes were sent, and it said %q", sender.Sent(), words.all())
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
	_, _, words := sending(t, map[string]string{
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
			if n <= 2 { // the second time from another port of ours, and by a reset
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
			m, sender, words := sending(t, map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": address, "OTEL_EXPORTER_OTLP_TIMEOUT": "300"})
			within(t, 5*time.Second, "a sentence with "+test.sentence, func() bool { return strings.Contains(words.all(), test.sentence) })
			begun := time.Now()
			for i := range int64(1000) {
				m.TellReading("a", reading{used: 20_000, line: 167_000, calls: i, in: 19_000}.text(), true)
			}
			if took := time.Since(begun); took > time.Second {
				t.Errorf("telling took %v", took)
			}
			if test.recovers {
				within(t, 8*time.Second, "it works again", func() bool { return strings.Contains(words.all(), "again") })
			}
			begun = time.Now()
			sender.Close(200 * time.Millisecond)
			if took := time.Since(begun); took > 3*time.Second {
				t.Errorf("the end waits %v for the collector", took)
			}
			sentences := 1
			if test.recovers {
				sentences++
			}
			if words.count() != sentences {
				t.Errorf("it says %d sentences instead of %d:\n%s", words.count(), sentences, words.all())
			}
		})
	}
}

func TestACertificateIsTrustedByName(t *testing.T) {
	s := &sink{}
	server := httptest.NewTLSServer(s)
	defer server.Close()
	server.Config.ErrorLog = nil
	_, sender, words := sending(t, map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": server.URL})
	within(t, 5*time.Second, "a sentence about the certificate", func() bool { return strings.Contains(words.all(), "OTEL_EXPORTER_OTLP_CERTIFICATE") })
	sender.Close(0)
	if s.seen() > 0 {
		t.Error("a report went to somebody who is not trusted")
	}
	path := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, words = sending(t, map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": server.URL, "OTEL_EXPORTER_OTLP_CERTIFICATE": path})
	within(t, 5*time.Second, "a report", func() bool { return s.seen() > 0 })
	if words.all() != "" {
		t.Errorf("it said %q", words.all())
	}
}

// TestTheOldestReportIsDropped protects the memory of a daemon whose collector is gone for days.
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
	m := telemetry.New(telemetry.Options{})
	defer m.Close()
	sender, err := m.Send(telemetry.Settings{Getenv: os.Getenv})
	if err != nil {
		t.Fatal(err)
	}
	defer sender.Close(0)
	within(t, time.Minute, "more reports than are kept", func() bool { return sender.Lost() >= 5 })
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
		m := telemetry.New(telemetry.Options{})
		_, err := m.Send(telemetry.Settings{Getenv: func(name string) string { return values[name] }})
		if err == nil || !strings.Contains(err.Error(), sentence) {
			t.Errorf("%s: %v", variables, err)
		}
		m.Close()
	}
	for variables, want := range map[string]bool{
		"": false, "OTEL_EXPORTER_OTLP_ENDPOINT=http://h": true, "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT=http://h": true,
		"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=http://h": false, "OTEL_EXPORTER_OTLP_ENDPOINT=http://h OTEL_SDK_DISABLED=true": false,
		"OTEL_EXPORTER_OTLP_ENDPOINT=http://h OTEL_METRICS_EXPORTER=none": false,
	} {
		values := map[string]string{}
		for _, each := range strings.Fields(variables) {
			name, value, _ := strings.Cut(each, "=")
			values[name] = value
		}
		if got := (telemetry.Settings{Getenv: func(name string) string { return values[name] }}).Wanted(); got != want {
			t.Errorf("with %q sending is %v", variables, got)
		}
	}
}
