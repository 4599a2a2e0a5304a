// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// Entry is all that is known of an agent. What other languages need of it is generated: see tools/gen/agents.
type Entry struct {
	ID   string // as readings and settings have it
	Name string // as people know it

	// Program is the word by which its process is known, "" for an agent without a process of its own.
	Program string
	// AlwaysProcess is true if each of its sessions runs in a process of Program, inside an editor too.
	AlwaysProcess bool
	// Webview is a regular expression, as JavaScript has them, for the view types of its tabs in VS Code and the
	// editors made from it. Upper and lower case are the same. "" for an agent without tabs.
	Webview string
	// CompactCommand is what makes room in its window: a command that is typed, or the name of a button.
	CompactCommand string
	// MCPOff switches off one of the MCP servers that it is configured with, NAME standing for the server's.
	MCPOff string
	// Commands are further commands of its own, for what its person can do when the window fills.
	Commands core.Commands
	// HookEvents are the events of its hooks whose answer may carry a text for the model.
	HookEvents []string
	// PromptFiles are the files that it loads by itself: patterns of paths below the workspace, or below the user's own
	// folder. Each is of a kind that core/promptfile knows.
	PromptFiles []string
	// HomeFolders are the folders below the user's own folder from which it reads prompt files.
	HomeFolders []string

	// FromStore marks an agent whose store hosts read and pass on in the records of transcript.StoreWriter.
	FromStore bool
	// Recognise knows a record of its transcripts by the content alone; nil where only the place tells.
	Recognise func(json.Value) bool
	// Read makes a reader of its transcripts; nil for an agent that leaves none that can be read.
	Read func() Reader
	// Rule is when it compacts; nil where that is not known.
	Rule func(*Installation) core.Rule
	// Window is what it believes a model's limits to be; nil where that is the model's own.
	Window func(*Installation) (core.Limits, bool)
}

// entries has every agent, in the order in which they are listed for people.
var entries = []*Entry{
	&claudeCodeEntry, &codexEntry, &openCodeEntry, &kiloEntry, &geminiCLIEntry, &qwenCodeEntry, &copilotCLIEntry,
	&clineEntry, &rooCodeEntry, &kiloCodeEntry, &crushEntry, &gooseEntry, &ampEntry, &zedEntry, &continueEntry,
	&aiderEntry, &miniSWEAgentEntry, &dextoEntry, &codeletEntry, &copilotEntry, &cursorEntry, &windsurfEntry,
	&antigravityEntry, &kiroEntry, &hermesEntry, &piEntry, &ompEntry, &primeEntry, &openClawEntry, &kimiCodeEntry,
	&kimiCLIEntry, &dshEntry, &droidEntry, &grokEntry, &vibeEntry, &zooCodeEntry, &openClaudeEntry, &iFlowEntry,
	&miMoCodeEntry, &zCodeEntry,
}

// recognised has those whose records are known by their content, the stricter tests first.
var recognised = []*Entry{
	&codexEntry, &copilotCLIEntry, &qwenCodeEntry, &claudeCodeEntry, &openCodeEntry, &miniSWEAgentEntry, &rooCodeEntry,
	&kiloCodeEntry, &clineEntry, &geminiCLIEntry, &piEntry, &dshEntry, &kimiCodeEntry, &kimiCLIEntry, &droidEntry,
	&grokEntry, &vibeEntry, &kiroEntry, &cursorEntry, &continueEntry,
}

// Entries lists every agent.
func Entries() []*Entry { return entries }

// Find is the agent with an id; ok is false where nothing is known of it.
func Find(id string) (e *Entry, ok bool) {
	for _, e := range entries {
		if e.ID == id {
			return e, true
		}
	}
	return nil, false
}

// Recognise names the agent that wrote a record, judged by its content
// alone; "" when it could be anybody's.
func Recognise(record json.Value) string {
	if record.Kind() != json.Object {
		return ""
	}
	for _, e := range recognised {
		if e.Recognise(record) {
			return e.ID
		}
	}
	if e := storeOf(record); e != nil {
		return e.ID
	}
	return ""
}

// New is a reader for an agent's transcripts, nil for an agent that leaves
// none that can be read.
func New(agent string) Reader {
	e, ok := Find(agent)
	switch {
	case ok && e.Read != nil:
		return e.Read()
	case ok && e.FromStore:
		return &neutral{id: e.ID}
	}
	return nil
}

// Readable lists the agents that New has a reader for.
func Readable() []string {
	var ids []string
	for _, e := range entries {
		if e.FromStore || e.Read != nil {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

// Rule is when an agent compacts; ok is false for an agent without a rule
// here. The zero Rule has no line.
func Rule(of Installation) (rule core.Rule, ok bool) {
	e, ok := Find(of.Agent)
	if !ok || e.Rule == nil {
		return core.Rule{}, false
	}
	rule = e.Rule(&of)
	return rule, true
}

// Commands are the agent's own, whatever rule it compacts by; none of an agent of which nothing is known.
func Commands(agent string) (own core.Commands) {
	if e, ok := Find(agent); ok {
		own = e.Commands
		own.Agent, own.Compact, own.ServerOff = true, e.CompactCommand, e.MCPOff
	}
	return own
}

// Window is what the agent itself believes a model's limits to be.
func Window(of Installation) (limits core.Limits, ok bool) {
	if e, ok := Find(of.Agent); ok && e.Window != nil {
		return e.Window(&of)
	}
	return core.NoLimits, false
}

// Ruled lists the agents whose rules are known.
func Ruled() []string {
	var ids []string
	for _, e := range entries {
		if e.Rule != nil {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

// besideKey is the field of a record that stands for a document beside the transcript, which hosts add whenever the
// document has changed. The field "data" has what it says now.
const besideKey = "beside"
