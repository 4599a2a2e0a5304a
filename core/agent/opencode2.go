// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/core/internal/fnv"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// Since version 2, OpenCode stores a message and all its parts in one row, which changes until the message is complete.
// A compaction is also a row. Rows are ordered by "seq".

// session2 reads a session's row. A session from before the migration keeps the older version's number, although
// version 2 runs it.
func (o *openCode) session2(row json.Value) {
	o.second = true
	if version := row.Get("version"); reader.HasText(version) && reader.ParseVersion(reader.Short(version)).AtLeast("2") {
		o.SetAgent(o.id, version)
	} else if !reader.ParseVersion(o.Version).AtLeast("2") || o.Version == "" {
		o.Agent, o.Version = o.id, "2"
		o.Emit(core.AgentSeen{Agent: o.id, Version: o.Version})
	}
	o.placed(row)
	if o.Model == "" {
		o.switched2(row.Get("model"))
	}
}

func (o *openCode) switched2(model json.Value) {
	o.SetModel(reader.Short(model.Get("id")), reader.Short(model.Get("providerID")), "")
}

// message2 reads a message's row, and reads it again after each change.
func (o *openCode) message2(row json.Value) {
	o.second, o.byRow = true, true
	if o.Agent == "" {
		o.Agent, o.Version = o.id, "2"
		o.Emit(core.AgentSeen{Agent: o.id, Version: o.Version})
	}
	seq := reader.Count(row.Get("seq"))
	if seq >= 0 && seq <= o.compacted2 && o.summed != 0 {
		return // the summary has replaced it
	}
	key := reader.Identity(row.Get("id"))
	if key == 0 {
		key = o.newKey()
	}
	m, kind := rowData(row), row.Get("type")
	known, seen := o.messages[key]
	if !seen {
		o.AdvanceTo(m.Path("time", "created"))
		known.first = int32(o.Items)
		known.created, _ = reader.ParseTime(m.Path("time", "created"))
	}
	switch {
	case kind.Is("user"):
		if seen {
			return
		}
		known.user = true
		o.StartTurn()
		o.numbered()
		o.user2(m)
	case kind.Is("assistant"):
		if !seen {
			o.numbered()
		}
		o.answer2(key, row, m, &known)
	case kind.Is("compaction"):
		if m.Get("status").Is("completed") {
			o.remember(key, known)
			o.compact2(key, max(seq, 0), m, &known)
			return
		}
	case kind.Is("shell"):
		o.shell2(key, m)
	case seen:
		return
	case kind.Is("synthetic"):
		o.AddText(core.User, m.Get("text"))
	case kind.Is("system"):
		o.AddText(core.System, m.Get("text"))
	case kind.Is("skill"):
		o.skill2(m)
	case kind.Is("location-switched"):
		item := o.TextItem(core.User, m.Path("location", "directory"))
		item.Wrapping = 9
		o.Add(item)
		o.SetWorkspace(m.Path("location", "directory"))
	case kind.Is("model-switched"):
		o.switched2(m.Get("model"))
	case kind.Is("idle"):
		o.EndTurn()
	case kind.Is("agent-switched"):
	default:
		o.SkipUnknown(row, kind)
	}
	o.remember(key, known)
}

// user2 reads a user message: skills, a text, and files with their content.
func (o *openCode) user2(m json.Value) {
	for e := m.Get("skills").Elements(); e.Next(); {
		o.skill2(e.Value)
	}
	o.AddText(core.User, m.Get("text"))
	for e := m.Get("files").Elements(); e.Next(); {
		f := e.Value
		switch mime := f.Get("mime"); {
		case mime.Is("text/plain"), mime.Is("application/x-directory"):
			item := reader.NewItem(core.User)
			o.Scratch = reader.AppendBase64(append(f.Get("name").AppendText(o.Scratch[:0]), '\n'), f.Get("data"))
			item.Text, item.Wrapping = o.Scratch, 5
			item.About = reader.AboutFile(f.Get("name"))
			o.Add(item)
		case mime.Is("application/pdf"), strings.HasPrefix(reader.Short(mime), "image/"):
			o.file(f, 0)
		}
	}
}

func (o *openCode) skill2(m json.Value) {
	if m.Get("text").TextLen() == 0 {
		return
	}
	item := o.TextItem(core.Skills, m.Get("text"))
	item.Label = phrase.SkillItem.Text()
	o.Add(item)
}

// answer2 reads a response: its request's usage, as soon as it is known, and its parts.
func (o *openCode) answer2(key uint64, row, m json.Value, known *openMessage) {
	o.meter(key, row.Get("id"), m, known)
	known.done = m.Path("time", "completed").Exists()
	o.remember(key, *known)
	place := uint64(0)
	for e := m.Get("content").Elements(); e.Next(); {
		place++
		p := e.Value
		if p.Get("type").Is("tool") && p.Path("state", "status").Is("streaming") {
			continue // the model is writing the call
		}
		o.part(o.partOf(key, p.Get("id"), place), key, p)
	}
	o.read = nil
	*known = o.messages[key]
}

// resultText2 appends the text of a tool's result, or of its error.
func resultText2(text []byte, state json.Value) []byte {
	if state.Get("status").Is("error") {
		text = reader.AppendTexts(text, reader.FirstOf(state.Get("error"), "message"), 0)
	}
	before := len(text)
	for e := state.Get("content").Elements(); e.Next(); {
		if e.Value.Get("type").Is("text") {
			text = e.Value.Get("text").AppendText(text)
		}
	}
	if len(text) == before && state.Get("content").Kind() != json.Array {
		text = reader.AppendTexts(text, state.Get("output"), 0)
	}
	return text
}

// shell2 reads a command of the user, and its output once it has ended.
func (o *openCode) shell2(key uint64, m json.Value) {
	place := reader.Mix(key, 1)
	known, seen := o.parts[place]
	if now := fnv.Hash(m.Raw()); !seen || known.content != now {
		if !seen {
			known = openPart{index: -1, result: -1}
		}
		known.content = now
	} else {
		return
	}
	item := reader.NewItem(core.ToolResults)
	item.Label = core.Named("shell")
	item.Wrapping = 14
	o.Scratch = append(m.Get("command").AppendText(o.Scratch[:0]), '\n')
	o.Scratch = m.Path("output", "output").AppendText(o.Scratch)
	item.Text = o.Scratch
	o.put(item, &known.index, phrase.LeavesChanged.Text())
	if o.parts == nil || len(o.parts) >= maxParts {
		o.parts = make(map[uint64]openPart)
	}
	o.parts[place] = known
}

// compact2 reads a complete compaction. Later requests begin with its summary and a text of the last messages.
func (o *openCode) compact2(key uint64, seq int64, m json.Value, known *openMessage) {
	kept := max(o.Items-int(known.first), 0)
	o.summed, o.compacted2 = key, seq
	item := reader.NewItem(core.Summary)
	o.Scratch = m.Get("summary").AppendText(o.Scratch[:0])
	o.Scratch = m.Get("recent").AppendText(append(o.Scratch, '\n'))
	item.Text, item.Wrapping = o.Scratch, checkpointFrame
	o.Emit(core.Compacted{Auto: !m.Get("reason").Is("manual"), Recorded: true, Kept: kept, Tokens: core.Unknown, Before: core.Unknown, Summary: &item})
	o.Items = kept + 1
	o.messages, o.parts, o.cleared = nil, nil, nil
	o.order, o.forgotten = nil, o.forgotten+len(o.order)
}

// checkpointFrame is how many tokens OpenCode writes around a summary.
const checkpointFrame = 54

// openCode2Rule returns the rule of version 2. Before each request it compares its own estimate: the last prompt and
// response, plus a quarter of the characters that were added. The threshold is a buffer below the maximum input, and
// the larger of buffer and output below the window.
func openCode2Rule(in *Installation, rule core.Rule) core.Rule {
	rule.Name, rule.Since = "opencode 2", "2026-09-01"
	rule.Source = "opencode packages/core/src/session/compaction.ts: required, estimateTokens; not run here"
	buffer := tokens(in.setting("compaction.buffer"))
	if buffer < 0 {
		buffer = tokens(in.setting("compaction.reserved")) // its name in settings of versions up to 1
	}
	if buffer < 0 {
		buffer = 20_000
	}
	rule.Formula = func(l core.Limits) int64 {
		threshold := core.Unknown
		if l.Window > 0 {
			threshold = max(l.Window-max(room(l.Output, core.DefaultOutputCap), buffer), 0)
		}
		if below := max(l.Input-buffer, 0); l.Input > 0 && (threshold < 0 || below < threshold) {
			threshold = below
		}
		return threshold
	}
	return rule
}
