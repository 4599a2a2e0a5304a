// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
)

// A SettingsFile is a file with an agent's settings.
type SettingsFile struct {
	configfile.File
	Form configfile.Form
	// Names are the settings that move its window or its threshold: keys with dots between them; * is any key.
	Names []string
	// Variables is the key below which variables are set; their names are without it. "" for none.
	Variables string
	// Windows are the places of models' limits.
	Windows []ModelWindow
	// Strict is set if a number that is written as a text is not read.
	Strict bool
	// Servers are the places of MCP servers.
	Servers []string
}

// A ModelWindow is where a file describes a model's limits.
type ModelWindow struct {
	Model                 string // the pattern of the model's own place, whose last key names the model
	Window, Input, Output string // keys below it, with dots between them; "" for none
}

// Path returns the file's path.
func (f *SettingsFile) Path() string {
	if f.Folder == "" {
		return f.Name
	}
	return filepath.Join(f.Folder, filepath.FromSlash(f.Name))
}

// Setting returns a setting's name in the agent's rule.
func (f *SettingsFile) Setting(w *configfile.Written) string {
	if f.Variables != "" && len(w.Keys) > 1 && w.Keys[0] == f.Variables {
		return strings.Join(w.Keys[1:], ".")
	}
	return w.Name()
}

// Ignores reports whether the agent does not read a value because it is a text.
func (f *SettingsFile) Ignores(w *configfile.Written) bool {
	return w.Quoted && (f.Strict || f.Form == configfile.InTOML)
}

// values adds the scalars of a text that are named.
func (f *SettingsFile) values(text []byte, found configfile.Values) {
	written, _ := configfile.Find(f.Form, text, f.Names...)
	for i := range written {
		if w := &written[i]; w.Scalar && !f.Ignores(w) {
			found[f.Setting(w)] = w.Value
		}
	}
}

// fromFiles adds what an agent's files of settings say.
func (a *Agent) fromFiles(e dirs.Environment, home, workspace string, found configfile.Values) {
	for _, file := range a.SettingsFiles(a, e, home, workspace) {
		if text, ok := file.Content(); ok {
			file.values(text, found)
		}
	}
}

// files describes an agent's own files and those of a workspace, which have the same form and the same names.
func (a *Agent) files(workspace string, as SettingsFile, own ...string) (files []SettingsFile) {
	add := func(file configfile.File) {
		as.File = file
		files = append(files, as)
	}
	for _, path := range own {
		if path != "" {
			add(configfile.File{Name: path})
		}
	}
	for _, file := range a.workspaceFiles(workspace) {
		add(file)
	}
	return files
}

// A SettingsPlace is an agent's file of settings, and the agent.
type SettingsPlace struct {
	Agent *Agent
	File  SettingsFile
}

// SettingsPlaces lists the files that agents read as settings or for their MCP servers, whether they exist or not.
func SettingsPlaces(e dirs.Environment, workspace string) (places []SettingsPlace) {
	for _, a := range all {
		if !e.Allows(a.ID) {
			continue
		}
		for _, file := range a.allSettingsFiles(e, workspace) {
			places = append(places, SettingsPlace{a, file})
		}
	}
	return places
}

// IsAt reports whether a path names the file.
func (p *SettingsPlace) IsAt(path string) bool {
	own := p.File.Path()
	return filepath.Base(own) == filepath.Base(path) && SameFile(own, path)
}

// allSettingsFiles lists an agent's files with settings or MCP servers.
func (a *Agent) allSettingsFiles(e dirs.Environment, workspace string) (files []SettingsFile) {
	if a.SettingsFiles != nil {
		home, _ := a.Home.In(e)
		files = a.SettingsFiles(a, e, home, workspace)
	}
	for _, at := range a.MCPFiles {
		file := SettingsFile{Servers: []string{at.Member + ".*"}}
		if at.Projects {
			file.Servers = append(file.Servers, "projects.*."+at.Member+".*")
		}
		if at.Nested {
			file.Servers = append(file.Servers, at.Member+".servers.*")
		}
		switch name := at.Path[2:]; {
		case at.Path[0] == '~':
			file.Name = e.Join(e.Home, name)
		case dirs.Local(workspace):
			file.File = configfile.File{Folder: workspace, Name: name}
		}
		if file.Name == "" {
			continue
		}
		i := slices.IndexFunc(files, func(f SettingsFile) bool { return f.Path() == file.Path() })
		if i < 0 {
			files = append(files, file)
		} else {
			files[i].Servers = append(files[i].Servers, file.Servers...)
		}
	}
	return files
}

// SameFile reports whether two paths name the same file, links followed.
func SameFile(a, b string) bool {
	if a == "" {
		return false
	}
	names := dirs.PathNames(b)
	return slices.ContainsFunc(dirs.PathNames(a), func(name string) bool { return slices.Contains(names, name) })
}

// A SettingFrom is the value of a setting, and the file that sets it; "" for a variable of the environment.
type SettingFrom struct{ Value, File string }

// SettingsWith returns an agent's settings as they would be with a text in place of the file at a path, and for each
// setting that files set the file that takes precedence.
func SettingsWith(e dirs.Environment, a *Agent, workspace, path string, text []byte) (configfile.Values, map[string]SettingFrom) {
	found := Settings(e, a.ID, workspace)
	from := map[string]SettingFrom{}
	if a.SettingsFiles == nil {
		return found, from
	}
	home, _ := a.Home.In(e)
	for _, file := range a.SettingsFiles(a, e, home, workspace) {
		onDisk, ok := file.Content()
		now := configfile.Values{}
		if ok {
			file.values(onDisk, now)
			for name := range now {
				delete(found, name)
			}
		}
		if SameFile(file.Path(), path) {
			clear(now)
			file.values(text, now)
		}
		for name, value := range now {
			from[name] = SettingFrom{value, file.Path()}
		}
	}
	for _, name := range a.Variables {
		fromEnvironment(e, found, name)
	}
	for name, of := range from {
		found[name] = of.Value
	}
	return found, from
}

// SettingsGlobs lists patterns of the files of settings and of MCP servers, for editors that only send files that match
// one. The places on this machine decide which of them are explained.
func SettingsGlobs() []string {
	e := dirs.New("linux", "/~", func(string) string { return "" })
	var globs []string
	for _, a := range all {
		for _, file := range a.allSettingsFiles(e, "/.") {
			name := strings.TrimPrefix(strings.TrimPrefix(filepath.ToSlash(file.Path()), "/~/"), "/./")
			globs = append(globs, "**/"+strings.TrimPrefix(name, "/"))
		}
	}
	slices.Sort(globs)
	return slices.Compact(globs)
}
