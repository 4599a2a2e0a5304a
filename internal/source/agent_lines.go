// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
)

// named names a session that is still without an id after its folder, and says whether its directory is known too.
func named(s *Session) bool {
	if s.ID == "" {
		s.ID = filepath.Base(filepath.Dir(s.Path))
	}
	return s.Workspace != ""
}

var grok = Agent{
	ID: agent.Grok, Home: Folder{Variable: "GROK_HOME", Default: ".grok", Absolute: true},
	Variables: []string{"GROK_AUTO_COMPACT_THRESHOLD_PERCENT"},
	Roots: func(e dirs.Environment, home, from string) []Root {
		return []Root{{Path: e.Join(home, "sessions"), From: from, list: listGrok}}
	},
	Head: func(s *Session) bool {
		if v, ok := configfile.ReadJSON(filepath.Join(filepath.Dir(s.Path), "summary.json")); ok {
			setText(&s.ID, v.Path("info", "id"))
			setText(&s.Workspace, v.Path("info", "cwd"))
			setStart(s, v.Get("created_at"))
			if v.Get("session_kind").Is("subagent") {
				setText(&s.Parent, v.Get("parent_session_id"))
				setText(&s.Label, v.Get("agent_name"))
			}
		}
		return named(s)
	},
	Sidecars: func(path string) []Sidecar {
		folder := filepath.Dir(path)
		return []Sidecar{
			{Name: "summary.json", Path: filepath.Join(folder, "summary.json")},
			{Name: "signals.json", Path: filepath.Join(folder, "signals.json")},
			{Name: "updates.jsonl", Path: filepath.Join(folder, "updates.jsonl"), Reduce: func() Reducer { return &grokUpdates{} }},
		}
	},
	Settings: func(e dirs.Environment, home, _ string, found configfile.Values) {
		fromEnvironment(e, found, "GROK_AUTO_COMPACT_THRESHOLD_PERCENT")
		configfile.TOML(e.Join(home, "config.toml"), found, "session.auto_compact_threshold_percent")
	},
}

var dsh = Agent{
	ID: agent.DSH, Home: Folder{Variable: "DSH_HOME", Default: ".dsh", Absolute: true},
	Roots: func(e dirs.Environment, home, from string) []Root {
		return []Root{{Path: e.Join(home, "sessions"), From: from, list: listDSH}}
	},
	Tried: []Version{{Field: []string{"version"}, Known: "1"}},
}

var vibe = Agent{
	ID: agent.Vibe, Home: Folder{Variable: "VIBE_HOME", Default: ".vibe", Absolute: true},
	Roots: func(e dirs.Environment, home, from string) []Root {
		return []Root{{Path: e.Join(home, "logs", "session"), From: from, list: listVibe}}
	},
	Head: func(s *Session) bool {
		if v, ok := configfile.ReadJSON(filepath.Join(filepath.Dir(s.Path), "meta.json")); ok {
			setText(&s.ID, v.Get("session_id"))
			setText(&s.Workspace, v.Path("environment", "working_directory"))
			setStart(s, v.Get("start_time"))
		}
		return named(s)
	},
	Sidecars: func(path string) []Sidecar {
		return []Sidecar{{Name: "meta.json", Path: filepath.Join(filepath.Dir(path), "meta.json")}}
	},
	Settings: func(e dirs.Environment, home, _ string, found configfile.Values) {
		configfile.TOML(e.Join(home, "config.toml"), found, "auto_compact_threshold")
	},
}

var droid = Agent{
	ID: agent.Droid, Home: Folder{Variable: "FACTORY_DIR", Default: ".factory", Absolute: true},
	Roots: func(e dirs.Environment, home, from string) []Root {
		return []Root{{Path: e.Join(home, "sessions"), From: from, list: listDroid}}
	},
	Sidecars: func(path string) []Sidecar {
		return []Sidecar{{Name: "settings.json", Path: strings.TrimSuffix(path, ".jsonl") + ".settings.json"}}
	},
}

var continueDev = Agent{
	ID: agent.Continue, Home: Folder{Variable: "CONTINUE_GLOBAL_DIR", Default: ".continue"},
	Roots: func(e dirs.Environment, home, from string) []Root {
		return []Root{{Path: e.Join(home, "sessions"), From: from, list: listContinue}}
	},
}

var miniSWEAgent = Agent{
	ID: agent.MiniSWEAgent,
	Home: Folder{
		Variable:  "MSWEA_GLOBAL_CONFIG_DIR",
		Elsewhere: func(e dirs.Environment) string { return e.ApplicationConfig("mini-swe-agent") },
	},
	Roots: func(e dirs.Environment, home, from string) []Root {
		return []Root{{Path: e.Join(home, "last_mini_swe_agent_run.traj.json"), From: from, list: listOne}}
	},
}
