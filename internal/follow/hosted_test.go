// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// The ids of the recorded session: the agent's own, and the host's.
const (
	hostedID = "c3f65c5c-26a0-459a-bf96-2f4620f0c767"
	hostID   = "11111111-2222-4333-8444-555555555555"
)

// recorded returns a file of a session that VS Code's Agent Host ran.
func recorded(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "hosts", "vscode", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// aHostedSession returns a machine on which an editor's host has run that session, and the host's database.
func aHostedSession(t *testing.T, edit func(dump string) string) (m *dirstest.Machine, log string, host *sql.DB) {
	t.Helper()
	m = dirstest.NewMachine(t)
	log = m.Put(".copilot/session-state/"+hostedID+"/events.jsonl", recorded(t, "events.jsonl"))
	store := m.Environment().Join(m.Environment().Applications(), "Code", "agentSessionData")
	dirstest.Database(t, filepath.Join(store, hostedID, "session.db"), recorded(t, "backing.sql"))
	dump := recorded(t, "session.sql")
	if edit != nil {
		dump = edit(dump)
	}
	return m, log, dirstest.Database(t, filepath.Join(store, hostID, "session.db"), dump)
}

// theSession finds the only session of a machine.
func theSession(t *testing.T, m *dirstest.Machine, q sessions.Query) transcript.Session {
	t.Helper()
	found, problems, err := sessions.NewFinder(m.Environment()).Find(context.Background(), q)
	if err != nil || len(problems) > 0 || len(found) != 1 {
		t.Fatalf("found %d sessions, %v, %v", len(found), problems, err)
	}
	return found[0]
}

func readingOf(t *testing.T, s transcript.Session) (reading json.Value, steps []string) {
	t.Helper()
	pool, err := engine.Native(engine.Options{Instances: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	return measuredPrompts(t, NewFeed(s, pool.Call), &steps), steps
}

// TestASessionOfAHostIsFoundAndPlaced checks that a session is labeled with the host that runs it, according to the
// host's store, and that it is found in the directory that the host made a checkout of, and in the checkout.
func TestASessionOfAHostIsFoundAndPlaced(t *testing.T) {
	m, log, _ := aHostedSession(t, nil)
	for _, near := range []string{"", "/w/shop", "/w/shop.worktrees/read-the-list"} {
		s := theSession(t, m, sessions.Query{Near: near})
		if s.Host != "VS Code Agent Host" || s.Path != log || filepath.Base(filepath.Dir(s.HostStore)) != hostID {
			t.Errorf("%q: %q, %q", near, s.Host, s.HostStore)
		}
		if want := max(near, "/w/shop"); s.Workspace != want {
			t.Errorf("%q is placed in %q", near, s.Workspace)
		}
	}
	if found, _, _ := sessions.NewFinder(m.Environment()).Find(context.Background(), sessions.Query{Near: "/w/other"}); len(found) > 0 {
		t.Errorf("found elsewhere: %v", found)
	}
}

// TestASessionThatAHostOnlyListsRunsInNone checks that the name of a directory proves nothing: the host must record
// that it runs the session.
func TestASessionThatAHostOnlyListsRunsInNone(t *testing.T) {
	for what, backing := range map[string]string{
		"says nothing":          `CREATE TABLE session_metadata (key TEXT PRIMARY KEY, value TEXT)`,
		"is of another program": `CREATE TABLE other (a)`,
		"names a path":          `CREATE TABLE session_metadata (key, value); INSERT INTO session_metadata VALUES ('peerChatBacking', 'ahp-chat://default/` + "Y29waWxvdDovLi4" + `')`,
		"names nothing":         `CREATE TABLE session_metadata (key, value); INSERT INTO session_metadata VALUES ('peerChatBacking', 'ahp-chat://default/%%')`,
	} {
		m := dirstest.NewMachine(t)
		m.Put(".copilot/session-state/"+hostedID+"/events.jsonl", recorded(t, "events.jsonl"))
		store := m.Environment().Join(m.Environment().Applications(), "Code", "agentSessionData")
		dirstest.Database(t, filepath.Join(store, hostedID, "session.db"), backing)
		if s := theSession(t, m, sessions.Query{}); s.Host != "" || s.HostStore != "" || s.Checkout != "" {
			t.Errorf("a store that %s: %q, %q", what, s.Host, s.HostStore)
		}
	}
	m := dirstest.NewMachine(t)
	m.Put(".copilot/session-state/"+hostedID+"/events.jsonl", recorded(t, "events.jsonl"))
	dirstest.Write(t, filepath.Join(m.Environment().Join(m.Environment().Applications(), "Code", "agentSessionData"), hostedID, "session.db"), strings.Repeat("x", 5000))
	if s := theSession(t, m, sessions.Query{}); s.Host != "" {
		t.Errorf("a damaged store: %q", s.Host)
	}
}

// TestAHostsUsageMeasuresTheLastRequestOfEachTurn checks the join of a host's database with Copilot's log: the prompt
// includes cached tokens, the sums of a turn are ignored, and the limits and the composition are the agent's.
func TestAHostsUsageMeasuresTheLastRequestOfEachTurn(t *testing.T) {
	m, _, _ := aHostedSession(t, nil)
	r, steps := readingOf(t, theSession(t, m, sessions.Query{}))
	if in := string(r.Path("lastRequest", "in").Raw()); in != "22000" || !slices.Equal(steps, []string{"22000"}) {
		t.Errorf("the last request had %s, steps %v", in, steps)
	}
	for path, want := range map[string]string{
		"lastRequest.cacheRead": "20000", "limit": "128000", "limitSource": `"agent"`, "compaction.threshold": "102400",
		"workspace": `"/w/shop"`, "agentOwn.counts.text": `"Copilot CLI itself counts 11k: System prompt 4.6k, Tools 6.2k, Messages 120"`, "basis": `"measured"`,
	} {
		if got := string(r.Path(strings.Split(path, ".")...).Raw()); got != want {
			t.Errorf("%s is %s, not %s", path, got, want)
		}
	}
	if text := string(r.Path("warnings").Raw()); text != "[]" {
		t.Errorf("warnings: %s", text)
	}
}

// TestAHostThatNamesNoRequestMeasuresTheEndOfEachTurn checks the join without ids of requests, which older hosts do not
// record, and that a running turn has no usage.
func TestAHostThatNamesNoRequestMeasuresTheEndOfEachTurn(t *testing.T) {
	m, log, host := aHostedSession(t, func(dump string) string {
		return strings.ReplaceAll(dump, `"apiCallId":"lab-`, `"other":"lab-`)
	})
	r, steps := readingOf(t, theSession(t, m, sessions.Query{}))
	if in := string(r.Path("lastRequest", "in").Raw()); in != "22000" || !slices.Equal(steps, []string{"22000"}) {
		t.Errorf("the last request had %s, steps %v", in, steps)
	}
	dirstest.Run(t, host, `UPDATE turn_usage SET usage='{"inputTokens":21000,"_meta":{"turnTokenTotals":[{"model":"lab-chat","inputTokens":41000}]}}'`)
	lines := strings.SplitAfter(recorded(t, "events.jsonl"), "\n")
	first := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, `"assistant.message"`) })
	dirstest.Write(t, log, strings.Join(lines[:first+1], ""))
	if r, _ := readingOf(t, theSession(t, m, sessions.Query{})); r.Path("lastRequest", "in").Exists() {
		t.Errorf("a call within a turn was measured: %s", r.Get("lastRequest").Raw())
	}
}

// TestALimitOfOneTurnAppliesToTheOthers checks that a turn has the agent's limit even if the host recorded it only for
// an earlier turn of the same model.
func TestALimitOfOneTurnAppliesToTheOthers(t *testing.T) {
	m, _, host := aHostedSession(t, nil)
	dirstest.Run(t, host, `UPDATE turn_usage SET usage=json_remove(usage, '$._meta.contextAttribution') WHERE rowid=2`)
	if r, _ := readingOf(t, theSession(t, m, sessions.Query{})); string(r.Get("limit").Raw()) != "128000" || r.Path("agentOwn", "counts").Exists() {
		t.Errorf("limit %s, counts %s", r.Get("limit").Raw(), r.Path("agentOwn", "counts").Raw())
	}
	dirstest.Run(t, host, `UPDATE turn_usage SET usage=json_set(usage, '$.model', 'lab-other') WHERE rowid=1`)
	if r, _ := readingOf(t, theSession(t, m, sessions.Query{})); string(r.Get("limit").Raw()) == "128000" {
		t.Error("the limit of another model was taken")
	}
}

// TestAHostsUsageComesAfterTheAnswer checks a session that is followed while the host writes: the usage and the agent's
// counts are used as soon as they exist, each once.
func TestAHostsUsageComesAfterTheAnswer(t *testing.T) {
	m, log, host := aHostedSession(t, nil)
	whole := recorded(t, "events.jsonl")
	dirstest.Run(t, host, `CREATE TABLE later AS SELECT * FROM turn_usage`)
	dirstest.Run(t, host, `DELETE FROM turn_usage`)
	s := theSession(t, m, sessions.Query{})
	pool, err := engine.Native(engine.Options{Instances: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	feed := NewFeed(s, pool.Call)
	var steps []string
	if r := measuredPrompts(t, feed, &steps); r.Path("lastRequest", "in").Exists() {
		t.Errorf("measured before the host wrote: %s", r.Get("lastRequest").Raw())
	}
	before := agents.StateOf(s)
	dirstest.Run(t, host, `INSERT INTO turn_usage SELECT turn_id, '{"inputTokens":22000,"cacheReadTokens":20000,"model":"lab-chat","_meta":{"vscode.modelCall":{"apiCallId":"lab-2"}}}' FROM later WHERE rowid=2`)
	if agents.StateOf(s) == before {
		t.Error("a change of the host's database is not noticed")
	}
	r := measuredPrompts(t, feed, &steps)
	if in := string(r.Path("lastRequest", "in").Raw()); in != "22000" || r.Path("agentOwn", "counts").Exists() {
		t.Errorf("after the usage: %s, %s", in, r.Path("agentOwn", "counts").Raw())
	}
	dirstest.Run(t, host, `UPDATE turn_usage SET usage=(SELECT usage FROM later WHERE rowid=2)`)
	r = measuredPrompts(t, feed, &steps)
	if calls := string(r.Path("spent", "calls").Raw()); calls != "1" || !r.Path("agentOwn", "counts").Exists() {
		t.Errorf("after the composition: %s requests, %s", calls, r.Path("agentOwn", "counts").Raw())
	}
	// If the log contains measurements itself, the host's database is not read.
	dirstest.Write(t, log, strings.Replace(whole, `{"type":"assistant.message"`, `{"type":"session.usage_record","data":{"usage":{"inputTokens":777,"apiCallId":"lab-0"}},"id":"u","timestamp":"","parentId":null}`+"\n"+`{"type":"assistant.message"`, 1))
	if r, _ := readingOf(t, s); string(r.Path("lastRequest", "in").Raw()) != "777" {
		t.Errorf("the log's own usage was overruled: %s", r.Get("lastRequest").Raw())
	}
}

// TestBothFoldersOfAnAgentAreRead checks a machine whose variables set other directories for agents that a host runs:
// the host does not pass the variables on, so sessions in the default locations are found too, with the settings of
// their directory.
func TestBothFoldersOfAnAgentAreRead(t *testing.T) {
	m := dirstest.NewMachine(t)
	m.Env = map[string]string{"CLAUDE_CONFIG_DIR": m.Home + "/c", "COPILOT_HOME": m.Home + "/p", "CODEX_HOME": m.Home + "/x"}
	m.Put(".claude/projects/-w-shop/usual.jsonl", dirstest.ClaudeLine("usual", "/w/shop"))
	m.Put(".claude/settings.json", `{"autoCompactWindow": 100000}`)
	m.Put("c/projects/-w-shop/moved.jsonl", dirstest.ClaudeLine("moved", "/w/shop"))
	m.Put("c/settings.json", `{"autoCompactWindow": 200000}`)
	copilot := func(id string) string { return strings.ReplaceAll(recorded(t, "events.jsonl"), hostedID, id) }
	m.Put(".copilot/session-state/p1/events.jsonl", copilot("p1"))
	m.Put("p/session-state/p2/events.jsonl", copilot("p2"))
	codex := func(id string) string {
		return `{"timestamp":"2026-02-09T06:01:53Z","type":"session_meta","payload":{"id":"` + id + `","cwd":"/w/shop"}}` + "\n"
	}
	m.Put(".codex/sessions/2026/02/09/rollout-1.jsonl", codex("x1"))
	m.Put("x/sessions/2026/02/09/rollout-2.jsonl", codex("x2"))
	found, problems, err := sessions.NewFinder(m.Environment()).Find(context.Background(), sessions.Query{})
	if err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	var ids []string
	for _, s := range found {
		ids = append(ids, s.ID)
		if s.Agent == "claude-code" {
			want := map[string]string{"usual": "100000", "moved": "200000"}[s.ID]
			if got := agents.SettingsOf(m.Environment(), s)["autoCompactWindow"]; got != want {
				t.Errorf("%s has the settings of another folder: %s", s.ID, got)
			}
		}
	}
	slices.Sort(ids)
	if got := strings.Join(ids, " "); got != "moved p1 p2 usual x1 x2" {
		t.Errorf("found %s", got)
	}
}
