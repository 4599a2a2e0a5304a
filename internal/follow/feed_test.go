// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"cmp"
	"context"
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
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
	"github.com/ctx-lsp/ctx-lsp/internal/promptload"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
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
	kind    string // of the refusal, invalid_params if empty
	fault   error
}

func (e *brokenEngine) call(ctx context.Context, method string, params []byte) ([]byte, error) {
	if method == e.failing {
		return nil, e.fault
	}
	if e.refused != "" && strings.Contains(string(params), e.refused) {
		return fmt.Appendf(nil, `{"error":{"code":-32602,"message":"refused","data":{"kind":%q}}}`, cmp.Or(e.kind, "invalid_params")), nil
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
	dirstest.Write(t, path, "{\"bad\":1}\n{\"a\":2}\n{\"bad\":3}\n{\"a\":4}\n")
	if _, err := FirstRequest(t.Context(), NewFeed(transcript.Session{ID: "first", Path: path}, call)); !errors.Is(err, ErrNothingMeasured) || e.counts["first"] != 2 {
		t.Errorf("%d records were searched for the first request: %v", e.counts["first"], err)
	}
}

// TestAResponseThatCannotBeReadIsAnError checks responses of another shape.
func TestAResponseThatCannotBeReadIsAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	dirstest.Write(t, path, "{\"a\":1}\n")
	result := `{"steps":5}`
	call := func(context.Context, string, []byte) ([]byte, error) {
		return fmt.Appendf(nil, `{"result":%s}`, result), nil
	}
	feed := NewFeed(transcript.Session{ID: "s", Path: path}, call)
	feed.OnStep = func(Step) {}
	if _, err := feed.Read(t.Context()); err == nil || !strings.HasPrefix(err.Error(), "the engine's response cannot be read: ") {
		t.Errorf("steps: %v", err)
	}
	result = `5`
	if err := KeepLessons(t.Context(), call, state.OpenLearned(t.TempDir()), true); err == nil {
		t.Error("learned corrections are read")
	}
}

// TestABatchThatCannotBeParsedIsReadRecordByRecord checks with which calls a batch is read that the engine refuses,
// what is counted, and that any other refusal is an error.
func TestABatchThatCannotBeParsedIsReadRecordByRecord(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	dirstest.Write(t, path, "{\"a\":1}\n{\"bad\":2}\nno JSON\n{\"a\":3}\n")
	for kind, want := range map[string]string{
		"parse_error":    `4@1 1@1 1@2 1@2 {"skipped":9}@2 {"skipped":7}@3 1@4`,
		"limit_exceeded": `4@1 1@1 1@2 1@2 {"skipped":9}@2 {"skipped":7}@3 1@4`,
		"invalid_params": `4@1`,
	} {
		e := &brokenEngine{fakeEngine: newFakeEngine(), refused: "bad", kind: kind}
		var calls []string
		feed := NewFeed(transcript.Session{ID: "s", Path: path}, func(ctx context.Context, method string, params []byte) ([]byte, error) {
			if v, _ := json.Parse(params); method == "ctx/session/records" {
				records := fmt.Sprint(v.Get("records").Len())
				if text := string(v.Get("records").Raw()); records == "1" && strings.Contains(text, "skipped") {
					records = strings.Trim(text, "[]")
				}
				calls = append(calls, fmt.Sprintf("%s@%s", records, v.Get("line").Raw()))
			}
			return e.call(ctx, method, params)
		})
		_, err := feed.Read(t.Context())
		if got := strings.Join(calls, " "); got != want {
			t.Errorf("%s: the calls are %s, want %s", kind, got, want)
		}
		if kind == "invalid_params" {
			if err == nil || feed.Records != 4 {
				t.Errorf("%s: %d records, %v", kind, feed.Records, err)
			}
		} else if err != nil || feed.Records != 4 || feed.Skipped != 2 || feed.Position() == 0 {
			t.Errorf("%s: %d records of which %d were skipped, %v", kind, feed.Records, feed.Skipped, err)
		}
	}
	fault := errors.New("the engine has stopped")
	e := &brokenEngine{fakeEngine: newFakeEngine(), refused: "bad", kind: "parse_error"}
	n := 0
	feed := NewFeed(transcript.Session{ID: "s", Path: path}, func(ctx context.Context, method string, params []byte) ([]byte, error) {
		if n++; n == 4 {
			return nil, fault
		}
		return e.call(ctx, method, params)
	})
	if _, err := feed.Read(t.Context()); !errors.Is(err, fault) || feed.Records != 1 || n != 4 {
		t.Errorf("an engine that stops in between: %d records, %d calls, %v", feed.Records, n, err)
	}
}

// TestTheMessagesOfADocumentHaveNoLines checks that messages are sent without lines, together and one by one.
func TestTheMessagesOfADocumentHaveNoLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.json")
	dirstest.Write(t, path, `{"id":"s","messages":[{"a":1},{"bad":2},{"input_tokens":3},{"a":4}]}`)
	for name, read := range map[string]func(*Feed) error{
		"Read":        func(f *Feed) error { _, err := f.Read(t.Context()); return err },
		"EachRequest": func(f *Feed) error { return EachRequest(t.Context(), f, func([]byte) error { return nil }) },
	} {
		e := &brokenEngine{fakeEngine: newFakeEngine(), refused: "bad", kind: "parse_error"}
		calls := 0
		if err := read(NewFeed(transcript.Session{ID: "s", Agent: agent.ClaudeCode, Path: path, Form: transcript.Document}, func(ctx context.Context, method string, params []byte) ([]byte, error) {
			if v, _ := json.Parse(params); v.Get("line").Exists() {
				t.Errorf("%s: a message has the line %s", name, v.Get("line").Raw())
			}
			calls++
			return e.call(ctx, method, params)
		})); err != nil || e.counts["s"] < 4 || calls < 5 {
			t.Errorf("%s: %d records after %d calls, %v", name, e.counts["s"], calls, err)
		}
	}
}

// outside is an agent's files that the records do not contain.
type outside struct {
	found     promptload.Found
	partly    []bool // for each call
	forgotten int
}

func (o *outside) Look(_ []promptload.WantedFile, partly bool) promptload.Found {
	o.partly = append(o.partly, partly)
	return o.found
}
func (o *outside) ForgetAll()                 { o.forgotten++ }
func (o *outside) Checked() *promptload.Trace { return nil }

// TestWhatRecordsDoNotContainIsSentAgainToAnEngineThatLostIt checks how often the files that an agent loads, other
// files, its window and unread data are looked for and sent: once for each time that the engine has the session from
// its beginning.
func TestWhatRecordsDoNotContainIsSentAgainToAnEngineThatLostIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	dirstest.Write(t, path, "{\"a\":1}\n")
	e := newFakeEngine()
	updates := map[string]int{}
	call := func(ctx context.Context, method string, params []byte) ([]byte, error) {
		v, err := json.Parse(params)
		if method == "ctx/session/reading" && err == nil {
			return []byte(`{"result":{"limitSource":"agentNow"}}`), nil
		}
		if err != nil || method != "ctx/session/update" {
			if v.Get("wanted").Bool() {
				updates["wanted"]++
			}
			return e.call(ctx, method, params)
		}
		for _, name := range []string{"loaded", "agentLimits", "unreadAt", "append"} {
			if v.Get(name).Exists() && (name != "loaded" || v.Get(name).Len() > 0) {
				updates[name]++
			}
		}
		return []byte(`{"result":{"updated":true,"limitSource":"agentNow"}}`), nil
	}
	unreadAt := time.Unix(1_790_000_000, 0)
	feed := NewFeed(transcript.Session{ID: "s", Path: path, Unread: unreadAt, UnreadBy: "other"}, call)
	files := &outside{}
	loads := 0
	feed.Files, feed.Windows = files, &reported{state.ReportedWindow{Window: 400_000}, time.Unix(1, 0)}
	feed.Loads = func(s transcript.Session, hidePaths bool) *promptload.Loaded {
		loads++
		if hidePaths || s.ID != "s" {
			t.Errorf("files are loaded for %+v, %v", s, hidePaths)
		}
		return &promptload.Loaded{Servers: []string{"github"}}
	}
	check := func(what string, times int) {
		t.Helper()
		reading, err := feed.Read(t.Context())
		if err != nil || !strings.Contains(string(reading), "updated") || feed.Skipped != 0 {
			t.Errorf("%s: %s, %v; %d records were skipped", what, reading, err, feed.Skipped)
		}
		if loads != times || updates["loaded"] != times || updates["agentLimits"] != times || updates["unreadAt"] != times {
			t.Errorf("%s: loaded %d times; updates are %v, want %d of each", what, loads, updates, times)
		}
	}
	check("at first", 1)
	dirstest.Add(t, path, "{\"a\":2}\n")
	if reading, err := feed.Read(t.Context()); err != nil || string(reading) != `{"limitSource":"agentNow"}` || loads != 1 || updates["loaded"] != 1 || updates["agentLimits"] != 1 || updates["unreadAt"] != 1 || updates["wanted"] != 2 {
		t.Errorf("another record: %s, %v; %v", reading, err, updates)
	}
	e.lost = true
	dirstest.Add(t, path, "{\"a\":3}\n")
	check("after the engine has lost it", 2)
	if files.forgotten != 1 || feed.Records != 3 || len(e.closed) != 0 {
		t.Errorf("%d records; the files were forgotten %d times, and closed are %q", feed.Records, files.forgotten, e.closed)
	}
	feed.Again(t.Context())
	if files.forgotten != 2 || feed.Records != 0 || len(e.closed) != 1 {
		t.Errorf("%d records; the files were forgotten %d times, and closed are %q", feed.Records, files.forgotten, e.closed)
	}
	if feed.Close(t.Context()); len(e.closed) != 1 {
		t.Error("it is closed twice")
	}
	check("again from the beginning", 3)
	if feed.Skipped != 0 || e.counts["s"] != 3 || feed.Records != 3 {
		t.Errorf("the engine has %d records, and %d were read", e.counts["s"], feed.Records)
	}
	before := len(files.partly)
	files.found = promptload.Found{Unknown: []phrase.Text{phrase.System.Text()}}
	dirstest.Add(t, path, "{\"a\":4}\n")
	if reading, err := feed.Read(t.Context()); err != nil || !strings.Contains(string(reading), "updated") || len(files.partly) != before+1 || slices.Contains(files.partly, true) {
		t.Errorf("with a file that is found: %s, %v, after %v", reading, err, files.partly)
	}
}

// TestTheLastLimitsOfAnAccountAreKept checks which record of a batch has the limits of the account.
func TestTheLastLimitsOfAnAccountAreKept(t *testing.T) {
	limits := func(percent string) string {
		return `{"type":"event_msg","payload":{"type":"token_count","rate_limits":{"primary":{"used_percent":` + percent + `,"window_minutes":300}}}}` + "\n"
	}
	const other = `{"type":"event_msg","payload":{"rate_limits":null}}` + "\n"
	for _, c := range []struct {
		agent, text string
		want        int64 // 0 for none
	}{
		{agent.Codex, limits("20") + limits("30") + other, 3000}, {agent.Codex, limits("20") + other, 2000}, {agent.Codex, other + limits("20"), 2000}, {agent.Codex, other, 0}, {agent.ClaudeCode, limits("20"), 0},
	} {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		dirstest.Write(t, path, c.text)
		feed := NewFeed(transcript.Session{ID: "s", Agent: c.agent, Path: path}, newFakeEngine().call)
		if _, err := feed.Read(t.Context()); err != nil {
			t.Fatal(err)
		}
		got := int64(0)
		if feed.Allowance != nil {
			got = int64(feed.Allowance.Windows[0].Percent)
		}
		if got != c.want {
			t.Errorf("%s: %d hundredths of a percent are used, want %d", c.text, got, c.want)
		}
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
