// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"context"
	"crypto/md5"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// TestAgentsThatWriteLinesAreFound creates a machine with a session of each agent and checks its path, its agent, its
// start directory and its parent.
func TestAgentsThatWriteLinesAreFound(t *testing.T) {
	m := dirstest.NewMachine(t)
	m.Own = true
	pi := `{"type":"session","version":3,"id":"ID","timestamp":"2026-03-01T10:00:00.000Z","cwd":"/w/shop"}` + "\n"
	m.Put(".pi/agent/sessions/--w-shop--/2026-03-01T10-00-00-000Z_p1.jsonl", strings.Replace(pi, "ID", "p1", 1))
	m.Put(".omp/agent/sessions/--w-shop--/2026-03-01T10-00-00-000Z_o1.jsonl", strings.Replace(pi, "ID", "o1", 1))
	m.Put(".prime/agent/sessions/--w-shop--/2026-03-01T10-00-00-000Z_r1.jsonl", strings.Replace(pi, "ID", "r1", 1))
	m.Put(".openclaw/agents/main/sessions/w1.jsonl", strings.Replace(pi, "ID", "w1", 1))
	m.Put(".moltbot/agents/main/sessions/w2.jsonl", strings.Replace(pi, "ID", "w2", 1))
	kimi := `{"type":"metadata","protocol_version":"1.5","created_at":1791000000000}` + "\n"
	m.Put(".kimi-code/sessions/wd_shop_0123456789ab/k1/state.json", `{"createdAt":"2026-03-01T10:00:00Z","workDir":"/w/shop"}`)
	m.Put(".kimi-code/sessions/wd_shop_0123456789ab/k1/agents/main/wire.jsonl", kimi)
	m.Put(".kimi-code/sessions/wd_shop_0123456789ab/k1/agents/agent-0/wire.jsonl", kimi)
	m.Put(".kimi-code/sessions/wd_shop_0123456789ab/k2/state.json", `{"id":"k2","version":2,"cwd":"/w/shop","createdAt":1791000000000,"updatedAt":1791000000000,"archived":false,"agents":{},"custom":{},"isCustomTitle":false}`)
	m.Put(".kimi-code/sessions/wd_shop_0123456789ab/k2/agents/main/wire.jsonl", kimi)
	m.Put(".kimi-code/workspaces.json", `{"version":1,"workspaces":{"wd_shop_0123456789ab":{"root":"/w/shop","name":"shop"}},"deleted_workspace_ids":[]}`)
	m.Put(".kimi-code/sessions/wd_shop_0123456789ab/k3/agents/main/wire.jsonl", kimi)
	m.Put(".kimi/kimi.json", `{"work_dirs":[{"path":"/w/shop"}]}`)
	m.Put(fmt.Sprintf(".kimi/sessions/%x/c1/wire.jsonl", md5.Sum([]byte(dirstest.Whole("/w/shop")))), `{"type": "metadata", "protocol_version": "1.8"}`+"\n")
	m.Put(".grok/sessions/"+url.QueryEscape(dirstest.Whole("/w/shop"))+"/g1/chat_history.jsonl", `{"type":"system","content":"x"}`+"\n")
	dsh := `{"type":"session","version":0,"id":"ID","createdAt":1786000000000,"cwd":"/w/shop"}` + "\n"
	m.Put(".dsh/sessions/--w-shop--/d1/session.jsonl", strings.Replace(dsh, "ID", "d1", 1))
	encoder, _ := zstd.NewWriter(nil)
	m.Put(".dsh/sessions/--w-shop--/d2/session.v3.jsonl.zstd", string(encoder.EncodeAll([]byte(dirstest.OwnPaths(strings.Replace(dsh, "ID", "d2", 1))), nil)))
	m.Put(".vibe/logs/session/session_1/meta.json", `{"session_id":"v1","environment":{"working_directory":"/w/shop"},"stats":{}}`)
	m.Put(".vibe/logs/session/session_1/messages.jsonl", `{"role":"user","content":"hi","message_id":"1"}`+"\n")
	m.Put(".vibe/logs/session/session_1/agents/scout/messages.jsonl", `{"role":"user","content":"hi","message_id":"1"}`+"\n")
	m.Put(".vibe/logs/session/session_1/agents/scout/meta.json", `{"environment":{"working_directory":"/w/shop"},"stats":{}}`)
	m.Put(".factory/sessions/-w-shop/f1.jsonl", `{"type":"session_start","id":"f1","cwd":"/w/shop","version":"0.81.0"}`+"\n")
	m.Put(".kiro/sessions/cli/i1.json", `{"session_id":"i1","cwd":"/w/shop","created_at":"2026-03-01T10:00:00Z","session_state":{}}`)
	m.Put(".kiro/sessions/cli/i1.jsonl", `{"version":"v1","kind":"Prompt","data":{"content":[]}}`+"\n")
	m.Put(".continue/sessions/n1.json", `{"sessionId":"n1","title":"t","workspaceDirectory":"/w/shop","history":[]}`)
	m.Put(".continue/sessions/sessions.json", `[]`)
	m.Put(".openclaude/projects/-w-shop/"+dirstest.UUID1+".jsonl", dirstest.ClaudeLine(dirstest.UUID1, dirstest.Whole("/w/shop")))
	m.Put(".iflow/projects/-w-shop/session-"+dirstest.UUID2+".jsonl", dirstest.ClaudeLine("session-"+dirstest.UUID2, dirstest.Whole("/w/shop")))

	m.Put(".qoder/projects/-w-shop/0197f1c2-0000-7000-8000-000000000007.jsonl", dirstest.ClaudeLine("0197f1c2-0000-7000-8000-000000000007", dirstest.Whole("/w/shop")))
	rollout := `{"timestamp":"2026-08-01T12:24:23.646Z","type":"session_meta","payload":{"id":"ID","cwd":"/w/shop","cli_version":"0.200.1"}}` + "\n"
	m.Put(".augure/sessions/2026/08/01/rollout-2026-08-01T12-24-23-0197f1c2-0000-7000-8000-000000000005.jsonl", strings.Replace(rollout, "ID", "0197f1c2-0000-7000-8000-000000000005", 1))
	m.Put(".trae/cli/sessions/2026/08/01/rollout-2026-08-01T12-24-23-0197f1c2-0000-7000-8000-000000000006.jsonl", strings.Replace(rollout, "ID", "0197f1c2-0000-7000-8000-000000000006", 1))

	found := map[string]transcript.Session{}
	for _, s := range find(m, Query{Workspace: dirstest.Whole("/w/shop"), Children: true}) {
		found[s.Agent+" "+s.ID] = s
	}
	for key, parent := range map[string]string{
		"pi p1": "", "omp o1": "", "prime r1": "", "openclaw w1": "", "openclaw w2": "", "kimi-code k1": "", "kimi-code k1/agent-0": "k1", "kimi-code k2": "", "kimi-code k3": "",
		"kimi-cli c1": "", "grok g1": "", "dsh d1": "", "dsh d2": "", "vibe v1": "", "vibe v1/scout": "v1", "droid f1": "", "kiro i1": "",
		"continue n1": "", "openclaude " + dirstest.UUID1: "", "iflow session-" + dirstest.UUID2: "",
		"qoder 0197f1c2-0000-7000-8000-000000000007": "", "augure 0197f1c2-0000-7000-8000-000000000005": "", "traex 0197f1c2-0000-7000-8000-000000000006": "",
	} {
		s, ok := found[key]
		if !ok {
			t.Errorf("%s is not found", key)
		} else if s.Workspace != dirstest.Whole("/w/shop") || s.Parent != parent {
			t.Errorf("%s has workspace %q, parent %q", key, s.Workspace, s.Parent)
		}
		delete(found, key)
	}
	for key := range found {
		t.Errorf("%s should not be there", key)
	}
}

// TestEverySystemHasItsPlaces checks the locations of agents by each system's own rules, and the variables that change
// them.
func TestEverySystemHasItsPlaces(t *testing.T) {
	places := func(e dirs.Environment) string {
		var all strings.Builder
		for _, r := range agents.Roots(e) {
			all.WriteString(r.Agent + " " + r.Path + " " + r.From + "\n")
		}
		return all.String()
	}
	for system, c := range map[string]struct {
		home string
		env  map[string]string
		want []string
	}{
		"windows": {`C:\Users\ada`, map[string]string{"APPDATA": `D:\roaming`, "VIBE_HOME": `E:\vibe`, "GROK_HOME": "grok"}, []string{
			`pi C:\Users\ada\.pi\agent\sessions `, `kimi-code C:\Users\ada\.kimi-code\sessions `,
			`kimi-code D:\roaming\kimi-desktop\daimon-share\daimon\runtime\kimi-code\home\sessions `,
			`vibe E:\vibe\logs\session VIBE_HOME`, `grok C:\Users\ada\.grok\sessions `, `mimocode C:\Users\ada\.local\share\mimocode\mimocode.db `,
			`zoo-code D:\roaming\Code\User\globalStorage\zoocodeorganization.zoo-code\tasks `, `zcode C:\Users\ada\.zcode\cli\db\db.sqlite `,
		}},
		"darwin": {"/Users/ada", map[string]string{"KIMI_CODE_HOME": "/k", "FACTORY_DIR": "~/f", "PI_CODING_AGENT_DIR": "~/pi"}, []string{
			"kimi-code /k/sessions KIMI_CODE_HOME", "droid /Users/ada/f/sessions FACTORY_DIR", "pi /Users/ada/pi/sessions PI_CODING_AGENT_DIR",
			"kimi-code /Users/ada/Library/Application Support/kimi-desktop/daimon-share/daimon/runtime/kimi-code/home/sessions ",
			"zoo-code /Users/ada/Library/Application Support/Code/User/globalStorage/zoocodeorganization.zoo-code/tasks ",
		}},
		"linux": {"/home/ada", map[string]string{"DSH_HOME": "/d", "KIMI_SHARE_DIR": "/s", "OPENCLAW_STATE_DIR": "/c", "KIRO_HOME": "/ki", "ZCODE_SESSION_DB_PATH": "/z.db"}, []string{
			"dsh /d/sessions DSH_HOME", "kimi-cli /s/sessions KIMI_SHARE_DIR", "openclaw /c/agents OPENCLAW_STATE_DIR", "kiro /ki/sessions/cli KIRO_HOME",
			"zcode /z.db ZCODE_SESSION_DB_PATH", "iflow /home/ada/.iflow/projects ", "openclaude /home/ada/.openclaude/projects ",
		}},
	} {
		got := places(dirs.New(system, c.home, func(name string) string { return c.env[name] }))
		for _, want := range c.want {
			if !strings.Contains(got, want+"\n") {
				t.Errorf("%s has no %q in\n%s", system, want, got)
			}
		}
	}
}

// TestASidecarIsARecordWheneverItChanges checks that it follows the existing lines, once for each content, and again
// when the lines are replaced.
func TestASidecarIsARecordWheneverItChanges(t *testing.T) {
	m := dirstest.NewMachine(t)
	lines := m.Put("s/f1.jsonl", `{"type":"session_start","id":"f1","cwd":"/w"}`+"\n")
	tail := agents.OpenOwn(transcript.Session{Agent: "droid", Path: lines, Form: transcript.WithSidecars})
	next := func() (records []string, reset bool) {
		t.Helper()
		for {
			var b transcript.Batch
			if err := tail.Next(context.Background(), &b); err != nil {
				t.Fatal(err)
			}
			reset = reset || b.Reset
			if b.Count == 0 {
				return records, reset
			}
			for i := range b.Count {
				records = append(records, string(b.Record(i)))
			}
		}
	}
	expect := func(why string, wantReset bool, want ...string) {
		t.Helper()
		got, reset := next()
		if strings.Join(got, "\n") != strings.Join(want, "\n") || reset != wantReset {
			t.Errorf("%s: reset %v, %q", why, reset, got)
		}
	}
	expect("without a document", false, `{"type":"session_start","id":"f1","cwd":"/w"}`)
	m.Put("s/f1.settings.json", `{"model":"a"}`)
	expect("it appears", false, `{"beside":"settings.json","data":{"model":"a"}}`)
	expect("nothing happens", false)
	m.Put("s/f1.settings.json", `{"model":`)
	expect("it is being written", false)
	m.Put("s/f1.settings.json", `{"model":"b"}`)
	if err := os.WriteFile(lines, []byte(`{"type":"session_start","id":"f1","cwd":"/w"}`+"\n"+`{"type":"message"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	expect("both grow", false, `{"type":"message"}`, `{"beside":"settings.json","data":{"model":"b"}}`)
	m.Put("s/f1.jsonl", `{"type":"other"}`+"\n")
	expect("the lines are replaced", true, `{"type":"other"}`, `{"beside":"settings.json","data":{"model":"b"}}`)
	m.Put("s/f1.settings.json", `[1]`)
	expect("it is no object", false)
}
