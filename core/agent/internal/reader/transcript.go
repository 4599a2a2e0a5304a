// Copyright The ctx-lsp authors. MIT licence.

package reader

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/core/internal/fnv"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// A Transcript is the shared part of all readers: it emits the agent, directory, model and time once, and counts items.
type Transcript struct {
	Emit func(core.Event)

	Agent, Version, workspace string
	Branch                    string
	Model, Provider, Route    string
	Time                      int64
	Items                     int // appended since the last compaction
	Scratch                   []byte
	InTurn                    bool
	LookedUp                  string // key of the last lookup in the table of prefixes
	Tabled                    string // row of that table that was emitted, "" if none
}

// advance emits the time of a record, if it is later than the last.
func (t *Transcript) advance(ms int64) {
	if ms > t.Time {
		t.Time = ms
		t.Emit(core.At{Milliseconds: ms})
	}
}

// AdvanceTo emits the time of a record, if it is later than the last.
func (t *Transcript) AdvanceTo(v json.Value) {
	if ms, ok := ParseTime(v); ok {
		t.advance(ms)
	}
}

// SetAgent emits the agent and its version.
func (t *Transcript) SetAgent(agent string, version json.Value) {
	if t.Agent == agent && (!HasText(version) || version.Is(t.Version)) {
		return
	}
	t.Agent = agent
	if HasText(version) {
		t.Version = Short(version)
	}
	t.Emit(core.AgentSeen{Agent: agent, Version: t.Version})
}

// SetWorkspace emits the directory of the session.
func (t *Transcript) SetWorkspace(v json.Value) {
	if HasText(v) && !v.Is(t.workspace) && v.TextLen() <= MaxPath {
		t.workspace = v.String()
		t.Emit(core.WorkspaceSeen{Path: t.workspace})
	}
}

// SetBranch emits the git branch. A record without a branch changes nothing.
func (t *Transcript) SetBranch(v json.Value) {
	if HasText(v) && !v.Is(t.Branch) {
		if name := Short(v); name != "" {
			t.Branch = name
			t.Emit(core.BranchSeen{Branch: name})
		}
	}
}

// SetTitle emits the agent's title for the conversation.
func (t *Transcript) SetTitle(v json.Value, by core.TitleBy) {
	if v.Kind() == json.String && v.TextLen() <= MaxPath {
		t.Emit(core.TitleSeen{Title: v.String(), By: by})
	}
}

// WaitForUser emits that the agent waits for the user without having answered.
func (t *Transcript) WaitForUser() {
	t.Emit(core.ActivitySeen{Activity: core.Waiting, For: core.ForPrompt, Since: core.Unknown})
}

// SetModel emits the model of the next request, with its provider and its route.
func (t *Transcript) SetModel(model, provider, route string) {
	if model == "" || t.Model == model && t.Provider == provider && t.Route == route {
		return
	}
	t.Model, t.Provider, t.Route = model, provider, route
	t.Emit(core.ModelSet{Model: model, Provider: provider, Route: route})
}

// AnsweredBy returns the event that names the model of a response. The model is known only now, so predictions made
// before the response cannot know it.
func (t *Transcript) AnsweredBy(model, provider, route string) core.ModelSet {
	if model == "" {
		return core.ModelSet{Model: t.Model, Provider: t.Provider, Route: t.Route}
	}
	t.Model, t.Provider, t.Route = model, provider, route
	return core.ModelSet{Model: model, Provider: provider, Route: route}
}

// Add appends an item and returns its index.
func (t *Transcript) Add(item core.Item) int {
	t.Emit(core.Appended{Item: item})
	t.Items++
	return t.Items - 1
}

// CountAppended counts items that a host appended between the records.
func (t *Transcript) CountAppended(items int) { t.Items += items }

// AddText appends an item of a kind that is a JSON string, unless it is empty.
func (t *Transcript) AddText(kind core.Kind, v json.Value) {
	if v.TextLen() > 0 {
		t.Add(t.TextItem(kind, v))
	}
}

// TextItem returns an item of a kind whose text is a JSON string.
func (t *Transcript) TextItem(kind core.Kind, v json.Value) core.Item {
	item := NewItem(kind)
	item.Text, t.Scratch = v.Text(t.Scratch)
	return item
}

// StartTurn emits that the user has sent a message, once until EndTurn.
func (t *Transcript) StartTurn() {
	if t.InTurn {
		t.Emit(core.TurnEnded{})
	}
	t.InTurn = true
	t.Emit(core.TurnStarted{})
}

// EndTurn emits the end of a turn, if one has begun.
func (t *Transcript) EndTurn() {
	if t.InTurn {
		t.InTurn = false
		t.Emit(core.TurnEnded{})
	}
}

// Skip emits that a record could not be read.
func (t *Transcript) Skip(record json.Value, reason core.Text) {
	t.Emit(core.Skipped{Bytes: int64(len(record.Raw())), Reason: reason})
}

// SkipUnknown reports a record of a type that the reader does not know. The type is named only if it looks like a name.
func (t *Transcript) SkipUnknown(record, kind json.Value) {
	reason := phrase.UntypedRecord.Text()
	if HasText(kind) {
		reason = phrase.UnknownRecord.Text()
		if name := Short(kind); IsName(name) {
			reason = phrase.UnknownRecordNamed.Text(phrase.Name(name))
		}
	}
	t.Emit(core.Skipped{Bytes: int64(len(record.Raw())), Reason: reason, Unknown: true})
}

const (
	// MaxPath is the longest path of a file, in bytes, that a session is given.
	MaxPath  = 4096
	maxLabel = 200
)

// HasText reports whether a value is a string that is not empty.
func HasText(v json.Value) bool { return v.Kind() == json.String && v.TextLen() > 0 }

// Short returns the text of a value that should be a name or an id. It is cut, so that a malicious one is not kept.
func Short(v json.Value) string {
	if v.TextLen() > 6*maxLabel {
		return ""
	}
	s := v.String()
	if len(s) > maxLabel {
		s = s[:maxLabel]
	}
	return s
}

// IsName reports whether a text may be shown as a name: letters, digits and a few separators.
func IsName(s string) bool {
	if s == "" || len(s) > 64 {
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c|0x20-'a' < 26 || c-'0' < 10 || c == '_' || c == '-' || c == '.' || c == ':' || c == '/' || c == '$' {
			continue
		}
		return false
	}
	return true
}

// Count returns a token count; Unknown unless the value is a plausible whole number.
func Count(v json.Value) int64 {
	n, fault := v.Int64()
	if fault != json.NumberOK || n < 0 || n > core.MaxTokens {
		return core.Unknown
	}
	return n
}

// Sum adds counts of which some may be unknown; Unknown if all are.
func Sum(counts ...int64) int64 {
	total := core.Unknown
	for _, n := range counts {
		if n == core.Unknown {
			continue
		}
		if total == core.Unknown {
			total = 0
		}
		total += n
	}
	return total
}

// Hash returns the FNV-1a hash of a string value's raw text, 0 for other values. Readers remember ids by it.
func Hash(v json.Value) uint64 {
	if v.Kind() != json.String || v.TextLen() == 0 {
		return 0
	}
	h := fnv.Hash(v.Raw())
	if h == 0 {
		h = 1
	}
	return h
}

// NewItem returns an item that has only a kind.
func NewItem(kind core.Kind) core.Item {
	return core.Item{Kind: kind, Tokens: core.Unknown, Parameters: core.Unknown}
}

// MeterOwnCount emits an agent's own count of what is in the window, which no provider has measured.
func (t *Transcript) MeterOwnCount(tokens int64, agent string) {
	if tokens <= 0 {
		return
	}
	m := core.NewMetered()
	m.In, m.Out = tokens, 0
	m.Own = true
	m.Note = phrase.OwnCount.Text(phrase.Name(agent))
	m.Through, m.ThroughSet = t.Items, true
	t.Emit(m)
}

// WalkTranscript saves or restores the shared part of readers. It is not called Walk, so that embedding a Transcript
// does not make a reader a Keeper.
func (t *Transcript) WalkTranscript(c *codec.Codec) {
	c.Names("Agent Version workspace Branch", &t.Agent, &t.Version, &t.workspace, &t.Branch)
	c.Names("Model Provider Route LookedUp Tabled", &t.Model, &t.Provider, &t.Route, &t.LookedUp, &t.Tabled)
	codec.Within(c, "Time", &t.Time, 0, Latest)
	codec.Within(c, "Items", &t.Items, 0, core.MaxItems)
	c.Bools("InTurn", &t.InTurn)
}

// SetPrefix emits the parts of a fixed row that a source contains.
func (t *Transcript) SetPrefix(from core.PrefixSource, kind core.Kind, parts []core.PrefixPart) {
	t.Emit(core.PrefixKnown{Source: from, Kind: kind, Parts: parts})
}
