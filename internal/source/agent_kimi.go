// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"path/filepath"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
)

var kimiCode = Agent{
	ID: agent.KimiCode, Home: Folder{Variable: "KIMI_CODE_HOME", Default: ".kimi-code", Absolute: true},
	Roots: func(e dirs.Environment, home, from string) []Root {
		desktop := e.Join(e.Home, ".config", "kimi-desktop")
		switch e.OS {
		case "darwin":
			desktop = e.Join(e.Home, "Library/Application Support/kimi-desktop")
		case "windows":
			desktop = e.Join(e.Roaming(), "kimi-desktop")
		}
		return []Root{
			{Path: e.Join(home, "sessions"), From: from, list: listKimiCode},
			{Name: "desktop", Path: e.Join(desktop, "daimon-share/daimon/runtime/kimi-code/home/sessions"), list: listKimiCode},
		}
	},
	Head: func(s *Session) bool {
		folder := filepath.Dir(s.Path)
		if of := filepath.Dir(folder); s.ID == "" && filepath.Base(of) == "agents" {
			s.ID, s.Parent = kimiCodeID(filepath.Base(filepath.Dir(of)), filepath.Base(folder))
		}
		if v, ok := configfile.ReadJSON(filepath.Join(filepath.Dir(filepath.Dir(folder)), "state.json")); ok {
			setText(&s.Workspace, v.Get("workDir"))
			setStart(s, v.Get("createdAt"))
		}
		return named(s)
	},
	Family:   agent.KimiCode,
	Settings: kimiSettings,
	Tried:    []Version{{Field: []string{"protocol_version"}, Known: "1.5"}},
}

var kimiCLI = Agent{
	ID: agent.KimiCLI, Home: Folder{Variable: "KIMI_SHARE_DIR", Default: ".kimi", Absolute: true},
	Roots: func(e dirs.Environment, home, from string) []Root {
		return []Root{{Path: e.Join(home, "sessions"), From: from, list: listKimiCLI}}
	},
	Head: func(s *Session) bool {
		named(s)
		return true
	},
	Family:   agent.KimiCode,
	Settings: kimiSettings,
	Tried:    []Version{{Field: []string{"protocol_version"}, Known: "1.9"}},
}

func kimiSettings(e dirs.Environment, home, _ string, found configfile.Values) {
	configfile.TOML(e.Join(home, "config.toml"), found, "loop_control.compaction_trigger_ratio", "loop_control.reserved_context_size")
}
