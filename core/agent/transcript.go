// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// A transcript is what all readers have in common: it says once who speaks, where and when, and counts the places of
// items.
type transcript struct {
	emit func(core.Event)

	agent, version, workspace string
	branch                    string
	model, provider, route    string
	time                      int64
	items                     int // appended since the last compaction
	scratch                   []byte
	inTurn                    bool
	looked                    string // for what the table of prefixes was last asked
}

// advance emits the time of a record, if it is later than the last.
func (t *transcript) advance(ms int64) {
	if ms > t.time {
		t.time = ms
		t.emit(core.At{Milliseconds: ms})
	}
}

func (t *transcript) advanceTo(v json.Value) {
	if ms, ok := parseTime(v); ok {
		t.advance(ms)
	}
}

func (t *transcript) seen(agent string, version json.Value) {
	if t.agent == agent && (!textual(version) || version.Is(t.version)) {
		return
	}
	t.agent = agent
	if textual(version) {
		t.version = short(version)
	}
	t.emit(core.AgentSeen{Agent: agent, Version: t.version})
}

func (t *transcript) cwd(v json.Value) {
	if textual(v) && !v.Is(t.workspace) && v.TextLen() <= maxPath {
		t.workspace = v.String()
		t.emit(core.WorkspaceSeen{Path: t.workspace})
	}
}

// onBranch emits the branch that is worked on; a record without a branch changes nothing.
func (t *transcript) onBranch(v json.Value) {
	if textual(v) && !v.Is(t.branch) {
		if name := short(v); name != "" {
			t.branch = name
			t.emit(core.BranchSeen{Branch: name})
		}
	}
}

// called emits the agent's title for the conversation.
func (t *transcript) called(v json.Value, by core.TitleBy) {
	if v.Kind() == json.String && v.TextLen() <= maxPath {
		t.emit(core.TitleSeen{Title: v.String(), By: by})
	}
}

// handsBack emits that the agent waits for the person without having answered.
func (t *transcript) handsBack() {
	t.emit(core.ActivityTold{Activity: core.Waiting, For: core.ForPrompt, Since: core.Unknown})
}

func (t *transcript) modelIs(model, provider, route string) {
	if model == "" || t.model == model && t.provider == provider && t.route == route {
		return
	}
	t.model, t.provider, t.route = model, provider, route
	t.emit(core.ModelSet{Model: model, Provider: provider, Route: route})
}

// answered is the event that names the model of an answer. The model is known only now, so predictions made before the
// answer cannot know it.
func (t *transcript) answered(model, provider, route string) core.ModelSet {
	if model == "" {
		return core.ModelSet{Model: t.model, Provider: t.provider, Route: t.route}
	}
	t.model, t.provider, t.route = model, provider, route
	return core.ModelSet{Model: model, Provider: provider, Route: route}
}

// add appends an item and returns its index.
func (t *transcript) add(item core.Item) int {
	t.emit(core.Appended{Item: item})
	t.items++
	return t.items - 1
}

// Beside makes room for items that were appended by somebody else.
func (t *transcript) Beside(items int) { t.items += items }

// text appends an item of a kind that is a JSON string, unless it is empty.
func (t *transcript) text(kind core.Kind, v json.Value) {
	if v.TextLen() > 0 {
		t.add(t.textItem(kind, v))
	}
}

// textItem is an item of a kind whose text is a JSON string.
func (t *transcript) textItem(kind core.Kind, v json.Value) core.Item {
	item := newItem(kind)
	item.Text, t.scratch = v.Text(t.scratch)
	return item
}

// turn emits that the person has spoken, once until turnOver.
func (t *transcript) turn() {
	if t.inTurn {
		t.emit(core.TurnEnded{})
	}
	t.inTurn = true
	t.emit(core.TurnStarted{})
}

func (t *transcript) turnOver() {
	if t.inTurn {
		t.inTurn = false
		t.emit(core.TurnEnded{})
	}
}

func (t *transcript) skip(record json.Value, reason core.Text) {
	t.emit(core.Skipped{Bytes: int64(len(record.Raw())), Reason: reason})
}

// unknown reports a record of a type that the reader does not know. The type is named only if it looks like a name.
func (t *transcript) unknown(record, kind json.Value) {
	reason := phrase.UntypedRecord.Text()
	if textual(kind) {
		reason = phrase.UnknownRecord.Text()
		if name := short(kind); isName(name) {
			reason = phrase.UnknownRecordNamed.Text(phrase.Name(name))
		}
	}
	t.skip(record, reason)
}

const (
	maxPath  = 4096
	maxLabel = 200
)

func textual(v json.Value) bool { return v.Kind() == json.String && v.TextLen() > 0 }

// short is the text of a value that should be a name or an id. It is cut, so that a malicious one is not kept for ever.
func short(v json.Value) string {
	if v.TextLen() > 6*maxLabel {
		return ""
	}
	s := v.String()
	if len(s) > maxLabel {
		s = s[:maxLabel]
	}
	return s
}

// isName is true of a text that may be shown as a name: letters, digits and a few separators.
func isName(s string) bool {
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

// count reads a token count; it is Unknown unless the value is a plausible whole number.
func count(v json.Value) int64 {
	n, fault := v.Int64()
	if fault != json.NumberOK || n < 0 || n > core.MaxTokens {
		return core.Unknown
	}
	return n
}

// sum adds counts of which some may be unknown; Unknown if all are.
func sum(counts ...int64) int64 {
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

// hash is FNV-1a over a string value's raw text, by which ids are remembered. 0 stands for no id.
func hash(v json.Value) uint64 {
	if v.Kind() != json.String || v.TextLen() == 0 {
		return 0
	}
	h := uint64(14695981039346656037)
	for _, c := range v.Raw() {
		h = (h ^ uint64(c)) * 1099511628211
	}
	if h == 0 {
		h = 1
	}
	return h
}

// newItem is an item of which only the kind is known.
func newItem(kind core.Kind) core.Item {
	return core.Item{Kind: kind, Tokens: core.Unknown, Parameters: core.Unknown}
}

// ownCount emits an agent's own count of what is in the window, which no provider has measured.
func (t *transcript) ownCount(tokens int64, agent string) {
	if tokens <= 0 {
		return
	}
	m := core.NewMetered()
	m.In, m.Out = tokens, 0
	m.Uncounted, m.Ambiguous, m.Own = true, true, true
	m.Note = phrase.OwnCount.Text(phrase.Name(agent))
	m.Through, m.ThroughSet = t.items, true
	t.emit(m)
}

// base walks what all readers have. It is not called walk, so that embedding
// transcript does not make a reader a keeper.
func (t *transcript) base(c *codec.Codec) {
	c.Names("agent version workspace branch", &t.agent, &t.version, &t.workspace, &t.branch)
	c.Names("model provider route looked", &t.model, &t.provider, &t.route, &t.looked)
	codec.Within(c, "time", &t.time, 0, latest)
	codec.Within(c, "items", &t.items, 0, core.MaxItems)
	c.Bools("inTurn", &t.inTurn)
}
