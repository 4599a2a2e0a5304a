// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// Entry describes an agent's records, rule and window, and what front ends show of it. Package internal/agents contains
// everything else about the agent.
type Entry struct {
	ID   string // as in Readings and settings
	Name string // the name that users know

	// CompactCommand compacts the conversation: a command to type, or the name of a button.
	CompactCommand string
	// MCPOff is the command that switches off one of the configured MCP servers; NAME stands for the server's name.
	MCPOff string
	// Commands are further commands that help its user when the window fills up.
	Commands core.Commands

	// FromStore marks an agent whose store is read by hosts, which pass it on as the records of transcript.StoreWriter.
	FromStore bool
	// Recognise reports whether a record is from its transcripts, by the content alone. It is nil if only the file's
	// location shows that.
	Recognise func(json.Value) bool
	// Read returns a reader of a transcript, for its id. It is nil for an agent without readable transcripts.
	Read func(id string) Reader
	// Rule returns when the agent compacts; nil if unknown.
	Rule func(*Installation) core.Rule
	// Caches returns whether the part of a kind that the agent loads comes before the end of the text that a session's
	// first request may read from the cache. It is nil if all of it follows the agent's own system prompt.
	Caches func(version string, kind core.Kind) core.Cached
	// Proof describes what the reader was compared with.
	Proof Proof
	// OffsetsFromZero is set if its read tool counts the lines of an offset from 0; others count from 1.
	OffsetsFromZero bool
	// ExpandsTabs is set if its shell is a terminal, which shows tabs as spaces.
	ExpandsTabs bool
	// Resends is set if the agent sends all reasoning again, with every model.
	Resends bool
	// Window returns the limits that the agent assumes for a model. It is nil if the agent uses the model's own.
	Window func(*Installation) (core.Limits, bool)
}

// entries contains every agent, in the order of lists for users.
var entries = []*Entry{
	&claudeCodeEntry, &codexEntry, &openCodeEntry, &kiloEntry, &geminiCLIEntry, &qwenCodeEntry, &copilotCLIEntry,
	&clineEntry, &rooCodeEntry, &kiloCodeEntry, &crushEntry, &gooseEntry, &ampEntry, &zedEntry, &continueEntry,
	&aiderEntry, &miniSWEAgentEntry, &dextoEntry, &codeletEntry, &copilotEntry, &cursorEntry, &windsurfEntry,
	&antigravityEntry, &kiroEntry, &hermesEntry, &piEntry, lookalike(OMP), lookalike(Prime), &openClawEntry, &kimiCodeEntry,
	&kimiCLIEntry, &dshEntry, &droidEntry, &grokEntry, &vibeEntry, lookalike(ZooCode), lookalike(OpenClaude), lookalike(IFlow),
	&miMoCodeEntry, &zCodeEntry, &gptmeEntry, &openHandsEntry, &jetBrainsEntry, &junieEntry, &auggieEntry, &devinEntry,
	lookalike(Qoder), lookalike(Augure), lookalike(TraeX),
}

// recognised contains the agents whose records are recognized by their content, the stricter tests first.
var recognised = []*Entry{
	&codexEntry, &copilotCLIEntry, &qwenCodeEntry, &claudeCodeEntry, &openCodeEntry, &miniSWEAgentEntry, &rooCodeEntry,
	&kiloCodeEntry, &clineEntry, &geminiCLIEntry, &piEntry, &dshEntry, &kimiCodeEntry, &kimiCLIEntry, &droidEntry,
	&grokEntry, &vibeEntry, &kiroEntry, &cursorEntry, &continueEntry, &gptmeEntry,
}

// Entries returns every agent.
func Entries() []*Entry { return entries }

// Find returns the agent with an id; ok is false for an unknown id.
func Find(id string) (e *Entry, ok bool) {
	for _, e := range entries {
		if e.ID == id {
			return e, true
		}
	}
	return nil, false
}

// Recognise returns the agent that wrote a record, judged by its content alone; "" if several agents could have written
// it.
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

// New returns a reader for an agent's transcripts, nil for an agent without readable transcripts.
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

// Readable returns the agents for which New has a reader.
func Readable() []string {
	var ids []string
	for _, e := range entries {
		if e.FromStore || e.Read != nil {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

// Rule returns when an agent compacts; ok is false for an agent without a rule here. The zero Rule has no threshold.
func Rule(in Installation) (rule core.Rule, ok bool) {
	e, ok := Find(in.Agent)
	if !ok || e.Rule == nil {
		return core.Rule{}, false
	}
	rule = e.Rule(&in)
	return rule, true
}

// Commands returns the agent's own commands, whatever rule it compacts by; none for an unknown agent.
func Commands(agent string) (own core.Commands) {
	if e, ok := Find(agent); ok {
		own = e.Commands
		own.Agent, own.Compact, own.ServerOff = true, e.CompactCommand, e.MCPOff
	}
	return own
}

// Resends reports whether an agent sends all reasoning again, with every model.
func Resends(agent string) bool {
	e, ok := Find(agent)
	return ok && e.Resends
}

// Caches returns whether the part of a kind that an agent loads comes before the end of the text that a session's first
// request may read from the cache.
func Caches(agent, version string, kind core.Kind) core.Cached {
	if e, ok := Find(agent); ok && e.Caches != nil {
		return e.Caches(version, kind)
	}
	return core.NotCached
}

// Window returns the limits that the agent itself assumes for a model.
func Window(in Installation) (limits core.Limits, ok bool) {
	if e, ok := Find(in.Agent); ok && e.Window != nil {
		return e.Window(&in)
	}
	return core.NoLimits, false
}

// Ruled returns the agents whose rules are known.
func Ruled() []string {
	var ids []string
	for _, e := range entries {
		if e.Rule != nil {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

// sidecarKey is the field of a record that represents a document next to the transcript. Hosts add such a record
// whenever the document has changed; its field "data" has the present content.
const sidecarKey = "beside"
