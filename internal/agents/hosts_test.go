// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	ownjson "github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// TestTheSessionOfAChatIsInItsAddress checks the address of a chat, in which that of the host's session is encoded.
func TestTheSessionOfAChatIsInItsAddress(t *testing.T) {
	encoded := func(address string) string { return base64.RawURLEncoding.EncodeToString([]byte(address)) }
	for chat, want := range map[string]string{
		"ahp-chat://c/" + encoded("copilot://remote/s1"): "remote-s1", "ahp-chat://c/" + encoded("copilot:///s1"): "s1", "ahp-chat://c/" + encoded("copilot:/s1"): "s1", "ahp-chat://c/" + encoded("copilot:s1") + "==": "s1",
		"ahp-chat://" + encoded("copilot:s1"): "", "other://c/" + encoded("copilot:s1"): "", "ahp-chat://c/" + encoded("s1"): "", "ahp-chat://c/!": "",
		"ahp-chat://c/" + encoded("x:"+strings.Repeat("y", 3070)): strings.Repeat("y", 3070), "ahp-chat://c/" + encoded("x:"+strings.Repeat("y", 3071)): "",
	} {
		if got := sessionOfChat(chat); got != want {
			t.Errorf("%.60s: %.20q, want %.20q", chat, got, want)
		}
	}
	if got := hostedName("azAZ09_.-/:@[`{é"); got != "azAZ09_.--------"[:16] {
		t.Errorf("the directory is %q", got)
	}
	if got := ClaudeProjectFolder("/azAZ09_.:@[`{é"); got != "-azAZ09--------" {
		t.Errorf("the directory is %q", got)
	}
}

// TestSecretsOfAHostAreNotOpened checks the files by which a host is controlled.
func TestSecretsOfAHostAreNotOpened(t *testing.T) {
	for path, want := range map[string]bool{"/home/a/.vscode/agent-host/local-endpoint/x.json": true, "/home/a/.vscode/agent-host/x.json": false, "": false} {
		if IsHostSecret(filepath.FromSlash(path)) != want {
			t.Errorf("%s is a secret: %v", path, !want)
		}
	}
}

// TestTheUsageThatAHostKeepsOfATurn checks the numbers of a turn and the agent's own composition of its window.
func TestTheUsageThatAHostKeepsOfATurn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "session.db")
	create := do(`CREATE TABLE turn_usage (turn_id TEXT, usage TEXT)`)
	usage := func(id, text string) []any { return do(`INSERT INTO turn_usage VALUES (?1, ?2)`, id, text) }
	many := ""
	for i := range 33 {
		many += fmt.Sprintf(`"k%d":%d,`, i, i+1)
	}
	made(t, path, create, do(`CREATE TABLE turns (id TEXT, event_id TEXT)`),
		do(`INSERT INTO turns VALUES ('t1', 'e1'), ('t2', 'e2'), ('t3', 'e3'), ('t4', ''), ('t5', 'e5'), ('t6', 'e6'), ('t7', 'e7')`),
		usage("t2", `{"model":"m","inputTokens":1,"_meta":{"contextAttribution":{"promptTokenLimit":0,"limit":70,"tokenLimit":80,"entries":[{"label":"A","kind":"system","tokens":5},{"label":"B","tokens":6,"parentId":"A"},{"label":7,"tokens":6},{"label":"D","tokens":0},{"label":"`+strings.Repeat("l", 199)+`","tokens":1},{"label":"`+strings.Repeat("l", 200)+`","tokens":9}],"totalTokens":10}}}`),
		usage("t1", `{"model":"m","inputTokens":100,"outputTokens":20,"cacheReadTokens":30,"_meta":{"vscode.modelCall":{"apiCallId":"c1"},"copilot.usageDetail":{"cacheWriteTokens":4,"reasoningTokens":5},"copilot.usageInfo":{"tokenLimit":1},
			"contextAttribution":{"promptTokenLimit":60,"categories":{"freeSpace":9,"buffer":9,"system":1,"`+strings.Repeat("c", 99)+`":2,"`+strings.Repeat("c", 100)+`":2,"none":0}}}}`),
		usage("t3", `{"model":"m","inputTokens":0}`), usage("t4", `{"inputTokens":5}`), usage("t5", `{"model":"m","inputTokens":5,"_meta":{"contextAttribution":{"entries":[{"label":"A","tokens":5}],"totalTokens":5}}}`),
		usage("t6", `{"model":"other","inputTokens":5,"_meta":{"contextAttribution":{"totalTokens":5,"categories":{`+many+`"x":0}}}}`), usage("t7", `{"inputTokens":5,"x":"`+strings.Repeat("x", mostUsage)+`"}`))
	found, err := hostedUsages(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, u := range found {
		line := fmt.Sprintf("%s %s of %s limit %d: in %d out %d read %d write %d reasoning %d, %d rows:", u.Event, u.Call, u.Usage.Model, u.Limit, u.Usage.In, u.Usage.Out, u.Usage.Read, u.Usage.Write, u.Usage.ReasoningOut, len(u.Composition))
		for i, row := range u.Composition {
			if i < 4 {
				line += " " + strings.NewReplacer(strings.Repeat("l", 199), "l199", strings.Repeat("c", 99), "c99").Replace(row.Kind+"/"+row.Label+"="+strconv.FormatInt(row.Tokens, 10))
			}
		}
		got = append(got, line)
	}
	expect(t, got,
		`e1 c1 of m limit 1: in 100 out 20 read 30 write 4 reasoning 5, 2 rows: system/=1 c99/=2`,
		`e2  of m limit 70: in 1 out -1 read -1 write -1 reasoning -1, 3 rows: system/A=5 /l199=1 messages/=4`,
		`e5  of m limit 70: in 5 out -1 read -1 write -1 reasoning -1, 1 rows: /A=5`,
		`e6  of other limit 0: in 5 out -1 read -1 write -1 reasoning -1, 32 rows: k0/=1 k1/=2 k2/=3 k3/=4`)
	for _, statement := range []string{`ALTER TABLE turns RENAME COLUMN event_id TO other`, `DROP TABLE turns`, `ALTER TABLE turn_usage RENAME COLUMN usage TO other`, `DROP TABLE turn_usage`} {
		made(t, path, do(statement))
		if found, err := hostedUsages(t.Context(), path); err != nil || len(found) > 0 {
			t.Errorf("%s: %d turns, %v", statement, len(found), err)
		}
	}
}

// TestRequestsOfCopilotCLI checks the requests in its session store, without those of sub-agents and of compactions.
func TestRequestsOfCopilotCLI(t *testing.T) {
	path := made(t, filepath.Join(t.TempDir(), "session-store.db"),
		do(`CREATE TABLE assistant_usage_events (id INTEGER PRIMARY KEY, session_id TEXT, turn_index INTEGER, model TEXT, finish_reason TEXT, input_tokens INTEGER, output_tokens INTEGER, cache_read_tokens INTEGER, cache_write_tokens INTEGER, reasoning_tokens INTEGER, initiator TEXT, agent_id TEXT, parent_tool_call_id TEXT)`),
		do(`INSERT INTO assistant_usage_events VALUES (2, 's', 1, 'm', 'stop', 1, 2, 3, 4, 5, 'user', '', NULL), (1, 's', 0, 'm', 'tool_calls', 10, 20, 30, 40, 50, NULL, NULL, NULL), (3, 's', 2, 'm', 'stop', 7, 7, 7, 7, 7, 'compaction', '', ''),
			(4, 's', 2, 'm', 'stop', 7, 7, 7, 7, 7, 'user', 'a', ''), (5, 's', 2, 'm', 'stop', 7, 7, 7, 7, 7, 'user', '', 'c'), (6, 's', 2, 'm', 'stop', 0, 7, 7, 7, 7, 'user', '', ''), (7, 'other', 2, 'm', 'stop', 7, 7, 7, 7, 7, 'user', '', '')`))
	found, known, err := copilotRequests(t.Context(), path, "s")
	want := []copilotRequest{{0, "m", "tool_calls", 10, 20, 30, 40, 50}, {1, "m", "stop", 1, 2, 3, 4, 5}}
	if err != nil || !known || !slices.Equal(found, want) {
		t.Errorf("%+v, %v, %v", found, known, err)
	}
	for _, statement := range []string{`ALTER TABLE assistant_usage_events RENAME COLUMN session_id TO other`, `DROP TABLE assistant_usage_events`} {
		made(t, path, do(statement))
		if found, known, err := copilotRequests(t.Context(), path, "s"); err != nil || known || len(found) > 0 {
			t.Errorf("%s: %+v, %v, %v", statement, found, known, err)
		}
	}
	for usage, want := range map[string]bool{"m stop 20": true, " stop 20": true, "other stop 20": false, "m stop 21": false, "m tool_calls 20": false, "m length 20": true} {
		f := strings.Split(usage, " ")
		out, _ := strconv.ParseInt(f[2], 10, 64)
		a := copilotAnswer{model: "m", out: 20, ended: true}
		if a.agrees(copilotRequest{Model: f[0], Finish: f[1], Out: out}) != want {
			t.Errorf("an answer agrees with %q: %v", usage, !want)
		}
		a = copilotAnswer{out: -1, ended: true, called: true}
		if a.agrees(copilotRequest{Model: f[0], Finish: f[1], Out: out}) != (f[1] != "stop") {
			t.Errorf("a call agrees with %q", usage)
		}
		if a := (copilotAnswer{model: "m", out: 0, called: true}); !a.agrees(copilotRequest{Model: "m", Finish: f[1], Out: -1}) {
			t.Errorf("an answer that has not ended disagrees with %q", usage)
		}
	}
}

// TestASessionIsPlacedOnlyInAStoreThatNamesIt checks the stores of hosts that are found, and sessions that are in none.
func TestASessionIsPlacedOnlyInAStoreThatNamesIt(t *testing.T) {
	home := t.TempDir()
	store := filepath.Join(home, ".config", "Code", "agentSessionData")
	meta := func(name string, pairs ...string) {
		statements := [][]any{do(`CREATE TABLE session_metadata (key TEXT, value TEXT)`)}
		for i := 0; i < len(pairs); i += 2 {
			statements = append(statements, do(`INSERT INTO session_metadata VALUES (?1, ?2)`, pairs[i], pairs[i+1]))
		}
		made(t, filepath.Join(store, name, hostedDatabase), statements...)
	}
	meta("same", "defaultChatProviderData", "{}", "customTitle", "A title", "copilot.worktree.repositoryRoot", "file:///w/shop")
	meta("listed", "customTitle", "Only listed")
	meta("backing", "peerChatBacking", "ahp-chat://c/"+base64.RawURLEncoding.EncodeToString([]byte("copilot:/the:host")))
	meta("the-host", "customTitle", "Of the host")
	meta("broken", "peerChatBacking", "ahp-chat://c/!")
	made(t, filepath.Join(store, "strange", hostedDatabase), do(`CREATE TABLE session_metadata (key TEXT)`))
	write(t, filepath.Join(store, "file"), "")
	e := dirs.New("linux", home, func(string) string { return "" })
	h := FindHosting(e)
	for id, want := range map[string]string{
		"same": "VS Code Agent Host|same|A title|/w/shop|/w/checkout", "same/sub": "VS Code Agent Host|same||/w/shop|/w/checkout", "listed": "||||", "backing": "VS Code Agent Host|the-host|Of the host|/w/checkout|",
		"broken": "||||", "strange": "||||", "file": "||||", "unknown": "||||",
	} {
		s := transcript.Session{ID: id, Agent: agent.CopilotCLI, Path: filepath.Join(home, "events.jsonl"), Workspace: "/w/checkout"}
		if strings.Contains(id, "/") {
			s.Parent = "same"
		}
		h.Place(&s)
		got := []string{s.Host, "", s.HostTitle, s.Workspace, s.Checkout}
		if s.HostStore != "" {
			got[1] = filepath.Base(filepath.Dir(s.HostStore))
		}
		if s.Host == "" && s.Workspace == "/w/checkout" {
			got[3] = ""
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
	(*Hosting)(nil).Place(&transcript.Session{}) // without a search nothing is placed
}

// TestAnAnswerOfCopilotCLIIsReadFromItsLog checks the fields of a response, and the record of its usage.
func TestAnAnswerOfCopilotCLIIsReadFromItsLog(t *testing.T) {
	for record, want := range map[string]string{
		`{"timestamp":"T","parentId":"P","data":{"apiCallId":"c","model":"m","outputTokens":1,"toolRequests":[{}]}}`: `c m 1 true true {"type":"session.usage_record","timestamp":"T","parentId":"P","model":"m2","apiCallId":"c","inputTokens":0,"cacheReadTokens":5}`,
		`{"timestamp":1,"parentId":null,"data":{"outputTokens":0,"toolRequests":[]}}`:                                `  -1 false true {"type":"session.usage_record","timestamp":1,"parentId":null,"model":"m2","apiCallId":"","inputTokens":0,"cacheReadTokens":5}`,
		`{"timestamp":1,"parentId":null,"data":{"outputTokens":"7"}}`:                                                `  -1 false false {"type":"session.usage_record","timestamp":1,"parentId":null,"model":"m2","apiCallId":"","inputTokens":0,"cacheReadTokens":5}`,
	} {
		a := newCopilotAnswer(parsed([]byte(record)))
		w := ownjson.Writer{}
		w.BeginObject()
		a.head(&w)
		a.usage(&w, copilotRequest{Model: "m2", In: 0, Out: -1, Read: 5, Write: -1, ReasoningOut: -1})
		w.EndObject()
		if got := fmt.Sprintf("%s %s %d %v %v %s", a.call, a.model, a.out, a.called, a.ended, w.Buf); got != want {
			t.Errorf("%s\n is %s,\nwant %s", record, got, want)
		}
	}
}

// A heldTail returns the batches that it was given, one at a time.
type heldTail struct{ batches []heldBatch }

type heldBatch struct {
	reset   bool
	records []string
}

func (t *heldTail) Position() int64 { return 0 }

func (t *heldTail) Next(ctx context.Context, b *transcript.Batch) error {
	var queue transcript.Queue
	reset := false
	if len(t.batches) > 0 {
		for _, record := range t.batches[0].records {
			queue = append(queue, []byte(record))
		}
		reset = t.batches[0].reset
		t.batches = t.batches[1:]
	}
	err := queue.Next(ctx, b, func(context.Context, *transcript.Batch) error { return nil })
	b.Reset = reset
	return err
}

// TestUsagesOfTheSessionStoreComeBeforeTheirResponses checks which request of the store belongs to a response, and
// when.
func TestUsagesOfTheSessionStoreComeBeforeTheirResponses(t *testing.T) {
	user := func(source string) string {
		return `{"type":"user.message","data":{"source":"` + source + `"}}`
	}
	answer := func(n int, turn, more string) string {
		return fmt.Sprintf(`{"type":"assistant.message","timestamp":"t","parentId":"p","data":{"turnId":"%s","outputTokens":%d%s}}`, turn, n, more)
	}
	const told, own = "store", `{"type":"session.usage_record","data":{}}`
	request := func(id, turn, out int) []any {
		return do(`INSERT INTO assistant_usage_events VALUES (?1, 's', ?2, ?3, ?4)`, id, turn, 1000+out, out)
	}
	for about, c := range map[string]struct {
		requests [][]any
		batches  []heldBatch
		want     string
	}{
		"one turn":                 {[][]any{request(1, 0, 10), request(2, 0, 20)}, []heldBatch{{false, []string{user(""), answer(10, "0", ""), answer(20, "1", "")}}}, "store user +1010 answer10 +1020 answer20"},
		"two turns":                {[][]any{request(1, 0, 10), request(2, 1, 20)}, []heldBatch{{false, []string{user(""), answer(10, "0", ""), user(""), answer(20, "0", "")}}}, "store user +1010 answer10 user +1020 answer20"},
		"a message inside a turn":  {[][]any{request(1, 0, 10), request(2, 0, 20)}, []heldBatch{{false, []string{user(""), answer(10, "0", ""), user("skill"), answer(20, "1", "")}}}, "store user +1010 answer10 user +1020 answer20"},
		"turns without messages":   {[][]any{request(1, 0, 10), request(2, 1, 20)}, []heldBatch{{false, []string{answer(10, "0", ""), answer(20, "0", "")}}}, "store +1010 answer10 +1020 answer20"},
		"another length":           {[][]any{request(1, 0, 11)}, []heldBatch{{false, []string{user(""), answer(10, "0", "")}}}, "store user answer10"},
		"turns that were left out": {[][]any{request(1, 0, 5), request(2, 3, 10), request(3, 4, 20)}, []heldBatch{{false, []string{user(""), answer(5, "0", ""), user(""), answer(10, "0", ""), user(""), answer(20, "0", "")}}}, "store user +1005 answer5 user +1010 answer10 user +1020 answer20"},
		"a sub-agent's response":   {[][]any{request(1, 0, 10)}, []heldBatch{{false, []string{user(""), answer(10, "0", `,"parentToolCallId":"x"`), answer(10, "0", "")}}}, "store user answer10 +1010 answer10"},
		"usages of the log":        {[][]any{request(1, 0, 10), request(2, 1, 20)}, []heldBatch{{false, []string{user(""), answer(10, "0", ""), own, user(""), answer(20, "0", "")}}}, "store user +1010 answer10 own user answer20"},
		"a log that starts over":   {[][]any{request(1, 0, 10)}, []heldBatch{{false, []string{user(""), answer(10, "0", "")}}, {true, []string{user(""), answer(10, "0", "")}}}, "store user +1010 answer10 reset store user +1010 answer10"},
		"no requests of sessions":  {nil, []heldBatch{{false, []string{user(""), answer(10, "0", "")}}}, "store user answer10"},
		"two batches":              {[][]any{request(1, 0, 10), request(2, 0, 20)}, []heldBatch{{false, []string{user(""), answer(10, "0", "")}}, {false, []string{answer(20, "1", "")}}}, "store user +1010 answer10 +1020 answer20"},
	} {
		home := t.TempDir()
		store := made(t, filepath.Join(home, "session-store.db"), append([][]any{do(`CREATE TABLE assistant_usage_events (id INTEGER PRIMARY KEY, session_id TEXT, turn_index INTEGER, input_tokens INTEGER, output_tokens INTEGER)`)}, c.requests...)...)
		s := transcript.Session{Agent: agent.CopilotCLI, Path: filepath.Join(home, "session-state", "s", "events.jsonl")}
		if got := copilotStore(s); got != store {
			t.Errorf("%s: the store is %q", about, got)
		}
		tail := copilotCLI.Join(s, &heldTail{c.batches})
		var got []string
		for range len(c.batches) + 1 {
			var b transcript.Batch
			if err := tail.Next(t.Context(), &b); err != nil {
				t.Fatal(err)
			}
			if b.Reset {
				got = append(got, "reset")
			}
			for i := range b.Count {
				v := parsed(b.Record(i))
				switch kind := v.Get("type").String(); kind {
				case "session.usage_store":
					got = append(got, told)
				case "session.usage_record":
					if in := v.Path("data", "usage", "inputTokens"); in.Exists() {
						got = append(got, "+"+string(in.Raw()))
					} else {
						got = append(got, "own")
					}
				case "assistant.message":
					got = append(got, "answer"+string(v.Path("data", "outputTokens").Raw()))
				default:
					got = append(got, "user")
				}
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", about, strings.Join(got, " "), c.want)
		}
	}
	plain := &heldTail{}
	for path, form := range map[string]transcript.Form{"events.jsonl": transcript.Compressed, "other.jsonl": transcript.Lines} {
		if tail := copilotCLI.Join(transcript.Session{Path: filepath.Join(t.TempDir(), "session-state", "s", path), Form: form}, plain); tail != plain {
			t.Errorf("%s has usages elsewhere", path)
		}
	}
}

// TestUsagesOfAHostComeWithTheirResponses checks which turn of a host's database belongs to a response, and when.
func TestUsagesOfAHostComeWithTheirResponses(t *testing.T) {
	user := func(id, source string) string {
		return `{"type":"user.message","id":"` + id + `","data":{"source":"` + source + `"}}`
	}
	answer := func(call string, n int, tools, more string) string {
		return fmt.Sprintf(`{"type":"assistant.message","timestamp":"t","parentId":"p"%s,"data":{"apiCallId":"%s","outputTokens":%d,"toolRequests":%s}}`, more, call, n, tools)
	}
	const own, calls, none = `{"type":"session.usage_record","data":{}}`, `[{}]`, `[]`
	turn := func(event, call string, out int, more string) [][]any {
		return [][]any{
			do(`INSERT INTO turns VALUES (?1, ?1)`, event),
			do(`INSERT INTO turn_usage VALUES (?1, ?2)`, event, fmt.Sprintf(`{"inputTokens":%d,"outputTokens":%d,"_meta":{"vscode.modelCall":{"apiCallId":"%s"}%s}}`, 1000+out, out, call, more)),
		}
	}
	const window = `,"copilot.usageInfo":{"tokenLimit":5000},"contextAttribution":{"entries":[{"label":"L","kind":"k","tokens":3}]}`
	for about, c := range map[string]struct {
		before, between [][]any // rows before the first batch, and before the second
		batches         []heldBatch
		want            string
	}{
		"by the request":              {turn("e1", "c1", 10, ""), nil, []heldBatch{{false, []string{user("e1", ""), answer("c0", 5, calls, ""), answer("c1", 10, none, "")}}}, "store user answer5 +1010 answer10"},
		"by the turn":                 {turn("e1", "", 10, ""), nil, []heldBatch{{false, []string{user("e1", ""), answer("", 10, none, "")}}}, "store user answer10 +1010"},
		"by the turn, with calls":     {turn("e1", "", 10, ""), nil, []heldBatch{{false, []string{user("e1", ""), answer("", 10, calls, "")}}, {false, []string{user("e2", "user")}}}, "store user answer10 +1010 user"},
		"by the turn that goes on":    {turn("e1", "", 10, ""), nil, []heldBatch{{false, []string{user("e1", ""), answer("", 10, calls, ""), user("x", "skill")}}}, "store user answer10 user"},
		"of another length":           {turn("e1", "", 11, ""), nil, []heldBatch{{false, []string{user("e1", ""), answer("", 10, none, "")}}}, "store user answer10"},
		"of another request":          {turn("e1", "c9", 10, ""), nil, []heldBatch{{false, []string{user("e1", ""), answer("c1", 10, none, "")}}}, "store user answer10"},
		"of a sub-agent":              {turn("e1", "c1", 10, ""), nil, []heldBatch{{false, []string{user("e1", ""), answer("c1", 10, none, `,"agentId":"a"`)}}}, "store user answer10"},
		"with the window":             {turn("e1", "c1", 10, window), nil, []heldBatch{{false, []string{user("e1", ""), answer("c1", 10, none, "")}}, {false, []string{user("e2", "")}}}, "store user +1010/5000 answer10 L user"},
		"of the log itself":           {turn("e1", "c1", 10, window), nil, []heldBatch{{false, []string{own, user("e1", ""), answer("c1", 10, none, "")}}}, "store own user answer10"},
		"after the response":          {nil, turn("e1", "c1", 10, ""), []heldBatch{{false, []string{user("e1", ""), answer("c1", 10, none, "")}}, {false, []string{user("e2", "")}}}, "user answer10 store +1010 user"},
		"in a log that starts over":   {turn("e1", "c1", 10, window), nil, []heldBatch{{false, []string{user("e1", ""), answer("c1", 10, none, "")}}, {true, []string{user("e1", ""), answer("c1", 10, none, "")}}}, "store user +1010/5000 answer10 L reset store user +1010/5000 answer10 L"},
		"after the response, at once": {nil, turn("e1", "c1", 10, ""), []heldBatch{{false, []string{user("e1", ""), answer("c1", 10, none, "")}}, {false, nil}}, "user answer10 +1010"},
	} {
		home := t.TempDir()
		store := made(t, filepath.Join(home, "session.db"), append([][]any{do(`CREATE TABLE turn_usage (turn_id TEXT, usage TEXT)`), do(`CREATE TABLE turns (id TEXT, event_id TEXT)`)}, c.before...)...)
		tail := copilotCLI.JoinHost(transcript.Session{Agent: agent.CopilotCLI, Path: filepath.Join(home, "events.jsonl"), HostStore: store}, &heldTail{c.batches})
		var got []string
		for n := range len(c.batches) + 1 {
			if n == 1 && c.between != nil {
				made(t, store, c.between...)
			}
			var b transcript.Batch
			if err := tail.Next(t.Context(), &b); err != nil {
				t.Fatal(err)
			}
			if b.Reset {
				got = append(got, "reset")
			}
			for i := range b.Count {
				v := parsed(b.Record(i))
				switch kind := v.Get("type").String(); kind {
				case "session.usage_store":
					got = append(got, "store")
				case "session.host_context":
					for e := v.Path("data", "composition").Elements(); e.Next(); {
						got = append(got, e.Value.Get("label").String())
					}
				case "session.usage_record":
					usage := v.Path("data", "usage")
					line := "own"
					if in := usage.Get("inputTokens"); in.Exists() {
						line = "+" + string(in.Raw())
					}
					if most := usage.Get("maxPromptTokens"); most.Exists() {
						line += "/" + string(most.Raw())
					}
					got = append(got, line)
				case "assistant.message":
					got = append(got, "answer"+string(v.Path("data", "outputTokens").Raw()))
				default:
					got = append(got, "user")
				}
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", about, strings.Join(got, " "), c.want)
		}
	}
}

// TestASessionIsOpenedInItsForm checks what is joined to a session, and folders and databases of several sessions.
func TestASessionIsOpenedInItsForm(t *testing.T) {
	home := t.TempDir()
	path := filepath.Join(home, "session-state", "s", "events.jsonl")
	for _, c := range []struct {
		store, host string
		want        string
	}{{"", "", "*transcript.lineTail"}, {"", "h.db", "*agents.hostedTail"}, {"x", "", "*agents.usageTail"}, {"x", "h.db", "*agents.hostedTail"}} {
		if c.store != "" {
			write(t, filepath.Join(home, "session-store.db"), "")
		}
		s := transcript.Session{Agent: agent.CopilotCLI, Path: path, HostStore: c.host}
		if got := fmt.Sprintf("%T", OpenTail(s)); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
		if s.Agent = agent.Codex; fmt.Sprintf("%T", OpenTail(s)) != "*transcript.lineTail" {
			t.Errorf("%+v: something is joined to a session of Codex", c)
		}
	}
	tree := filepath.Join(home, "storage")
	for _, dir := range []string{"session/p", "message", "part"} {
		if err := os.MkdirAll(filepath.Join(tree, filepath.FromSlash(dir)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(tree, "session", "p", "ses_1.json"), `{"id":"ses_1"}`)
	for folder, want := range map[string]bool{tree: true, home: false} {
		var seen []string
		if InFolder(folder, func(path string) { seen = append(seen, filepath.Base(path)) }) != want || want != (len(seen) == 1) {
			t.Errorf("%s has sessions: %v, %q", folder, !want, seen)
		}
	}
	database := crushStore(t)
	if found, err := InDatabase(t.Context(), database); err != nil || len(found) != 2 || found[0].Agent != agent.Crush {
		t.Errorf("%+v, %v", found, err)
	}
	openCode := made(t, filepath.Join(home, "o.db"), do(`CREATE TABLE session (id TEXT, parent_id TEXT, directory TEXT, title TEXT, version TEXT, time_created INTEGER, time_updated INTEGER)`),
		do(`INSERT INTO session VALUES ('s1', NULL, '/w', 'T', '1.0', 1764590000000, 1764590001000), ('s2', 's1', NULL, NULL, NULL, NULL, NULL)`))
	found, err := InDatabase(t.Context(), openCode)
	if err != nil || len(found) != 2 || found[0].Label != "T" || found[0].Workspace != "/w" || found[0].Version != "1.0" || found[0].Started.UnixMilli() != 1764590000000 || found[0].Modified.UnixMilli() != 1764590001000 || found[1].Parent != "s1" || found[1].Key != "s2" {
		t.Errorf("%+v, %v", found, err)
	}
	var listed []string
	err = listDatabase(Root{Agent: agent.OpenCode, Path: openCode}, func(c Candidate) {
		listed = append(listed, fmt.Sprintf("%s of %q alone %v in %s", c.ID, c.Parent, c.Alone, c.KnownWorkspace()))
		if c.Session == nil || c.Session.ID != c.ID || c.Kind != transcript.Database || c.Info == nil || c.Path != openCode || c.Agent != agent.OpenCode {
			t.Errorf("%+v", c)
		}
	})
	if err != nil || strings.Join(listed, "|") != `s1 of "" alone true in /w|s2 of "s1" alone false in ` {
		t.Errorf("%q, %v", listed, err)
	}
	made(t, openCode, do(`CREATE TABLE session_v2 (id TEXT, parent_id TEXT, directory TEXT, title TEXT, version TEXT, time_created INTEGER, time_updated INTEGER, time_idle INTEGER)`),
		do(`CREATE TABLE session_message (session_id TEXT, seq INTEGER, time_updated INTEGER)`),
		do(`INSERT INTO session_v2 VALUES ('s1', NULL, '/w', 'New', '1.0', 1764590000000, 1764590001000, 1764590002000), ('s3', NULL, '/w', 'Newer', '2.1', 1, 1764590001000, 5)`),
		do(`INSERT INTO session_message VALUES ('s3', 1, 1764590009000), ('s3', 2, 1764590003000)`))
	found, err = InDatabase(t.Context(), openCode)
	var got []string
	for _, s := range found {
		got = append(got, fmt.Sprintf("%s %s %s %d", s.ID, s.Label, s.Version, s.Modified.UnixMilli()))
	}
	if err != nil || strings.Join(got, "|") != "s1 New 2 1764590002000|s3 Newer 2.1 1764590003000|s2   "+fmt.Sprint(time.Time{}.UnixMilli()) {
		t.Errorf("%q, %v", got, err)
	}
	made(t, openCode, do(`DROP TABLE session`))
	if found, err := InDatabase(t.Context(), openCode); err != nil || len(found) != 2 {
		t.Errorf("%+v, %v", found, err)
	}
}

// TestADatabaseThatCannotBeReadIsReadLater checks that a log is given again, with its usages, once the database of its
// requests can be read.
func TestADatabaseThatCannotBeReadIsReadLater(t *testing.T) {
	home := t.TempDir()
	path := filepath.Join(home, "session-state", "s", "events.jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, path, `{"type":"user.message","id":"e1","data":{}}`+"\n"+`{"type":"assistant.message","timestamp":"t","parentId":"p","data":{"turnId":"0","apiCallId":"c1","outputTokens":10,"toolRequests":[]}}`+"\n")
	for file, statements := range map[string][][]any{
		"session-store.db": {
			do(`CREATE TABLE assistant_usage_events (id INTEGER PRIMARY KEY, session_id TEXT, turn_index INTEGER, input_tokens INTEGER, output_tokens INTEGER)`),
			do(`INSERT INTO assistant_usage_events VALUES (1, 's', 0, 1010, 10)`),
		},
		"host.db": {
			do(`CREATE TABLE turn_usage (turn_id TEXT, usage TEXT)`), do(`CREATE TABLE turns (id TEXT, event_id TEXT)`), do(`INSERT INTO turns VALUES ('t', 'e1')`),
			do(`INSERT INTO turn_usage VALUES ('t', '{"inputTokens":1010,"outputTokens":10,"_meta":{"vscode.modelCall":{"apiCallId":"c1"}}}')`),
		},
	} {
		database := filepath.Join(home, file)
		write(t, database, strings.Repeat("This is not a database.", 100))
		s := transcript.Session{Agent: agent.CopilotCLI, Path: path}
		if file == "host.db" {
			s.HostStore = database
		}
		tail := OpenTail(s)
		next := func() (line string) {
			var b transcript.Batch
			if err := tail.Next(t.Context(), &b); err != nil {
				t.Fatal(err)
			}
			if b.Reset {
				line = "again"
			}
			for i := range b.Count {
				v := parsed(b.Record(i))
				line += " " + strings.Split(v.Get("type").String(), ".")[0] + string(v.Path("data", "usage", "inputTokens").Raw())
			}
			return line
		}
		if first, second := next(), next(); first != " user assistant" || second != "" {
			t.Errorf("%s, unreadable: %q, %q", file, first, second)
		}
		if err := os.Remove(database); err != nil {
			t.Fatal(err)
		}
		made(t, database, statements...)
		if first, second := next(), next(); first != "again session user session1010 assistant" || second != "" {
			t.Errorf("%s, readable: %q, %q", file, first, second)
		}
		if err := os.Remove(database); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAMissingLocationListsNothing checks every location of every agent on a machine without any.
func TestAMissingLocationListsNothing(t *testing.T) {
	e := dirs.New("linux", filepath.ToSlash(t.TempDir()), func(string) string { return "" })
	silent := map[string]bool{}
	for _, root := range Roots(e) {
		if root.List == nil || root.Exists() {
			continue
		}
		err := root.List(root, func(c Candidate) { t.Errorf("%s: %+v", root.Name, c) })
		if err != nil && !os.IsNotExist(err) {
			t.Errorf("%s: %v", root.Name, err)
		}
		if err == nil {
			silent[root.Agent] = true
		}
	}
	for id, want := range map[string]bool{agent.Copilot: true, agent.Crush: true, agent.OpenCode: true, agent.Kilo: true} {
		if silent[id] != want {
			t.Errorf("%s reports no missing location", id)
		}
	}
	if len(silent) != 4 {
		t.Errorf("no missing location is reported by %v", silent)
	}
}

// TestADocumentThatIsNotWholeSaysSo checks documents that are cut off, too long or missing, and whose they are.
func TestADocumentThatIsNotWholeSaysSo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "d.json")
	if _, err := document(path); !os.IsNotExist(err) {
		t.Errorf("a missing document: %v", err)
	}
	if OfDocument(path) != nil || OfDatabase(t.Context(), path) != nil {
		t.Error("a missing file is somebody's")
	}
	write(t, path, `{"a":`)
	if _, err := document(path); err == nil || !strings.Contains(err.Error(), "incomplete JSON") {
		t.Errorf("a document that is cut off: %v", err)
	}
	write(t, path, "{}")
	for size, want := range map[int64]string{mostDocument: "incomplete", mostDocument + 1: "more than 64 MB"} {
		if err := os.Truncate(path, size); err != nil {
			t.Fatal(err)
		}
		if _, err := document(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
	write(t, path, "{}")
	if v, err := document(path); err != nil || !v.Exists() {
		t.Errorf("%v", err)
	}
	if s := (transcript.Session{Agent: agent.Codex}); StoreLabel(s) != "" {
		t.Error("an agent without a store has a label")
	}
}
