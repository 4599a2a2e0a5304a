// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
)

var kiro = Agent{
	ID: agent.Kiro, Home: Folder{Variable: "KIRO_HOME", Default: ".kiro", Absolute: true},
	Roots: func(e dirs.Environment, home, from string) []Root {
		data := e.DataHome()
		switch e.OS {
		case "darwin":
			data = e.Applications()
		case "windows":
			data = e.LocalData()
		}
		roots := []Root{
			{Path: e.Join(data, "kiro-cli", "data.sqlite3"), list: listStore},
			{Name: "Amazon Q", Path: e.Join(data, "amazon-q", "data.sqlite3"), list: listStore},
			{Name: "lines", Path: e.Join(home, "sessions", "cli"), From: from, list: listKiroLines},
			{Name: "editor", Path: e.Join(home, "sessions"), From: from, list: listKiroEditor},
		}
		for _, storage := range storages(e) {
			roots = append(roots, Root{
				Name: "editor, before", Path: e.Join(storage.path, "kiro.kiroagent", "workspace-sessions"), From: storage.from, list: listKiroDocuments,
			})
		}
		return roots
	},
	Head: func(s *Session) bool {
		if s.kind != kindBeside {
			return false
		}
		if s.ID == "" && !ofKirosEditor(s.Path) {
			s.ID = strings.TrimSuffix(filepath.Base(s.Path), ".jsonl")
		}
		if v, ok := configfile.ReadJSON(kiroDocument(s.Path)); ok {
			for e := v.Get("workspacePaths").Elements(); e.Next(); {
				setText(&s.Workspace, e.Value)
			}
			setText(&s.Label, v.Get("title"))
			setStart(s, v.Get("createdAt"))
			setText(&s.Workspace, v.Get("cwd"))
			setText(&s.Parent, v.Get("parent_session_id"))
			setStart(s, v.Get("created_at"))
		}
		return named(s)
	},
	Sidecars: func(path string) []Sidecar {
		return []Sidecar{{Name: "session.json", Path: kiroDocument(path)}}
	},
	Tried: []Version{{Field: []string{"version"}, Known: "v1"}},
}
