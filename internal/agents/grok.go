// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"bytes"
	"hash/maphash"
	"net/url"
	"path/filepath"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// Grok Build writes each notification of a session into updates.jsonl, next to the conversation. Most of its lines have
// the current size of the prompt, which is newer than that of signals.json. A fall to less than
// half of it is taken for a compaction; Grok Build records none of its own there, so this is inferred.

var grok = Agent{
	ID:        agent.Grok,
	Home:      Folder{Variable: "GROK_HOME", Default: ".grok", Absolute: true},
	Variables: []string{"GROK_AUTO_COMPACT_THRESHOLD_PERCENT"},
	Places: Places{
		Roots: inHome(Root{Path: "sessions", List: listGrok}),
	},
	Records: Records{
		Head: func(s *transcript.Session) bool {
			if v, ok := configfile.ReadJSON(filepath.Join(filepath.Dir(s.Path), "summary.json")); ok {
				transcript.SetText(&s.ID, v.Path("info", "id"))
				transcript.SetText(&s.Workspace, v.Path("info", "cwd"))
				transcript.SetStart(s, v.Get("created_at"))
				if v.Get("session_kind").Is("subagent") {
					transcript.SetText(&s.Parent, v.Get("parent_session_id"))
					transcript.SetText(&s.Label, v.Get("agent_name"))
				}
			}
			return named(s)
		},
		Sidecars: func(path string) []transcript.Sidecar {
			folder := filepath.Dir(path)
			return []transcript.Sidecar{
				{Name: "summary.json", Path: filepath.Join(folder, "summary.json")},
				{Name: "signals.json", Path: filepath.Join(folder, "signals.json")},
				{Name: "updates.jsonl", Path: filepath.Join(folder, "updates.jsonl"), Reduce: func() transcript.Reducer { return &GrokUpdates{} }},
			}
		},
	},
	Configuration: Configuration{
		Settings: func(a *Agent, e dirs.Environment, home, workspace string, found configfile.Values) {
			fromEnvironment(e, found, "GROK_AUTO_COMPACT_THRESHOLD_PERCENT")
			a.fromFiles(e, home, workspace, found)
		},
		SettingsFiles: func(a *Agent, e dirs.Environment, home, _ string) []SettingsFile {
			return a.files("", SettingsFile{Form: configfile.InTOML, Names: []string{"session.auto_compact_threshold_percent"}}, e.Join(home, "config.toml"))
		},
	},
	Prompts: Prompts{PromptFiles: []string{"AGENTS.md"}, PromptsAtHome: true},
	Process: Process{Programs: []string{"grok"}},
}

// GrokUpdates continues reading that log and keeps only numbers.
type GrokUpdates struct {
	offset int64
	tokens int64 // tokens in the window, from the last line
	turns  int64 // number of completed turns
	prompt uint64
	falls  []grokFall
}

type grokFall struct{ turn, before, after int64 }

const (
	// mostUpdates bounds how much of the log is read at once.
	mostUpdates = 256 << 20
	// MaxUpdate bounds a line of the log.
	MaxUpdate = 1 << 20
	// mostFalls bounds how many compactions are remembered.
	mostFalls = 1000
)

// Read reads the added lines and returns the known numbers: a document, or nothing if no line had a number.
func (g *GrokUpdates) Read(path string) (document []byte, ok bool) {
	f, err := safefile.File(path)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, false
	}
	if info.Size() < g.offset {
		*g = GrokUpdates{} // it was rewritten
	}
	var doc json.Document
	buffer, have, over := make([]byte, MaxUpdate), 0, false
	for end := g.offset + mostUpdates; g.offset+int64(have) < end; {
		n, err := f.ReadAt(buffer[have:], g.offset+int64(have))
		have += n
		at := 0
		for {
			newline := bytes.IndexByte(buffer[at:have], '\n')
			if newline < 0 {
				break
			}
			if !over {
				if v, err := doc.Parse(buffer[at : at+newline]); err == nil {
					g.update(v)
				}
			}
			over = false
			at += newline + 1
		}
		g.offset += int64(at)
		have = copy(buffer, buffer[at:have])
		if have == len(buffer) { // a line that is too long is skipped
			over = true
			g.offset += int64(have)
			have = 0
		}
		if err != nil || n == 0 {
			break
		}
	}
	if g.tokens <= 0 {
		return nil, false
	}
	w := json.Writer{}
	w.BeginObject()
	w.Key("totalTokens")
	w.Int(g.tokens)
	w.Key("falls")
	w.BeginArray()
	for _, fall := range g.falls {
		w.BeginObject()
		for _, n := range []struct {
			key string
			n   int64
		}{{"turn", fall.turn}, {"before", fall.before}, {"after", fall.after}} {
			w.Key(n.key)
			w.Int(n.n)
		}
		w.EndObject()
	}
	w.EndArray()
	w.EndObject()
	return w.Buf, true
}

// update reads one notification.
func (g *GrokUpdates) update(v json.Value) {
	params := v.Get("params")
	if update := params.Get("update"); update.Get("sessionUpdate").Is("turn_completed") {
		// The same turn may be reported again.
		if prompt := maphash.Bytes(transcript.HashSeed, update.Get("prompt_id").Raw()); g.turns == 0 || prompt != g.prompt {
			g.turns, g.prompt = g.turns+1, prompt
		}
	}
	total := params.Path("_meta", "totalTokens")
	n, fault := total.Int64()
	if total.Kind() != json.Number || fault != json.NumberOK || n <= 0 || n > 1<<40 {
		return
	}
	if n < g.tokens/2 && len(g.falls) < mostFalls {
		g.falls = append(g.falls, grokFall{g.turns, g.tokens, n})
	}
	g.tokens = n
}

// listGrok lists sessions/<directory, URL-encoded>/<session>/chat_history.jsonl.
func listGrok(root Root, see func(Candidate)) error {
	return eachFolder(root.Path, func(project, name string) {
		workspace, err := url.PathUnescape(name)
		if err != nil {
			workspace = ""
		}
		_ = eachFolder(project, func(session, id string) {
			seeFile(Candidate{Agent: root.Agent, Path: filepath.Join(session, "chat_history.jsonl"), Kind: transcript.WithSidecars, ID: id, Workspace: workspace}, see)
		})
	})
}
