// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
	"github.com/ctx-lsp/ctx-lsp/internal/stores"
)

// addStores adds the places of the agents whose stores package stores tells.
func addStores(e dirs.Environment, add func(id, what, path, from string, list lister)) {
	addCrush(e, add)
	base := e.Applications()
	for _, storage := range storages(e) {
		add(agent.Copilot, "chats", e.Above(storage.path), storage.from, listChats)
	}
	for _, program := range []string{"antigravity-cli", "antigravity", "antigravity-ide"} {
		add(agent.Antigravity, program, e.Join(e.Home, ".gemini", program, "conversations"), "", storeFiles("*.db"))
	}
	hermes, from := e.Join(e.Home, ".hermes"), ""
	if v := e.Folder("HERMES_HOME"); v != "" {
		hermes, from = v, "HERMES_HOME"
	}
	add(agent.Hermes, "", e.Join(hermes, "state.db"), from, listStore)
	if profiles := e.Join(hermes, "profiles"); profiles != "" {
		for _, profile := range entries(profiles) {
			add(agent.Hermes, profile.Name(), e.Join(profiles, profile.Name(), "state.db"), from, listStore)
		}
	}
	data := e.DataHome()
	switch e.OS {
	case "darwin":
		data = base
	case "windows":
		data = e.LocalData()
	}
	add(agent.Kiro, "", e.Join(data, "kiro-cli", "data.sqlite3"), "", listStore)
	add(agent.Kiro, "Amazon Q", e.Join(data, "amazon-q", "data.sqlite3"), "", listStore)
	addCursor(e, add)
}

// mostProjects bounds how many projects of Crush's list are looked at.
const mostProjects = 1000

// addCrush adds the databases of the projects that Crush knows. Each lies in its
// project, and a list has them all.
func addCrush(e dirs.Environment, add func(id, what, path, from string, list lister)) {
	folder, from := e.Join(e.DataHome(), "crush"), ""
	if e.OS == "windows" {
		folder = e.Join(e.LocalData(), "crush")
	}
	if v := e.Folder("CRUSH_GLOBAL_DATA"); v != "" {
		folder, from = v, "CRUSH_GLOBAL_DATA"
	}
	list := e.Join(folder, "projects.json")
	if list == "" {
		return
	}
	text, ok := safefile.Small(list)
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
		if n++; n > mostProjects || !e.Absolute(path) {
			return
		}
		if data == "" {
			data = ".crush"
		}
		if !e.Absolute(data) {
			data = e.Join(path, data)
		}
		add(agent.Crush, filepath.Base(path), e.Join(data, "crush.db"), from, listStore)
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

// smallChat is the size of a chat up to which it may be one in which nobody has
// said anything. VS Code keeps many of these.
const smallChat = 64 << 10

// listChats lists the chats that an editor keeps for each workspace, and those
// of windows without one: <user data>/User/workspaceStorage/<hash>/chatSessions.
func listChats(root Root, see func(candidate)) error {
	storage := filepath.Join(root.Path, "workspaceStorage")
	workspaces, err := os.ReadDir(storage)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	chatsIn(root, filepath.Join(root.Path, "globalStorage", "emptyWindowChatSessions"), "", see)
	for _, workspace := range workspaces {
		folder := filepath.Join(storage, workspace.Name())
		chatsIn(root, filepath.Join(folder, "chatSessions"), folder, see)
	}
	return nil
}

func chatsIn(root Root, folder, of string, see func(candidate)) {
	list := entries(folder)
	if len(list) == 0 {
		return
	}
	workspace := ""
	if of != "" {
		workspace = stores.WorkspaceOf(of)
	}
	names := map[string]bool{}
	for _, entry := range list {
		names[entry.Name()] = true
	}
	for _, entry := range list {
		extension := filepath.Ext(entry.Name())
		id := strings.TrimSuffix(entry.Name(), extension)
		if extension != ".jsonl" && (extension != ".json" || names[id+".jsonl"]) {
			continue
		}
		c, ok := look(root.Agent, folder, entry, kindStore)
		if !ok {
			continue
		}
		c.id, c.alone, c.workspace = id, true, workspace
		if c.info.Size() > smallChat {
			// The place tells all that a search needs; the title is read when it is shown.
			c.session = &Session{Agent: root.Agent, Path: c.path, Key: id, ID: id, kind: kindStore, Workspace: workspace, Modified: c.info.ModTime()}
		}
		see(c)
	}
}

// listNothing stands for a place that tells of no session yet.
func listNothing(Root, func(candidate)) error { return nil }
