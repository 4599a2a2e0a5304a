// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// Claude Desktop runs Claude Code for Cowork, each session with a folder of its own for what Claude Code keeps:
//
//	local-agent-mode-sessions/<organization>/<account>/local_<id>/.claude/projects/…
//	local-agent-mode-sessions/<organization>/<account>/local_<id>.json
//
// The document names the session and the user's folders. What runs in its "Code" tab is in ~/.claude.

const coworkFolder = "local-agent-mode-sessions"

// coworkRoots returns the directories of these sessions. The package from Microsoft's store has its own directory.
func coworkRoots(e dirs.Environment) []Root {
	places := []string{e.Join(e.Applications(), "Claude", coworkFolder)}
	if e.OS == "windows" {
		places = append(places, e.Join(e.LocalData(), "Packages", "Claude_pzs8sxrjxfjjc", "LocalCache", "Roaming", "Claude", coworkFolder))
	}
	var roots []Root
	for _, path := range places {
		roots = append(roots, Root{Name: "Claude Desktop", Path: path, List: listCowork, Within: []string{"*/*/local_*/.claude/projects", "*/*/agent/local_*/.claude/projects"}})
	}
	return roots
}

// listCowork lists the sessions of all accounts.
func listCowork(root Root, see func(Candidate)) error {
	var within func(folder string, depth int)
	within = func(folder string, depth int) {
		for _, entry := range entries(folder) {
			switch {
			case !entry.IsDir():
			case strings.HasPrefix(entry.Name(), "local_"):
				of := root
				of.Path = filepath.Join(folder, entry.Name(), ".claude", "projects")
				_ = listClaude(of, see) // a session that has not begun has no such directory
			case depth < 3:
				within(filepath.Join(folder, entry.Name()), depth+1)
			}
		}
	}
	if _, err := os.ReadDir(root.Path); err != nil {
		return err
	}
	within(root.Path, 0)
	return nil
}

// mostCowork bounds the document of a session, which also has the system prompt.
const mostCowork = 4 << 20

// findCowork returns the data that Claude Desktop keeps of the session in a file.
func findCowork(path string) (of hosted, ok bool) {
	path = filepath.ToSlash(path)
	_, below, found := strings.Cut(path, "/"+coworkFolder+"/")
	if !found {
		return of, false
	}
	before, _, found := strings.Cut(below, "/.claude/projects/")
	if !found || !strings.HasPrefix(before[strings.LastIndexByte(before, '/')+1:], "local_") {
		return of, false
	}
	document := filepath.FromSlash(path[:len(path)-len(below)] + before + ".json")
	info, err := os.Stat(document)
	if err != nil || !info.Mode().IsRegular() || info.Size() > mostCowork {
		return of, true
	}
	text, err := os.ReadFile(document)
	if err != nil {
		return of, true
	}
	var doc json.Document
	value, err := doc.Parse(text)
	if err != nil {
		return of, true
	}
	of.title = value.Get("title").String()
	if folders := value.Get("userSelectedFolders").Elements(); folders.Next() {
		of.folder = folders.Value.String()
	}
	return of, true
}
