// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"path/filepath"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

var goose = Agent{
	ID: agent.Goose, Variables: []string{"GOOSE_PATH_ROOT", "GOOSE_AUTO_COMPACT_THRESHOLD"},
	Roots: func(e dirs.Environment, _, _ string) []Root {
		const file = "sessions/sessions.db"
		root := Root{Path: e.Join(e.DataHome(), "goose", file), list: listStore}
		if e.OS == "windows" {
			root.Path = e.Join(e.Roaming(), "Block", "goose", "data", file)
		}
		if v := e.Variable("GOOSE_PATH_ROOT"); e.Absolute(v) {
			root.Path, root.From = e.Join(v, "data", file), "GOOSE_PATH_ROOT"
		}
		roots := []Root{root}
		if e.OS == "darwin" {
			roots = append(roots, Root{Path: e.Join(e.Home, "Library/Application Support/Block/goose", file), list: listStore})
		}
		return roots
	},
	Settings: func(e dirs.Environment, _, _ string, found configfile.Values) {
		folder := e.Join(e.ConfigHome(), "goose")
		if e.OS == "windows" {
			folder = e.Join(e.Roaming(), "Block", "goose", "config")
		}
		configfile.YAML(e.Join(folder, "config.yaml"), found, "GOOSE_AUTO_COMPACT_THRESHOLD")
		fromEnvironment(e, found, "GOOSE_AUTO_COMPACT_THRESHOLD")
	},
}

// amp keeps its sessions on a server; of those that are on this machine, only the place is known.
var amp = Agent{
	ID: agent.Amp, Home: Folder{Elsewhere: inData("amp")},
	Roots: func(e dirs.Environment, home, _ string) []Root { return []Root{{Path: e.Join(home, "threads")}} },
}

var hermes = Agent{
	ID: agent.Hermes, Home: Folder{Variable: "HERMES_HOME", Default: ".hermes", Absolute: true},
	Roots: func(e dirs.Environment, home, from string) []Root {
		roots := []Root{{Path: e.Join(home, "state.db"), From: from, list: listStore}}
		if profiles := e.Join(home, "profiles"); profiles != "" {
			for _, profile := range entries(profiles) {
				roots = append(roots, Root{Name: profile.Name(), Path: e.Join(profiles, profile.Name(), "state.db"), From: from, list: listStore})
			}
		}
		return roots
	},
	Settings: func(e dirs.Environment, home, _ string, found configfile.Values) {
		hermesSettings(e.Join(home, "config.yaml"), found)
	},
	SessionSettings: func(s Session, found configfile.Values) {
		if filepath.Base(s.Path) == "state.db" {
			clear(found) // each profile has settings of its own
			hermesSettings(filepath.Join(filepath.Dir(s.Path), "config.yaml"), found)
		}
	},
}

// hermesSettings reads when Hermes compresses.
func hermesSettings(path string, found configfile.Values) {
	configfile.YAML(path, found, "compression.enabled", "compression.threshold")
}

var zed = Agent{
	ID: agent.Zed,
	Home: Folder{Variable: "ZED_USER_DATA_DIR", Elsewhere: func(e dirs.Environment) string {
		switch e.OS {
		case "darwin":
			return e.Join(e.Home, "Library/Application Support/Zed")
		case "windows":
			return e.Join(e.LocalData(), "Zed")
		}
		return e.Join(e.DataHome(), "zed")
	}},
	Roots: func(e dirs.Environment, home, from string) []Root {
		return []Root{{Path: e.Join(home, "threads", "threads.db"), From: from, list: listStore}}
	},
	WorkspaceSettings: []string{".zed/settings.json"},
}

func init() {
	zed.Settings = func(e dirs.Environment, _, workspace string, found configfile.Values) {
		folder := e.Join(e.ConfigHome(), "zed")
		if e.OS == "windows" {
			folder = e.Join(e.Roaming(), "Zed")
		}
		zed.jsonSettings(e.Join(folder, "settings.json"), workspace, found, "agent.auto_compact.enabled", "agent.auto_compact.threshold")
	}
}

var cursor = Agent{
	ID: agent.Cursor, Home: Folder{Default: ".cursor"}, Variables: []string{"CURSOR_CONFIG_DIR"},
	// The database of Cursor's editor, the chats of its program for the command line, and the texts of both, which it
	// writes beside.
	Roots: func(e dirs.Environment, home, _ string) []Root {
		roots := []Root{{Path: e.Join(e.Applications(), "Cursor", "User", "globalStorage", "state.vscdb"), list: listStore}}
		folders := []storage{{home, ""}}
		if v := e.Folder("CURSOR_CONFIG_DIR"); v != "" {
			folders = append(folders, storage{v, "CURSOR_CONFIG_DIR"})
		} else if v := e.Folder("XDG_CONFIG_HOME"); v != "" && e.OS == "linux" {
			folders = append(folders, storage{e.Join(v, "cursor"), ""})
		}
		for _, folder := range folders {
			roots = append(roots, Root{Name: "chats", Path: e.Join(folder.path, "chats"), From: folder.from, list: listCursorChats})
		}
		for _, folder := range folders {
			roots = append(roots, Root{Name: "texts", Path: e.Join(folder.path, "projects"), list: listCursorTexts})
		}
		return roots
	},
}

var crush = Agent{
	ID: agent.Crush,
	Home: Folder{Variable: "CRUSH_GLOBAL_DATA", Absolute: true, Elsewhere: func(e dirs.Environment) string {
		if e.OS == "windows" {
			return e.Join(e.LocalData(), "crush")
		}
		return e.Join(e.DataHome(), "crush")
	}},
	Roots: crushProjects,
}

// mostProjects bounds how many projects of Crush's list are looked at.
const mostProjects = 1000

// crushProjects lists the databases of the projects that Crush knows. Each lies in its project, and a list has them all.
func crushProjects(e dirs.Environment, home, from string) (roots []Root) {
	list := e.Join(home, "projects.json")
	if list == "" {
		return nil
	}
	unread := []Root{{Name: "projects", Path: list, From: from, list: listNothing}}
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
		roots = append(roots, Root{Name: filepath.Base(path), Path: e.Join(data, "crush.db"), From: from, list: listStore})
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
