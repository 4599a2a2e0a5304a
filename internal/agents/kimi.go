// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"crypto/md5" // Kimi CLI names folders by it; it protects nothing
	"encoding/hex"
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// kimiCodeVariables describe a model and its window.
var kimiCodeVariables = []string{"KIMI_MODEL_NAME", "KIMI_MODEL_MAX_CONTEXT_SIZE"}

var kimiCode = Agent{
	ID:        agent.KimiCode,
	Home:      Folder{Variable: "KIMI_CODE_HOME", Default: ".kimi-code", Absolute: true},
	Variables: kimiCodeVariables,
	Family:    agent.KimiCode,
	Tried:     []Version{{Field: []string{"protocol_version"}, Known: "1.5"}},
	Places: Places{
		Roots: func(e dirs.Environment, home, from string) []Root {
			desktop := e.Join(e.Home, ".config", "kimi-desktop")
			switch e.OS {
			case "darwin":
				desktop = e.Join(e.Home, "Library/Application Support/kimi-desktop")
			case "windows":
				desktop = e.Join(e.Roaming(), "kimi-desktop")
			}
			return []Root{
				{Path: e.Join(home, "sessions"), From: from, List: listKimiCode},
				{Name: "desktop", Path: e.Join(desktop, "daimon-share/daimon/runtime/kimi-code/home/sessions"), List: listKimiCode},
			}
		},
	},
	Records: Records{
		Head: func(s *transcript.Session) bool {
			folder := filepath.Dir(s.Path)
			if of := filepath.Dir(folder); s.ID == "" && filepath.Base(of) == "agents" {
				s.ID, s.Parent = kimiCodeID(filepath.Base(filepath.Dir(of)), filepath.Base(folder))
			}
			if v, ok := configfile.ReadJSON(filepath.Join(filepath.Dir(filepath.Dir(folder)), "state.json")); ok {
				transcript.SetText(&s.Workspace, v.Get("workDir")) // until version 2
				transcript.SetText(&s.Workspace, v.Get("cwd"))
				transcript.SetStart(s, v.Get("createdAt"))
			}
			if s.Workspace == "" {
				s.Workspace = kimiCodeWorkspace(filepath.Dir(filepath.Dir(folder)))
			}
			return named(s)
		},
	},
	Configuration: Configuration{
		Settings: func(a *Agent, e dirs.Environment, home, workspace string, found configfile.Values) {
			fromEnvironment(e, found, kimiCodeVariables...)
			a.fromFiles(e, home, workspace, found)
		},
		SettingsFiles: kimiSettings,
	},
	Prompts: Prompts{PromptFiles: []string{"AGENTS.md"}, PromptsAtHome: true},
	Process: Process{Programs: []string{"kimi"}},
}

var kimiCLI = Agent{
	ID:     agent.KimiCLI,
	Home:   Folder{Variable: "KIMI_SHARE_DIR", Default: ".kimi", Absolute: true},
	Family: agent.KimiCode,
	Tried:  []Version{{Field: []string{"protocol_version"}, Known: "1.9"}},
	Places: Places{
		Roots: inHome(Root{Path: "sessions", List: listKimiCLI}),
	},
	Records: Records{
		Head: func(s *transcript.Session) bool {
			named(s)
			return true
		},
	},
	Configuration: Configuration{Settings: (*Agent).fromFiles, SettingsFiles: kimiSettings},
	Prompts:       Prompts{PromptFiles: []string{"AGENTS.md"}, PromptsAtHome: true},
	Process:       Process{Programs: []string{"kimi-cli"}},
}

func kimiSettings(a *Agent, e dirs.Environment, home, _ string) []SettingsFile {
	as := SettingsFile{Form: configfile.InTOML, Names: []string{"loop_control.compaction_trigger_ratio", "loop_control.reserved_context_size"}}
	return a.files("", as, e.Join(home, "config.toml"))
}

// listKimiCode: sessions/wd_<directory>/<session>/agents/<agent>/wire.jsonl. The agent of the session is "main".
func listKimiCode(root Root, see func(Candidate)) error {
	return eachFolder(root.Path, func(project, _ string) {
		_ = eachFolder(project, func(session, id string) {
			_ = eachFolder(filepath.Join(session, "agents"), func(folder, name string) {
				c := Candidate{Agent: root.Agent, Path: filepath.Join(folder, "wire.jsonl")}
				c.ID, c.Parent = kimiCodeID(id, name)
				c.Alone = c.Parent == ""
				seeFile(c, see)
			})
		})
	})
}

// kimiCodeWorkspace returns the directory that a session belongs to: a list next to the sessions has that of each
// folder of sessions.
func kimiCodeWorkspace(session string) (workspace string) {
	folder := filepath.Dir(session)
	if list, ok := configfile.ReadJSON(filepath.Join(filepath.Dir(filepath.Dir(folder)), "workspaces.json")); ok {
		transcript.SetText(&workspace, list.Path("workspaces", filepath.Base(folder), "root"))
	}
	return workspace
}

// kimiCodeID names what an agent of a session of Kimi Code has written.
func kimiCodeID(session, agent string) (id, parent string) {
	if agent == "main" {
		return session, ""
	}
	return session + "/" + agent, session
}

// listKimiCLI: sessions/<MD5 of the directory>/<session>/wire.jsonl. A list next to them has the directories.
func listKimiCLI(root Root, see func(Candidate)) error {
	directories := map[string]string{}
	if text, ok := safefile.Small(filepath.Join(filepath.Dir(root.Path), "kimi.json")); ok {
		if v, err := json.Parse(text); err == nil {
			for e := v.Get("work_dirs").Elements(); e.Next(); {
				path := e.Value.Get("path").String()
				sum := md5.Sum([]byte(path))
				directories[hex.EncodeToString(sum[:])] = path
			}
		}
	}
	return eachFolder(root.Path, func(project, name string) {
		workspace := directories[name[strings.LastIndexByte(name, '_')+1:]]
		_ = eachFolder(project, func(session, id string) {
			seeFile(Candidate{Agent: root.Agent, Path: filepath.Join(session, "wire.jsonl"), ID: id, Alone: true, Workspace: workspace}, see)
		})
	})
}
