// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	stdjson "encoding/json"
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

var copilotCLI = Agent{
	ID:        agent.CopilotCLI,
	Home:      Folder{Variable: "COPILOT_HOME", Default: ".copilot"},
	Variables: []string{"COPILOT_BACKGROUND_COMPACTION_THRESHOLD", "COPILOT_BUFFER_EXHAUSTION_THRESHOLD"},
	Tried: []Version{
		{Query: `SELECT max(version) FROM schema_version`, Known: "8"},
		{Field: []string{"data", "version"}, Known: "1"},
	},
	Places: Places{
		Roots:  inHome(Root{Path: "session-state", List: listCopilot}),
		Hosted: true,
	},
	Records: Records{
		First: copilotFirst,
		Title: Index{File: copilotIndex, Read: copilotTitle},
		Marks: &transcript.Marks{Measured: `"usage":{`},
		Join: func(s transcript.Session, tail transcript.Tail) transcript.Tail {
			if store := copilotStore(s); store != "" {
				return &usageTail{Tail: tail, session: s, store: store}
			}
			return tail
		},
		JoinHost:   joinHosted,
		UsageStore: copilotStore,
		ExitCodes:  patterns(`<exited with exit code (-?\d+)>`),
	},
	Configuration: Configuration{
		Settings: func(_ *Agent, e dirs.Environment, _, _ string, found configfile.Values) {
			fromEnvironment(e, found, "COPILOT_BACKGROUND_COMPACTION_THRESHOLD", "COPILOT_BUFFER_EXHAUSTION_THRESHOLD")
		},
		MCPFiles: []MCPFile{{Path: "~/.copilot/mcp-config.json", Member: "mcpServers"}},
		// Its records have the size of all tools, but only after a request with them.
		ServersUnrecorded: true,
		StatusLine: &StatusLine{
			File: settingsAtHome, Member: []string{"statusLine"}, OwnFolder: true,
			Sends: func(m *StatusMessage) bool {
				return m.Window != nil && (m.Window.LastIn != nil || m.Window.CurrentTokens != nil)
			},
			Usage: copilotUsage,
		},
		Hooks: &Hooks{Sends: func(e *HookEvent) bool { return e.CamelSessionID != "" }, ByID: true, Answer: copilotHook},
	},
	Prompts: Prompts{PromptsAtHome: true},
	Process: Process{
		Programs:      []string{"copilot"},
		Packages:      []string{"@github/copilot"},
		Start:         "copilot -i",
		AlwaysProcess: true,
	},
}

// copilotIndex returns the file with the name of a session, next to its log.
func copilotIndex(s transcript.Session) string {
	if filepath.Base(s.Path) != "events.jsonl" {
		return ""
	}
	return filepath.Join(filepath.Dir(s.Path), "workspace.yaml")
}

// copilotStore returns the database that belongs to a session's log; "" if there is none.
func copilotStore(s transcript.Session) string {
	if s.Form != transcript.Lines || filepath.Base(s.Path) != "events.jsonl" {
		return ""
	}
	path := filepath.Join(filepath.Dir(filepath.Dir(filepath.Dir(s.Path))), "session-store.db")
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return path
}

// listCopilot lists session-state/<session>/events.jsonl.
func listCopilot(root Root, see func(Candidate)) error {
	sessions, err := os.ReadDir(root.Path)
	if err != nil {
		return err
	}
	for _, session := range sessions {
		folder := filepath.Join(root.Path, session.Name())
		path := filepath.Join(folder, "events.jsonl")
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			see(Candidate{Agent: root.Agent, Path: path, Info: info, Kind: transcript.Lines, ID: session.Name(), Alone: true})
		}
	}
	return nil
}

// copilotTitle returns the name or the summary in Copilot CLI's workspace.yaml. Before the summary is made, the file
// may contain the first prompt, which is not a title.
func copilotTitle(s transcript.Session, file string) string {
	text, ok := safefile.Small(file)
	if !ok {
		return ""
	}
	if name := configfile.YAMLScalar(text, "name"); name != "" {
		return name
	}
	summary := configfile.YAMLScalar(text, "summary")
	if summary == "" || isFirstPrompt(s.Path, summary) {
		return ""
	}
	return summary
}

// isFirstPrompt reports whether a text is the first prompt of a Copilot session, or its beginning. If the prompt cannot
// be found, it returns true.
func isFirstPrompt(path, text string) bool {
	f, err := safefile.File(path)
	if err != nil {
		return true
	}
	defer f.Close()
	words := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	text = strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(words(text), "..."), "…"), " ")
	var doc json.Document
	for rest := transcript.ReadSome(f, nil, 0, transcript.LongRead); len(rest) > 0; {
		line := transcript.FirstLine(rest)
		rest = rest[min(len(line)+1, len(rest)):]
		if v, err := doc.Parse(transcript.TrimSpace(line)); err == nil && v.Get("type").Is("user.message") {
			return strings.HasPrefix(words(v.Path("data", "content").String()), text)
		}
	}
	return true
}

// copilotUsage returns the usage that Copilot CLI reports: of the last request, or only the window's content.
func copilotUsage(w *StatusWindow) (string, stdjson.RawMessage) {
	in, out := w.LastIn, w.LastOut
	if in == nil || *in == 0 {
		in, out = w.CurrentTokens, nil
	}
	if in == nil || *in <= 0 {
		return "", nil
	}
	return ownUsage(*in, out)
}

// copilotFirst reads a session's first record.
func copilotFirst(s *transcript.Session, r json.Value) bool {
	if !r.Get("type").Is("session.start") {
		return false
	}
	data := r.Get("data")
	transcript.SetText(&s.ID, data.Get("sessionId"))
	transcript.SetText(&s.Workspace, data.Path("context", "cwd"))
	transcript.SetText(&s.Version, data.Get("copilotVersion"))
	return true
}
