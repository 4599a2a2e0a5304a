// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// editors are the names of the data directories of VS Code and of editors derived from it.
var editors = []string{
	"Code", "Code - Insiders", "Code - OSS", "VSCodium", "VSCodium - Insiders", "Cursor", "Windsurf", "Windsurf - Next",
	"Trae", "Trae CN", "Antigravity", "Positron", "Kiro",
}

// remotes are the directories in which an editor keeps its data on the machine that a window is connected to: over SSH,
// in WSL, in a container, or in a codespace.
var remotes = []string{
	".vscode-server", ".vscode-server-insiders", ".vscode-remote", ".vscodium-server", ".cursor-server", ".windsurf-server",
	".trae-server", ".antigravity-server", ".positron-server", ".kiro-server",
}

// A storage is a directory in which an editor's extensions keep their files.
type storage struct{ path, from string }

// storages returns all such directories, whether they exist or not. Those that an editor has named come first.
func storages(e dirs.Environment) []storage {
	base := e.Applications()
	var out []storage
	seen := map[string]bool{}
	add := func(path, from string) {
		if path != "" && !seen[path] {
			seen[path] = true
			out = append(out, storage{path, from})
		}
	}
	for _, path := range e.Storages {
		add(path, "")
	}
	in := func(from string, parts ...string) { add(e.Join(append(parts, "User", "globalStorage")...), from) }
	if v := e.Variable("VSCODE_PORTABLE"); e.Absolute(v) {
		in("VSCODE_PORTABLE", v, "user-data")
	}
	if v := e.Variable("VSCODE_AGENT_FOLDER"); e.Absolute(v) {
		in("VSCODE_AGENT_FOLDER", v, "data")
	}
	for _, editor := range editors {
		in("", base, editor)
	}
	in("", e.DataHome(), "code-server")
	for _, remote := range remotes {
		in("", e.Home, remote, "data")
	}
	return out
}

// Extensions of editors keep the user's settings in the editor: in its settings, or in the state that it stores for
// them in a database. The editor of an extension's session is the one whose directory contains it.
//
// A user can have several profiles of settings in an editor. User/globalStorage/storage.json lists them and the profile
// of each workspace; settings of a profile are in User/profiles/<profile>. A profile may use a part of the default one,
// and on a machine that a window is connected to, settings of that machine take precedence.

// An editorProfile is the profile with which an editor opens a workspace; its folder is empty for the default one.
type editorProfile struct {
	folder                string
	ownSettings, ownState bool
}

// profileOf returns the profile with which an editor, whose directory User is, opens a workspace.
func profileOf(user, workspace string) (p editorProfile) {
	v, ok := configfile.ReadJSON(filepath.Join(user, "globalStorage", "storage.json"))
	if !ok || workspace == "" {
		return p
	}
	id := ""
	for f := v.Path("profileAssociations", "workspaces").Fields(); f.Next(); {
		folder := folderOf(f.Key)
		if strings.HasSuffix(folder, ".code-workspace") {
			folder = filepath.Dir(folder) // of several directories, the one with the file that names them
		}
		if f.Value.Kind() == json.String && samePath(folder, workspace) {
			id = f.Value.String()
		}
	}
	if id == "" || id == "__default__profile__" || len(id) > 200 || strings.ContainsAny(id, "/\\\x00") || strings.Trim(id, ".") == "" {
		return p
	}
	for e := v.Get("userDataProfiles").Elements(); e.Next(); {
		if e.Value.Get("location").Is(id) {
			shared := e.Value.Get("useDefaultFlags")
			p = editorProfile{filepath.Join(user, "profiles", id), !shared.Get("settings").Bool(), !shared.Get("globalState").Bool()}
		}
	}
	return p
}

// samePath reports whether two paths name the same directory, regardless of case on Windows.
func samePath(a, b string) bool {
	a, b = strings.TrimRight(a, `/\`), strings.TrimRight(b, `/\`)
	return a == b && a != "" || len(a) > 2 && a[1] == ':' && strings.EqualFold(strings.ReplaceAll(a, "/", `\`), strings.ReplaceAll(b, "/", `\`))
}

// editorFiles returns an editor's files of settings for a workspace; the last one takes precedence.
func editorFiles(user, workspace string) []string {
	files := []string{filepath.Join(user, "settings.json")}
	if p := profileOf(user, workspace); p.folder != "" && p.ownSettings {
		files = []string{filepath.Join(p.folder, "settings.json")}
	}
	return append(files, filepath.Join(filepath.Dir(user), "Machine", "settings.json"))
}

// editorStates returns the databases in which an editor may keep the state of an extension for a workspace; the last
// one takes precedence. An extension of all profiles keeps its state in the default one.
func editorStates(storage, workspace string) []string {
	states := []string{filepath.Join(storage, "state.vscdb")}
	if p := profileOf(filepath.Dir(storage), workspace); p.folder != "" && p.ownState {
		states = append(states, filepath.Join(p.folder, "globalStorage", "state.vscdb"))
	}
	return states
}
