// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// TestTheEndOfACodexSessionBeginsWithItsHead checks that the part read from the end of a long session includes the
// records with its agent and model: the first one, and the last turn_context before the end, wherever it is.
func TestTheEndOfACodexSessionBeginsWithItsHead(t *testing.T) {
	meta := `{"timestamp":"2026-07-20T19:07:49.897Z","type":"session_meta","payload":{"id":"c","cwd":"/w","cli_version":"0.145.0"}}`
	turn := func(model string) string {
		return fmt.Sprintf(`{"timestamp":"2026-07-20T19:07:50.000Z","type":"turn_context","payload":{"model":%q}}`, model)
	}
	request := func(i int) string {
		return fmt.Sprintf(`{"timestamp":"2026-07-20T19:08:00.000Z","type":"event_msg","payload":{"type":"token_count","info":{"last_token_usage":{"input_tokens":%d}}},"text":%q}`, i, strings.Repeat("x", 9000))
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	for _, between := range []int{0, 1, 27, 28, 29, 30, 31, 57, 58, 59, 60} { // the search ends at different positions
		lines := []string{meta, turn("gpt-5.4"), request(0), turn("gpt-5.5")}
		for i := range between + 160 {
			lines = append(lines, request(i))
		}
		dirstest.Write(t, path, strings.Join(lines, "\n")+"\n")
		tail, err := RecentTail(transcript.Session{Path: path, Agent: agent.Codex})
		if err != nil {
			t.Fatal(err)
		}
		got, _ := rest(t, tail)
		if len(got) < 24 || len(got) > 160 || got[0] != meta || got[1] != turn("gpt-5.5") || got[len(got)-1] != lines[len(lines)-1] {
			t.Errorf("%d records, and the first two are %.80s and %.80s", len(got), got[0], got[1])
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		feed, _ := NewPreview(transcript.Session{Path: path, Agent: agent.Codex, Size: info.Size()}, nil)
		if got, _ = rest(t, feed.tail); got[0] != meta || got[1] != turn("gpt-5.5") {
			t.Errorf("a glimpse begins with %.80s and %.80s", got[0], got[1])
		}
	}
}

// TestALogWithMeasurementsElsewhereIsReadFromItsBeginning checks that the end of a log is read alone only if it
// contains the measurements.
func TestALogWithMeasurementsElsewhereIsReadFromItsBeginning(t *testing.T) {
	dir := t.TempDir()
	s := transcript.Session{ID: "s", Agent: agent.CopilotCLI, Path: filepath.Join(dir, "session-state", "s1", "events.jsonl")}
	dirstest.Write(t, s.Path, strings.Repeat(`{"type":"assistant.message","data":{"usage":{"input_tokens":1}},"text":"`+strings.Repeat("x", 9000)+"\"}\n", 500))
	for _, within := range []bool{true, false} {
		feed, err := NewRecentFeed(s, newFakeEngine().call)
		if err != nil || feed.recent != within || transcript.BeginsWithin(feed.tail) != within {
			t.Errorf("the tail begins within: %v, want %v: %v", feed.recent, within, err)
		}
		dirstest.Write(t, filepath.Join(dir, "session-store.db"), "")
	}
	s.Form = transcript.Compressed
	if feed, err := NewRecentFeed(s, newFakeEngine().call); err != nil || feed.recent {
		t.Errorf("a compressed log is read from its end: %v", err)
	}
	if feed, length := NewPreview(s, newFakeEngine().call); feed == nil || feed.recent || length != glimpseMost {
		t.Errorf("of a compressed log %d bytes are read: %+v", length, feed)
	}
}

// BenchmarkPreview finds the part of a session that a preview reads: the last requests of a long transcript with long
// records.
func BenchmarkPreview(b *testing.B) {
	path := filepath.Join(b.TempDir(), "s.jsonl")
	var text bytes.Buffer
	for i := range 200 {
		fmt.Fprintf(&text, "{\"type\":\"user\",\"n\":%d,\"message\":{\"content\":[{\"type\":\"tool_result\",\"content\":%q}]}}\n", i, strings.Repeat("A line of a file.\n", 1000))
		fmt.Fprintf(&text, "{\"type\":\"assistant\",\"n\":%d,\"message\":{\"usage\":{\"input_tokens\":1}}}\n", i)
	}
	if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
	call := func(context.Context, string, []byte) ([]byte, error) { return nil, nil }
	b.ReportAllocs()
	for b.Loop() {
		if feed, length := NewPreview(transcript.Session{Path: path, Agent: agent.ClaudeCode, Size: int64(text.Len())}, call); feed == nil || length == 0 {
			b.Fatal("there is no glimpse")
		}
	}
}
