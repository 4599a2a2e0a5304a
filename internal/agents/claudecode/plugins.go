// Copyright The ctx-lsp authors. MIT licence.

package claudecode

import (
	"path/filepath"
	"regexp"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/promptload"
)

// loadSettings are Claude Code's settings that affect which files it loads: the user's own, then those of the
// workspace.
type loadSettings struct {
	excludes []*regexp.Regexp // memory files to leave out, by their whole paths
	plugins  map[string]bool  // by name@marketplace
}

// maxPlugins bounds the plugins that are checked.
const maxPlugins = 200

// WorkspaceSettings are the settings files of a workspace, the last one of which takes precedence.
var WorkspaceSettings = []string{".claude/settings.json", ".claude/settings.local.json"}

func readSettings(l *promptload.Loader, own *promptload.Folder) loadSettings {
	s := loadSettings{plugins: map[string]bool{}}
	take := func(v json.Value, ok bool) {
		if !ok {
			return
		}
		for e := v.Get("claudeMdExcludes").Elements(); e.Next() && len(s.excludes) < maxPlugins; {
			if glob := promptload.Glob(filepath.ToSlash(e.Value.String())); glob != nil {
				s.excludes = append(s.excludes, glob)
			}
		}
		for f := v.Get("enabledPlugins").Fields(); f.Next(); {
			if name := f.Key.String(); len(s.plugins) < maxPlugins || s.plugins[name] {
				s.plugins[name] = f.Value.Bool()
			}
		}
	}
	if own != nil {
		take(l.Settings(own, "settings.json"))
	}
	for _, name := range WorkspaceSettings {
		take(l.Settings(l.Workspace, name))
	}
	return s
}

// plugin is an installed plugin that is switched on.
type plugin struct {
	name string
	in   *promptload.Folder
}

// plugins returns Claude Code's plugins that are switched on, for this workspace or everywhere.
func plugins(l *promptload.Loader, own *promptload.Folder, on map[string]bool) (list []plugin) {
	if own == nil {
		return nil
	}
	installed, ok := l.Settings(own, "plugins/installed_plugins.json")
	if !ok {
		return nil
	}
	for f := installed.Get("plugins").Fields(); f.Next() && len(list) < maxPlugins; {
		id := f.Key.String()
		if !on[id] {
			continue
		}
		at := f.Value // an older list has one location, a newer one several
		for e := f.Value.Elements(); e.Next(); {
			if project := e.Value.Get("projectPath").String(); project == "" || filepath.Clean(project) == l.Workspace.Dir {
				at = e.Value
			}
		}
		path := at.Get("installPath").String()
		rel, err := filepath.Rel(own.Dir, path)
		if err != nil || !filepath.IsLocal(rel) {
			if path != "" {
				l.Outside = append(l.Outside, l.Named(path))
			}
			continue
		}
		if in := l.Own(path); in != nil {
			in.As = ".claude/"
			name, _, _ := strings.Cut(id, "@")
			list = append(list, plugin{name, in})
		}
	}
	return list
}

// placesOf returns the locations of a plugin's parts of a kind: the directory of that name, and those in its manifest.
func placesOf(l *promptload.Loader, p plugin, manifest json.Value, kind string) (list []string) {
	list = []string{kind}
	add := func(v json.Value) {
		path := strings.TrimSuffix(strings.TrimPrefix(v.String(), "./"), "/")
		if path != "" && path != kind && filepath.IsLocal(filepath.FromSlash(path)) {
			list = append(list, path)
		}
	}
	more := manifest.Get(kind)
	if more.Kind() == json.String {
		add(more)
	}
	for e := more.Elements(); e.Next() && len(list) < maxPlugins; {
		add(e.Value)
	}
	return list
}

// listPlugin adds a plugin's skills, commands and agents, under its name, and its MCP servers.
func listPlugin(l *promptload.Listing, p plugin) {
	l.As = p.name + ":"
	defer func() { l.As = "" }()
	manifest, _ := l.Loader.Settings(p.in, ".claude-plugin/plugin.json")
	markdown := func(kind string, each func(path string)) {
		for _, place := range placesOf(l.Loader, p, manifest, kind) {
			if strings.HasSuffix(place, ".md") {
				each(place)
				continue
			}
			for _, path := range l.Loader.Files(p.in, place, ".md", 0) {
				each(path)
			}
		}
	}
	for _, place := range placesOf(l.Loader, p, manifest, "skills") {
		for _, entry := range l.Loader.Names(p.in, place) {
			l.Skill(p.in, place+"/"+entry.Name()+"/SKILL.md", entry.Name())
		}
	}
	markdown("commands", func(path string) { l.Skill(p.in, path, promptload.NameOf(path)) })
	markdown("agents", func(path string) { l.Agent(p.in, path) })
	servers := manifest.Get("mcpServers")
	if file, ok := l.Loader.Settings(p.in, ".mcp.json"); ok {
		if servers = file.Get("mcpServers"); !servers.Exists() {
			servers = file
		}
	}
	for f := servers.Fields(); f.Next() && len(l.Loader.Out.Servers) < 1000; {
		l.Loader.Out.Servers = append(l.Loader.Out.Servers, "plugin_"+p.name+"_"+f.Key.String())
	}
}
