// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// Entry describes an agent's records, rule and window, and what front ends show of it. Everything else that is known of
// the agent is in package internal/agents.
type Entry struct {
	ID   string // as readings and settings have it
	Name string // as people know it

	// CompactCommand is what makes room in its window: a command that is typed, or the name of a button.
	CompactCommand string
	// MCPOff switches off one of the MCP servers that it is configured with, NAME standing for the server's.
	MCPOff string
	// Commands are further commands of its own, for what its person can do when the window fills.
	Commands core.Commands

	// FromStore marks an agent whose store hosts read and pass on in the records of transcript.StoreWriter.
	FromStore bool
	// Recognise knows a record of its transcripts by the content alone; nil where only the place tells.
	Recognise func(json.Value) bool
	// Read makes a reader of its transcripts, under its id; nil for an agent that leaves none that can be read.
	Read func(id string) Reader
	// Rule is when it compacts; nil where that is not known.
	Rule func(*Installation) core.Rule
	// Caches is whether the part of a kind that it loads is before the end of what the first request of a session may
	// read from the cache; nil if it sends all of it after its own system prompt.
	Caches func(version string, kind core.Kind) core.Cached
	// Proof says what its reader was compared with.
	Proof Proof
	// Window is what it believes a model's limits to be; nil where that is the model's own.
	Window func(*Installation) (core.Limits, bool)
}

// entries has every agent, in the order in which they are listed for people.
var entries = []*Entry{
	&claudeCodeEntry, &codexEntry, &openCodeEntry, &kiloEntry, &geminiCLIEntry, &qwenCodeEntry, &copilotCLIEntry,
	&clineEntry, &rooCodeEntry, &kiloCodeEntry, &crushEntry, &gooseEntry, &ampEntry, &zedEntry, &continueEntry,
	&aiderEntry, &miniSWEAgentEntry, &dextoEntry, &codeletEntry, &copilotEntry, &cursorEntry, &windsurfEntry,
	&antigravityEntry, &kiroEntry, &hermesEntry, &piEntry, lookalike(OMP), lookalike(Prime), &openClawEntry, &kimiCodeEntry,
	&kimiCLIEntry, &dshEntry, &droidEntry, &grokEntry, &vibeEntry, lookalike(ZooCode), lookalike(OpenClaude), lookalike(IFlow),
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
		return e.Read(e.ID)
	case ok && e.FromStore:
		return &storeReader{id: e.ID}
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
func Rule(in Installation) (rule core.Rule, ok bool) {
	e, ok := Find(in.Agent)
	if !ok || e.Rule == nil {
		return core.Rule{}, false
	}
	rule = e.Rule(&in)
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

// Caches returns whether the part of a kind that an agent loads is before the end of what the first request of a
// session may read from the cache.
func Caches(agent, version string, kind core.Kind) core.Cached {
	if e, ok := Find(agent); ok && e.Caches != nil {
		return e.Caches(version, kind)
	}
	return core.NotCached
}

// Window is what the agent itself believes a model's limits to be.
func Window(in Installation) (limits core.Limits, ok bool) {
	if e, ok := Find(in.Agent); ok && e.Window != nil {
		return e.Window(&in)
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

// sidecarKey is the field of a record that stands for a document beside the transcript, which hosts add whenever the
// document has changed. The field "data" has what it says now.
const sidecarKey = "beside"
