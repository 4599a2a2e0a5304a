// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/stores"
)

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
