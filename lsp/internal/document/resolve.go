// Copyright The ctx-lsp authors. MIT licence.

package document

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// maxImport is the longest file that is read because another imports it.
const maxImport = 1 << 20

// agentFolders are the folders in the user's home whose files agents read on their own account.
var agentFolders = []string{".claude", ".codex", ".gemini", ".qwen", ".cursor", ".copilot", ".config/opencode", ".config/amp", ".config/goose", ".config/crush", ".codeium/windsurf", "Documents/Cline/Rules"}

// Places are where files may be read: the workspace, and the user's folders of agents. Nothing outside of them is
// ever opened, whatever a prompt file or a link on disk names.
type Places struct {
	Folders []string // of the workspace
	Home    string   // empty allows no folders of agents
}

// roots are the directories that may be read, with links resolved.
func (p Places) roots() []string {
	var roots []string
	add := func(dir string) {
		if real, err := filepath.EvalSymlinks(dir); err == nil && filepath.IsAbs(real) {
			roots = append(roots, real)
		}
	}
	for _, folder := range p.Folders {
		add(folder)
	}
	if p.Home != "" {
		for _, folder := range agentFolders {
			add(filepath.Join(p.Home, filepath.FromSlash(folder)))
		}
	}
	return roots
}

// allowed finds the root that holds a path, and the path in it.
func (p Places) allowed(path string) (root, rel string, ok bool) {
	for _, root := range p.roots() {
		if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
			return root, rel, true
		}
	}
	return "", "", false
}

// Name is a path as core/promptfile wants it: relative to the workspace, or from the home directory, slashes forward.
func (p Places) Name(path string) string {
	for _, folder := range p.Folders {
		for _, dir := range []string{folder, real(folder)} {
			if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
				return filepath.ToSlash(rel)
			}
		}
	}
	if p.Home != "" {
		if rel, err := filepath.Rel(p.Home, path); err == nil && filepath.IsLocal(rel) {
			return "~/" + filepath.ToSlash(rel)
		}
	}
	return filepath.ToSlash(path)
}

func real(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// candidates are the paths that a target may mean, the likeliest first.
func (p Places) candidates(target, importer string) []string {
	local := filepath.FromSlash(target)
	switch {
	case target == "~" || strings.HasPrefix(target, "~/"):
		if p.Home == "" {
			return nil
		}
		return []string{filepath.Join(p.Home, strings.TrimPrefix(local, "~"))}
	case filepath.IsAbs(local):
		return []string{filepath.Clean(local)}
	}
	paths := []string{filepath.Join(filepath.Dir(importer), local)}
	for _, folder := range p.Folders {
		if path := filepath.Join(folder, local); path != paths[0] {
			paths = append(paths, path)
		}
	}
	return paths
}

// A fileState tells whether a file is still the one that was read.
type fileState struct {
	size     int64
	modified time.Time
}

// A found is a file that was looked for.
type found struct {
	path    string // as it was found; empty when there is none
	problem string // missing, outside, tooLarge, unreadable
}

// find looks where a target leads.
func (p Places) find(target, importer string) found {
	paths := p.candidates(target, importer)
	if len(paths) == 0 {
		return found{problem: "outside"}
	}
	outside := false
	for i, path := range paths {
		resolved, err := filepath.EvalSymlinks(path)
		if err != nil {
			if _, _, ok := p.allowed(realParent(path)); !ok && i == 0 {
				outside = true
			}
			continue
		}
		if _, _, ok := p.allowed(resolved); !ok {
			outside = outside || i == 0
			continue
		}
		info, err := os.Stat(resolved)
		switch {
		case err != nil || info.IsDir():
			continue
		case !info.Mode().IsRegular() || info.Size() > maxImport:
			return found{path: path, problem: "tooLarge"}
		}
		return found{path: path}
	}
	if outside {
		return found{problem: "outside"}
	}
	return found{problem: "missing"}
}

// realParent resolves the part of a path that exists.
func realParent(path string) string {
	for dir, rest := path, ""; ; {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(real, rest)
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return path
		}
		rest = filepath.Join(filepath.Base(dir), rest)
		dir = parent
	}
}

// read reads a file in one of the places. It is opened from its root, so that a link which is laid between looking and
// opening leads nowhere else.
func (p Places) read(path string) ([]byte, fileState, string) {
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, fileState{}, "missing"
	}
	dir, rel, ok := p.allowed(resolved)
	if !ok {
		return nil, fileState{}, "outside"
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fileState{}, "unreadable"
	}
	defer root.Close()
	info, err := root.Stat(rel)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fileState{}, "missing"
	case err != nil:
		return nil, fileState{}, "unreadable"
	case !info.Mode().IsRegular() || info.Size() > maxImport:
		return nil, fileState{}, "tooLarge"
	}
	file, err := root.Open(rel)
	if err != nil {
		return nil, fileState{}, "unreadable"
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxImport+1))
	switch {
	case err != nil:
		return nil, fileState{}, "unreadable"
	case len(text) > maxImport, bytes.IndexByte(text[:min(len(text), 8<<10)], 0) >= 0:
		return nil, fileState{}, "tooLarge"
	}
	return text, fileState{info.Size(), info.ModTime()}, ""
}

// state looks at a file without reading it.
func (p Places) state(path string) fileState {
	info, err := os.Stat(path)
	if err != nil {
		return fileState{}
	}
	return fileState{info.Size(), info.ModTime()}
}

// companions are the files that an agent loads together with a file of its own that is always loaded.
func (p Places) companions(agent string) []string {
	patterns := map[string][]string{
		"claude-code": {"CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", ".claude/rules/*.md", ".claude/rules/*/*.md", "~/.claude/CLAUDE.md"},
		"gemini-cli":  {"GEMINI.md", "~/.gemini/GEMINI.md"},
		"qwen-code":   {"QWEN.md", "~/.qwen/QWEN.md"},
		"copilot":     {".github/copilot-instructions.md", ".github/instructions/*.instructions.md", "AGENTS.md"},
		"cursor":      {".cursorrules", ".cursor/rules/*.mdc", "AGENTS.md"},
		"windsurf":    {".windsurfrules", ".windsurf/rules/*.md", "AGENTS.md"},
		"cline":       {".clinerules", ".clinerules/*.md", "AGENTS.md"},
		"":            {"AGENTS.md", ".github/copilot-instructions.md", ".cursorrules", ".windsurfrules", "~/.codex/AGENTS.md"},
	}[agent]
	const most = 60
	var paths []string
	for _, pattern := range patterns {
		dirs := p.Folders
		if home, ok := strings.CutPrefix(pattern, "~/"); ok {
			pattern, dirs = home, []string{p.Home}
		}
		for _, dir := range dirs {
			if dir == "" {
				continue
			}
			matches, _ := filepath.Glob(filepath.Join(escapeGlob(dir), filepath.FromSlash(pattern)))
			paths = append(paths, matches...)
		}
	}
	return paths[:min(len(paths), most)]
}

// escapeGlob keeps a folder's own name from being read as a pattern.
func escapeGlob(dir string) string {
	if os.PathSeparator == '\\' {
		return dir
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(dir)
}
