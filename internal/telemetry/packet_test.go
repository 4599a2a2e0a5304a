// Copyright The ctx-lsp authors. MIT licence.

package telemetry_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/sink/sinktest"
	"github.com/ctx-lsp/ctx-lsp/internal/telemetry"
)

// members collects the names of all members in a JSON value, and the keys of all attributes.
func members(value any, found map[string]bool) {
	switch value := value.(type) {
	case []any:
		for _, each := range value {
			members(each, found)
		}
	case map[string]any:
		for name, each := range value {
			found[name] = true
			if key, ok := each.(string); ok && name == "key" {
				found["attribute "+key] = true
			}
			members(each, found)
		}
	}
}

// TestThePacketOfTheDocumentLeavesNothingOut checks that nothing is sent beyond the packet in docs/telemetry.md,
// because users agree to what that page shows.
func TestThePacketOfTheDocumentLeavesNothingOut(t *testing.T) {
	text, err := os.ReadFile("../../docs/telemetry.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	var packet any
	if block := regexp.MustCompile("(?s)```json\n(.*?)```").FindSubmatch(text); block == nil {
		t.Fatal("docs/telemetry.md shows no packet")
	} else if err := json.Unmarshal(block[1], &packet); err != nil {
		t.Fatalf("the packet of docs/telemetry.md cannot be read: %v", err)
	}
	members(packet, shown)
	sinktest.OnPath(t)
	bodies := make(chan string, 1000)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			bodies <- string(body)
		}
	}))
	defer server.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json")
	t.Setenv("OTEL_METRIC_EXPORT_INTERVAL", "200")
	m := telemetry.New(telemetry.Options{})
	defer m.Close()
	sender, err := m.Send(telemetry.Settings{Endpoint: server.URL, Version: "1.2.3", Getenv: os.Getenv})
	if err != nil {
		t.Fatal(err)
	}
	defer sender.Close(100 * time.Millisecond)
	m.RecordReading("a", reading{used: 20_000, threshold: 167_000, calls: 1, in: 19_000}.text(), true)
	m.RecordReading("a", reading{used: 20_000, threshold: 167_000, calls: 2, in: 39_000, steps: 1, miss: "1.5", compactions: 1}.text(), true)
	last := ""
	for deadline := time.After(20 * time.Second); !strings.Contains(last, telemetry.Compactions.Name) || !strings.Contains(last, telemetry.ContextUsed.Name); {
		select {
		case last = <-bodies:
			if strings.Contains(last, "secret-id") || strings.Contains(last, "private") {
				t.Fatalf("a report names a session, or has a label: %s", last)
			}
		case <-deadline:
			t.Fatalf("there is no report of a compaction; the last one is %s", last)
		}
	}
	var report any
	if err := json.Unmarshal([]byte(last), &report); err != nil {
		t.Fatal(err)
	}
	sent := map[string]bool{}
	members(report, sent)
	for name := range sent {
		key, isKey := strings.CutPrefix(name, "attribute ")
		if !shown[name] && !(isKey && strings.Contains(string(text), "`"+key+"`")) {
			t.Errorf("%s is sent and not shown", name)
		}
	}
	for name := range shown {
		if !sent[name] {
			t.Errorf("%s is shown and not sent", name)
		}
	}
	for _, of := range telemetry.Instruments {
		if !strings.Contains(string(text), "`"+of.Name+"`") {
			t.Errorf("%s is measured and not shown", of.Name)
		}
		for _, key := range of.Attributes {
			if !shown["attribute "+key] && !strings.Contains(string(text), "`"+key+"`") {
				t.Errorf("the attribute %s of %s is not shown", key, of.Name)
			}
		}
	}
}
