// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

var codex = Agent{
	ID: agent.Codex, Home: Folder{Variable: "CODEX_HOME", Default: ".codex"}, Family: agent.Codex,
	Places: Places{
		Roots: inHome(
			Root{Path: "sessions", List: listCodex},
			Root{Name: "archived", Path: "archived_sessions", List: listCodex},
		),
		Hosted: true,
	},
	Records: Records{
		First: codexFirst,
		Title: Index{File: codexIndex, Read: codexTitle},
		Marks: &transcript.Marks{
			Compacted: `"type":"compacted"`, Measured: `"last_token_usage":{`,
			Head: `"type":"session_meta"`, Model: `"type":"turn_context"`, LongTurns: true,
		},
		NamesTokens: true,
		Limits:      codexLimits,
		LimitsMark:  `"rate_limits"`,
		ExitCodes:   patterns(`^Exit code:? (-?\d+)`, `Process exited with code (-?\d+)`),
	},
	Configuration: Configuration{
		ModelSetting: "model",
		Settings:     (*Agent).fromFiles,
		SettingsFiles: func(a *Agent, e dirs.Environment, home, _ string) []SettingsFile {
			as := SettingsFile{Form: configfile.InTOML, Names: []string{"model_auto_compact_token_limit", "model_context_window"}, Servers: []string{"mcp_servers.*"}}
			return a.files("", as, e.Join(home, "config.toml"))
		},
	},
	Prompts: Prompts{
		Load:              codexServers,
		SharedPromptFiles: []string{"~/.codex/AGENTS.md"},
		PromptsAtHome:     true,
	},
	Process: Process{
		Programs:      []string{"codex", "codex-*"}, // named after the system that it was built for
		Packages:      []string{"@openai/codex"},
		Start:         "codex",
		AlwaysProcess: true,
		Tabs:          "chatgpt|codex",
		HoldsOpen:     true,
	},
}

// codexIndex returns the list of names next to the directories of Codex's sessions.
func codexIndex(s transcript.Session) string {
	for dir := filepath.Dir(s.Path); ; {
		up := filepath.Dir(dir)
		if name := filepath.Base(dir); name == "sessions" || name == "archived_sessions" {
			return filepath.Join(up, "session_index.jsonl")
		}
		if up == dir {
			return ""
		}
		dir = up
	}
}

// listCodex lists sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl or .jsonl.zst; archived ones are not in directories by
// date. If both forms exist, the plain one is used.
func listCodex(root Root, see func(Candidate)) error {
	if _, err := os.ReadDir(root.Path); err != nil {
		return err
	}
	var walk func(folder string, depth int)
	walk = func(folder string, depth int) {
		list := entries(folder)
		plain := map[string]bool{}
		for _, entry := range list {
			plain[entry.Name()] = true
		}
		for _, entry := range list {
			name := entry.Name()
			if isFolder(folder, entry) {
				if depth < 3 {
					walk(filepath.Join(folder, name), depth+1)
				}
				continue
			}
			kind := transcript.Lines
			stem, ok := strings.CutSuffix(name, ".jsonl")
			if !ok {
				if stem, ok = strings.CutSuffix(name, ".jsonl.zst"); !ok || plain[stem+".jsonl"] {
					continue
				}
				kind = transcript.Compressed
			}
			if c, ok := candidateAt(root.Agent, folder, entry, kind); ok {
				c.ID = rolloutID(stem)
				see(c)
			}
		}
	}
	walk(root.Path, 0)
	return nil
}

// rolloutID returns the UUID at the end of a rollout's name.
func rolloutID(stem string) string {
	const length = 36
	if len(stem) > length && strings.HasPrefix(stem, "rollout-") && stem[len(stem)-length-1] == '-' {
		return stem[len(stem)-length:]
	}
	return ""
}

// indexTail is how much of the end of an index is read: the newest names are there.
const indexTail = 512 << 10

// codexTitle returns the newest name of a thread in Codex's index: {"id", "thread_name", "updated_at"} on each line.
func codexTitle(s transcript.Session, file string) string {
	f, err := safefile.File(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return ""
	}
	from := max(info.Size()-indexTail, 0)
	text := make([]byte, info.Size()-from)
	n, _ := f.ReadAt(text, from)
	lines := bytes.Split(text[:n], []byte("\n"))
	id := []byte(s.ID)
	var doc json.Document
	for i := len(lines) - 1; i >= 0; i-- {
		if !bytes.Contains(lines[i], id) {
			continue
		}
		if v, err := doc.Parse(transcript.TrimSpace(lines[i])); err == nil && v.Get("id").Is(s.ID) && v.Get("thread_name").TextLen() <= maxTitle {
			return v.Get("thread_name").String()
		}
	}
	return ""
}

// maxTitle is the maximum length of a title in an index.
const maxTitle = 4096

// codexFirst reads a session_meta: the agent's own id of the session, and its sub-agent's parent.
func codexFirst(s *transcript.Session, r json.Value) bool {
	if !r.Get("type").Is("session_meta") {
		return false
	}
	payload := r.Get("payload")
	transcript.SetText(&s.ID, payload.Get("id"))
	transcript.SetText(&s.Workspace, payload.Get("cwd"))
	transcript.SetText(&s.Version, payload.Get("cli_version"))
	transcript.SetText(&s.Parent, payload.Path("source", "subagent", "thread_spawn", "parent_thread_id"))
	transcript.SetText(&s.Label, payload.Get("agent_nickname"))
	transcript.SetText(&s.Label, payload.Get("agent_role"))
	if sub := payload.Path("source", "subagent"); s.Label == "" && sub.Kind() == json.String {
		s.Label = sub.String()
	}
	return true
}
