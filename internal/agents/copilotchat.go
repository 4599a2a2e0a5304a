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

var copilotChat = Agent{
	ID: agent.Copilot,
	Tried: []Version{
		{Field: []string{"v", "version"}, Long: true, Known: "3"},
		{Field: []string{"version"}, Long: true, Known: "3"},
	},
	Places: Places{
		Roots: func(e dirs.Environment, _, _ string) (roots []Root) {
			for _, storage := range storages(e) {
				roots = append(roots, Root{
					Name: "chats", Path: e.Above(storage.path), From: storage.from, List: listChats,
					Within: []string{"workspaceStorage/*/chatSessions", "globalStorage/emptyWindowChatSessions"},
				})
			}
			return roots
		},
	},
	Records: Records{
		Store: &Store{List: listCopilotChat, Write: writeCopilotChat, Text: isChat},
	},
	Configuration: Configuration{
		Settings: func(a *Agent, _ dirs.Environment, _, workspace string, found configfile.Values) {
			for _, file := range a.workspaceFiles(workspace) {
				editorSettings(file, found)
			}
		},
		WorkspaceSettings: []string{".vscode/settings.json"},
		SessionSettings:   chatSettings,
		MCPFiles:          []MCPFile{{Path: "./.vscode/mcp.json", Member: "servers"}},
	},
	Prompts: Prompts{
		PromptFiles:       []string{".github/copilot-instructions.md", ".github/instructions/*.instructions.md", "AGENTS.md"},
		SharedPromptFiles: []string{".github/copilot-instructions.md"},
	},
}

// chatSettings adds settings of the editor that keeps a chat: <user
// data>/User/workspaceStorage/<hash>/chatSessions/<session>, or User/globalStorage/emptyWindowChatSessions.
func chatSettings(s transcript.Session, found configfile.Values) {
	folder := filepath.Dir(s.Path)
	for range 3 {
		if folder = filepath.Dir(folder); filepath.Base(folder) == "User" {
			own := configfile.Values{}
			for _, file := range editorFiles(folder, s.Workspace) {
				editorSettings(configfile.File{Name: file}, own)
			}
			for name, text := range own {
				if _, set := found[name]; !set { // settings of the workspace take precedence
					found[name] = text
				}
			}
			return
		}
	}
}

// SmallChat is the size up to which a chat may have no messages. VS Code keeps many of these.
const SmallChat = 64 << 10

// listChats lists the chats that an editor keeps for each workspace, and those
// of windows without one: <user data>/User/workspaceStorage/<hash>/chatSessions.
func listChats(root Root, see func(Candidate)) error {
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

func chatsIn(root Root, folder, of string, see func(Candidate)) {
	list := entries(folder)
	if len(list) == 0 {
		return
	}
	workspace := ""
	if of != "" {
		workspace = workspaceOf(of)
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
		c, ok := candidateAt(root.Agent, folder, entry, transcript.Store)
		if !ok {
			continue
		}
		c.ID, c.Alone, c.Workspace = id, true, workspace
		if c.Info.Size() > SmallChat {
			// The location contains everything that a search needs; the title is read when it is shown.
			c.Session = &transcript.Session{Agent: root.Agent, Path: c.Path, Key: id, ID: id, Form: transcript.Store, Workspace: workspace, Modified: c.Info.ModTime()}
		}
		see(c)
	}
}

// copilotSettings are the names of settings of Copilot Chat. Each is one name, dots and all.
var copilotSettings = []string{
	"github.copilot.chat.summarizeAgentConversationHistory.enabled", "github.copilot.chat.summarizeAgentConversationHistoryThreshold",
}

// editorSettings reads the settings of Copilot Chat in a file of an editor's settings.
func editorSettings(file configfile.File, found map[string]string) {
	v, ok := file.Read()
	if !ok {
		return
	}
	for _, name := range copilotSettings {
		if text, ok := configfile.Scalar(v.Get(name)); ok {
			found[name] = text
		}
	}
}
