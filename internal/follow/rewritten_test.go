// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// measuredLines returns a transcript of Claude Code with a request of n tokens, long enough that its ends do not show
// n.
func measuredLines(n int) string {
	user := `{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","version":"2.1.120","cwd":"/w","message":{"role":"user","content":"` + strings.Repeat("go on ", 100) + `"},"timestamp":"2026-03-02T09:00:00Z"}` + "\n"
	usage := fmt.Sprintf(`{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"s","version":"2.1.120","cwd":"/w","message":{"id":"m1","model":"claude-opus-4-6","role":"assistant","content":[{"type":"text","text":"%s"}],"usage":{"input_tokens":%04d,"output_tokens":5}},"timestamp":"2026-03-02T09:00:01Z"}`+"\n", "done", n)
	return user + usage + user
}

// TestARewrittenTranscriptIsReread rewrites a transcript in place with the same length, and empties it. Both are
// noticed by the time alone.
func TestARewrittenTranscriptIsReread(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	put := func(text string) {
		t.Helper()
		at = at.Add(time.Second)
		if err := errors.Join(os.WriteFile(path, []byte(text), 0o600), os.Chtimes(path, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	put(measuredLines(1433))
	s := transcript.Session{ID: "s", Agent: agent.ClaudeCode, Path: path}
	feed := NewFeed(s, nativeEngine(t).Call)
	read := func() json.Value {
		t.Helper()
		reading, err := feed.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		v, err := json.Parse(reading)
		if err != nil {
			t.Fatalf("%s: %v", reading, err)
		}
		return v
	}
	in := func(v json.Value) int64 { n, _ := v.Path("lastRequest", "in").Int64(); return n }
	if v := read(); in(v) != 1433 {
		t.Fatalf("the Reading has %d tokens", in(v))
	}
	place, _ := transcript.PlaceOf(feed.tail)
	put(measuredLines(6433))
	if tail, ok := place.OpenAt(s); ok {
		t.Errorf("a bookmark of the earlier content is continued: %+v", tail)
	}
	if v := read(); in(v) != 6433 {
		t.Errorf("after rewriting, the Reading has %d tokens, want 6433", in(v))
	}
	put(measuredLines(6433))
	if reading, err := feed.Read(t.Context()); reading != nil || err != nil {
		t.Errorf("an unchanged content was read again: %s, %v", reading, err)
	}
	put("")
	v := read()
	if used, _ := v.Get("used").Int64(); !v.Get("lastRequest").IsNull() || v.Path("spent", "calls").Bool() || used >= 1000 || v.Get("basis").Is("measured") {
		t.Errorf("an emptied transcript has the Reading %s", v.Raw())
	}
	put(measuredLines(2000))
	if v := read(); in(v) != 2000 {
		t.Errorf("after being written again, the Reading has %d tokens", in(v))
	}
}

// TestAFeedThatIsBehindPublishesAMarkedReading reads a transcript in pieces that each take longer than a Reading may
// wait. Each Reading but the last is marked.
func TestAFeedThatIsBehindPublishesAMarkedReading(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	var text strings.Builder
	for n := 1000; text.Len() < 4<<20; n++ {
		fmt.Fprintf(&text, `{"type":"assistant","uuid":"a%d","sessionId":"s","version":"2.1.120","cwd":"/w","message":{"id":"m%d","model":"claude-opus-4-6","role":"assistant","content":[{"type":"text","text":"%s"}],"usage":{"input_tokens":%d,"output_tokens":5}},"timestamp":"2026-03-02T09:00:01Z"}`+"\n", n, n, strings.Repeat("go on ", 100), n)
	}
	dirstest.Write(t, path, text.String())
	feed := NewFeed(transcript.Session{ID: "s", Agent: agent.ClaudeCode, Path: path}, nativeEngine(t).Call)
	feed.publishAfter = time.Nanosecond
	const warning = "The newest records are still being read"
	parts, last := 0, int64(0)
	for {
		reading, err := feed.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		v, _ := json.Parse(reading)
		in, _ := v.Path("lastRequest", "in").Int64()
		marked := v.Path("display", "mark").Is("!") && bytes.Contains(reading, []byte(warning))
		if marked != feed.behind || in < last || feed.behind && in == last {
			t.Fatalf("Reading %d has %d tokens after %d, mark %v, behind %v", parts, in, last, marked, feed.behind)
		}
		if last = in; !feed.behind {
			break
		}
		parts++
	}
	if parts < 2 {
		t.Errorf("%d Readings of parts", parts)
	}
	if reading, err := feed.Read(t.Context()); reading != nil || err != nil {
		t.Errorf("without further records there is the Reading %.200s, %v", reading, err)
	}
}

// TestAFollowerPublishesWhileItIsBehind has an engine that needs a second for each piece.
func TestAFollowerPublishesWhileItIsBehind(t *testing.T) {
	m := dirstest.NewMachine(t)
	line := dirstest.ClaudeLine(dirstest.UUID1, dirstest.Whole("/w/a"))
	filler := fmt.Sprintf(`{"type":"user","cwd":%q,"sessionId":%q,"message":{"role":"user","content":%q}}`+"\n", dirstest.Whole("/w/a"), dirstest.UUID1, strings.Repeat("x", 500<<10))
	m.Put(".claude/projects/-w-a/"+dirstest.UUID1+".jsonl", line+strings.Repeat(filler, 8))
	e := newFakeEngine()
	updates := make(chan Update, 100)
	slow := func(ctx context.Context, method string, params []byte) ([]byte, error) {
		if method == "ctx/session/records" {
			time.Sleep(publishEvery)
		}
		return e.call(ctx, method, params)
	}
	f := NewFollower(sessions.NewFinder(m.Environment()), slow, func(u Update) { updates <- u })
	f.Want(sessions.Query{Workspace: dirstest.Whole("/w/a")})
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { f.Run(ctx); close(done) }()
	defer func() { stop(); <-done }()
	parts := 0
	for timeout := time.After(2 * time.Minute); ; {
		select {
		case u := <-updates:
			if !u.First {
				t.Errorf("update %d is not one of the first Reading", parts)
			}
			if u.Part {
				parts++
				continue
			}
		case <-timeout:
			t.Fatalf("no Reading of the whole after %d of parts", parts)
		}
		break
	}
	if parts == 0 {
		t.Error("nothing was published before the end")
	}
}

// TestAByteOrderMarkCostsNoRecord reads each recorded session with a byte order mark in front, as some shells and
// editors of Windows write it.
func TestAByteOrderMarkCostsNoRecord(t *testing.T) {
	paths, _ := filepath.Glob("../../testdata/sessions/*/*.json*") // the pattern is valid
	if len(paths) < 20 {
		t.Fatalf("there are %d sessions", len(paths))
	}
	seen := map[string]bool{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		read := func(text []byte) string {
			t.Helper()
			copied := filepath.Join(t.TempDir(), "copy"+filepath.Ext(path))
			if err := os.WriteFile(copied, text, 0o600); err != nil {
				t.Fatal(err)
			}
			s, err := sessions.At(copied)
			if err != nil {
				return err.Error()
			}
			seen[s.Agent] = true
			feed := NewFeed(s, nativeEngine(t).Call)
			feed.tail = agents.OpenTail(s)
			reading, err := feed.Read(t.Context())
			if err != nil {
				return err.Error()
			}
			return fmt.Sprintf("%s %s %s %d %d %s", s.ID, s.Agent, s.Workspace, feed.Records, feed.Skipped, bytes.ReplaceAll(reading, []byte(filepath.Dir(copied)), nil))
		}
		if plain, marked := read(text), read(append([]byte("\xef\xbb\xbf"), text...)); plain != marked {
			t.Errorf("%s: with a mark\n%.300s\nwithout\n%.300s", path, marked, plain)
		}
	}
	for _, id := range []string{agent.ClaudeCode, agent.Codex, agent.GeminiCLI, agent.QwenCode, agent.CopilotCLI} {
		if !seen[id] {
			t.Errorf("no session of %s was read", id)
		}
	}
}
