// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

var pi = Agent{
	ID:     agent.Pi,
	Home:   Folder{Variable: "PI_CODING_AGENT_DIR", Default: ".pi/agent"},
	Family: agent.Pi,
	Tried:  []Version{{Field: []string{"version"}, Known: "3"}},
	Places: Places{
		Roots:         inHome(Root{Path: "sessions", List: listPi}),
		MovedSessions: "PI_CODING_AGENT_SESSION_DIR",
	},
	Configuration: Configuration{
		Settings: piSettings,
		SettingsFiles: func(a *Agent, e dirs.Environment, home, workspace string) []SettingsFile {
			as := SettingsFile{Strict: true, Names: []string{"compaction.enabled", "compaction.reserveTokens"}}
			models := SettingsFile{Strict: true, Windows: []ModelWindow{{Model: "providers.*.models.*", Window: "contextWindow", Output: "maxTokens"}}}
			return append(a.files(workspace, as, e.Join(home, "settings.json")), a.files("", models, e.Join(home, "models.json"))...)
		},
		WorkspaceSettings: []string{".pi/settings.json"},
	},
	Prompts: Prompts{PromptsAtHome: true},
	Process: Process{Programs: []string{"pi"}},
}

// piSettings also reads the limits of models that the user has described.
func piSettings(a *Agent, e dirs.Environment, home, workspace string, found configfile.Values) {
	a.fromFiles(e, home, workspace, found)
	list, ok := configfile.ReadJSON(e.Join(home, "models.json"))
	if !ok {
		return
	}
	n := 0
	for f := list.Get("providers").Fields(); f.Next(); {
		for m := f.Value.Get("models").Elements(); m.Next() && n < maxModels; n++ {
			id, window := m.Value.Get("id"), limitWord(m.Value.Get("contextWindow"))
			if window != "-" && id.Kind() == json.String && f.Key.TextLen() < 100 && id.TextLen() <= 150 {
				found[modelLimits+f.Key.String()+"/"+id.String()] = window + " - " + limitWord(m.Value.Get("maxTokens"))
			}
		}
	}
}

// openClaw is derived from Pi.
var openClaw = Agent{
	ID:     agent.OpenClaw,
	Home:   Folder{Variable: "OPENCLAW_STATE_DIR", Default: ".openclaw", Absolute: true},
	Family: agent.Pi,
	Tried:  []Version{{Field: []string{"version"}, Known: "3"}},
	Places: Places{
		Roots: func(e dirs.Environment, home, from string) []Root {
			roots := []Root{{Path: e.Join(home, "agents"), From: from, List: listOpenClaw}}
			if from != "" {
				return roots
			}
			// OpenClaw has had other names, and keeps their folders where they are.
			for _, former := range []string{"clawdbot", "moltbot", "moldbot"} {
				roots = append(roots, Root{Name: former, Path: e.Join(e.Home, "."+former, "agents"), List: listOpenClaw})
			}
			return roots
		},
	},
	Process: Process{Programs: []string{"openclaw"}},
}

// listPi lists sessions/--<directory>--/<time>_<session>.jsonl, or the files alone if a setting has moved them.
func listPi(root Root, see func(Candidate)) error {
	folders, err := os.ReadDir(root.Path)
	if err != nil {
		return err
	}
	seePi(root, root.Path, folders, see)
	for _, folder := range folders {
		if isFolder(root.Path, folder) {
			path := filepath.Join(root.Path, folder.Name())
			seePi(root, path, entries(path), see)
		}
	}
	return nil
}

// listOpenClaw lists agents/<agent>/sessions/<session>.jsonl.
func listOpenClaw(root Root, see func(Candidate)) error {
	folders, err := os.ReadDir(root.Path)
	if err != nil {
		return err
	}
	for _, folder := range folders {
		if isFolder(root.Path, folder) {
			path := filepath.Join(root.Path, folder.Name(), "sessions")
			seePi(root, path, entries(path), see)
		}
	}
	return nil
}

func seePi(root Root, folder string, files []os.DirEntry, see func(Candidate)) {
	for _, file := range files {
		stem, ok := strings.CutSuffix(file.Name(), ".jsonl")
		if !ok {
			continue
		}
		if c, ok := candidateAt(root.Agent, folder, file, transcript.Lines); ok {
			if _, id, dated := strings.Cut(stem, "_"); dated {
				stem = id
			}
			c.ID, c.Alone = stem, true
			see(c)
		}
	}
}
