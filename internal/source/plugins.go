// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"path/filepath"
	"regexp"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// loadSettings is what of Claude Code's settings moves what it loads: the person's own, then those of the workspace.
type loadSettings struct {
	excludes []*regexp.Regexp // memory files that it leaves out, by their whole paths
	plugins  map[string]bool  // by name@marketplace
}

// maxPlugins bounds the plugins that are looked at.
const maxPlugins = 200

// workspaceSettings are the settings files of a workspace, the last one of which takes precedence.
var workspaceSettings = []string{".claude/settings.json", ".claude/settings.local.json"}

func readSettings(l *loader, own *folder) loadSettings {
	s := loadSettings{plugins: map[string]bool{}}
	take := func(v json.Value, ok bool) {
		if !ok {
			return
		}
		for e := v.Get("claudeMdExcludes").Elements(); e.Next() && len(s.excludes) < maxPlugins; {
			if glob := globOf(filepath.ToSlash(e.Value.String())); glob != nil {
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
		take(l.settings(own, "settings.json"))
	}
	for _, name := range workspaceSettings {
		take(l.settings(l.workspace, name))
	}
	return s
}

// plugin is one that is installed and switched on.
type plugin struct {
	name string
	in   *folder
}

// plugins are those of Claude Code that are switched on, for this workspace or everywhere.
func plugins(l *loader, own *folder, on map[string]bool) (list []plugin) {
	if own == nil {
		return nil
	}
	installed, ok := l.settings(own, "plugins/installed_plugins.json")
	if !ok {
		return nil
	}
	for f := installed.Get("plugins").Fields(); f.Next() && len(list) < maxPlugins; {
		id := f.Key.String()
		if !on[id] {
			continue
		}
		at := f.Value // an older list has one place, a newer one several
		for e := f.Value.Elements(); e.Next(); {
			if project := e.Value.Get("projectPath").String(); project == "" || filepath.Clean(project) == l.workspace.dir {
				at = e.Value
			}
		}
		path := at.Get("installPath").String()
		rel, err := filepath.Rel(own.dir, path)
		if err != nil || !filepath.IsLocal(rel) {
			if path != "" {
				l.outside = append(l.outside, l.named(path))
			}
			continue
		}
		if in := l.own(path); in != nil {
			in.as = ".claude/"
			name, _, _ := strings.Cut(id, "@")
			list = append(list, plugin{name, in})
		}
	}
	return list
}

// placesOf lists where a plugin keeps its parts of a kind: the folder of that name, and what its manifest adds.
func placesOf(l *loader, p plugin, manifest json.Value, kind string) (list []string) {
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

// listPlugin lists what a plugin brings: skills, commands and agents under its name, and its MCP servers.
func listPlugin(l *listing, p plugin) {
	l.as = p.name + ":"
	defer func() { l.as = "" }()
	manifest, _ := l.loader.settings(p.in, ".claude-plugin/plugin.json")
	markdown := func(kind string, each func(path string)) {
		for _, place := range placesOf(l.loader, p, manifest, kind) {
			if strings.HasSuffix(place, ".md") {
				each(place)
				continue
			}
			for _, path := range l.loader.files(p.in, place, ".md", 0) {
				each(path)
			}
		}
	}
	for _, place := range placesOf(l.loader, p, manifest, "skills") {
		for _, entry := range l.loader.names(p.in, place) {
			l.skill(p.in, place+"/"+entry.Name()+"/SKILL.md", entry.Name())
		}
	}
	markdown("commands", func(path string) { l.skill(p.in, path, nameOf(path)) })
	markdown("agents", func(path string) { l.agent(p.in, path) })
	servers := manifest.Get("mcpServers")
	if file, ok := l.loader.settings(p.in, ".mcp.json"); ok {
		if servers = file.Get("mcpServers"); !servers.Exists() {
			servers = file
		}
	}
	for f := servers.Fields(); f.Next() && len(l.loader.out.Servers) < 1000; {
		l.loader.out.Servers = append(l.loader.out.Servers, "plugin_"+p.name+"_"+f.Key.String())
	}
}
