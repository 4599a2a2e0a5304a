// Copyright The ctx-lsp authors. MIT licence.

// Package agents has what is known of each coding agent on this machine, except its records, rule and window, which
// core/agent has: where it keeps its sessions, what its settings say, and what lies next to its transcripts. Each agent
// has a file here and one of the same name in core/agent; no other package knows an agent's id, folder or variable.
package agents

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/promptload"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// Agent describes a coding agent on this machine, except its records, rule and window, which core/agent knows.
// Zero fields mean the default: plain JSON lines, no settings, nothing loaded.
type Agent struct {
	ID        string   // core/agent has the entry of this id
	Home      Folder   // its own folder
	Variables []string // further variables that move places, window or line

	// Roots lists where it keeps sessions. home is its own folder, from the variable that moved it.
	Roots func(e dirs.Environment, home, from string) []Root
	// MovedSessions is a variable that names one more folder with sessions.
	MovedSessions string
	// Head sets the fields that are known from the path and the sidecars of a transcript. It returns false if the
	// transcript itself has to be read.
	Head func(*transcript.Session) (done bool)
	// First sets the fields that a session's first record names; false for any other record.
	First func(s *transcript.Session, record json.Value) (done bool)
	// Forms are its ways to keep sessions that are neither lines nor one document.
	Forms map[transcript.Form]*Form
	// Join adds records that are kept elsewhere to those of a transcript.
	Join func(transcript.Session, transcript.Tail) transcript.Tail
	// Beside returns a file next to a transcript whose records Join adds, "" without one.
	Beside func(transcript.Session) string
	// JoinHost adds what a host keeps of a session, in the database HostStore; nil if its transcript has that itself.
	JoinHost func(transcript.Session, transcript.Tail) transcript.Tail
	// Hosted is set if a host runs its sessions too. A host does not pass on the variable that moves the agent's own
	// folder, so its sessions may be in the default one at the same time.
	Hosted bool
	// Sidecars lists the documents beside a transcript.
	Sidecars func(path string) []transcript.Sidecar
	// Store reads its sessions, if they are not text.
	Store *Store
	// Title finds the name of a session in an index beside the transcripts.
	Title Index
	// UsageStore returns the database with what the provider measured of a session, "" if its log has that itself.
	UsageStore func(transcript.Session) string
	// ProjectFolder names the folder with the transcripts of a directory. It is set if moving a project moves its
	// transcripts too.
	ProjectFolder func(dir string) string
	// Family is the agent whose records look the same, itself among them; "" if there is none.
	Family string
	// SessionTables describes how its database names tables of sessions, so that newer ones are noticed.
	SessionTables *SessionTables
	// Tried lists the newest versions of its form that were tried.
	Tried []Version

	// NamesTokens is set if no request is measured but by a record in which "_tokens" or "token_count" occurs, and each
	// but the first was predicted.
	NamesTokens bool
	// Marks is set if the end of a transcript can be read without its beginning.
	Marks *transcript.Marks

	// Settings adds those of its variables and settings that move its window or its line, by its own names for them.
	// home is its own folder.
	Settings func(a *Agent, e dirs.Environment, home, workspace string, found configfile.Values)
	// SettingsFiles lists the files with its settings; a later one takes precedence. home is its own folder.
	SettingsFiles func(a *Agent, e dirs.Environment, home, workspace string) []SettingsFile
	// WorkspaceSettings lists the files of a workspace that it reads after its own; the last one takes precedence.
	WorkspaceSettings []string
	// SessionSettings changes the settings that apply to one session.
	SessionSettings func(s transcript.Session, found configfile.Values)
	// Load finds what it loads when a session begins; nil for an agent that loads nothing or records it.
	Load func(*promptload.Loader)
	// Unrecorded finds files that it sends without a record. home is its own folder.
	Unrecorded func(e dirs.Environment, s transcript.Session, home string) promptload.Files
	// PromptFiles are the files that it loads by itself: patterns of paths below the workspace, or below the user's own
	// folder. Each is of a kind that core/promptfile knows.
	PromptFiles []string
	// SharedPromptFiles are those of its prompt files that are written for every agent, besides AGENTS.md.
	SharedPromptFiles []string
	// Substitutes are files that it loads, with their imports, in a project with none of Substituted, which are its own.
	Substitutes, Substituted []string
	// PromptFolders are folders with prompt files, below the user's own. PromptsAtHome is set if its own folder is one of
	// them.
	PromptFolders []string
	PromptsAtHome bool
	// Limits reads the limits of its account that a record tells; records with one contain LimitsMark.
	Limits     func(record []byte) *api.Allowance
	LimitsMark string
	// MCPFiles lists where its MCP servers are configured. ServersUnrecorded is set if its records do not contain the
	// servers' tools, so that these files say which servers there are.
	MCPFiles          []MCPFile
	ServersUnrecorded bool

	// Programs are the names of its programs; those that end with * are beginnings of names. Packages are parts of the
	// paths of its scripts.
	Programs, Packages []string
	// Start is how it is started with a first prompt: the words before the prompt; "" if unknown.
	Start string
	// AlwaysProcess is set if each of its sessions runs in a process of its program, inside an editor too.
	AlwaysProcess bool
	// Tabs is a regular expression, as JavaScript has them, for the view types of its tabs in VS Code and the editors
	// made from it. Upper and lower case are the same. "" for an agent without tabs.
	Tabs string
	// Hooks is what is known of its hooks; nil if nothing.
	Hooks *Hooks
	// StatusLine is what is known of its status line; nil for an agent without one.
	StatusLine *StatusLine
	// HoldsOpen is set if its process has the transcript open.
	HoldsOpen bool
	// Claims reads which process runs which session, if it writes that in its own folder; Cleared reports whether a
	// transcript begins with a command that ended another session of the same process.
	Claims  func(home string) []transcript.Claim
	Cleared func(path string) bool
	// ExitCodes find a command's exit code in its output.
	ExitCodes []*regexp.Regexp
	// ExitsBeside is set if its records have a command's exit code in a field of its own.
	ExitsBeside bool
	// MarksFailures is set if each command that failed is marked in its records.
	MarksFailures bool
	// DatesRecords is set if each record has the time of its writing.
	DatesRecords bool
	// AsksForSummary is set if the summary of a compaction is the answer to a request in its records.
	AsksForSummary bool
	// ACPName is part of the name by which it presents itself in the Agent Client Protocol.
	ACPName string
}

// A Folder is an agent's own folder. It is what Variable names, or Default below the user's home directory.
type Folder struct {
	Variable, Default string
	// Elsewhere returns the default if that is not below the home directory.
	Elsewhere func(dirs.Environment) string
	// Within is below what Variable names, and below the default.
	Within string
	// Absolute is set if a relative path in Variable is ignored.
	Absolute bool
	// Extension is the name of an extension's folder in the storage of each editor, for an agent without another folder.
	Extension string
}

// In returns the folder, and the variable that moved it, if one did. Both are "" for an agent without a folder.
func (f Folder) In(e dirs.Environment) (path, from string) {
	if f.Extension != "" {
		return f.Extension, ""
	}
	moved := ""
	switch {
	case f.Variable == "":
	case f.Absolute:
		moved = e.Folder(f.Variable)
	default:
		moved = e.Variable(f.Variable)
	}
	switch {
	case moved != "":
		path, from = moved, f.Variable
	case f.Elsewhere != nil:
		path = f.Elsewhere(e)
	case f.Default != "":
		path = e.Join(e.Home, f.Default)
	case f.Within != "":
		path = e.Home
	}
	if f.Within != "" {
		path = e.Join(path, f.Within)
	}
	return path, from
}

// Homes calls see with each of an agent's own folders: the one that its variable names, and the default one if hosts
// run its sessions.
func (a *Agent) Homes(e dirs.Environment, see func(home, from string)) {
	home, from := a.Home.In(e)
	see(home, from)
	if a.Hosted && from != "" {
		if usual, _ := a.Home.In(without(e, from)); usual != "" && usual != home {
			see(usual, "")
		}
	}
}

// without returns an environment in which some variables are not set.
func without(e dirs.Environment, names ...string) dirs.Environment {
	get := e.Getenv
	e.Getenv = func(name string) string {
		if slices.Contains(names, name) {
			return ""
		}
		return get(name)
	}
	return e
}

// environmentOf returns the environment of a session's agent. A host passes none of the agent's variables on, and a
// variable that names another folder does not apply to a session in the default one.
func environmentOf(e dirs.Environment, s transcript.Session) dirs.Environment {
	a := Of(s)
	if !a.Hosted {
		return e
	}
	if s.Host != "" {
		return without(e, append([]string{a.Home.Variable}, a.Variables...)...)
	}
	home, from := a.Home.In(e)
	usual, _ := a.Home.In(without(e, a.Home.Variable))
	if from != "" && below(s.Path, usual) && !below(s.Path, home) {
		return without(e, from)
	}
	return e
}

// below reports whether a path is in a folder, at any depth.
func below(path, folder string) bool {
	return folder != "" && strings.HasPrefix(path, strings.TrimRight(folder, `/\`)+string(filepath.Separator))
}

// An Index is a list of names beside the transcripts.
type Index struct {
	File func(transcript.Session) string // "" for a session without one
	Read func(s transcript.Session, file string) string
}

// A Version is where an agent says which version of its own form a store has, and the newest that was tried.
type Version struct {
	Query string   // the one value that tells it, in a database
	Field []string // or where it stands in one of the first records
	Long  bool     // the first record may be long
	Known string   // numbers divided by points; letters before them do not count
}

// An MCPFile is a file with MCP servers, below the home directory (~) or the workspace (.), and the member in it.
type MCPFile struct {
	Path, Member string
	// Projects is set if the file also has servers of single projects, and which of them are off. Nested is set if the
	// member may have them in a member "servers".
	Projects, Nested bool
}

// all lists all agents, in the order of their places.
var all []*Agent

// The list is filled here because what agents have in common looks them up in it.
func init() {
	all = []*Agent{
		&claudeCode, &codex, &openCode, &kilo, &geminiCLI, &qwenCode, &copilotCLI, &miniSWEAgent, &cline, &rooCode, &kiloCode,
		&goose, &amp, &crush, &copilotChat, &antigravity, &hermes, &kiro, &cursor, &zed, &continueDev, &pi,
		&openClaw, &kimiCode, &kimiCLI, &grok, &dsh, &vibe, &droid, &miMoCode, &zCode, &aider, &windsurf,
	}
	for _, each := range agent.Lookalikes() {
		all = append(all, lookalike(each))
	}
}

// Name returns the name of an agent for users.
func (a *Agent) Name() string {
	if entry, ok := agent.Find(a.ID); ok {
		return entry.Name
	}
	return a.ID
}

// ByID returns the agent with an id, nil if there is none.
func ByID(id string) *Agent {
	i := slices.IndexFunc(all, func(a *Agent) bool { return a.ID == id })
	if i < 0 {
		return nil
	}
	return all[i]
}

// All lists all agents, in the order of their places.
func All() []*Agent { return all }

// Of returns the agent of a session, see [Named].
func Of(s transcript.Session) *Agent { return Named(s.Agent) }

// Named returns the agent with an id. An unknown agent has the defaults.
func Named(id string) *Agent {
	if a := ByID(id); a != nil {
		return a
	}
	return &Agent{}
}

// WritesClaims reports whether an agent writes which process runs which session; see [Agent.Claims].
func WritesClaims(id string) bool {
	a := ByID(id)
	return a != nil && a.Claims != nil
}

// Cleared reports whether a session begins with a command that ended another session of the same process.
func Cleared(id, path string) bool {
	a := ByID(id)
	return a != nil && a.Cleared != nil && a.Cleared(path)
}

// HomeOf returns an agent's own folder.
func HomeOf(e dirs.Environment, id string) string {
	home := ""
	if a := ByID(id); a != nil {
		home, _ = a.Home.In(e)
	}
	return home
}

// Roots lists all places in which sessions may be, whether they exist or not.
func Roots(e dirs.Environment) []Root {
	var roots []Root
	cache := e.CacheDir()
	for _, a := range all {
		if a.Roots == nil || !e.Allows(a.ID) {
			continue
		}
		var found []Root
		a.Homes(e, func(home, from string) { found = append(found, a.Roots(e, home, from)...) })
		found = append(found, a.windowsRoots(e)...)
		if moved := e.Folder(a.MovedSessions); a.MovedSessions != "" && moved != "" {
			found = append(found, Root{Name: "moved", Path: moved, From: a.MovedSessions, List: found[0].List})
		}
		for _, root := range found {
			if root.Path == "" {
				continue
			}
			root.Agent, root.Cache, root.Readable = a.ID, cache, root.List != nil
			name := a.Name()
			if root.Name != "" { // the kind of place, where an agent has several
				name += " (" + root.Name + ")"
			}
			root.Name = name
			roots = append(roots, root)
		}
	}
	return roots
}

// Keeps says whether a session lies where its agent keeps sessions on this machine.
func Keeps(e dirs.Environment, s transcript.Session) bool {
	for _, root := range Roots(e) {
		if root.Agent == s.Agent && (s.Path == root.Path || below(s.Path, root.Path)) {
			return true
		}
	}
	return false
}

// variables are those that no single agent reads: of the system, of editors, and of ctx-lsp itself.
var variables = []string{
	"APPDATA", "LOCALAPPDATA", "CTX_STATE_DIR", "CTX_CACHE_DIR", "VSCODE_AGENT_FOLDER", "VSCODE_PORTABLE",
	"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "WSL_DISTRO_NAME",
}

// Variables returns the variables of the environment that decide where sessions and their settings are found, and what
// moves the window or the line of an agent. A daemon of several users has to know whose they are.
func Variables() []string {
	names := slices.Clone(variables)
	for _, a := range all {
		if a.Home.Variable != "" {
			names = append(names, a.Home.Variable)
		}
		if a.MovedSessions != "" {
			names = append(names, a.MovedSessions)
		}
		names = append(names, a.Variables...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Settings returns those of the agent's own variables and settings that move its window or its compaction line, by the
// agent's names for them: from the environment, from the agent's settings files, and from those of the workspace. Of a
// file, only the names that an agent's description lists are read.
func Settings(e dirs.Environment, id, workspace string) configfile.Values {
	found := configfile.Values{}
	if a := ByID(id); a != nil && a.Settings != nil && e.Allows(id) {
		home, _ := a.Home.In(e)
		a.Settings(a, e, home, workspace, found)
	}
	return found
}

// SettingsOf returns the settings that apply to a session. What OpenCode knows of models on this machine says nothing
// about a session that was kept on another: its models had other limits there.
func SettingsOf(e dirs.Environment, s transcript.Session) configfile.Values {
	found := Settings(environmentOf(e, s), s.Agent, s.Workspace)
	if change := Of(s).SessionSettings; change != nil {
		change(s, found)
	}
	if !Keeps(e, s) {
		for name := range found {
			if strings.HasPrefix(name, "models.") {
				delete(found, name)
			}
		}
	}
	return found
}

// workspaceFiles lists the settings files of a workspace.
func (a *Agent) workspaceFiles(workspace string) (files []configfile.File) {
	if !dirs.Local(workspace) {
		return nil
	}
	for _, name := range a.WorkspaceSettings {
		files = append(files, configfile.File{Folder: workspace, Name: name})
	}
	return files
}

// fromEnvironment adds the named variables that are set.
func fromEnvironment(e dirs.Environment, found configfile.Values, names ...string) {
	for _, name := range names {
		if v := strings.TrimSpace(e.Getenv(name)); v != "" {
			found[name] = v
		}
	}
}

// RefusedSettings lists the settings files of a workspace that are not read though they are there: they are no files,
// or links that lead out of the workspace.
func RefusedSettings(id, workspace string) []string {
	a := ByID(id)
	if a == nil {
		return nil
	}
	var refused []string
	for _, file := range a.workspaceFiles(workspace) {
		if path, yes := file.Refused(); yes {
			refused = append(refused, path)
		}
	}
	return refused
}

// IndexedTitle returns the host's name for a session, or the agent's in a file next to its transcript. It is "" if
// neither exists, or if the transcript itself has the title, which core/agent reads.
func IndexedTitle(s transcript.Session) string {
	if s.HostTitle != "" {
		return s.HostTitle
	}
	index := Of(s).Title
	if s.Parent != "" || index.Read == nil || s.Form != transcript.Lines && s.Form != transcript.Compressed {
		return ""
	}
	return index.Read(s, index.File(s))
}

// TitleIndex is the file that IndexedTitle reads for a session; "" without one.
func TitleIndex(s transcript.Session) string {
	if index := Of(s).Title; index.File != nil {
		return index.File(s)
	}
	return ""
}

// UsageStore is the database that belongs to a session's log; "" if there is none.
func UsageStore(s transcript.Session) string {
	if store := Of(s).UsageStore; store != nil {
		return store(s)
	}
	return ""
}

// Sidecars lists the documents that an agent keeps beside a transcript.
func Sidecars(s transcript.Session) []transcript.Sidecar {
	if list := Of(s).Sidecars; list != nil {
		return list(s.Path)
	}
	return nil
}

// Related says whether records of one agent may be in the transcripts of another: they are told apart by their place.
func Related(a, b string) bool {
	if a == b || b == "" {
		return true
	}
	one, other := ByID(a), ByID(b)
	return one != nil && other != nil && one.Family != "" && one.Family == other.Family
}
