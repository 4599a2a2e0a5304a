// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

var kiro = Agent{
	ID:    agent.Kiro,
	Home:  Folder{Variable: "KIRO_HOME", Default: ".kiro", Absolute: true},
	Tried: []Version{{Field: []string{"version"}, Known: "v1"}},
	Places: Places{
		Roots: func(e dirs.Environment, home, from string) []Root {
			data := e.DataHome()
			switch e.OS {
			case "darwin":
				data = e.Applications()
			case "windows":
				data = e.LocalData()
			}
			roots := []Root{
				{Path: e.Join(data, "kiro-cli", "data.sqlite3"), List: listStore},
				{Name: "Amazon Q", Path: e.Join(data, "amazon-q", "data.sqlite3"), List: listStore},
				{Name: "lines", Path: e.Join(home, "sessions", "cli"), From: from, List: listKiroLines},
				{Name: "editor", Path: e.Join(home, "sessions"), From: from, List: listKiroEditor},
			}
			for _, storage := range storages(e) {
				roots = append(roots, Root{
					Name: "editor, before", Path: e.Join(storage.path, "kiro.kiroagent", "workspace-sessions"), From: storage.from, List: listKiroDocuments,
				})
			}
			return roots
		},
	},
	Records: Records{
		Store:         &Store{List: listKiro, Write: writeKiro, Tables: []Table{{"conversations_v2", "conversation_id"}}, Text: isKiroIDE},
		SessionTables: &SessionTables{Prefix: "conversation", Read: []string{"conversations", "conversations_v2"}, ID: "conversation_id", Workspace: "key", Changed: "updated_at"},
		Head: func(s *transcript.Session) bool {
			if s.Form != transcript.WithSidecars {
				return false
			}
			if s.ID == "" && !ofKirosEditor(s.Path) {
				s.ID = strings.TrimSuffix(filepath.Base(s.Path), ".jsonl")
			}
			if v, ok := configfile.ReadJSON(kiroDocument(s.Path)); ok {
				for e := v.Get("workspacePaths").Elements(); e.Next(); {
					transcript.SetText(&s.Workspace, e.Value)
				}
				transcript.SetText(&s.Label, v.Get("title"))
				transcript.SetStart(s, v.Get("createdAt"))
				transcript.SetText(&s.Workspace, v.Get("cwd"))
				transcript.SetText(&s.Parent, v.Get("parent_session_id"))
				transcript.SetStart(s, v.Get("created_at"))
			}
			return named(s)
		},
		Sidecars: func(path string) []transcript.Sidecar {
			return []transcript.Sidecar{{Name: "session.json", Path: kiroDocument(path)}}
		},
	},
	Configuration: Configuration{
		Hooks: &Hooks{Sends: kiroSends, NewestOfFolder: true, Answer: kiroHook},
	},
	Prompts: Prompts{PromptFiles: []string{"AGENTS.md"}, PromptsAtHome: true},
	Process: Process{Programs: []string{"kiro-cli"}},
}

// ofKirosEditor distinguishes the messages of Kiro's editor, in a directory for each session, from those of Kiro CLI.
func ofKirosEditor(transcript string) bool { return filepath.Base(transcript) == "messages.jsonl" }

// kiroDocument returns the document next to the messages of a session of Kiro.
func kiroDocument(transcript string) string {
	if ofKirosEditor(transcript) {
		return filepath.Join(filepath.Dir(transcript), "session.json")
	}
	return strings.TrimSuffix(transcript, ".jsonl") + ".json"
}

// listKiroLines lists sessions/cli/<session>.jsonl, with <session>.json next to it.
func listKiroLines(root Root, see func(Candidate)) error {
	list, err := os.ReadDir(root.Path)
	for _, entry := range list {
		if stem, ok := strings.CutSuffix(entry.Name(), ".jsonl"); ok && !entry.IsDir() {
			seeFile(Candidate{Agent: root.Agent, Path: filepath.Join(root.Path, entry.Name()), Kind: transcript.WithSidecars, ID: stem, Alone: true}, see)
		}
	}
	return err
}

// listKiroEditor lists sessions/<hash of the directory>/sess_<session>/messages.jsonl, with session.json next to it.
func listKiroEditor(root Root, see func(Candidate)) error {
	return eachFolder(root.Path, func(project, name string) {
		if name == "cli" {
			return
		}
		_ = eachFolder(project, func(session, id string) {
			if strings.HasPrefix(id, "sess_") {
				seeFile(Candidate{Agent: root.Agent, Path: filepath.Join(session, "messages.jsonl"), Kind: transcript.WithSidecars, ID: id, Alone: true}, see)
			}
		})
	})
}

// listKiroDocuments lists workspace-sessions/<directory in base64>/<session>.json, next to the list of sessions.
func listKiroDocuments(root Root, see func(Candidate)) error {
	return eachFolder(root.Path, func(project, _ string) {
		for _, entry := range entries(project) {
			if stem, ok := strings.CutSuffix(entry.Name(), ".json"); ok && stem != "sessions" && !entry.IsDir() {
				seeFile(Candidate{Agent: root.Agent, Path: filepath.Join(project, entry.Name()), Kind: transcript.Store, ID: stem, Alone: true}, see)
			}
		}
	})
}
