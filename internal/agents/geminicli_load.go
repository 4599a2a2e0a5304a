// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/promptload"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// loadGemini finds the files that Gemini CLI loads: memory files, and the descriptions of skills.
func loadGemini(l *promptload.Loader) {
	l.Around = func(path string) (above, below string) {
		return "--- Context from: " + path + " ---\n", "\n--- End of Context from: " + path + " ---\n"
	}
	own := l.Own(l.Home)
	if recordsMemory(l.Session.Path) {
		loadUpwards(l, own, nil, "GEMINI.md")
	} else {
		loadUpwards(l, own, l.Above(promptload.RepositoryRoot), "GEMINI.md")
	}
	list := promptload.TaggedSkills{Loader: l, Line: promptload.TaggedLine, Seen: map[string]bool{}}
	list.Below(l.Workspace, ".agents/skills") // the nearer one takes precedence
	list.Below(l.Workspace, ".gemini/skills")
	list.Below(l.Own(l.Environment.Join(l.Environment.Home, ".agents")), "skills")
	list.Below(own, "skills")
}

// recordsMemory reports whether a session has recorded the memory files of its workspace. Newer versions of Gemini CLI
// do so in the first message.
func recordsMemory(path string) bool {
	f, err := safefile.Open(filepath.Dir(path), filepath.Base(path))
	if err != nil {
		return false
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, geminiHead))
	return err == nil && bytes.Contains(head, []byte("<loaded_context>"))
}

// geminiHead is how many bytes of a session are searched for its first message. It lists up to 200 files.
const geminiHead = 64 << 10

// loadUpwards finds the memory files of Gemini CLI and Qwen Code, with their imports: the user's own, and those of
// folders, which are from the root of the repository down to the workspace. Settings may give them other names.
func loadUpwards(l *promptload.Loader, own *promptload.Folder, folders []*promptload.Folder, names ...string) {
	home := "." + strings.ToLower(strings.TrimSuffix(names[0], ".md"))
	for _, at := range [...]struct {
		in   *promptload.Folder
		path string
	}{{own, "settings.json"}, {l.Workspace, home + "/settings.json"}} {
		if at.in == nil {
			continue
		}
		v, _ := l.Settings(at.in, at.path)
		for _, named := range [...]json.Value{v.Get("contextFileName"), v.Path("context", "fileName")} {
			if given := promptload.FileNames(named); len(given) > 0 {
				names = given
			}
		}
	}
	for _, f := range append([]*promptload.Folder{own}, folders...) {
		for _, name := range names {
			l.Memory(f, name)
		}
	}
}
