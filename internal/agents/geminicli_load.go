// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/promptload"
)

// loadGemini finds what Gemini CLI loads: memory files, and the descriptions of
// skills.
func loadGemini(l *promptload.Loader) {
	l.Around = func(path string) (above, below string) {
		return "--- Context from: " + path + " ---\n", "\n--- End of Context from: " + path + " ---\n"
	}
	own := l.Own(l.Home)
	loadUpwards(l, own, "GEMINI.md")
	list := promptload.TaggedSkills{Loader: l, Line: promptload.TaggedLine, Seen: map[string]bool{}}
	list.Below(l.Workspace, ".agents/skills") // the nearer one takes precedence
	list.Below(l.Workspace, ".gemini/skills")
	list.Below(l.Own(l.Environment.Join(l.Environment.Home, ".agents")), "skills")
	list.Below(own, "skills")
}

// loadUpwards finds the memory files of Gemini CLI and Qwen Code: the person's
// own, and those of the folders from the root of the repository down to the
// workspace, with their imports. Settings may give them other names.
func loadUpwards(l *promptload.Loader, own *promptload.Folder, names ...string) {
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
	folders := l.Above(promptload.RepositoryRoot)
	for _, f := range append([]*promptload.Folder{own}, folders...) {
		for _, name := range names {
			l.Memory(f, name)
		}
	}
}
