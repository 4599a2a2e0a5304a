// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"errors"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// walked are sessions whose agents name tokens in their records, and one whose agent does not.
var walked = []transcript.Session{
	{ID: "a", Agent: agent.ClaudeCode, Path: "../../testdata/sessions/claude-code/turns.jsonl", Form: transcript.Lines},
	{ID: "b", Agent: agent.ClaudeCode, Path: "../../testdata/sessions/claude-code/compacted.jsonl", Form: transcript.Lines},
	{ID: "c", Agent: agent.Codex, Path: "../../testdata/sessions/codex/rollout.jsonl", Form: transcript.Lines},
	{ID: "d", Agent: agent.GeminiCLI, Path: "../../testdata/sessions/gemini-cli/resumed.jsonl", Form: transcript.Lines},
}

// TestEachRequestIsVisitedOnce checks that every measured request is visited once, in its order, and that the first one
// is also found without reading on.
func TestEachRequestIsVisitedOnce(t *testing.T) {
	for _, s := range walked {
		pool, err := engine.Native(engine.Options{Instances: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer pool.Close()
		prompt := func(reading []byte) (calls, in int64) {
			v, err := json.Parse(reading)
			if err != nil {
				t.Fatal(err)
			}
			calls, _ = v.Path("spent", "calls").Int64()
			in, _ = v.Path("lastRequest", "in").Int64()
			return calls, in
		}
		feed := NewFeed(s, pool.Call)
		var steps int
		feed.OnStep = func(Step) { steps++ }
		var calls, prompts []int64
		if err := EachRequest(t.Context(), feed, func(reading []byte) error {
			n, in := prompt(reading)
			calls, prompts = append(calls, n), append(prompts, in)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		last, err := feed.reading(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if total, _ := prompt(last); len(calls) == 0 || int64(len(calls)) != total || steps != len(calls)-1 {
			t.Errorf("%s: requests %v of %d were visited after %d steps", s.Path, calls, total, steps)
		}
		for i := range calls {
			if i > 0 && calls[i] <= calls[i-1] {
				t.Errorf("%s: request %d was visited after %d", s.Path, calls[i], calls[i-1])
			}
			if prompts[i] <= 0 {
				t.Errorf("%s: request %d has no prompt", s.Path, calls[i])
			}
		}
		s.ID += "first"
		reading, err := FirstRequest(t.Context(), NewFeed(s, pool.Call))
		if err != nil {
			t.Fatal(err)
		}
		if n, in := prompt(reading); n != calls[0] || in != prompts[0] {
			t.Errorf("%s: the first request is %d with %d tokens, want %d with %d", s.Path, n, in, calls[0], prompts[0])
		}
		failure := errors.New("full")
		s.ID += "again"
		visits := 0
		if err := EachRequest(t.Context(), NewFeed(s, pool.Call), func([]byte) error { visits++; return failure }); !errors.Is(err, failure) || visits != 1 {
			t.Errorf("%s: after the first visit failed there were %d: %v", s.Path, visits, err)
		}
	}
}

// TestNothingMeasuredHasNoFirstRequest checks a session that ends before its first response.
func TestNothingMeasuredHasNoFirstRequest(t *testing.T) {
	pool, err := engine.Native(engine.Options{Instances: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	s := transcript.Session{ID: "s", Agent: agent.Cursor, Path: "../../testdata/lines/cursor/texts.jsonl", Form: transcript.Lines}
	if _, err := FirstRequest(t.Context(), NewFeed(s, pool.Call)); !errors.Is(err, ErrNothingMeasured) {
		t.Errorf("the error is %v", err)
	}
}

// TestNamesOfOneModel checks that a status line may add a provider or the choice of a larger window, or use the display
// name.
func TestNamesOfOneModel(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"claude-opus-5", "claude-opus-5", true},
		{"anthropic/claude-opus-5", "claude-opus-5", true},
		{"claude-opus-5[1m]", "claude-opus-5", true},
		{"Claude Opus 5.1", "claude-opus-5-1", true},
		{" Opus 5 ", "claude-opus-5", true},
		{"claude-opus-5", "opus 5", true},
		{"", "claude-opus-5", true},
		{"claude-opus-5", "", true},
		{"claude-opus-5", "claude-sonnet-5", false},
		{"gpt-5.5", "claude-opus-5", false},
	} {
		if got := sameModel(c.a, c.b); got != c.same {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
	}
}

// reported is a window that an agent has reported for every session.
type reported struct {
	window  state.ReportedWindow
	changed time.Time
}

func (r *reported) Of(transcript.Session) *state.ReportedWindow { return &r.window }
func (r *reported) Changed() time.Time                          { return r.changed }

// TestAReportedWindowIsTheLimit checks the window that an agent's status line has reported: it is the limit of a
// session with that model, also if it changes while nothing is recorded.
func TestAReportedWindowIsTheLimit(t *testing.T) {
	pool, err := engine.Native(engine.Options{Instances: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	read := func(f *Feed) (limit int64, source string) {
		t.Helper()
		reading, err := f.Read(t.Context())
		if err != nil || len(reading) == 0 {
			t.Fatalf("no Reading: %v", err)
		}
		v, err := json.Parse(reading)
		if err != nil {
			t.Fatal(err)
		}
		limit, _ = v.Get("limit").Int64()
		return limit, v.Get("limitSource").String()
	}
	s := walked[1]
	for model, want := range map[string]int64{"claude-opus-4-6[1m]": 400_000, "Opus 4.6": 400_000, "claude-sonnet-5": 0} {
		s.ID = model
		known, _ := read(NewFeed(s, pool.Call))
		s.ID += " reported"
		f := NewFeed(s, pool.Call)
		r := &reported{state.ReportedWindow{Window: 400_000, Model: model}, time.Unix(1, 0)}
		f.Windows = r
		limit, source := read(f)
		if want == 0 {
			if limit != known || source == "agentNow" {
				t.Errorf("with %s the limit is %d from %s, want %d", model, limit, source, known)
			}
			continue
		}
		if limit != want || source != "agentNow" {
			t.Errorf("with %s the limit is %d from %s, want %d", model, limit, source, want)
		}
		r.window.Window, r.changed = 300_000, time.Unix(2, 0)
		if limit, _ = read(f); limit != 300_000 {
			t.Errorf("with %s the limit is %d after another report, want 300,000", model, limit)
		}
		if reading, err := f.Read(t.Context()); err != nil || reading != nil {
			t.Errorf("without a change there is a Reading: %s, %v", reading, err)
		}
	}
}
