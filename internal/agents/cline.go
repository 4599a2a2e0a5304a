// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/promptload"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// cline keeps tasks in a directory that is named after its extension, like the extensions derived from it.
var (
	cline = Agent{
		ID:        agent.Cline,
		Home:      Folder{Variable: "CLINE_DIR", Default: ".cline"},
		Variables: []string{"CLINE_DATA_DIR", "CLINE_SESSION_DATA_DIR"},
		Family:    agent.RooCode,
		Places: Places{
			Roots: func(e dirs.Environment, home, from string) []Root {
				roots := extensionTasks(e, "saoudrizwan.claude-dev", "")
				data := e.Join(home, "data")
				if v := e.Variable("CLINE_DATA_DIR"); v != "" {
					data, from = v, "CLINE_DATA_DIR"
				}
				sessions := Root{Name: "sessions", Path: e.Join(data, "sessions"), From: from, List: listClineSessions}
				if v := e.Variable("CLINE_SESSION_DATA_DIR"); v != "" {
					sessions.Path, sessions.From = v, "CLINE_SESSION_DATA_DIR"
				}
				return append(roots, Root{Name: "tasks", Path: e.Join(data, "tasks"), From: from, List: listTasks}, sessions)
			},
		},
		Records: Records{
			Forms: map[transcript.Form]*Form{transcript.Task: {
				Open:  func(s transcript.Session) transcript.Tail { return &taskTail{session: s} },
				State: taskState, Head: taskHeadOf, Part: taskOf,
			}},
			Head: func(s *transcript.Session) bool {
				if path, parent := clineManifestOf(s.Path); path != "" {
					manifest, _ := configfile.ReadJSON(path)
					if parent == "" {
						transcript.SetStart(s, manifest.Get("started_at"))
					} else {
						s.ID, s.Parent = parent+clineSubAgent+clineStem(s.Path), parent
					}
					if s.Workspace == "" {
						s.Workspace = clineWorkspace(path)
					}
				}
				return false
			},
			Join:      joinCline,
			Beside:    clineCompaction,
			ExitCodes: patterns(`(?i)exited with (?:exit )?code (-?\d+)`),
		},
		Configuration: Configuration{
			Settings: func(_ *Agent, e dirs.Environment, home, _ string, found configfile.Values) {
				configfile.JSON(configfile.File{Name: e.Join(home, "data", "globalState.json")}, found, "autoCondenseThreshold")
			},
			SessionSettings: func(s transcript.Session, found configfile.Values) {
				extensionStates(s, func(state json.Value) { scalars(state, found, "autoCondenseThreshold") })
			},
			MCPFiles:          []MCPFile{{Path: "~/.cline/data/settings/cline_mcp_settings.json", Member: "mcpServers"}},
			ServersUnrecorded: true,
		},
		Prompts: Prompts{
			Load:          loadCline,
			PromptFiles:   []string{".clinerules", ".clinerules/*.md", "AGENTS.md"},
			PromptFolders: []string{"Documents/Cline/Rules"},
		},
		Process: Process{Programs: []string{"cline"}, Tabs: "claude-dev|cline"},
	}
)

// rooCode and kiloCode are extensions derived from Cline.
var (
	rooCode = Agent{
		ID:            agent.RooCode,
		Home:          Folder{Extension: "rooveterinaryinc.roo-cline"},
		Family:        agent.RooCode,
		Places:        Places{Roots: extensionTasks},
		Records:       Records{ExitCodes: patterns(`(?i)exited with (?:exit )?code (-?\d+)`)},
		Configuration: Configuration{SessionSettings: condensing},
		Prompts: Prompts{
			Load:          loadRooCode,
			PromptFiles:   []string{".roo/rules/*.md", ".roo/rules/*/*.md", ".roorules", "AGENTS.md"},
			PromptFolders: []string{".roo"},
		},
		Process: Process{Tabs: "roo-cline|roo-code"},
	}
	kiloCode = Agent{
		ID: agent.KiloCode, Home: Folder{Extension: "kilocode.kilo-code"}, Family: agent.RooCode,
		Places:        Places{Roots: extensionTasks},
		Records:       Records{ExitCodes: patterns(`(?i)(?:command failed|failed) with exit code:? (-?\d+)`)},
		Configuration: Configuration{SessionSettings: condensing},
		Process:       Process{Tabs: "kilo-code"},
	}
)

// extensionTasks returns the directories of an extension's tasks. Its home is the name of its storage directory.
func extensionTasks(e dirs.Environment, home, _ string) (roots []Root) {
	for _, storage := range storages(e) {
		roots = append(roots, Root{Path: e.Join(storage.path, home, "tasks"), From: storage.from, List: listTasks})
	}
	return roots
}

// loadCline and loadRooCode load the rules of the user, and those of the workspace.
func loadCline(l *promptload.Loader) {
	if f := l.Own(l.Environment.Join(l.Environment.Home, "Documents", "Cline", "Rules")); f != nil {
		f.As = ".clinerules/"
		l.Rules(f, ".")
	}
	l.Rules(l.Workspace, ".clinerules")
	l.Memory(l.Workspace, ".clinerules")
	l.Memory(l.Workspace, "AGENTS.md")
	if hasSkills(l) {
		l.Out.Skills = append(l.Out.Skills, promptload.Text{Label: "skills", Tokens: clineSkills})
	}
}

// clineSkills is the size of the tool that Cline has in folders with skills, of which it lists only names. It was
// measured in version 3.0.65.
const clineSkills = 237

func hasSkills(l *promptload.Loader) bool {
	folders := []*promptload.Folder{l.Workspace, l.Own(l.Environment.Join(l.Environment.Home, ".cline")), l.Own(l.Environment.Join(l.Environment.Home, ".agents"))}
	for i, f := range folders {
		dirs := []string{"skills"}
		if i == 0 {
			dirs = []string{".agents/skills", ".cline/skills", ".clinerules/skills"}
		}
		for _, dir := range dirs {
			if len(l.Files(f, dir, "SKILL.md", 0)) > 0 {
				return true
			}
		}
	}
	return false
}

func loadRooCode(l *promptload.Loader) {
	l.Rules(l.Own(l.Environment.Join(l.Environment.Home, ".roo")), "rules")
	l.Rules(l.Workspace, ".roo/rules")
	l.Memory(l.Workspace, ".roorules")
	l.Memory(l.Workspace, "AGENTS.md")
}

// extensionStates calls do with the states that an editor keeps for the extension of a task; the last one takes
// precedence. The path of a task is <storage>/<extension>/tasks/<task>/<file>.
func extensionStates(s transcript.Session, do func(state json.Value)) {
	extension := filepath.Dir(filepath.Dir(filepath.Dir(s.Path)))
	storage := filepath.Dir(extension)
	if filepath.Base(storage) != "globalStorage" {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), transcript.DatabasePatience)
	defer cancel()
	for _, database := range editorStates(storage, s.Workspace) {
		do(extensionState(ctx, database, filepath.Base(extension)))
	}
}

func scalars(state json.Value, found configfile.Values, names ...string) {
	for _, name := range names {
		if text, ok := configfile.Scalar(state.Get(name)); ok {
			found[name] = text
		}
	}
}

// condensing determines when Roo Code and its forks condense: the threshold of the profile of settings in use takes
// precedence over the one for all, and neither applies if condensing is switched off. Only numbers that they accept are
// used.
func condensing(s transcript.Session, found configfile.Values) {
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

// Cline and the extensions derived from it keep a task as a directory of two documents, each rewritten as a whole: the
// messages that were shown, with the usage of every request, and the messages that were sent. The path of a session is
// that of the first document.
const (
	ShownFile = "ui_messages.json"
	SentFile  = "api_conversation_history.json"
)

// listTasks lists tasks/<id>/ui_messages.json.
func listTasks(root Root, see func(Candidate)) error {
	tasks, err := os.ReadDir(root.Path)
	if err != nil {
		return err
	}
	workspaces := TaskWorkspaces(root.Path)
	for _, task := range tasks {
		path := filepath.Join(root.Path, task.Name(), ShownFile)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			see(Candidate{Agent: root.Agent, Path: path, Info: info, Kind: transcript.Task, ID: task.Name(), Alone: true, Workspace: workspaces[task.Name()]})
		}
	}
	return nil
}

// maxTaskList is the maximum size of a list of tasks. Without the list, the prompts show the workspaces.
const maxTaskList = 16 << 20

// TaskWorkspaces returns the directory that each task was started in, by id, from Cline's list of the tasks in a
// directory.
func TaskWorkspaces(tasks string) map[string]string {
	path := filepath.Join(filepath.Dir(tasks), "state", "taskHistory.json")
	info, err := os.Stat(path)
	if err != nil || info.Size() > maxTaskList {
		return nil
	}
	text, err := transcript.ReadDocument(path, info)
	if err != nil {
		return nil
	}
	v, err := json.Parse(text)
	if err != nil {
		return nil
	}
	workspaces := map[string]string{}
	for e := v.Elements(); e.Next(); {
		dir := ""
		if transcript.SetText(&dir, e.Value.Get("cwdOnTaskInitialization")); dir != "" {
			workspaces[e.Value.Get("id").String()] = dir
		}
	}
	return workspaces
}

// listClineSessions lists sessions/<id>/<id>.messages.json, of Cline 4.
func listClineSessions(root Root, see func(Candidate)) error {
	sessions, err := os.ReadDir(root.Path)
	if err != nil {
		return err
	}
	for _, session := range sessions {
		folder := filepath.Join(root.Path, session.Name())
		manifest, workspace := filepath.Join(folder, session.Name()+".json"), ""
		for _, entry := range entries(folder) {
			stem, ok := strings.CutSuffix(entry.Name(), clineMessages)
			if !ok {
				continue
			}
			c, ok := candidateAt(root.Agent, folder, entry, transcript.Document)
			if !ok {
				continue
			}
			if workspace == "" {
				workspace = clineWorkspace(manifest)
			}
			c.Workspace = workspace
			if c.ID, c.Alone = stem, stem == session.Name(); !c.Alone {
				c.ID, c.Parent = session.Name()+clineSubAgent+stem, session.Name()
			}
			see(c)
		}
	}
	return nil
}

// clineWorkspace returns the directory that the manifest next to a session names.
func clineWorkspace(manifest string) string {
	v, ok := configfile.ReadJSON(manifest)
	if !ok {
		return ""
	}
	for _, key := range []string{"cwd", "workspace_root", "workspaceRoot"} {
		if dir := v.Get(key); dir.Kind() == json.String && dir.TextLen() > 0 && dir.TextLen() < 4096 {
			return dir.String()
		}
	}
	return ""
}
