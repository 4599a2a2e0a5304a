// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// listedOf describes what the locations of an agent list, with what is known of each session without its records. Paths
// are below the home directory.
func listedOf(t *testing.T, m *dirstest.Machine, id string) (lines []string) {
	t.Helper()
	e := m.Environment()
	e.OS = "linux"
	for _, root := range ByID(id).roots(e) {
		if root.List == nil {
			continue
		}
		err := root.List(root, func(c Candidate) {
			if c.Agent != id || c.Info == nil || c.Info.Name() != filepath.Base(c.Path) {
				t.Errorf("%+v", c)
			}
			line := fmt.Sprintf("%s %v id=%s", c.Path, c.Kind, c.ID)
			for _, is := range []struct {
				set  bool
				name string
			}{{c.Alone, " alone"}, {c.Mirror, " mirror"}, {c.Session != nil, " session"}} {
				if is.set {
					line += is.name
				}
			}
			if c.Parent != "" || c.KnownWorkspace() != "" || c.ProjectHash != "" {
				line += fmt.Sprintf(" parent=%s workspace=%s hash=%s", c.Parent, c.KnownWorkspace(), c.ProjectHash)
			}
			if c.Session == nil && c.Kind != transcript.Store {
				s := transcript.Session{Agent: c.Agent, Path: c.Path, Form: c.Kind, Workspace: c.Workspace}
				done := Head(&s)
				line += fmt.Sprintf("; %v %s of %q %q in %q from %d", done, s.ID, s.Parent, s.Label, s.Workspace, milliseconds(s.Started))
			}
			lines = append(lines, strings.ReplaceAll(filepath.ToSlash(line), filepath.ToSlash(m.Home), "~"))
		})
		if err != nil && !os.IsNotExist(err) {
			t.Errorf("%s: %v", root.Path, err)
		}
	}
	return lines
}

// TestWhatEachAgentLists checks the files that are sessions of an agent, next to others that are not, and what their
// paths and the documents next to them say.
func TestWhatEachAgentLists(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the paths in the files are not those of Windows")
	}
	m := dirstest.NewMachine(t)
	put := func(folder string, files ...string) {
		t.Helper()
		for _, file := range files {
			path, text, _ := strings.Cut(file, " ")
			m.Put(folder+"/"+path, text)
		}
	}
	hash := strings.Repeat("0a", 32)

	put(".claude/projects", "file.jsonl", "-w/a.jsonl", "-w/agent-b.jsonl", "-w/a.txt", "-w/folder.jsonl/x", "-w/a/subagents/agent-c.jsonl", "-w/a/subagents/other.jsonl",
		"-w/a/subagents/1/2/3/4/agent-d.jsonl", "-w/a/subagents/1/2/3/4/5/agent-e.jsonl", "-w/a/tool-results/agent-x.jsonl")
	expect(t, listedOf(t, m, agent.ClaudeCode),
		`~/.claude/projects/-w/a/subagents/1/2/3/4/agent-d.jsonl 0 id=a/agent-d parent=a workspace= hash=; false  of "" "" in "" from 0`,
		`~/.claude/projects/-w/a/subagents/agent-c.jsonl 0 id=a/agent-c parent=a workspace= hash=; false  of "" "" in "" from 0`,
		`~/.claude/projects/-w/a.jsonl 0 id=a alone; false  of "" "" in "" from 0`,
		`~/.claude/projects/-w/agent-b.jsonl 0 id=; false  of "" "" in "" from 0`)

	uuid := "0199a213-81c0-7800-8aa1-bbab2a035a53"
	put(".codex/sessions", "2026/03/02/rollout-2026-03-02T10-00-00-"+uuid+".jsonl", "2026/03/02/rollout-2026-03-02T10-00-00-"+uuid+".jsonl.zst", "2026/03/02/rollout-x-"+uuid+".jsonl.zst",
		"2026/03/02/rollout-"+uuid+".jsonl", "2026/03/02/other-x-"+uuid+".jsonl", "2026/03/02/rollout-xy"+uuid+".jsonl", "2026/03/02/x.txt", "2026/03/02/4/deep.jsonl", "top.jsonl")
	put(".codex/archived_sessions", "rollout-x-"+uuid+".jsonl")
	expect(t, listedOf(t, m, agent.Codex),
		`~/.codex/sessions/2026/03/02/other-x-0199a213-81c0-7800-8aa1-bbab2a035a53.jsonl 0 id=; false  of "" "" in "" from 0`,
		`~/.codex/sessions/2026/03/02/rollout-0199a213-81c0-7800-8aa1-bbab2a035a53.jsonl 0 id=0199a213-81c0-7800-8aa1-bbab2a035a53; false  of "" "" in "" from 0`,
		`~/.codex/sessions/2026/03/02/rollout-2026-03-02T10-00-00-0199a213-81c0-7800-8aa1-bbab2a035a53.jsonl 0 id=0199a213-81c0-7800-8aa1-bbab2a035a53; false  of "" "" in "" from 0`,
		`~/.codex/sessions/2026/03/02/rollout-x-0199a213-81c0-7800-8aa1-bbab2a035a53.jsonl.zst 1 id=0199a213-81c0-7800-8aa1-bbab2a035a53; false  of "" "" in "" from 0`,
		`~/.codex/sessions/2026/03/02/rollout-xy0199a213-81c0-7800-8aa1-bbab2a035a53.jsonl 0 id=; false  of "" "" in "" from 0`,
		`~/.codex/sessions/top.jsonl 0 id=; false  of "" "" in "" from 0`,
		`~/.codex/archived_sessions/rollout-x-0199a213-81c0-7800-8aa1-bbab2a035a53.jsonl 0 id=0199a213-81c0-7800-8aa1-bbab2a035a53; false  of "" "" in "" from 0`)

	put(".gemini", `projects.json {"projects":{"/w/shop":"shop","/w/other":"other"}}`)
	put(".gemini/tmp", "shop/chats/session-1.json {}", "shop/chats/session-2.jsonl", "shop/chats/session-3.txt", "shop/chats/session-1/sub.jsonl", "other/.project_root  /w/moved\n", "other/chats/a.jsonl",
		"resumed/chats/session-2026-11-30T17-25-4deb2373.jsonl {}\n{}\n{}\n", "resumed/chats/session-2026-11-30T17-27-4deb2373.jsonl {}\n{}\n", "resumed/chats/session-2026-11-30T17-28-4deb2373.jsonl {}\n{}\n{}\n", "resumed/chats/session-2026-11-30T17-29-00000001.jsonl {}\n",
		"long/.project_root "+strings.Repeat("x", 4096), "long/chats/b.jsonl", hash+"/chats/c.jsonl", "file")
	expect(t, listedOf(t, m, agent.GeminiCLI),
		`~/.gemini/tmp/0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a/chats/c.jsonl 0 id= alone parent= workspace= hash=0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a; false  of "" "" in "" from 0`,
		`~/.gemini/tmp/long/chats/b.jsonl 0 id= alone; false  of "" "" in "" from 0`,
		`~/.gemini/tmp/other/chats/a.jsonl 0 id= alone parent= workspace=/w/moved hash=; false  of "" "" in "/w/moved" from 0`,
		`~/.gemini/tmp/resumed/chats/session-2026-11-30T17-25-4deb2373.jsonl 0 id= alone; false  of "" "" in "" from 0`,
		`~/.gemini/tmp/resumed/chats/session-2026-11-30T17-28-4deb2373.jsonl 0 id= alone; false  of "" "" in "" from 0`,
		`~/.gemini/tmp/resumed/chats/session-2026-11-30T17-29-00000001.jsonl 0 id= alone; false  of "" "" in "" from 0`,
		`~/.gemini/tmp/shop/chats/session-1/sub.jsonl 0 id= parent=session-1 workspace=/w/shop hash=; false  of "" "" in "/w/shop" from 0`,
		`~/.gemini/tmp/shop/chats/session-1.json 2 id= alone parent= workspace=/w/shop hash=; false  of "" "" in "/w/shop" from 0`,
		`~/.gemini/tmp/shop/chats/session-2.jsonl 0 id= alone parent= workspace=/w/shop hash=; false  of "" "" in "/w/shop" from 0`)

	put(".qwen/projects", "-w/chats/a.jsonl", "-w/chats/a.json", "-w/chats/b.jsonl/x", "-w/c.jsonl")
	expect(t, listedOf(t, m, agent.QwenCode),
		`~/.qwen/projects/-w/chats/a.jsonl 0 id=a alone; false  of "" "" in "" from 0`)

	put(".copilot/session-state", "a/events.jsonl", "b/other.jsonl", "c/events.jsonl/x")
	expect(t, listedOf(t, m, agent.CopilotCLI),
		`~/.copilot/session-state/a/events.jsonl 0 id=a alone; false  of "" "" in "" from 0`)

	put(".config/Code/User/globalStorage/saoudrizwan.claude-dev", `tasks/1/ui_messages.json []`, `tasks/2/ui_messages.json []`, `tasks/3/ui_messages.json []`, `tasks/4/ui_messages.json []`, `tasks/5/api_conversation_history.json []`, `tasks/6/ui_messages.json/x`,
		`state/taskHistory.json [{"id":"1","cwdOnTaskInitialization":"/w/one"},{"id":"3"},{"id":"4","cwdOnTaskInitialization":"/w/four"}]`,
		`tasks/2/api_conversation_history.json [{"role":"user","content":"# Current Working Directory (relative) Files"},{"content":"# Current Workspace Directory (/w/t\u0077o) Files"}]`,
		`tasks/4/history_item.json {"workspace":"/w/item","parentTaskId":"1"}`)
	put(".cline/data/tasks", "7/ui_messages.json []")
	put(".cline/data/sessions", `s/s.messages.json {}`, `s/s.json {"cwd":"/w/shop","started_at":"2026-11-26T21:03:38.988Z"}`, `s/t.messages.json {}`, `u/u.messages.json {}`, `u/u.json {"cwd":"","workspace_root":"/w/root"}`, `v/v.messages.json {}`,
		`x/x.messages.json {}`, `x/x.json {"cwd":7,"workspaceRoot":"/"}`, `y/y.messages.json/x`, `z/z.messages.json {}`, `z/z.json {"cwd":"`+strings.Repeat("c", 4096)+`"}`)
	expect(t, listedOf(t, m, agent.Cline),
		`~/.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/1/ui_messages.json 5 id=1 alone parent= workspace=/w/one hash=; true 1 of "" "" in "/w/one" from 0`,
		`~/.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/2/ui_messages.json 5 id=2 alone; true 2 of "" "" in "/w/two" from 0`,
		`~/.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/3/ui_messages.json 5 id=3 alone; true 3 of "" "" in "" from 0`,
		`~/.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/4/ui_messages.json 5 id=4 alone parent= workspace=/w/four hash=; true 4 of "1" "" in "/w/four" from 0`,
		`~/.cline/data/tasks/7/ui_messages.json 5 id=7 alone; true 7 of "" "" in "" from 0`,
		`~/.cline/data/sessions/s/s.messages.json 2 id=s alone parent= workspace=/w/shop hash=; false  of "" "" in "/w/shop" from 1795727018988`,
		`~/.cline/data/sessions/s/t.messages.json 2 id=s__t parent=s workspace=/w/shop hash=; false s__t of "s" "" in "/w/shop" from 0`,
		`~/.cline/data/sessions/u/u.messages.json 2 id=u alone parent= workspace=/w/root hash=; false  of "" "" in "/w/root" from 0`,
		`~/.cline/data/sessions/v/v.messages.json 2 id=v alone; false  of "" "" in "" from 0`,
		`~/.cline/data/sessions/x/x.messages.json 2 id=x alone parent= workspace=/ hash=; false  of "" "" in "/" from 0`,
		`~/.cline/data/sessions/z/z.messages.json 2 id=z alone; false  of "" "" in "" from 0`)

	put(".continue/sessions", "a.json {}", "sessions.json []", "b.txt", "c.json/x")
	expect(t, listedOf(t, m, agent.Continue),
		`~/.continue/sessions/a.json 2 id=a alone; false  of "" "" in "" from 0`)

	put(".pi/agent/sessions", "--w--/2026-01-01_a.jsonl", "--w--/b.jsonl", "--w--/c.txt", "2026-01-01_d.jsonl", "--w--/e.jsonl/x", "--w--/deep/f.jsonl")
	expect(t, listedOf(t, m, agent.Pi),
		`~/.pi/agent/sessions/2026-01-01_d.jsonl 0 id=d alone; false  of "" "" in "" from 0`,
		`~/.pi/agent/sessions/--w--/2026-01-01_a.jsonl 0 id=a alone; false  of "" "" in "" from 0`,
		`~/.pi/agent/sessions/--w--/b.jsonl 0 id=b alone; false  of "" "" in "" from 0`)

	put(".openclaw/agents", "main/sessions/a.jsonl", "main/b.jsonl", "file")
	put(".clawdbot/agents", "main/sessions/c.jsonl")
	expect(t, listedOf(t, m, agent.OpenClaw),
		`~/.openclaw/agents/main/sessions/a.jsonl 0 id=a alone; false  of "" "" in "" from 0`,
		`~/.clawdbot/agents/main/sessions/c.jsonl 0 id=c alone; false  of "" "" in "" from 0`)

	put(".kimi-code/sessions", "wd_shop/s/agents/main/wire.jsonl", "wd_shop/s/agents/sub/wire.jsonl", `wd_shop/s/state.json {"workDir":"/w/old","cwd":"/w/new","createdAt":1764590000000}`, "wd_tea/t/agents/main/wire.jsonl", "wd_tea/t/agents/main/other.jsonl")
	put(".kimi-code", `workspaces.json {"workspaces":{"wd_tea":{"root":"/w/tea"},"wd_shop":{"root":"/w/none"}}}`)
	expect(t, listedOf(t, m, agent.KimiCode),
		`~/.kimi-code/sessions/wd_shop/s/agents/main/wire.jsonl 0 id=s alone; true s of "" "" in "/w/old" from 1764590000000`,
		`~/.kimi-code/sessions/wd_shop/s/agents/sub/wire.jsonl 0 id=s/sub parent=s workspace= hash=; true s/sub of "s" "" in "/w/old" from 1764590000000`,
		`~/.kimi-code/sessions/wd_tea/t/agents/main/wire.jsonl 0 id=t alone; true t of "" "" in "/w/tea" from 0`)

	put(".kimi/sessions", "463b9ceeec4169ed9ecf158956389b4b/a/wire.jsonl", "x_463b9ceeec4169ed9ecf158956389b4b/b/wire.jsonl")
	put(".kimi", `kimi.json {"work_dirs":[{"path":"/w/shop"}]}`)
	expect(t, listedOf(t, m, agent.KimiCLI),
		`~/.kimi/sessions/463b9ceeec4169ed9ecf158956389b4b/a/wire.jsonl 0 id=a alone parent= workspace=/w/shop hash=; true a of "" "" in "/w/shop" from 0`,
		`~/.kimi/sessions/x_463b9ceeec4169ed9ecf158956389b4b/b/wire.jsonl 0 id=b alone parent= workspace=/w/shop hash=; true b of "" "" in "/w/shop" from 0`)

	put(".grok/sessions", "%2Fw%2Fshop/a/chat_history.jsonl", "%zz/b/chat_history.jsonl", "%2Fw/c/other.jsonl", "%2Fw/d/chat_history.jsonl",
		`%2Fw/d/summary.json {"info":{"id":"own","cwd":"/w/own"},"created_at":"2026-05-01T10:00:00Z","session_kind":"subagent","parent_session_id":"a","agent_name":"explore"}`,
		`%2Fw%2Fshop/a/summary.json {"session_kind":"chat","parent_session_id":"z","agent_name":"no"}`)
	expect(t, listedOf(t, m, agent.Grok),
		`~/.grok/sessions/%2Fw/d/chat_history.jsonl 7 id=d parent= workspace=/w hash=; true own of "a" "explore" in "/w" from 1777629600000`,
		`~/.grok/sessions/%2Fw%2Fshop/a/chat_history.jsonl 7 id=a parent= workspace=/w/shop hash=; true a of "" "" in "/w/shop" from 0`,
		`~/.grok/sessions/%zz/b/chat_history.jsonl 7 id=b; false b of "" "" in "" from 0`)

	put(".dsh/sessions", "--w--/a/session.jsonl", "--w--/a/session.v2.jsonl.zst", "--w--/a/zother.jsonl", "--w--/b/session.v3.jsonl.zstd", "--w--/c/session.jsonl", "--w--/d/notes.txt")
	expect(t, listedOf(t, m, agent.DSH),
		`~/.dsh/sessions/--w--/a/session.v2.jsonl.zst 1 id=a; false  of "" "" in "" from 0`,
		`~/.dsh/sessions/--w--/b/session.v3.jsonl.zstd 1 id=b; false  of "" "" in "" from 0`,
		`~/.dsh/sessions/--w--/c/session.jsonl 0 id=c; false  of "" "" in "" from 0`)

	put(".vibe/logs/session", "s/messages.jsonl", `s/meta.json {"session_id":"own","environment":{"working_directory":"/w/shop"},"start_time":"2026-05-01T10:00:00Z"}`, "s/agents/c/messages.jsonl", "t/messages.jsonl", "t/agents/d/messages.jsonl", "t/agents/d/other.jsonl")
	expect(t, listedOf(t, m, agent.Vibe),
		`~/.vibe/logs/session/s/messages.jsonl 7 id= alone; true own of "" "" in "/w/shop" from 1777629600000`,
		`~/.vibe/logs/session/s/agents/c/messages.jsonl 7 id=own/c parent=own workspace= hash=; false c of "" "" in "" from 0`,
		`~/.vibe/logs/session/t/messages.jsonl 7 id= alone; false t of "" "" in "" from 0`,
		`~/.vibe/logs/session/t/agents/d/messages.jsonl 7 id=t/d parent=t workspace= hash=; false d of "" "" in "" from 0`)

	put(".factory/sessions", "-w/a.jsonl", "-w/a.settings.json", "b.jsonl", "-w/c.jsonl/x")
	expect(t, listedOf(t, m, agent.Droid),
		`~/.factory/sessions/-w/a.jsonl 7 id=a alone; false  of "" "" in "" from 0`,
		`~/.factory/sessions/b.jsonl 7 id=b alone; false  of "" "" in "" from 0`)

	put(".kiro/sessions", "cli/a.jsonl", `cli/a.json {"cwd":"/w/shop","title":"T","created_at":"2026-05-01T10:00:00Z","parent_session_id":"p"}`, "cli/b.jsonl/x", "hash/sess_1/messages.jsonl", `hash/sess_1/session.json {"workspacePaths":["/w/tea","/w/two"],"createdAt":"2026-05-02T10:00:00Z"}`, "hash/other/messages.jsonl", "hash/sess_2/x.jsonl", "cli/sess_3/messages.jsonl")
	put(".config/Code/User/globalStorage/kiro.kiroagent/workspace-sessions", "L3c=/a.json", "L3c=/sessions.json", "L3c=/b.txt", "L3c=/c.json/x")
	expect(t, listedOf(t, m, agent.Kiro),
		`~/.kiro/sessions/cli/a.jsonl 7 id=a alone; true a of "p" "T" in "/w/shop" from 1777629600000`,
		`~/.kiro/sessions/hash/sess_1/messages.jsonl 7 id=sess_1 alone; true sess_1 of "" "" in "/w/tea" from 1777716000000`,
		`~/.config/Code/User/globalStorage/kiro.kiroagent/workspace-sessions/L3c=/a.json 6 id=a alone`)

	put(".openhands/conversations", "a/base_state.json {}", "a/subagents/b/base_state.json {}", "c/other.json")
	expect(t, listedOf(t, m, agent.OpenHands),
		`~/.openhands/conversations/a/base_state.json 6 id=a alone`,
		`~/.openhands/conversations/a/subagents/b/base_state.json 6 id=b parent=a workspace= hash=`)

	put(".cursor/projects", "x/agent-transcripts/a.jsonl", "x/agent-transcripts/b/b.jsonl", "x/agent-transcripts/b/subagents/c.jsonl", "x/agent-transcripts/b/subagents/d.txt", "x/agent-transcripts/e/f.jsonl", "y/other")
	put(".cursor/chats", "hash/a1/store.db", "hash/a2/other.db")
	expect(t, listedOf(t, m, agent.Cursor),
		`~/.cursor/chats/hash/a1/store.db 6 id=a1 alone`,
		`~/.cursor/projects/x/agent-transcripts/a.jsonl 0 id=a alone mirror; false  of "" "" in "" from 0`,
		`~/.cursor/projects/x/agent-transcripts/b/b.jsonl 0 id=b alone mirror; false  of "" "" in "" from 0`,
		`~/.cursor/projects/x/agent-transcripts/b/subagents/c.jsonl 0 id=c mirror parent=b workspace= hash=; false  of "" "" in "" from 0`)

	put(".gemini/antigravity-cli/conversations", "a.db", "b.txt")
	put(".gemini/antigravity-ide/conversations", "c.db")
	expect(t, listedOf(t, m, agent.Antigravity),
		`~/.gemini/antigravity-cli/conversations/a.db 6 id= alone`,
		`~/.gemini/antigravity-ide/conversations/c.db 6 id= alone`)

	put(".config/mini-swe-agent", "last_mini_run.traj.json {}")
	expect(t, listedOf(t, m, agent.MiniSWEAgent),
		`~/.config/mini-swe-agent/last_mini_run.traj.json 2 id=; false  of "" "" in "" from 0`)

	put(".local/share/opencode/storage/session", "p/ses_1.json {}", "p/ses_2.txt", "p/other.json", "ses_3.json")
	expect(t, listedOf(t, m, agent.OpenCode),
		`~/.local/share/opencode/storage/session/p/ses_1.json 3 id=ses_1; false  of "" "" in "" from 0`)
}
