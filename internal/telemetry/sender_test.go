// Copyright The ctx-lsp authors. MIT licence.

package telemetry_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/sink"
	"github.com/ctx-lsp/ctx-lsp/internal/sink/sinktest"
	"github.com/ctx-lsp/ctx-lsp/internal/telemetry"
)

func TestWithoutTheSinkSendingIsRefused(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	m := telemetry.New(telemetry.Options{})
	defer m.Close()
	if _, err := m.Send(telemetry.Settings{Endpoint: "http://127.0.0.1:1", Getenv: os.Getenv}); !errors.Is(err, sink.ErrMissing) {
		t.Errorf("the error is %v", err)
	}
}

// TestTheSinkReports checks that refused settings are returned as an error, and that later messages are passed on.
func TestTheSinkReports(t *testing.T) {
	sinktest.OnPath(t)
	m := telemetry.New(telemetry.Options{})
	defer m.Close()
	if _, err := m.Send(telemetry.Settings{Endpoint: "localhost:4318", Getenv: os.Getenv}); err == nil || !strings.Contains(err.Error(), "an address like http://localhost:4318") {
		t.Errorf("the error is %v", err)
	}
	t.Setenv("OTEL_METRIC_EXPORT_INTERVAL", "100")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	defer server.Close()
	messages := make(chan string, 10)
	sender, err := m.Send(telemetry.Settings{Endpoint: server.URL, Getenv: os.Getenv, Report: func(sentence string, _ bool) { messages <- sentence }})
	if err != nil {
		t.Fatal(err)
	}
	defer sender.Close(0)
	select {
	case sentence := <-messages:
		if !strings.Contains(sentence, "OTEL_EXPORTER_OTLP_HEADERS") {
			t.Errorf("it reports %q", sentence)
		}
	case <-time.After(20 * time.Second):
		t.Error("it does not report that the collector refuses")
	}
}

// TestASinkThatDoesNotReadBlocksNothing replaces the program with one that never reads, and with one that exits at
// once.
func TestASinkThatDoesNotReadBlocksNothing(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("there is no /bin/sh")
	}
	for name, c := range map[string]struct{ script, message string }{
		"stuck": {`echo '{"ready":true}'; exec sleep 600`, "does not read them"},
		"ended": {`echo '{"ready":true}'; read line; echo "ctx-lsp-fleet: no space" >&2; exit 1`, "no space"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, sink.Name), []byte("#!/bin/sh\n"+c.script+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
			t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
			m := telemetry.New(telemetry.Options{})
			defer m.Close()
			var mu sync.Mutex
			var sentences []string
			sender, err := m.Send(telemetry.Settings{Endpoint: "http://127.0.0.1:1", Getenv: os.Getenv, Report: func(sentence string, _ bool) {
				mu.Lock()
				defer mu.Unlock()
				sentences = append(sentences, sentence)
			}})
			if err != nil {
				t.Fatal(err)
			}
			all := func() string {
				mu.Lock()
				defer mu.Unlock()
				return strings.Join(sentences, "\n")
			}
			for n := int64(1); n < 300_000 && all() == ""; n++ {
				m.RecordReading("a", reading{used: 20_000, threshold: 167_000, calls: n, in: 19_000}.text(), true)
				if n%1000 == 0 {
					written(m) // applies the Readings passed so far
				}
			}
			for deadline := time.Now().Add(20 * time.Second); all() == "" && time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
			}
			sender.Close(0)
			if got := all(); !strings.Contains(got, c.message) || strings.Contains(got, "\n") {
				t.Errorf("it reports %q", got)
			}
		})
	}
}

func TestSendingIsWantedByTheVariablesOfOpenTelemetry(t *testing.T) {
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
