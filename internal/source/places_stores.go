// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"path/filepath"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// addStores adds the places of the agents whose stores package stores tells.
func addStores(e Environment, add func(id, what, path, from string, list lister)) {
	addCrush(e, add)
	base := e.configHome()
	switch e.OS {
	case "darwin":
		base = e.join(e.Home, "Library/Application Support")
	case "windows":
		base = e.roaming()
	}
	add(agent.Cursor, "", e.join(base, "Cursor", "User", "globalStorage", "state.vscdb"), "", listStore)
}

// mostProjects bounds how many projects of Crush's list are looked at.
const mostProjects = 1000

// addCrush adds the databases of the projects that Crush knows. Each lies in its
// project, and a list has them all.
func addCrush(e Environment, add func(id, what, path, from string, list lister)) {
	folder, from := e.join(e.dataHome(), "crush"), ""
	if e.OS == "windows" {
		folder = e.join(e.local(), "crush")
	}
	if v := e.folder("CRUSH_GLOBAL_DATA"); v != "" {
		folder, from = v, "CRUSH_GLOBAL_DATA"
	}
	list := e.join(folder, "projects.json")
	if list == "" {
		return
	}
	text, ok := smallFile(list)
	if !ok {
		add(agent.Crush, "projects", list, from, listNothing)
		return
	}
	v, err := json.Parse(text)
	if err != nil {
		add(agent.Crush, "projects", list, from, listNothing)
		return
	}
	n := 0
	see := func(project json.Value) {
		path, data := project.Get("path").String(), project.Get("data_dir").String()
		if n++; n > mostProjects || !e.absolute(path) {
			return
		}
		if data == "" {
			data = ".crush"
		}
		if !e.absolute(data) {
			data = e.join(path, data)
		}
		add(agent.Crush, filepath.Base(path), e.join(data, "crush.db"), from, listStore)
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
}

// listNothing stands for a place that tells of no session yet.
func listNothing(Root, func(candidate)) error { return nil }
