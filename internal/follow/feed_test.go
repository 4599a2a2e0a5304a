// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// TestASubAgentWhoseParentIsClosedIsReadAlone checks a sub-agent whose parent the engine does not have.
func TestASubAgentWhoseParentIsClosedIsReadAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	dirstest.Write(t, path, `{"type":"user","sessionId":"s","cwd":"/w","message":{"role":"user","content":"hi"}}`+"\n")
	pool := nativeEngine(t)
	feed := NewFeed(transcript.Session{ID: "s/a", Parent: "s", Agent: agent.ClaudeCode, Path: path}, pool.Call)
	feed.Parent = "closed"
	reading, err := feed.Read(t.Context())
	if v, _ := json.Parse(reading); err != nil || !v.Get("session").Is("s/a") || feed.Parent != "" {
		t.Errorf("%.200s, %v, below %q", reading, err, feed.Parent)
	}
}

// brokenEngine refuses or fails single methods.
type brokenEngine struct {
	*fakeEngine
	failing string // the method that fails
	refused string // part of the records that are refused
	fault   error
}

func (e *brokenEngine) call(ctx context.Context, method string, params []byte) ([]byte, error) {
	if method == e.failing {
		return nil, e.fault
	}
	if e.refused != "" && strings.Contains(string(params), e.refused) {
		return []byte(`{"error":{"code":-32602,"message":"refused","data":{"kind":"invalid_params"}}}`), nil
	}
	return e.fakeEngine.call(ctx, method, params)
}

// TestAnEngineThatFailsIsAnErrorOfTheFeed checks that a feed, and each way of reading requests, returns the error of an
// engine that fails, and that of a missing file.
func TestAnEngineThatFailsIsAnErrorOfTheFeed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	dirstest.Write(t, path, "{\"a\":1}\n{\"input_tokens\":2}\n{\"a\":3}\n")
	fault := errors.New("the engine has stopped")
	read := map[string]func(*Feed) error{
		"Read":         func(f *Feed) error { _, err := f.Read(t.Context()); return err },
		"ReadWhile":    func(f *Feed) error { _, _, err := f.ReadWhile(t.Context(), func() bool { return true }); return err },
		"FirstRequest": func(f *Feed) error { _, err := FirstRequest(t.Context(), f); return err },
		"EachRequest":  func(f *Feed) error { return EachRequest(t.Context(), f, func([]byte) error { return nil }) },
	}
	for name, do := range read {
		for _, method := range []string{"ctx/session/records", "ctx/session/reading"} {
			e := &brokenEngine{fakeEngine: newFakeEngine(), failing: method, fault: fault}
			feed := NewFeed(transcript.Session{ID: "s", Agent: agent.ClaudeCode, Path: path}, e.call)
			if name == "EachRequest" && method == "ctx/session/reading" {
				feed.Session.Agent = agent.GeminiCLI // a Reading is requested after each record
			}
			if err := do(feed); !errors.Is(err, fault) {
				t.Errorf("%s, with %s: %v", name, method, err)
			}
		}
		missing := NewFeed(transcript.Session{ID: "s", Agent: agent.ClaudeCode, Path: path + ".gone"}, newFakeEngine().call)
		if err := do(missing); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s, without the file: %v", name, err)
		}
	}
}

// TestRecordsThatAreRefusedAreLostAlone checks that the records around one that the engine refuses are read, with their
// lines, in each way of reading requests.
func TestRecordsThatAreRefusedAreLostAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	dirstest.Write(t, path, "{\"a\":1}\n{\"bad\":2}\n{\"a\":3}\n{\"input_tokens\":4}\n{\"a\":5}\n")
	e := &brokenEngine{fakeEngine: newFakeEngine(), refused: "bad"}
	var lines []string
	call := func(ctx context.Context, method string, params []byte) ([]byte, error) {
		if v, err := json.Parse(params); err == nil && method == "ctx/session/records" && !strings.Contains(string(params), "bad") {
			lines = append(lines, fmt.Sprintf("%d-%s", v.Get("records").Len(), v.Get("line").Raw()))
		}
		return e.call(ctx, method, params)
	}
	feed := NewFeed(transcript.Session{ID: "s", Agent: agent.ClaudeCode, Path: path}, call)
	if err := EachRequest(t.Context(), feed, func([]byte) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(lines, " "); got != "1-1 1-3 1-4 1-5" {
		t.Errorf("records and lines are %s", got)
	}
	if e.counts["s"] != 4 {
		t.Errorf("%d records were read", e.counts["s"])
	}
}

// TestASessionThatCannotBeReadFromItsEndIsReadWholeOrNot checks previews of sessions in other forms.
func TestASessionThatCannotBeReadFromItsEndIsReadWholeOrNot(t *testing.T) {
	call := newFakeEngine().call
	for size, length := range map[int64]int64{0: glimpseMost, 5: 5, glimpseMost: glimpseMost} {
		s := transcript.Session{ID: "s", Form: transcript.Document, Size: size}
		if feed, got := NewPreview(s, call); feed == nil || got != length || feed.recent {
			t.Errorf("of %d bytes %d are read: %+v", size, got, feed)
		}
	}
	if feed, length := NewPreview(transcript.Session{ID: "s", Form: transcript.Document, Size: 1<<20 + 1}, call); feed != nil || length != 0 {
		t.Errorf("of a large document %d bytes are read", length)
	}
	if feed, length := NewPreview(transcript.Session{ID: "s", Agent: agent.ClaudeCode, Path: t.TempDir() + "/none"}, call); feed != nil || length != 0 {
		t.Errorf("of a missing session %d bytes are read", length)
	}
	tail, err := RecentTail(transcript.Session{ID: "s", Path: t.TempDir() + "/none", Form: transcript.Document})
	if err != nil || transcript.BeginsWithin(tail) {
		t.Errorf("a document begins within: %v", err)
	}
}
