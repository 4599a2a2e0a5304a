// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
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

// scripted is an engine whose responses are in the records: the steps after a record, and the next Reading.
func scripted(reading *string) client.Call {
	return func(_ context.Context, method string, params []byte) ([]byte, error) {
		v, err := json.Parse(params)
		if err != nil {
			return nil, err
		}
		if method == "ctx/session/reading" {
			return fmt.Appendf(nil, `{"result":%s}`, *reading), nil
		}
		var steps []string
		for e := v.Get("records").Elements(); e.Next(); {
			if step := e.Value.Get("step"); step.Exists() {
				steps = append(steps, string(step.Raw()))
			}
			if next := e.Value.Get("reading"); next.Exists() {
				*reading = string(next.Raw())
			}
		}
		return fmt.Appendf(nil, `{"result":{"steps":[%s]}}`, strings.Join(steps, ",")), nil
	}
}

// TestARequestIsVisitedIfItIsNew checks after which records a Reading is visited: after those that measured a request
// of the session itself, which is not one that compacts.
func TestARequestIsVisitedIfItIsNew(t *testing.T) {
	reading := func(calls, last string) string {
		return `"reading":{"spent":{"calls":` + calls + `},"lastRequest":` + last + `}`
	}
	step := func(session string, call int) string {
		return fmt.Sprintf(`"step":{"session":%q,"call":%d}`, session, call)
	}
	for _, c := range []struct {
		name    string
		records []string
		named   []int64 // the visited requests, if the agent names tokens; -1 for one whose Reading has no number
		each    []int64 // otherwise
	}{
		{"the first", []string{reading("0", "null"), reading("1", `"a"`)}, []int64{1}, []int64{1}},
		{"the first two without a step", []string{reading("1", `"a"`), reading("2", `"b"`)}, []int64{1}, []int64{1, 2}},
		{"the same again", []string{reading("1", `"a"`), reading("1", `"b"`)}, []int64{1}, []int64{1}},
		{"one that compacts", []string{reading("1", `"a"`), reading("2", `"a"`), reading("3", `"c"`)}, []int64{1}, []int64{1, 3}},
		{"steps", []string{reading("1", `"a"`), reading("2", `"b"`) + "," + step("s", 2), reading("3", `"c"`) + "," + step("s", 3)}, []int64{1, 2, 3}, []int64{1, 2, 3}},
		{"steps without a difference", []string{reading("1", `"a"`), reading("2", `"a"`) + "," + step("s", 2)}, []int64{1, 2}, []int64{1, 2}},
		{"a step of a sub-agent", []string{reading("1", `"a"`), reading("2", `"a"`) + "," + step("s/child", 2)}, []int64{1}, []int64{1}},
		{"a step that is late", []string{reading("3", `"a"`), reading("4", `"b"`) + "," + step("s", 2)}, []int64{3, 4}, []int64{3, 4}},
		{"the step of a visited request", []string{reading("1", `"a"`), reading("1", `"b"`) + "," + step("s", 1)}, []int64{1}, []int64{1}},
		{"a step twice", []string{reading("1", `"a"`), reading("2", `"b"`) + "," + step("s", 2), reading("2", `"b"`) + "," + step("s", 2)}, []int64{1, 2}, []int64{1, 2}},
		{"a step, and one that compacts", []string{reading("1", `"a"`), reading("2", `"b"`) + "," + step("s", 2), reading("3", `"b"`)}, []int64{1, 2}, []int64{1, 2}},
		{"no number", []string{`"reading":{}`, reading("x", `"a"`)}, nil, nil},
		{"a step without a number", []string{reading("1", `"a"`), `"reading":{},` + step("s", 2), reading("2", `"b"`) + "," + step("s", 2)}, []int64{1, -1}, []int64{1, 2}},
	} {
		for of, want := range map[string][]int64{agent.ClaudeCode: c.named, agent.GeminiCLI: c.each} {
			path := filepath.Join(t.TempDir(), "s.jsonl")
			for i, record := range c.records {
				c.records[i] = strings.Replace(record, `"calls":x`, `"calls":"x"`, 1)
			}
			dirstest.Write(t, path, `{"input_tokens":1,`+strings.Join(c.records, "}\n"+`{"input_tokens":1,`)+"}\n")
			last := `{}`
			feed := NewFeed(transcript.Session{ID: "s", Agent: of, Path: path}, scripted(&last))
			steps := 0
			onStep := func(Step) { steps++ }
			feed.OnStep = onStep
			var visited []int64
			if err := EachRequest(t.Context(), feed, func(reading []byte) error {
				v, err := json.Parse(reading)
				n, fault := v.Path("spent", "calls").Int64()
				if fault != 0 {
					n = -1
				}
				visited = append(visited, n)
				return err
			}); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(visited, want) {
				t.Errorf("%s, of %s: visited are %v, want %v", c.name, of, visited, want)
			}
			if wanted := strings.Count(strings.Join(c.records, ""), `"step"`); steps != wanted {
				t.Errorf("%s: %d steps were reported, want %d", c.name, steps, wanted)
			}
			if feed.OnStep(Step{}); len(visited) != len(want) || steps != strings.Count(strings.Join(c.records, ""), `"step"`)+1 {
				t.Errorf("%s: the feed's callback was not restored", c.name)
			}
		}
	}
}

// TestRecordsThatMeasureNothingAreSentTogether checks with how many calls records are sent, and when a Reading is
// requested.
func TestRecordsThatMeasureNothingAreSentTogether(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	const text, metered, count = "{\"a\":1}\n", "{\"input_tokens\":1}\n", "{\"type\":\"token_count\"}\n"
	dirstest.Write(t, path, text+text+metered+count+text+metered+text+text)
	for of, want := range map[string]string{agent.ClaudeCode: "3@1 reading 1@4 reading 2@5 reading 2@7", agent.GeminiCLI: "1@1 reading 1@2 reading 1@3 reading 1@4 reading 1@5 reading 1@6 reading 1@7 reading 1@8 reading"} {
		var calls []string
		e := newFakeEngine()
		feed := NewFeed(transcript.Session{ID: "s", Agent: of, Path: path}, func(ctx context.Context, method string, params []byte) ([]byte, error) {
			if v, _ := json.Parse(params); method == "ctx/session/records" {
				calls = append(calls, fmt.Sprintf("%d@%s", v.Get("records").Len(), v.Get("line").Raw()))
			} else {
				calls = append(calls, "reading")
			}
			return e.call(ctx, method, params)
		})
		if err := EachRequest(t.Context(), feed, func([]byte) error { return nil }); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(calls, " "); got != want {
			t.Errorf("of %s the calls are %s, want %s", of, got, want)
		}
	}
}

// TestTheFirstRequestIsAmongTheFirstRecords checks how far the first measured request is searched for.
func TestTheFirstRequestIsAmongTheFirstRecords(t *testing.T) {
	other := `{"reading":{"lastRequest":null},"pad":"` + strings.Repeat("x", 2*transcript.MaxBatch/firstRecords) + "\"}\n"
	for before, want := range map[int]bool{0: true, firstRecords - 1: true, 2 * firstRecords: false} {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		dirstest.Write(t, path, strings.Repeat(other, before)+"{\"reading\":{\"lastRequest\":{\"in\":5}}}\n{\"reading\":{\"lastRequest\":{\"in\":6}}}\n")
		last := `{}`
		call := scripted(&last)
		reading, err := FirstRequest(t.Context(), NewFeed(transcript.Session{ID: "s", Path: path}, func(ctx context.Context, method string, params []byte) ([]byte, error) {
			if strings.Contains(string(params), `"line"`) {
				t.Errorf("a record is sent with a line that is unknown: %.200s", params)
			}
			return call(ctx, method, params)
		}))
		if found := string(reading) == `{"lastRequest":{"in":5}}`; found != want || want != (err == nil) || !want && !errors.Is(err, ErrNothingMeasured) {
			t.Errorf("after %d records: %s, %v", before, reading, err)
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
		{"openai/gpt-5.5", "azure/gpt-5.5", true},
		{"openai/gpt-5.5", "my-gpt-5.5", true},
	} {
		if got := SameModel(c.a, c.b); got != c.same {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
	}
}

// reported is a window that an agent has reported for every session.
type reported struct {
	window  state.ReportedWindow
	changed time.Time
}

func (r *reported) Of(transcript.Session) *state.ReportedWindow {
	if r.window.Window == 0 {
		return nil
	}
	return &r.window
}
func (r *reported) Changed() time.Time { return r.changed }

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

// TestAReportedWindowIsSentOnce checks when the window that an agent has reported is sent to the engine, with and
// without a new record.
func TestAReportedWindowIsSentOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	dirstest.Write(t, path, "{\"a\":1}\n")
	reading := ""
	calls, sent := 0, []string{}
	call := func(_ context.Context, method string, params []byte) ([]byte, error) {
		calls++
		switch method {
		case "ctx/session/reading":
			return fmt.Appendf(nil, `{"result":%s}`, reading), nil
		case "ctx/session/update":
			v, err := json.Parse(params)
			sent = append(sent, string(v.Path("agentLimits", "window").Raw()))
			return []byte(`{"result":{"limitSource":"agentNow","updated":true}}`), err
		}
		return []byte(`{"result":{}}`), nil
	}
	r := &reported{changed: time.Unix(1, 0)}
	feed := NewFeed(transcript.Session{ID: "s", Path: path}, call)
	feed.Windows = r
	if updated, err := feed.newsSince(t.Context()); updated != nil || err != nil || calls > 0 {
		t.Errorf("before the session is open: %s, %v", updated, err)
	}
	of := func(model, source string) string { return fmt.Sprintf(`{"model":%q,"limitSource":%q}`, model, source) }
	for _, c := range []struct {
		name, reading string
		window        state.ReportedWindow
		record        bool // one is appended
		changed       bool // the time of the last report has changed
		want          string
	}{
		{"none", of("opus", ""), state.ReportedWindow{}, true, true, ""},
		{"negative", of("opus", ""), state.ReportedWindow{Window: -1, Model: "opus"}, true, true, ""},
		{"of another model", of("opus", ""), state.ReportedWindow{Window: 5, Model: "sonnet"}, true, true, ""},
		{"no Reading", `"broken"`, state.ReportedWindow{Window: 5, Model: "opus"}, true, true, "5"},
		{"of this model", of("opus", "model"), state.ReportedWindow{Window: 6, Model: "opus"}, true, true, "6"},
		{"the engine has it", of("opus", "agentNow"), state.ReportedWindow{Window: 6, Model: "opus"}, true, true, ""},
		{"the user takes precedence", of("opus", "user"), state.ReportedWindow{Window: 6, Model: "opus"}, true, true, ""},
		{"an error takes precedence", of("opus", "error"), state.ReportedWindow{Window: 6, Model: "opus"}, true, true, ""},
		{"the engine has forgotten it", of("opus", "model"), state.ReportedWindow{Window: 6, Model: "opus"}, true, false, "6"},
		{"another window", of("opus", "agentNow"), state.ReportedWindow{Window: 7, Model: "opus"}, true, false, "7"},
		{"another name", of("opus", "agentNow"), state.ReportedWindow{Window: 7, Model: "opus[1m]"}, true, false, "7"},
		{"nothing new", of("opus", "model"), state.ReportedWindow{Window: 7, Model: "opus[1m]"}, false, false, ""},
		{"an unnoticed report", of("opus", "agentNow"), state.ReportedWindow{Window: 8, Model: "opus"}, false, false, ""},
		{"a report without a record", of("opus", "agentNow"), state.ReportedWindow{Window: 8, Model: "opus"}, false, true, "8"},
		{"the same report", of("opus", "model"), state.ReportedWindow{Window: 8, Model: "opus"}, false, true, ""},
		{"another name without a record", of("opus", "agentNow"), state.ReportedWindow{Window: 8, Model: "opus[1m]"}, false, true, "8"},
		{"none any more", of("opus", "agentNow"), state.ReportedWindow{}, false, true, ""},
	} {
		if c.record {
			dirstest.Add(t, path, "{\"a\":2}\n")
		}
		if r.window = c.window; c.changed {
			r.changed = r.changed.Add(time.Second)
		}
		reading, sent, calls = c.reading, nil, 0
		got, err := feed.Read(t.Context())
		if strings.Join(sent, " ") != c.want || err != nil {
			t.Errorf("%s: sent are %q, want %q: %v", c.name, sent, c.want, err)
		}
		if want := map[bool]string{true: `{"limitSource":"agentNow","updated":true}`, false: c.reading}[c.want != ""]; string(got) != want && (c.record || c.want != "") {
			t.Errorf("%s: the Reading is %s, want %s", c.name, got, want)
		}
		if !c.record && c.want == "" && (got != nil || calls > 0) {
			t.Errorf("%s: the Reading is %s after %d calls", c.name, got, calls)
		}
	}
	child := NewFeed(transcript.Session{ID: "c", Path: path}, call)
	child.Windows, child.Parent, sent = r, "s", nil
	r.window = state.ReportedWindow{Window: 9}
	if _, err := child.Read(t.Context()); err != nil || len(sent) > 0 {
		t.Errorf("a sub-agent has the window of its parent: %q, %v", sent, err)
	}
	r.changed = time.Unix(99, 0)
	if got, err := child.Read(t.Context()); err != nil || got != nil {
		t.Errorf("a sub-agent has the window of its parent: %s, %v", got, err)
	}
}

// TestAReportIsNewerThanTheRecords checks a model and a prompt that an agent's status line has reported: they are the
// session's once the agent has written nothing since, with a marked number, and an older report changes nothing.
func TestAReportIsNewerThanTheRecords(t *testing.T) {
	pool, err := engine.Native(engine.Options{Instances: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	path := filepath.Join(t.TempDir(), dirstest.UUID1+".jsonl")
	dirstest.Write(t, path, `{"type":"user","uuid":"u1","parentUuid":null,"isSidechain":false,"sessionId":"s","version":"2.1.200","cwd":"/w","message":{"role":"user","content":"hi"},"timestamp":"2026-11-01T10:00:00.000Z"}`+"\n"+
		`{"type":"assistant","uuid":"a1","parentUuid":"u1","isSidechain":false,"sessionId":"s","version":"2.1.200","cwd":"/w","message":{"id":"m1","role":"assistant","model":"claude-opus-4-6","content":[{"type":"text","text":"hello"}],"usage":{"input_tokens":30000,"output_tokens":10}},"timestamp":"2026-11-01T10:00:05.000Z"}`+"\n")
	written := time.Date(2026, 11, 1, 10, 0, 5, 0, time.UTC)
	if err := os.Chtimes(path, written, written); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		model  string
		prompt int64
		after  time.Duration
		want   string
	}{
		"after the records":            {"claude-sonnet-4-5[1m]", 0, time.Second, "claude-sonnet-4-5, 30010 of 1000000, marked"},
		"before the records":           {"claude-sonnet-4-5[1m]", 0, -time.Second, "claude-opus-4-6, 30010 of 200000"},
		"a display name":               {"Sonnet 4.5", 0, time.Second, "claude-opus-4-6, 30010 of 200000"},
		"the model of the records":     {"claude-opus-4-6[1m]", 30_000, time.Hour, "claude-opus-4-6, 30010 of 1000000"},
		"the same, before the records": {"claude-opus-4-6[1m]", 0, -time.Second, "claude-opus-4-6, 30010 of 1000000"},
		"a rewind":                     {"claude-opus-4-6", 20_000, time.Hour, "claude-opus-4-6, 20000 of 200000, marked"},
		"a message before the record":  {"claude-opus-4-6", 20_000, time.Second, "claude-opus-4-6, 30010 of 200000"},
		"an older message":             {"claude-opus-4-6", 20_000, -time.Second, "claude-opus-4-6, 30010 of 200000"},
	} {
		f := NewFeed(transcript.Session{ID: name, Agent: "claude-code", Path: path}, pool.Call)
		window := int64(200_000)
		if strings.HasSuffix(c.model, "[1m]") {
			window = 1_000_000
		}
		f.Windows = &reported{state.ReportedWindow{Window: window, Model: c.model, Prompt: c.prompt, At: written.Add(c.after)}, time.Unix(1, 0)}
		reading, err := f.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		v, err := json.Parse(reading)
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprintf("%s, %s of %s", v.Get("model"), v.Get("used").Raw(), v.Get("limit").Raw())
		if v.Path("range", "cause").Exists() {
			got += ", marked"
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
