// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

func nativeEngine(t *testing.T) *engine.Pool {
	t.Helper()
	pool, err := engine.Native(engine.Options{Instances: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pool.Close() })
	return pool
}

// TestAMachineReadsASessionWithWhatSurroundsIt checks the Reading of a session with the files that its agent loads, its
// MCP servers and its sub-agents, and the errors for files without a session.
func TestAMachineReadsASessionWithWhatSurroundsIt(t *testing.T) {
	e, s := machineWith(t, agent.ClaudeCode, claudeTranscript, map[string]string{
		"work/repo/CLAUDE.md":        strings.Repeat("Ours is a long text. ", 200),
		"work/repo/.mcp.json":        `{"mcpServers":{"github":{"command":"x"},"off":{"command":"y","disabled":true}}}`,
		"home/.claude.json":          `{"mcpServers":{"github":{"command":"x"}}}`,
		"work/repo/.cursor/mcp.json": `{"mcpServers":{"other":{"command":"x"}}}`,
	})
	dirstest.Write(t, s.Path, fmt.Sprintf(`{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","version":"2.1.330","cwd":%q,"message":{"role":"user","content":"Read %s/a.md."}}`+"\n", s.Workspace, s.Workspace))
	child := transcript.Session{ID: "s/agent-x", Agent: s.Agent, Parent: "s", Label: "explore", Path: filepath.Join(t.TempDir(), "agent-x.jsonl"), Workspace: s.Workspace}
	dirstest.Write(t, child.Path, `{"type":"assistant","isSidechain":true,"agentId":"x","sessionId":"s","message":{"model":"claude-opus-5","id":"m","role":"assistant","content":[],"usage":{"input_tokens":9000,"output_tokens":5}}}`+"\n")
	missing := transcript.Session{ID: "s/agent-y", Agent: s.Agent, Parent: "s", Path: child.Path + ".gone"}
	pool := nativeEngine(t)
	m := Machine{Host: e}
	var failed []string
	reading, err := m.Read(t.Context(), pool.Call, s, []transcript.Session{child, missing}, func(of transcript.Session, err error) {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", of.ID, err)
		}
		failed = append(failed, of.ID)
	})
	if err != nil {
		t.Fatal(err)
	}
	v, err := json.Parse(reading)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(failed, []string{"s/agent-y"}) || v.Get("children").Len() != 1 || !strings.Contains(string(v.Get("children").Raw()), `"session":"s/agent-x"`) {
		t.Errorf("sub-agents that cannot be read: %q, and the others are %s", failed, v.Get("children").Raw())
	}
	if text := string(reading); !strings.Contains(text, "CLAUDE.md") || !strings.Contains(text, s.Workspace) {
		t.Errorf("the files that the agent loads are not in %s", text)
	}
	if loaded := m.Loads(s, false); loaded == nil || !strings.Contains(written(loaded.Params("s")), `"servers":["github"]`) {
		t.Errorf("loaded is %+v", loaded)
	}

	alone := s
	alone.ID = "alone"
	child.Parent = "alone"
	reading, err = m.Read(t.Context(), nativeEngine(t).Call, alone, []transcript.Session{child}, nil)
	if v, _ := json.Parse(reading); err != nil || v.Get("children").Len() != 1 {
		t.Errorf("with one sub-agent: %s, %v", reading, err)
	}

	// With hidden paths, no directory is in the Reading.
	hiding := Machine{Host: e, HidePaths: true}
	hidden := s
	hidden.ID = "hidden"
	reading, err = hiding.Read(t.Context(), pool.Call, hidden, nil, nil)
	if err != nil || strings.Contains(string(reading), s.Workspace+"/a.md") {
		t.Errorf("with hidden paths: %s, %v", reading, err)
	}
	hiding.Windows = &reported{}
	if feed := hiding.Feed(hidden, pool.Call); !feed.HidePaths || feed.Files == nil || feed.Windows == nil {
		t.Errorf("the feed of a session: %+v", feed)
	}
	recent, err := hiding.RecentFeed(hidden, pool.Call)
	if err != nil || !recent.HidePaths || recent.Files == nil {
		t.Errorf("the end of a session: %+v, %v", recent, err)
	}

	for name, c := range map[string]struct{ text, want string }{
		"empty":   {"", "contains no record"},
		"another": {"{\"a\":1}\n", "contains no record of a supported coding agent"},
	} {
		other := transcript.Session{ID: name, Path: filepath.Join(t.TempDir(), "s.jsonl")}
		dirstest.Write(t, other.Path, c.text)
		if _, err := m.Read(t.Context(), pool.Call, other, nil, nil); err == nil || err.Error() != other.Path+" "+c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := m.Read(t.Context(), pool.Call, missing, nil, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing session: %v", err)
	}
	if _, err := m.RecentFeed(transcript.Session{Agent: agent.ClaudeCode, Path: missing.Path}, pool.Call); err == nil {
		t.Error("a missing session has an end")
	}
}

// TestLessonsPassFromOneEngineToTheNext checks what an engine's sessions have taught, with and without limits.
func TestLessonsPassFromOneEngineToTheNext(t *testing.T) {
	for _, limits := range []bool{true, false} {
		kept := state.OpenLearned(t.TempDir())
		first, next := nativeEngine(t), nativeEngine(t)
		if err := Teach(t.Context(), first.Call, kept, time.Now()); err != nil {
			t.Errorf("without lessons: %v", err)
		}
		if err := KeepLessons(t.Context(), first.Call, kept, limits); err != nil {
			t.Errorf("an engine that has learned nothing: %v", err)
		}
		for method, params := range map[string]string{"ctx/session/open": `{"id":"a","model":"claude-opus-5","agent":"claude-code"}`} {
			if answer, err := first.Call(t.Context(), method, []byte(params)); err != nil || strings.Contains(string(answer), `"error"`) {
				t.Fatalf("%s, %v", answer, err)
			}
		}
		for _, call := range [][2]string{
			{"ctx/session/update", `{"id":"a","system":8000,"tools":5000,"append":[{"kind":"user","tokens":60000}],"at":1790000000000}`},
			{"ctx/session/usage", `{"id":"a","provider":"ctx","usage":{"in":90000,"out":10},"at":1790000000000}`},
		} {
			if answer, err := first.Call(t.Context(), call[0], []byte(call[1])); err != nil || strings.HasPrefix(string(answer), `{"error"`) {
				t.Fatalf("%s, %v", answer, err)
			}
		}
		if err := KeepLessons(t.Context(), first.Call, kept, limits); err != nil {
			t.Error(err)
		}
		if err := Teach(t.Context(), next.Call, kept, time.Now()); err != nil {
			t.Error(err)
		}
		if learned, err := next.Call(t.Context(), "ctx/learned/get", []byte(`{}`)); err != nil || !strings.Contains(string(learned), `"claude-opus-5"`) {
			t.Errorf("the next engine has learned %s, %v", learned, err)
		}
	}
	broken := newFakeEngine()
	kept := state.OpenLearned(t.TempDir())
	if err := KeepLessons(t.Context(), broken.call, kept, true); err == nil {
		t.Error("an engine that cannot learn has lessons")
	}
}

// TestTheHostOfASessionIsAddedToItsReading checks that a Reading stays as it is without a host.
func TestTheHostOfASessionIsAddedToItsReading(t *testing.T) {
	for _, c := range []struct{ reading, host, want string }{
		{`{"a":1}`, "Zed", `{"a":1,"host":"Zed"}`}, {`{"a":1}`, "", `{"a":1}`}, {"", "Zed", ""},
	} {
		if got := string(WithHost([]byte(c.reading), c.host)); got != c.want {
			t.Errorf("%s of %q: %s", c.reading, c.host, got)
		}
	}
}

// TestAFeedSavesItsLedger checks that a feed returns its session's ledger, and an error without one.
func TestAFeedSavesItsLedger(t *testing.T) {
	pool := nativeEngine(t)
	feed := NewFeed(walked[0], pool.Call)
	feed.Bookmarks = true
	if _, err := feed.Ledger(t.Context()); err == nil {
		t.Error("a session that was not read has a ledger")
	}
	if _, err := feed.Read(t.Context()); err != nil {
		t.Fatal(err)
	}
	ledger, err := feed.Ledger(t.Context())
	if v, _ := json.Parse(ledger); err != nil || !strings.HasPrefix(v.Get("schema").String(), "ctx.ledger/") {
		t.Errorf("the ledger is %.100s, %v", ledger, err)
	}
	mark, _ := feed.Bookmark()
	again, ok := Resume(walked[0], pool.Call, mark)
	if !ok {
		t.Fatal("it cannot be continued")
	}
	reading, whole, err := again.ReadWhile(t.Context(), func() bool { return false })
	if v, _ := json.Parse(reading); err != nil || !whole || !v.Get("session").Is("a") {
		t.Errorf("without anything new: %.100s, %v, %v", reading, whole, err)
	}
}

// TestAFeedHasTheSettingsOfItsHost checks the parameters with which a session is opened.
func TestAFeedHasTheSettingsOfItsHost(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	dirstest.Write(t, path, "{\"a\":1}\n")
	e := newFakeEngine()
	for id, want := range map[string]string{
		"plain":  `{"workspace":"/w"}`,
		"window": `{"model":"m","limits":{"window":5000},"workspace":"/w","hidePaths":true,"settings":{"a":"b"},"checkout":"/c"}`,
		"child":  `{"workspace":"/w","parent":"above","label":"explore"}`,
	} {
		s := transcript.Session{ID: id, Path: path, Workspace: "/w", Label: "explore"}
		feed := NewFeed(s, e.call)
		switch id {
		case "window":
			feed.Session.Checkout = "/c"
			feed.Model, feed.Window, feed.HidePaths, feed.Settings = "m", 5000, true, map[string]string{"a": "b"}
		case "child":
			feed.Session.Parent, feed.Parent = "above", "above"
		}
		if _, err := feed.Read(t.Context()); err != nil {
			t.Fatal(err)
		}
		got, want := members(t, e.opened[id]), members(t, want)
		if got != want {
			t.Errorf("%s was opened with %s, want %s", id, got, want)
		}
	}
}

// members returns the members of an object in the order of their names, without those that are empty.
func members(t *testing.T, text string) string {
	t.Helper()
	v, err := json.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for f := v.Fields(); f.Next(); {
		if raw := string(f.Value.Raw()); raw != `""` && raw != "null" && raw != "false" && raw != "{}" {
			list = append(list, f.Key.String()+":"+raw)
		}
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}
