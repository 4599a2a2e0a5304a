// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// loadGemini finds what Gemini CLI loads: memory files, and the descriptions of
// skills.
func loadGemini(l *loader) {
	l.around = func(path string) (above, below string) {
		return "--- Context from: " + path + " ---\n", "\n--- End of Context from: " + path + " ---\n"
	}
	own := l.own(l.environment.Join(l.environment.Home, ".gemini"))
	loadUpwards(l, own, "GEMINI.md")
	list := taggedSkills{loader: l, line: taggedLine, seen: map[string]bool{}}
	list.below(l.workspace, ".agents/skills") // what stands nearer counts
	list.below(l.workspace, ".gemini/skills")
	list.below(l.own(l.environment.Join(l.environment.Home, ".agents")), "skills")
	list.below(own, "skills")
}

// loadUpwards finds the memory files of Gemini CLI and Qwen Code: the person's
// own, and those of the folders from the root of the repository down to the
// workspace, with their imports. Settings may give them other names.
func loadUpwards(l *loader, own *folder, names ...string) {
	home := "." + strings.ToLower(strings.TrimSuffix(names[0], ".md"))
	for _, at := range [...]struct {
		in   *folder
		path string
	}{{own, "settings.json"}, {l.workspace, home + "/settings.json"}} {
		if at.in == nil {
			continue
		}
		v, _ := l.settings(at.in, at.path)
		for _, named := range [...]json.Value{v.Get("contextFileName"), v.Path("context", "fileName")} {
			if given := fileNames(named); len(given) > 0 {
				names = given
			}
		}
	}
	folders := l.above(repositoryRoot)
	for _, f := range append([]*folder{own}, folders...) {
		for _, name := range names {
			l.memory(f, name)
		}
	}
}
