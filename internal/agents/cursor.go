// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// cursorVersion is how the version of Cursor's CLI looks: a date and a hash.
var cursorVersion = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^20\d\d\.\d\d\.\d\d-[0-9a-f]+$`) })

var cursor = Agent{
	ID:        agent.Cursor,
	Home:      Folder{Default: ".cursor"},
	Variables: []string{"CURSOR_CONFIG_DIR"},
	Places: Places{
		// The database of Cursor's editor, the chats of its command-line program, and the texts of both, which it writes
		// next to them.
		Roots: func(e dirs.Environment, home, _ string) []Root {
			roots := []Root{{Path: e.Join(e.Applications(), "Cursor", "User", "globalStorage", "state.vscdb"), List: listStore}}
			folders := []storage{{home, ""}}
			if moved := cursorMoved(e); moved.path != "" {
				folders = append(folders, moved)
			}
			for _, folder := range folders {
				roots = append(roots, Root{Name: "chats", Path: e.Join(folder.path, "chats"), From: folder.from, List: listCursorChats})
			}
			for _, folder := range folders {
				roots = append(roots, Root{Name: "texts", Path: e.Join(folder.path, "projects"), List: listCursorTexts})
			}
			return roots
		},
	},
	Records: Records{
		Store: &Store{List: listCursor, Write: writeCursor, Tables: []Table{{"cursorDiskKV", "key"}, {"blobs", "data"}}},
	},
	Configuration: Configuration{
		MCPFiles: []MCPFile{{Path: "~/.cursor/mcp.json", Member: "mcpServers"}, {Path: "./.cursor/mcp.json", Member: "mcpServers"}},
		StatusLine: &StatusLine{
			File: cursorSettings, Member: []string{"statusLine"}, OwnFolder: true,
			// The message is Claude Code's with other fields. Its total is derived from a rounded percentage, so only the
			// usage of the last request is read.
			Sends: func(m *StatusMessage) bool {
				return m.SessionID != "" && (m.Width != nil || len(m.Autorun) > 0 || cursorVersion().MatchString(m.Version))
			},
			Usage: providerUsage,
		},
		Hooks: &Hooks{Sends: func(e *HookEvent) bool { return e.CursorVersion != "" }, ByID: true, Answer: cursorHook},
	},
	Prompts: Prompts{
		PromptFiles:       []string{".cursorrules", ".cursor/rules/*.mdc", "AGENTS.md"},
		SharedPromptFiles: []string{".cursorrules"},
		PromptsAtHome:     true,
	},
}

// cursorMoved returns the folder that a variable sets for Cursor's CLI.
func cursorMoved(e dirs.Environment) storage {
	if v := e.Folder("CURSOR_CONFIG_DIR"); v != "" {
		return storage{v, "CURSOR_CONFIG_DIR"}
	}
	if v := e.Folder("XDG_CONFIG_HOME"); v != "" && e.OS == "linux" {
		return storage{e.Join(v, "cursor"), ""}
	}
	return storage{}
}

// cursorSettings returns the settings file of Cursor's CLI.
func cursorSettings(e dirs.Environment, home string) string {
	if moved := cursorMoved(e); moved.path != "" {
		home = moved.path
	}
	return filepath.Join(home, "cli-config.json")
}

// listCursorChats lists chats/<hash of the directory>/<chat>/store.db.
func listCursorChats(root Root, see func(Candidate)) error {
	return eachFolder(root.Path, func(project, _ string) {
		_ = eachFolder(project, func(chat, id string) {
			seeDatabase(Candidate{Agent: root.Agent, Path: filepath.Join(chat, "store.db"), Kind: transcript.Store, ID: id, Alone: true}, see)
		})
	})
}

// listCursorTexts lists projects/<directory>/agent-transcripts/<session>/<session>.jsonl; sub-agents are in the
// directory "subagents" of their session, and older files directly in agent-transcripts.
func listCursorTexts(root Root, see func(Candidate)) error {
	folders := map[string][]os.DirEntry{}
	return eachFolder(root.Path, func(project, slug string) {
		transcripts := filepath.Join(project, "agent-transcripts")
		list := entries(transcripts)
		if len(list) == 0 {
			return
		}
		workspace := folderBySlug(slug, folders)
		text := func(folder, name, id, parent string) {
			seeFile(Candidate{Agent: root.Agent, Path: filepath.Join(folder, name), ID: id, Parent: parent, Alone: parent == "", Workspace: workspace, Mirror: true}, see)
		}
		for _, entry := range list {
			name := entry.Name()
			if id, flat := strings.CutSuffix(name, ".jsonl"); flat {
				text(transcripts, name, id, "")
				continue
			}
			folder := filepath.Join(transcripts, name)
			text(folder, name+".jsonl", name, "")
			for _, child := range entries(filepath.Join(folder, "subagents")) {
				if id, ok := strings.CutSuffix(child.Name(), ".jsonl"); ok {
					text(filepath.Join(folder, "subagents"), child.Name(), id, name)
				}
			}
		}
	})
}

// folderBySlug returns the directory whose path Cursor has made into a name, with a hyphen for everything but letters
// and digits. Many paths have the same name, so it searches the directories of this machine. It returns "" if none
// matches.
func folderBySlug(slug string, known map[string][]os.DirEntry) string {
	top := "/"
	if runtime.GOOS == "windows" {
		if len(slug) < 3 || slug[1] != '-' {
			return ""
		}
		top, slug = slug[:1]+`:\`, slug[2:]
	}
	var find func(folder, slug string, depth int) string
	find = func(folder, slug string, depth int) string {
		list, seen := known[folder]
		if !seen {
			list = entries(folder)
			known[folder] = list
		}
		for _, entry := range list {
			name := SlugOf(entry.Name())
			if !entry.IsDir() || name == "" || depth > 32 {
				continue
			}
			path := filepath.Join(folder, entry.Name())
			if name == slug {
				return path
			}
			if rest, below := strings.CutPrefix(slug, name+"-"); below {
				if found := find(path, rest, depth+1); found != "" {
					return found
				}
			}
		}
		return ""
	}
	return find(top, strings.Trim(slug, "-"), 0)
}

// SlugOf returns the name of Cursor's directory for a project.
func SlugOf(name string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '-'
	}, name), "-")
}
