// Copyright The ctx-lsp authors. MIT licence.

// Package agents describes each coding agent on this machine, except its records, rule and window, which are in
// core/agent: where it keeps its sessions, its settings, and the files next to its transcripts. Each agent has a file
// here and one of the same name in core/agent; no other package contains an agent's id, directory or variable.
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

// Agent describes a coding agent on this machine, except its records, rule and window, which are in core/agent. Zero
// fields mean the default: plain JSON lines, no settings, nothing loaded.
type Agent struct {
	ID        string   // id of its entry in core/agent
	Home      Folder   // its own directory
	Variables []string // further variables that move its directories, window or threshold
	// Family is the agent with the same form of records, possibly itself; "" if there is none.
	Family string
	// Tried are the newest versions of its form that were tested.
	Tried []Version

	Places
	Records
	Configuration
	Prompts
	Process
}

// Places describes where an agent keeps its sessions.
type Places struct {
	// Roots returns where it keeps sessions. home is its own directory, and from the variable that moved it.
	Roots func(e dirs.Environment, home, from string) []Root
	// MovedSessions is a variable with another directory of sessions.
	MovedSessions string
	// Hosted is set if hosts also run its sessions. A host does not pass on the variable that moves the agent's own
	// directory, so its sessions may be in the default one at the same time.
	Hosted bool
	// ProjectFolder returns the name of the directory with a project's transcripts. It is set if moving a project also
	// moves its transcripts.
	ProjectFolder func(dir string) string
}

// Records describes how an agent's sessions are read, and what its records contain.
type Records struct {
	// Forms are its forms of sessions that are neither lines nor one document.
	Forms map[transcript.Form]*Form
	// Store reads its sessions, if they are not text.
	Store *Store
	// SessionTables describes the names of its database's tables of sessions, so that newer tables are noticed.
	SessionTables *SessionTables
	// Head sets the fields that are known from a transcript's path and sidecars. It returns false if the transcript
	// itself must be read.
	Head func(*transcript.Session) (done bool)
	// First sets the fields that a session's first record contains. It returns false for any other record.
	First func(s *transcript.Session, record json.Value) (done bool)
	// Sidecars returns the documents next to a transcript.
	Sidecars func(path string) []transcript.Sidecar
	// Title finds the name of a session in an index next to the transcripts.
	Title Index
	// NoDirectory is set if its records may lack the directory that it was started in.
	NoDirectory bool
	// Marks is set if the end of a transcript can be read without its beginning.
	Marks *transcript.Marks
	// NamesTokens is set if each measured request is in a record with "_tokens" or "token_count", and each but the
	// first was predicted.
	NamesTokens bool
	// DatesRecords is set if each record contains the time at which it was written.
	DatesRecords bool
	// Join adds records that are kept elsewhere to those of a transcript.
	Join func(transcript.Session, transcript.Tail) transcript.Tail
	// Beside returns a file or folder next to a transcript with records of the same session, "" if there is none.
	Beside func(transcript.Session) string
	// JoinHost adds the data that a host keeps of a session in the database HostStore; nil if the transcript has it
	// itself.
	JoinHost func(transcript.Session, transcript.Tail) transcript.Tail
	// UsageStore returns the database with the measured usage of a session, "" if its log has it itself.
	UsageStore func(transcript.Session) string
	// Limits reads the account's limits from a record; records with limits contain LimitsMark.
	Limits     func(record []byte) *api.Allowance
	LimitsMark string
	// ExitCodes find a command's exit code in its output.
	ExitCodes []*regexp.Regexp
	// ExitsBeside is set if its records have a command's exit code in a separate field.
	ExitsBeside bool
	// MarksFailures is set if its records mark each command that failed.
	MarksFailures bool
	// AsksForSummary is set if the summary of a compaction is the response to a request in its records.
	AsksForSummary bool
}

// Configuration describes an agent's settings, and what can be set in them.
type Configuration struct {
	// ModelSetting is the setting that names its model, with dots between the keys; "" if unknown.
	ModelSetting string
	// Settings adds the agent's variables and settings that affect its window or its threshold, by its own names. home
	// is its own directory.
	Settings func(a *Agent, e dirs.Environment, home, workspace string, found configfile.Values)
	// SettingsFiles returns the files with its settings; a later one takes precedence. home is its own directory.
	SettingsFiles func(a *Agent, e dirs.Environment, home, workspace string) []SettingsFile
	// WorkspaceSettings are the files of a workspace that it reads after its own; the last one takes precedence.
	WorkspaceSettings []string
	// SessionSettings changes the settings that apply to one session.
	SessionSettings func(s transcript.Session, found configfile.Values)
	// MCPFiles are the files in which its MCP servers are configured. ServersUnrecorded is set if its records do not
	// contain the servers' tools, so that only these files show the servers.
	MCPFiles          []MCPFile
	ServersUnrecorded bool
	// ServersYAML is the file below its home whose member mcp_servers has its MCP servers, if that is not one of MCPFiles.
	ServersYAML string
	// StatusLine describes its status line; nil for an agent without one.
	StatusLine *StatusLine
	// Hooks describes its hooks; nil if unknown.
	Hooks *Hooks
}

// Prompts describes the files that an agent sends by itself.
type Prompts struct {
	// Load finds the files that it loads when a session begins; nil for an agent that loads nothing or records it.
	Load func(*promptload.Loader)
	// Unrecorded finds files that it sends without a record. home is its own directory.
	Unrecorded func(e dirs.Environment, s transcript.Session, home string) promptload.Files
	// MemoryUnrecorded is set if it reads changed memory files again, and its records do not contain them.
	MemoryUnrecorded bool
	// PromptFiles are the files that it loads automatically: patterns of paths below the workspace, or below its own
	// directory. Each is of a kind in core/promptfile.
	PromptFiles []string
	// SharedPromptFiles are its prompt files that are written for every agent, in addition to AGENTS.md.
	SharedPromptFiles []string
	// Substitutes are files that it loads, with their imports, in a project without its own files, Substituted.
	Substitutes, Substituted []string
	// PromptFolders are directories with prompt files, below the user's own. PromptsAtHome is set if the agent's own
	// directory is one of them.
	PromptFolders []string
	PromptsAtHome bool
}

// Process describes how an agent's programs are recognized.
type Process struct {
	// Programs are the names of its programs; a name that ends with * is a prefix. Packages are parts of the paths of
	// its scripts.
	Programs, Packages []string
	// Start is the command that starts it with a first prompt: the words before the prompt; "" if unknown.
	Start string
	// AlwaysProcess is set if each of its sessions runs in a process of its program, also inside an editor.
	AlwaysProcess bool
	// Tabs is a regular expression in JavaScript's syntax for the view types of its tabs in VS Code and editors derived
	// from it, regardless of case. It is "" for an agent without tabs.
	Tabs string
	// HoldsOpen is set if its process keeps the transcript open.
	HoldsOpen bool
	// Claims reads from its own directory which process runs which session, if it records that. Cleared reports whether
	// a transcript begins with a command that ended another session of the same process.
	Claims  func(home string) []transcript.Claim
	Cleared func(path string) bool
}

// A Folder is an agent's own directory: the value of Variable, or Default below the user's home directory.
type Folder struct {
	Variable, Default string
	// Elsewhere returns the default if that is not below the home directory.
	Elsewhere func(dirs.Environment) string
	// Within is below the value of Variable, and below the default.
	Within string
	// Absolute is set if a relative path in Variable is ignored.
	Absolute bool
	// Extension is the name of an extension's directory in the storage of each editor, for an agent without another
	// directory.
	Extension string
}

// In returns the directory, and the variable that moved it, if one did. Both are "" for an agent without a directory.
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

// Homes calls see with each of an agent's own directories: the one that its variable names, and the default one if
// hosts run its sessions.
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

// environmentOf returns the environment of a session's agent. A host does not pass on the agent's variables, and a
// variable that names another directory does not apply to a session in the default one. Agents in another system of
// this machine have another home directory.
func environmentOf(e dirs.Environment, s transcript.Session) dirs.Environment {
	if home := homeOfSide(e, s.Path); home != "" {
		return environmentOfSide(e, home)
	}
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

// below reports whether a path is in a directory, at any depth.
func below(path, folder string) bool {
	return folder != "" && strings.HasPrefix(path, strings.TrimRight(folder, `/\`)+string(filepath.Separator))
}

// An Index is a list of names next to the transcripts.
type Index struct {
	File func(transcript.Session) string // "" for a session without one
	Read func(s transcript.Session, file string) string
}

// A Version is the location of the version in a store of an agent, and the newest version that was tested.
type Version struct {
	Query string   // for a database, a query that returns it
	Field []string // otherwise its field in one of the first records
	Long  bool     // the first record may be long
	Known string   // numbers separated by dots; letters before them are ignored
}

// An MCPFile is a file with MCP servers, below the home directory (~) or the workspace (.), and the member in it.
type MCPFile struct {
	Path, Member string
	// Projects is set if the file also has servers of single projects, and the projects for which servers are off.
	// Nested is set if the member may have them in a member "servers".
	Projects, Nested bool
}

// all contains all agents, in the order of their directories.
var all []*Agent

// The list is filled here because functions shared by agents look agents up in it.
func init() {
	all = []*Agent{
		&claudeCode, &codex, &openCode, &kilo, &geminiCLI, &qwenCode, &copilotCLI, &miniSWEAgent, &cline, &rooCode, &kiloCode,
		&goose, &amp, &crush, &copilotChat, &antigravity, &hermes, &kiro, &cursor, &zed, &continueDev, &pi,
		&openClaw, &kimiCode, &kimiCLI, &grok, &dsh, &vibe, &droid, &miMoCode, &zCode, &aider, &windsurf, &gptme, &openHands, &jetBrains, &junie,
		&auggie, &devin,
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

// All returns all agents, in the order of their directories.
func All() []*Agent { return all }

// Of returns the agent of a session; see [Named].
func Of(s transcript.Session) *Agent { return Named(s.Agent) }

// Named returns the agent with an id. An unknown agent has the defaults.
func Named(id string) *Agent {
	if a := ByID(id); a != nil {
		return a
	}
	return &Agent{}
}

// WritesClaims reports whether an agent records which process runs which session; see [Agent.Claims].
func WritesClaims(id string) bool {
	a := ByID(id)
	return a != nil && a.Claims != nil
}

// Cleared reports whether a session begins with a command that ended another session of the same process.
func Cleared(id, path string) bool {
	a := ByID(id)
	return a != nil && a.Cleared != nil && a.Cleared(path)
}

// HomeOf returns an agent's own directory.
func HomeOf(e dirs.Environment, id string) string {
	home := ""
	if a := ByID(id); a != nil {
		home, _ = a.Home.In(e)
	}
	return home
}

// Roots returns all locations that may contain sessions, whether they exist or not.
func Roots(e dirs.Environment) (roots []Root) {
	for _, a := range all {
		roots = append(roots, a.roots(e)...)
	}
	return roots
}

// roots returns the locations that may contain sessions of an agent.
func (a *Agent) roots(e dirs.Environment) (roots []Root) {
	if a.Roots == nil || !e.Allows(a.ID) {
		return nil
	}
	var found []Root
	a.Homes(e, func(home, from string) { found = append(found, a.Roots(e, home, from)...) })
	found = append(found, a.otherRoots(e)...)
	if moved := e.Folder(a.MovedSessions); a.MovedSessions != "" && moved != "" {
		found = append(found, Root{Name: "moved", Path: moved, From: a.MovedSessions, List: found[0].List})
	}
	cache := e.CacheDir()
	for _, root := range found {
		if root.Path == "" {
			continue
		}
		root.Agent, root.Cache, root.Readable = a.ID, cache, root.List != nil
		name := a.Name()
		if root.Name != "" { // the kind of location, if an agent has several
			name += " (" + root.Name + ")"
		}
		root.Name = name
		roots = append(roots, root)
	}
	return roots
}

// Keeps reports whether a session is where its agent keeps sessions on this machine.
func Keeps(e dirs.Environment, s transcript.Session) bool {
	for _, root := range Of(s).roots(e) {
		if s.Path == root.Path || below(s.Path, root.Path) {
			return true
		}
	}
	return false
}

// variables are those that belong to no single agent: to the system, to editors, and to ctx-lsp itself.
var variables = []string{
	"APPDATA", "LOCALAPPDATA", "CTX_STATE_DIR", "CTX_CACHE_DIR", "VSCODE_AGENT_FOLDER", "VSCODE_PORTABLE",
	"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "WSL_DISTRO_NAME",
}

// Variables returns the environment variables that decide where sessions and their settings are found, and those that
// affect an agent's window or threshold. A daemon for several users must know whose they are.
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

// Settings returns the agent's variables and settings that affect its window or its compaction threshold, by the
// agent's names: from the environment, from the agent's settings files, and from those of the workspace. Only the names
// in the agent's description are read from a file.
func Settings(e dirs.Environment, id, workspace string) configfile.Values {
	found := configfile.Values{}
	if a := ByID(id); a != nil && a.Settings != nil && e.Allows(id) {
		home, _ := a.Home.In(e)
		a.Settings(a, e, home, workspace, found)
	}
	return found
}

// modelLimits begins the names of settings that are a model's limits on this machine: the provider and the model
// follow.
const modelLimits = "models."

// SettingsOf returns the settings that apply to a session. Limits of models on this machine do not apply to a session
// that was kept on another machine: its models had other limits there.
func SettingsOf(e dirs.Environment, s transcript.Session) configfile.Values {
	found := Settings(environmentOf(e, s), s.Agent, s.Workspace)
	if change := Of(s).SessionSettings; change != nil {
		change(s, found)
	}
	if !Keeps(e, s) {
		for name := range found {
			if strings.HasPrefix(name, modelLimits) {
				delete(found, name)
			}
		}
	}
	return found
}

// workspaceFiles returns the settings files of a workspace.
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

// RefusedSettings returns the settings files of a workspace that exist but are not read: they are not regular files, or
// are links that lead out of the workspace.
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

// TitleIndex returns the file that IndexedTitle reads for a session; "" if there is none.
func TitleIndex(s transcript.Session) string {
	if index := Of(s).Title; index.File != nil {
		return index.File(s)
	}
	return ""
}

// UsageStore returns the database that belongs to a session's log; "" if there is none.
func UsageStore(s transcript.Session) string {
	if store := Of(s).UsageStore; store != nil {
		return store(s)
	}
	return ""
}

// Sidecars returns the documents that an agent keeps next to a transcript.
func Sidecars(s transcript.Session) []transcript.Sidecar {
	if list := Of(s).Sidecars; list != nil {
		return list(s.Path)
	}
	return nil
}

// Related reports whether records of one agent may be in the transcripts of another, so that only their location
// distinguishes them.
func Related(a, b string) bool {
	if a == b || b == "" {
		return true
	}
	one, other := ByID(a), ByID(b)
	return one != nil && other != nil && one.Family != "" && one.Family == other.Family
}
