// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

var geminiCLI = Agent{
	ID:     agent.GeminiCLI,
	Home:   Folder{Variable: "GEMINI_CLI_HOME", Within: ".gemini"},
	Family: agent.GeminiCLI,
	Places: Places{
		Roots: inHome(Root{Path: "tmp", List: listGemini}),
	},
	Records: Records{
		Marks:     &transcript.Marks{},
		ExitCodes: patterns(`(?m)^Exit Code: (-?\d+)`),
	},
	Configuration: Configuration{
		ModelSetting: "model.name",
		Settings:     (*Agent).fromFiles,
		SettingsFiles: func(a *Agent, e dirs.Environment, home, workspace string) []SettingsFile {
			return a.files(workspace, SettingsFile{Strict: true, Names: []string{"model.compressionThreshold"}}, e.Join(home, "settings.json"))
		},
		WorkspaceSettings: []string{".gemini/settings.json"},
		MCPFiles:          []MCPFile{{Path: "~/.gemini/settings.json", Member: "mcpServers"}, {Path: "./.gemini/settings.json", Member: "mcpServers"}},
		ServersUnrecorded: true,
		Hooks:             &Hooks{Events: []string{"BeforeAgent", "AfterTool"}, Sends: geminiSends},
	},
	Prompts: Prompts{
		Load:             loadGemini,
		MemoryUnrecorded: true,
		PromptFiles:      []string{"GEMINI.md", "~/.gemini/GEMINI.md"},
		PromptsAtHome:    true,
	},
	Process: Process{
		Programs:      []string{"gemini"},
		Packages:      []string{"@google/gemini-cli"},
		Start:         "gemini -i",
		AlwaysProcess: true,
		Tabs:          "gemini",
	},
}

// registeredProjects reads Gemini CLI's list of projects: folder name → path.
func registeredProjects(path string) map[string]string {
	text, ok := safefile.Small(path)
	if !ok {
		return nil
	}
	v, err := json.Parse(text)
	if err != nil {
		return nil
	}
	registered := map[string]string{}
	for f := v.Get("projects").Fields(); f.Next(); {
		registered[f.Value.String()] = f.Key.String()
	}
	return registered
}

// listGemini lists tmp/<project>/chats/session-….json or .jsonl; sub-agents are in a directory named after their
// parent.
func listGemini(root Root, see func(Candidate)) error {
	projects, err := os.ReadDir(root.Path)
	if err != nil {
		return err
	}
	registered := registeredProjects(filepath.Join(filepath.Dir(root.Path), "projects.json"))
	for _, project := range projects {
		if !isFolder(root.Path, project) {
			continue
		}
		name := project.Name()
		workspace := registered[name]
		if text, ok := safefile.Small(filepath.Join(root.Path, name, ".project_root")); ok && len(text) < 4096 {
			workspace = strings.TrimSpace(string(text))
		}
		hash := ""
		if len(name) == 64 {
			hash = name
		}
		chats := filepath.Join(root.Path, name, "chats")
		seen := map[string]bool{}
		for _, entry := range entries(chats) {
			if id, some := geminiIDIn(entry.Name()); some {
				if seen[id] && isGeminiStub(filepath.Join(chats, entry.Name())) {
					continue
				}
				seen[id] = true
			}
			if entry.IsDir() {
				for _, inner := range entries(filepath.Join(chats, entry.Name())) {
					seeGemini(root, filepath.Join(chats, entry.Name()), inner, entry.Name(), workspace, hash, see)
				}
				continue
			}
			seeGemini(root, chats, entry, "", workspace, hash, see)
		}
	}
	return nil
}

// geminiIDIn returns the beginning of a session's id in the name of a transcript: session-TIME-ID.jsonl.
func geminiIDIn(name string) (id string, some bool) {
	stem, lines := strings.CutSuffix(name, ".jsonl")
	at := strings.LastIndexByte(stem, '-')
	return stem[at+1:], lines && at > 0
}

// isGeminiStub reports whether a transcript has only a head, and the context of a first request. Gemini CLI writes such
// a file when it resumes a session, before it continues in the file of the session.
func isGeminiStub(path string) bool {
	text, ok := safefile.Small(path)
	return ok && bytes.Count(text, []byte("\n")) <= 2
}

func seeGemini(root Root, folder string, entry os.DirEntry, parent, workspace, hash string, see func(Candidate)) {
	kind := transcript.Lines
	if strings.HasSuffix(entry.Name(), ".json") {
		kind = transcript.Document
	} else if !strings.HasSuffix(entry.Name(), ".jsonl") {
		return
	}
	if c, ok := candidateAt(root.Agent, folder, entry, kind); ok {
		c.Parent, c.Alone, c.Workspace, c.ProjectHash = parent, parent == "", workspace, hash
		see(c)
	}
}
