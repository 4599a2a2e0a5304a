// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

func hermesStore(t testing.TB) string {
	return made(t, filepath.Join(t.TempDir(), "state.db"),
		do(`CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT, model TEXT, system_prompt TEXT, parent_session_id TEXT, started_at REAL, ended_at REAL, title TEXT, input_tokens INTEGER, output_tokens INTEGER, cache_read_tokens INTEGER, cache_write_tokens INTEGER, reasoning_tokens INTEGER)`),
		do(`CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, role TEXT, content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL, token_count INTEGER, reasoning TEXT)`),
		do(`INSERT INTO sessions VALUES ('h1', 'cli', 'gpt-5.2', 'You are Hermes.', NULL, 1764590000.5, NULL, 'The folder', 3000, 90, 1000, 0, 10)`),
		do(`INSERT INTO messages(session_id, role, content, tool_call_id, tool_calls, tool_name, timestamp, reasoning) VALUES
			('h1', 'user', 'Where am I?', NULL, NULL, NULL, 1764590001, NULL),
			('h1', 'assistant', '', NULL, '[{"id":"t1","type":"function","function":{"name":"shell","arguments":"{\"command\":\"pwd\"}"}}]', NULL, 1764590002, 'I look.'),
			('h1', 'tool', '/w/shop', 't1', NULL, 'shell', 1764590003, NULL),
			('h1', 'assistant', 'In /w/shop.', NULL, NULL, NULL, 1764590004, NULL),
			('h1', 'session_meta', '{}', NULL, NULL, NULL, 1764590004, NULL)`))
}

func TestHermes(t *testing.T) {
	path := hermesStore(t)
	found := list(t, agent.Hermes, path)
	if len(found) != 1 || found[0].ID != "h1" || found[0].Label != "The folder" || found[0].Started.IsZero() {
		t.Errorf("%+v", found)
	}
	expect(t, events(t, agent.Hermes, path, "h1"),
		"title The folder", "model gpt-5.2 of ", `system System prompt "You are Hermes."`,
		"turn", `user  "Where am I?"`, `reasoning  "I look."`, `toolCalls shell "{\"command\":\"pwd\"}"`,
		`toolResults shell "/w/shop" for 2`, `assistant  "In /w/shop."`, "over",
		"warning Hermes records only sums over its requests; the number is estimated from the texts.",
		"used in 4000 out 90 reasoning 10 read 1000 write 0 through 5 by , sum")
	hostile(t, agent.Hermes, hermesStore(t), "h1")
}

// TestHermesKeepsWhatItSendsAgain checks the route to the model: if a session keeps only the text of its reasoning, the
// API cannot carry it.
func TestHermesKeepsWhatItSendsAgain(t *testing.T) {
	for kept, want := range map[string]string{"NULL": "chat-completions", "''": "chat-completions", `'[{"type":"reasoning"}]'`: ""} {
		path := hermesStore(t)
		made(t, path, do(`ALTER TABLE messages ADD COLUMN reasoning_details TEXT`), do(`ALTER TABLE messages ADD COLUMN codex_reasoning_items TEXT`),
			do(`UPDATE messages SET codex_reasoning_items=`+kept+` WHERE reasoning IS NOT NULL`))
		_, rest, _ := strings.Cut(strings.Join(raw(t, agent.Hermes, path, "h1"), "\n"), `"route":"`)
		route, _, _ := strings.Cut(rest, `"`)
		if route != want {
			t.Errorf("the route is %q if %s is kept, want %q", route, kept, want)
		}
	}
}

// TestHermesLogMeasures checks that the lines of the log measure the responses that follow them, and that a compaction
// replaces the messages before it.
func TestHermesLogMeasures(t *testing.T) {
	path := made(t, filepath.Join(t.TempDir(), "state.db"),
		do(`CREATE TABLE sessions (id TEXT PRIMARY KEY, model TEXT, cwd TEXT, started_at REAL, input_tokens INTEGER)`),
		do(`CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, role TEXT, content TEXT, timestamp REAL, active INTEGER, compacted INTEGER)`),
		do(`INSERT INTO sessions VALUES ('h2', 'gpt-5.5', '/w/shop', 1764590000, 9000)`),
		do(`INSERT INTO messages(session_id, role, content, timestamp, active, compacted) VALUES
			('h2', 'user', 'Which teas?', 1764590001, 0, 1),
			('h2', 'assistant', 'Assam.', 1764590002.5, 0, 1),
			('h2', 'user', 'Taken back.', 1764590003, 0, 0),
			('h2', 'user', 'A summary.', 1764590004, 1, 0),
			('h2', 'assistant', 'Assam.', 1764590002.5, 1, 0),
			('h2', 'assistant', 'Keemun.', 1764590006, 1, 0),
			('h2', 'assistant', 'Much later.', 1764690000, 1, 0)`))
	log := ""
	for _, call := range []struct {
		at   int64
		text string
	}{
		{1764590002_000, "[h2] agent.conversation_loop: API call #1: model=gpt-5.5 provider=custom in=2400 out=60 total=2460 latency=0.5s"},
		{1764590003_000, "[other] agent.conversation_loop: API call #1: model=gpt-5.5 in=7 out=7"},
		{1764590003_500, "[h2] agent.conversation_loop: API call failed"},
		{1764590005_000, "[h2] agent.conversation_loop: API call #2: model=gpt-5.5 provider=custom in=900 out=12 total=912 latency=0.5s cache=768/900 (85%)"},
		{1764590007_000, "[h2] agent.conversation_loop: API call #3: model=gpt-5.5 provider=custom in=none"},
	} {
		log += time.UnixMilli(call.at).Format("2006-01-02 15:04:05,000") + " INFO " + call.text + "\n"
	}
	if err := os.MkdirAll(filepath.Join(filepath.Dir(path), "logs"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "logs", "agent.log"), []byte(log), 0o600); err != nil {
		t.Fatal(err)
	}
	expect(t, events(t, agent.Hermes, path, "h2"),
		"in /w/shop", "model gpt-5.5 of ", "turn", `user  "Which teas?"`,
		"used in 2400 out 60 reasoning -1 read -1 write -1 through 1 by gpt-5.5", `assistant  "Assam."`, "over",
		"compacted, kept 0, before -1, left -1", "turn", `user  "A summary."`, `assistant  "Assam."`, "over",
		"used in 900 out 12 reasoning -1 read 768 write -1 through 2 by gpt-5.5", `assistant  "Keemun."`, `assistant  "Much later."`)
}

// TestRecordsOfHermes checks every part of a message, and a session's sums.
func TestRecordsOfHermes(t *testing.T) {
	path := hermesStore(t)
	made(t, path,
		do(`ALTER TABLE sessions ADD COLUMN last_updated REAL`), do(`ALTER TABLE sessions ADD COLUMN cwd TEXT`),
		do(`UPDATE sessions SET cwd='/w/shop', ended_at=1764590050, last_updated=1764590090.5`),
		do(`INSERT INTO sessions(id, parent_session_id, title, ended_at, last_updated, input_tokens, cache_read_tokens) VALUES ('h2', 'h1', 'Sub', 1764590099, 1764590090, 1, 5), ('h3', NULL, NULL, NULL, NULL, 0, 5)`),
		do(`INSERT INTO messages(id, session_id, role, content, tool_calls, timestamp) VALUES
			(20, 'h1', 'user', '[{"type":"text","text":"Look "},{"type":"text","text":"here."}]', NULL, 1764590010), (21, 'h1', 'tool', '{"output":"kept"}', NULL, 1764590011), (22, 'h1', 'user', '[{"type":"image"}]', NULL, 1764590012),
			(23, 'h1', 'assistant', 'Two.', '[{"id":"a","function":{"name":"x","arguments":"{}"}},{"id":"b","function":{"name":"y","arguments":"{}"}}]', 1764590013), (24, 'h2', 'assistant', 'Sub.', '[]', 1764590014)`))
	expect(t, described(t, agent.Hermes, path),
		`h1 of "": "The folder" in "/w/shop", 1764590000000 to 1764590090000`,
		`h2 of "h1": "Sub" in "", 0 to 1764590099000`,
		`h3 of "": "" in "", 0 to 0`)
	expect(t, raw(t, agent.Hermes, path, "h1"),
		`{"by":"hermes","is":"session","at":1764590000000,"cwd":"/w/shop","title":"The folder","model":"gpt-5.2"}`,
		`{"by":"hermes","is":"context","kind":"system","parts":[{"label":{"id":"system"},"text":"You are Hermes."}]}`,
		`{"by":"hermes","is":"item","at":1764590001000,"kind":"user","key":"1","text":"Where am I?","turn":true}`,
		`{"by":"hermes","is":"item","at":1764590002000,"kind":"reasoning","key":"2/reasoning","text":"I look."}`,
		`{"by":"hermes","is":"item","at":1764590002000,"kind":"toolCalls","key":"2/0","name":"shell","call":"t1","text":{"command":"pwd"}}`,
		`{"by":"hermes","is":"item","at":1764590003000,"kind":"toolResults","key":"3","name":"shell","call":"t1","text":"/w/shop"}`,
		`{"by":"hermes","is":"item","at":1764590004000,"kind":"assistant","key":"4","text":"In /w/shop."}`,
		`{"by":"hermes","is":"over"}`,
		`{"by":"hermes","is":"item","at":1764590010000,"kind":"user","key":"20","text":"Look here.","turn":true}`,
		`{"by":"hermes","is":"item","at":1764590011000,"kind":"toolResults","key":"21","text":"{\"output\":\"kept\"}"}`,
		`{"by":"hermes","is":"item","at":1764590012000,"kind":"user","key":"22","text":"[{\"type\":\"image\"}]","turn":true}`,
		`{"by":"hermes","is":"item","at":1764590013000,"kind":"assistant","key":"23","text":"Two."}`,
		`{"by":"hermes","is":"item","at":1764590013000,"kind":"toolCalls","key":"23/0","name":"x","call":"a","text":{}}`,
		`{"by":"hermes","is":"item","at":1764590013000,"kind":"toolCalls","key":"23/1","name":"y","call":"b","text":{}}`,
		`{"by":"hermes","is":"warning","text":{"id":"hermesSums"}}`,
		`{"by":"hermes","is":"usage","id":"sums","in":4000,"out":90,"reasoning":10,"read":1000,"write":0,"sum":true}`)
	expect(t, raw(t, agent.Hermes, path, "h2"),
		`{"by":"hermes","is":"session","title":"Sub"}`,
		`{"by":"hermes","is":"item","at":1764590014000,"kind":"assistant","key":"24","text":"Sub."}`,
		`{"by":"hermes","is":"over"}`,
		`{"by":"hermes","is":"warning","text":{"id":"hermesSums"}}`,
		`{"by":"hermes","is":"usage","id":"sums","in":6,"read":5,"sum":true}`)
	expect(t, raw(t, agent.Hermes, path, "h3"),
		`{"by":"hermes","is":"session"}`,
		`{"by":"hermes","is":"warning","text":{"id":"hermesSums"}}`)
}

// TestCallsInTheLogOfHermes checks a line of the log, the time in which its response is stored, and how much of a long
// log is read.
func TestCallsInTheLogOfHermes(t *testing.T) {
	clock := "2026-03-01 10:00:00,000"
	line := func(fields string) string { return clock + " INFO [s] agent.conversation_loop: API call #1: " + fields }
	for text, want := range map[string]string{
		line("model=m in=1 out=2 cache=3/4 (5%)"): "m 1 2 3", line("in=1"): " 1 -1 -1", line("in=0 out=2"): "", line("in=-1"): "", line("model=" + strings.Repeat("m", 201) + " in=1 out=x"): " 1 -1 -1",
		clock + " [other] agent.conversation_loop: API call #1: in=1": "", "yesterday, at ten o'clock [s] agent.conversation_loop: API call #1: in=1": "", clock[:20]: "", clock: "",
	} {
		u, ok := hermesCall(text, "s")
		got := ""
		if ok {
			got = fmt.Sprintf("%s %d %d %d", u.Model, u.In, u.Out, u.Read)
		}
		if got != want || ok && u.ID != "call "+clock {
			t.Errorf("%.120s: %q, want %q", text, got, want)
		}
	}
	u, _ := hermesCall(line("in=1"), "s")
	for delay, want := range map[int64]bool{-1: false, 0: true, hermesLogDelay - 1: true, hermesLogDelay: false} {
		calls := hermesCalls{list: []transcript.StoreUsage{u}}
		if _, ok := calls.before(u.At + delay); ok != want || calls.used != want {
			t.Errorf("after %d ms: %v", delay, ok)
		}
	}
	later := u
	later.At, later.In = u.At+1000, 2
	calls := hermesCalls{list: []transcript.StoreUsage{u, later}}
	if got, ok := calls.before(later.At); !ok || got.In != 2 {
		t.Errorf("the last call before a response is %+v", got)
	}
	if _, ok := calls.before(later.At); ok || !calls.used {
		t.Error("a call has two responses")
	}
	database := filepath.Join(t.TempDir(), "state.db")
	if err := os.Mkdir(filepath.Join(filepath.Dir(database), "logs"), 0o755); err != nil {
		t.Fatal(err)
	}
	for blank, want := range map[int]int{hermesLogTail - 2*len(line("in=1")+"\n"): 2, hermesLogTail - len(line("in=1")+"\n"): 1, 0: 2} {
		write(t, filepath.Join(filepath.Dir(database), "logs", "agent.log"), line("in=1")+"\n"+strings.Repeat("\n", blank)+line("in=1")+"\n")
		if got := len(readHermesCalls(database, "s").list); got != want {
			t.Errorf("with %d lines between them: %d calls", blank, got)
		}
	}
	if got := readHermesCalls(filepath.Join(t.TempDir(), "state.db"), "s"); len(got.list) > 0 {
		t.Errorf("without a log: %+v", got)
	}
}
