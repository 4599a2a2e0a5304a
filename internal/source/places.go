// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// Root is a place where an agent keeps sessions.
type Root struct {
	Agent string // as core/agent names it
	Name  string // as its makers name it
	Path  string // a folder or a database
	// From is the environment variable that moved the root, empty for the
	// agent's default place.
	From string
	// Readable is false for agents whose sessions are known but not read.
	Readable bool
	list     lister
	// Within lists patterns of the folders of a root that keeps much else, for a check of what is in it.
	Within []string
	cache  string // the folder in which listings are kept
}

// Exists says whether the agent has kept anything there.
func (r Root) Exists() bool {
	_, err := os.Stat(r.Path)
	return err == nil
}

// A lister lists the sessions of a root, if possible without opening any of
// them.
type lister func(root Root, see func(candidate)) error

// A candidate is a file that may be a session.
type candidate struct {
	agent  string
	path   string
	kind   kind
	info   os.FileInfo
	id     string // the session's id where the path tells it
	parent string // for a sub-agent, its parent's id
	alone  bool   // the path tells that it is no sub-agent
	// workspace is known from the place, for agents that do not write it into the
	// session. projectHash is its SHA-256, for agents that keep only that.
	workspace, projectHash string
	// mirror marks what an agent writes beside sessions that it keeps elsewhere.
	mirror bool
	// changed is when it last changed, where its own file does not tell.
	changed time.Time
	// session is set where the listing has told everything already.
	session *Session
}

// entries lists the names in a folder. That a folder cannot be read is a
// problem only where the folder is the root itself.
func entries(folder string) []os.DirEntry {
	list, _ := os.ReadDir(folder)
	return list
}

// isFolder follows links, which ReadDir does not do.
func isFolder(parent string, entry os.DirEntry) bool {
	if entry.Type()&os.ModeSymlink == 0 {
		return entry.IsDir()
	}
	info, err := os.Stat(filepath.Join(parent, entry.Name()))
	return err == nil && info.IsDir()
}

// look makes a candidate of a directory entry, if that is a file.
func look(agent, folder string, entry os.DirEntry, kind kind) (candidate, bool) {
	if !strings.HasSuffix(folder, string(filepath.Separator)) {
		folder += string(filepath.Separator)
	}
	path := folder + entry.Name() // joining a hundred thousand paths takes long
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return candidate{}, false
	}
	return candidate{agent: agent, path: path, info: info, kind: kind}, true
}

// listClaude: projects/<directory key>/<session>.jsonl, sub-agents below
// <session>/subagents, or (to 2.0) beside the session as agent-<id>.jsonl.
func listClaude(root Root, see func(candidate)) error {
	projects, err := os.ReadDir(root.Path)
	if err != nil {
		return err
	}
	for _, project := range projects {
		if !isFolder(root.Path, project) {
			continue
		}
		folder := filepath.Join(root.Path, project.Name())
		for _, entry := range entries(folder) {
			name := entry.Name()
			if stem, ok := strings.CutSuffix(name, ".jsonl"); ok {
				if c, ok := look(root.Agent, folder, entry, kindLines); ok {
					if !strings.HasPrefix(stem, "agent-") {
						c.id, c.alone = stem, true
					}
					see(c)
				}
			} else if entry.IsDir() {
				listSubagents(root.Agent, name, filepath.Join(folder, name, "subagents"), 0, see)
			}
		}
	}
	return nil
}

// listSubagents searches a few levels of folders and follows no link, so that
// it ends.
func listSubagents(agent, parent, folder string, depth int, see func(candidate)) {
	for _, entry := range entries(folder) {
		name := entry.Name()
		stem, isTranscript := strings.CutSuffix(name, ".jsonl")
		switch {
		case entry.IsDir() && depth < 4:
			listSubagents(agent, parent, filepath.Join(folder, name), depth+1, see)
		case isTranscript && strings.HasPrefix(name, "agent-"):
			if c, ok := look(agent, folder, entry, kindLines); ok {
				c.parent, c.id = parent, parent+"/"+stem
				see(c)
			}
		}
	}
}

// listCodex: sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl or .jsonl.zst;
// archived ones lie flat. Where both forms are there, the plain one counts.
func listCodex(root Root, see func(candidate)) error {
	if _, err := os.ReadDir(root.Path); err != nil {
		return err
	}
	var walk func(folder string, depth int)
	walk = func(folder string, depth int) {
		list := entries(folder)
		plain := map[string]bool{}
		for _, entry := range list {
			plain[entry.Name()] = true
		}
		for _, entry := range list {
			name := entry.Name()
			if isFolder(folder, entry) {
				if depth < 3 {
					walk(filepath.Join(folder, name), depth+1)
				}
				continue
			}
			kind := kindLines
			stem, ok := strings.CutSuffix(name, ".jsonl")
			if !ok {
				if stem, ok = strings.CutSuffix(name, ".jsonl.zst"); !ok || plain[stem+".jsonl"] {
					continue
				}
				kind = kindZstd
			}
			if c, ok := look(root.Agent, folder, entry, kind); ok {
				c.id = rolloutID(stem)
				see(c)
			}
		}
	}
	walk(root.Path, 0)
	return nil
}

// rolloutID is the UUID at the end of a rollout's name.
func rolloutID(stem string) string {
	const length = 36
	if len(stem) > length && strings.HasPrefix(stem, "rollout-") && stem[len(stem)-length-1] == '-' {
		return stem[len(stem)-length:]
	}
	return ""
}

// listGemini: tmp/<project>/chats/session-….json or .jsonl; sub-agents in a
// folder named after their parent.
func listGemini(root Root, see func(candidate)) error {
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
		for _, entry := range entries(chats) {
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

func seeGemini(root Root, folder string, entry os.DirEntry, parent, workspace, hash string, see func(candidate)) {
	kind := kindLines
	if strings.HasSuffix(entry.Name(), ".json") {
		kind = kindDocument
	} else if !strings.HasSuffix(entry.Name(), ".jsonl") {
		return
	}
	if c, ok := look(root.Agent, folder, entry, kind); ok {
		c.parent, c.alone, c.workspace, c.projectHash = parent, parent == "", workspace, hash
		see(c)
	}
}

// listQwen: projects/<directory key>/chats/<session>.jsonl.
func listQwen(root Root, see func(candidate)) error {
	projects, err := os.ReadDir(root.Path)
	if err != nil {
		return err
	}
	for _, project := range projects {
		chats := filepath.Join(root.Path, project.Name(), "chats")
		for _, entry := range entries(chats) {
			if stem, ok := strings.CutSuffix(entry.Name(), ".jsonl"); ok {
				if c, ok := look(root.Agent, chats, entry, kindLines); ok {
					c.id, c.alone = stem, true
					see(c)
				}
			}
		}
	}
	return nil
}

// listCopilot: session-state/<session>/events.jsonl.
func listCopilot(root Root, see func(candidate)) error {
	sessions, err := os.ReadDir(root.Path)
	if err != nil {
		return err
	}
	for _, session := range sessions {
		folder := filepath.Join(root.Path, session.Name())
		path := filepath.Join(folder, "events.jsonl")
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			see(candidate{agent: root.Agent, path: path, info: info, kind: kindLines, id: session.Name(), alone: true})
		}
	}
	return nil
}

// listOne lists a root that is a single document.
func listOne(root Root, see func(candidate)) error {
	info, err := os.Stat(root.Path)
	if err == nil && info.Mode().IsRegular() {
		see(candidate{agent: root.Agent, path: root.Path, info: info, kind: kindDocument})
	}
	return err
}

// listTree lists OpenCode's folder of files.
func listTree(root Root, see func(candidate)) error {
	err := treeSessions(root.Path, func(path, id string, info os.FileInfo) {
		see(candidate{agent: root.Agent, path: path, info: info, kind: kindTree, id: id})
	})
	if os.IsNotExist(err) {
		return nil // newer versions keep other things in this folder
	}
	return err
}
