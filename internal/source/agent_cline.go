// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/stores"
)

// cline is Cline; the others are made from it. Each keeps its tasks in a folder that is named for its extension.
var (
	cline = Agent{
		ID: agent.Cline, Home: Folder{Variable: "CLINE_DIR", Default: ".cline"}, Family: agent.RooCode,
		Variables: []string{"CLINE_DATA_DIR", "CLINE_SESSION_DATA_DIR"},
		Roots: func(e dirs.Environment, home, from string) []Root {
			roots := tasksOf("saoudrizwan.claude-dev")(e, "", "")
			data := e.Join(home, "data")
			if v := e.Variable("CLINE_DATA_DIR"); v != "" {
				data, from = v, "CLINE_DATA_DIR"
			}
			sessions := Root{Name: "sessions", Path: e.Join(data, "sessions"), From: from, list: listClineSessions}
			if v := e.Variable("CLINE_SESSION_DATA_DIR"); v != "" {
				sessions.Path, sessions.From = v, "CLINE_SESSION_DATA_DIR"
			}
			return append(roots, Root{Name: "tasks", Path: e.Join(data, "tasks"), From: from, list: listTasks}, sessions)
		},
		Head: func(s *Session) bool {
			if manifest, ok := strings.CutSuffix(s.Path, ".messages.json"); ok && s.Workspace == "" {
				s.Workspace = clineWorkspace(manifest + ".json")
			}
			return false
		},
		Settings: func(e dirs.Environment, home, _ string, found configfile.Values) {
			configfile.JSON(configfile.File{Name: e.Join(home, "data", "globalState.json")}, found, "autoCondenseThreshold")
		},
		SessionSettings: func(s Session, found configfile.Values) {
			extensionStates(s, func(state json.Value) { scalars(state, found, "autoCondenseThreshold") })
		},
	}
	rooCode  = clineFork(agent.RooCode, "rooveterinaryinc.roo-cline")
	kiloCode = clineFork(agent.KiloCode, "kilocode.kilo-code")
	zooCode  = clineFork(agent.ZooCode, "zoocodeorganization.zoo-code")
)

func clineFork(id, extension string) Agent {
	return Agent{ID: id, Family: agent.RooCode, Roots: tasksOf(extension), SessionSettings: condensing}
}

// tasksOf lists the folders of an extension's tasks.
func tasksOf(extension string) func(e dirs.Environment, home, from string) []Root {
	return func(e dirs.Environment, _, _ string) (roots []Root) {
		for _, storage := range storages(e) {
			roots = append(roots, Root{Path: e.Join(storage.path, extension, "tasks"), From: storage.from, list: listTasks})
		}
		return roots
	}
}

// extensionStates calls do with the states that an editor keeps for the extension of a task, the last of which counts
// most: <storage>/<extension>/tasks/<task>/<file>.
func extensionStates(s Session, do func(state json.Value)) {
	extension := filepath.Dir(filepath.Dir(filepath.Dir(s.Path)))
	storage := filepath.Dir(extension)
	if filepath.Base(storage) != "globalStorage" {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), databasePatience)
	defer cancel()
	for _, database := range editorStates(storage, s.Workspace) {
		do(stores.ExtensionState(ctx, database, filepath.Base(extension)))
	}
}

func scalars(state json.Value, found configfile.Values, names ...string) {
	for _, name := range names {
		if text, ok := configfile.Scalar(state.Get(name)); ok {
			found[name] = text
		}
	}
}

// condensing settles when Roo Code and its forks condense: the threshold of the profile of settings that is in use
// counts more than the one for all, and none counts where condensing is switched off. Only numbers that they accept do.
func condensing(s Session, found configfile.Values) {
	extensionStates(s, func(state json.Value) {
		const name = "autoCondenseContextPercent"
		scalars(state, found, name, "autoCondenseContext")
		if found["autoCondenseContext"] == "false" {
			delete(found, name)
			return
		}
		profile := "default"
		for e := state.Get("listApiConfigMeta").Elements(); e.Next(); {
			if current := state.Get("currentApiConfigName"); current.Kind() == json.String && e.Value.Get("name").Is(current.String()) {
				profile = e.Value.Get("id").String()
			}
		}
		threshold := state.Get("profileThresholds").Get(profile)
		if n, fault := threshold.Milli(); threshold.Kind() == json.Number && fault == json.NumberOK && n >= 5_000 && n <= 100_000 {
			found[name] = string(threshold.Raw())
		}
	})
}
