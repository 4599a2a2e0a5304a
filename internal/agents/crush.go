// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"path/filepath"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

var crush = Agent{
	ID: agent.Crush,
	Home: Folder{Variable: "CRUSH_GLOBAL_DATA", Absolute: true, Elsewhere: func(e dirs.Environment) string {
		if e.OS == "windows" {
			return e.Join(e.LocalData(), "crush")
		}
		return e.Join(e.DataHome(), "crush")
	}},
	Places: Places{Roots: crushProjects},
	Records: Records{
		Store:         &Store{List: listCrush, Write: writeCrush, Tables: []Table{{"messages", "parts"}}},
		SessionTables: &SessionTables{Prefix: "session", Read: []string{"sessions"}, ID: "id", Of: "session_id", Changed: "updated_at"},
	},
	Prompts: Prompts{
		PromptFiles:   []string{"CRUSH.md", "CRUSH.local.md", "AGENTS.md", "~/.config/crush/CRUSH.md"},
		PromptFolders: []string{".config/crush"},
	},
	Process: Process{Programs: []string{"crush"}},
}

// mostProjects bounds how many projects of Crush's list are checked.
const mostProjects = 1000

// crushProjects returns the databases of the projects that Crush knows. Each is in its project, and one list contains
// them all.
func crushProjects(e dirs.Environment, home, from string) (roots []Root) {
	list := e.Join(home, "projects.json")
	if list == "" {
		return nil
	}
	unread := []Root{{Name: "projects", Path: list, From: from, List: listNothing}}
	text, ok := safefile.Small(list)
	if !ok {
		return unread
	}
	v, err := json.Parse(text)
	if err != nil {
		return unread
	}
	n := 0
	see := func(project json.Value) {
		path, data := project.Get("path").String(), project.Get("data_dir").String()
		if n++; n > mostProjects || !e.Absolute(path) {
			return
		}
		if data == "" {
			data = ".crush"
		}
		if !e.Absolute(data) {
			data = e.Join(path, data)
		}
		roots = append(roots, Root{Name: filepath.Base(path), Path: e.Join(data, "crush.db"), From: from, List: listStore})
	}
	projects := v
	if inner := v.Get("projects"); inner.Exists() {
		projects = inner
	}
	for p := projects.Elements(); p.Next(); {
		see(p.Value)
	}
	for p := projects.Fields(); p.Next(); {
		see(p.Value)
	}
	return roots
}
