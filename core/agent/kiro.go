// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// kiroEntry has no rule: it is unknown when Kiro compacts. Kiro CLI was formerly Amazon Q.
var kiroEntry = Entry{
	ID: Kiro, Name: "Kiro",
	Proof:          Proof{Dated: "2026-11", FromTexts: true},
	CompactCommand: "/compact",
	FromStore:      true, Recognise: isKiro, Read: func(id string) Reader { return &kiro{storeReader: storeReader{id: id}} },
}

func isKiro(r json.Value) bool {
	if r.Get(sidecarKey).Is("session.json") {
		return r.Path("data", "session_state").Kind() == json.Object || r.Path("data", "workspacePaths").Kind() == json.Array
	}
	if kind := r.Path("payload", "type"); r.Get("id").Exists() && !r.Get("type").Exists() {
		switch {
		case kind.Is("user"), kind.Is("assistant"), kind.Is("tool_call"), kind.Is("tool_result"), kind.Is("turn_start"), kind.Is("turn_end"),
			kind.Is("session_start"), kind.Is("session_metadata"):
			return true
		}
		return false
	}
	kind := r.Get("kind")
	return r.Get("data").Kind() == json.Object && (kind.Is("Prompt") || kind.Is("AssistantMessage") || kind.Is("ToolResults"))
}

// kiro reads the records of a store, the lines of newer versions of Kiro CLI, and those of Kiro's editor, which are
// events with a payload. The document next to the lines has the directory and the model, and in Kiro CLI the percentage
// of the window after each turn. No record has tokens.
type kiro struct {
	storeReader
	noted int64 // the last reported percentage, in hundredths
}

func (k *kiro) Walk(c *codec.Codec) {
	k.storeReader.Walk(c)
	codec.Within(c, "noted", &k.noted, 0, 20_000)
}

func (k *kiro) Record(r json.Value, emit func(core.Event)) {
	if storeOf(r) != nil {
		k.storeReader.Record(r, emit)
		return
	}
	k.Emit = emit
	if k.Agent == "" {
		k.SetAgent(Kiro, json.Value{})
		k.Emit(core.Warned{Sentence: phrase.KiroEstimate.Text()})
	}
	if r.Get(sidecarKey).Is("session.json") {
		k.sidecar(r.Get("data"))
		return
	}
	if payload := r.Get("payload"); payload.Kind() == json.Object {
		k.event(r, payload)
		return
	}
	kind, data := r.Get("kind"), r.Get("data")
	k.AdvanceTo(data.Path("meta", "timestamp"))
	switch {
	case kind.Is("Prompt"):
		k.StartTurn()
		k.pieces(core.User, data.Get("content"))
	case kind.Is("AssistantMessage"):
		if !k.pieces(core.Assistant, data.Get("content")) {
			k.EndTurn()
		}
	case kind.Is("ToolResults"):
		k.pieces(core.User, data.Get("content"))
	case kind.Is("Compaction"), kind.Is("Summary"):
		k.Compact(reader.FirstOf(data, "summary", "content", "text"), 0, core.Compacted{Auto: true, Before: core.Unknown, Tokens: core.Unknown})
	case kind.Is("Clear"):
		k.Emit(core.Truncated{})
		k.Items = 0
	default:
		k.SkipUnknown(r, kind)
	}
}

// pieces reads the content of a message: a list of pieces, each with its kind and its data. It returns whether a tool
// is called.
func (k *kiro) pieces(kind core.Kind, content json.Value) (called bool) {
	for e := content.Elements(); e.Next(); {
		switch shape, data := e.Value.Get("kind"), e.Value.Get("data"); {
		case shape.Is("text"):
			k.AddMessageText(kind, data)
		case shape.Is("thinking"):
			k.AddReasoning(data)
		case shape.Is("toolUse"):
			called = true
			k.AddCall(data)
		case shape.Is("toolResult"):
			k.outcome(data)
		case shape.Is("image"):
			k.AddImage(data)
		}
	}
	return called
}

// outcome reads a result: a text, or pieces of text and of JSON.
func (k *kiro) outcome(data json.Value) {
	id := reader.Hash(data.Get("toolUseId"))
	item := reader.NewItem(core.ToolResults)
	item.Name = k.Calls.Name(id)
	item.Label, item.Answers = core.Named(item.Name), k.Calls.Answers(id)
	item.Error = data.Get("status").Is("error")
	item.Text = k.Scratch[:0]
	content := data.Get("content")
	if content.Kind() == json.String {
		item.Text = content.AppendText(item.Text)
	}
	for e := content.Elements(); e.Next(); {
		if piece := e.Value.Get("data"); piece.Kind() == json.String {
			item.Text = piece.AppendText(item.Text)
		} else {
			item.Text = append(item.Text, piece.Raw()...)
		}
	}
	k.Scratch = item.Text
	k.Add(item)
}

// event reads an event of Kiro's editor. A call is written again as it progresses; it is one item.
func (k *kiro) event(r, p json.Value) {
	k.AdvanceTo(r.Get("timestamp"))
	k.notes(shareOf(p.Path("contextUsage", "usagePercentage")), 0)
	content, id := reader.FirstOf(p, "content", "text"), reader.Hash(reader.FirstOf(p, "toolCallId", "callId", "id"))
	switch kind, operation := p.Get("type"), p.Get("operationType"); {
	case kind.Is("user"):
		k.StartTurn()
		k.AddBlocks(core.User, content)
	case kind.Is("assistant") && operation.Is("Summary"):
		k.Compact(content, 0, core.Compacted{Auto: true, Before: core.Unknown, Tokens: core.Unknown})
	case kind.Is("assistant") && operation.Is("Reasoning"):
		k.AddReasoning(p)
	case kind.Is("assistant"):
		k.AddBlocks(core.Assistant, content)
	case kind.Is("tool_call"):
		if k.Calls.Name(id) == "" {
			k.AddCall(p)
		}
	case kind.Is("tool_result"):
		k.AddResult(p)
	case kind.Is("turn_end"):
		k.EndTurn()
	case kind.Is("turn_start"), kind.Is("session_start"), kind.Is("session_metadata"), kind.Is("session_pause"), kind.Is("usage_summary"),
		kind.Is("steering"), kind.Is("pending_interaction"), kind.Is("interaction_resolved"), kind.Is("internal_context"):
	default:
		k.SkipUnknown(r, kind)
	}
}

// sidecar reads the document next to the messages.
func (k *kiro) sidecar(d json.Value) {
	k.SetWorkspace(d.Get("cwd"))
	for e := d.Get("workspacePaths").Elements(); e.Next(); {
		k.SetWorkspace(e.Value)
		break
	}
	k.SetModel(reader.Short(d.Get("modelId")), "", "")
	k.SetTitle(d.Get("title"), core.ByAgent)
	state := d.Get("session_state")
	info := state.Path("rts_model_state", "model_info")
	k.SetModel(reader.Short(reader.FirstOf(info, "model_id", "model_name")), "", "")
	window := reader.Count(info.Get("context_window_tokens"))
	k.SetWindow(window, core.Unknown, core.Unknown)
	share := shareOf(state.Path("rts_model_state", "context_usage_percentage"))
	for e := state.Path("conversation_metadata", "user_turn_metadatas").Elements(); e.Next(); {
		if n := shareOf(e.Value.Get("context_usage_percentage")); n > 0 {
			share = n
		}
	}
	k.notes(share, window)
}

// notes emits the percentage that Kiro has recorded, and the tokens that it corresponds to if the window is known.
func (k *kiro) notes(share, window int64) {
	if share <= 0 || share > 20_000 || share == k.noted {
		return
	}
	k.noted = share
	k.Emit(core.AgentPercent{Hundredths: share, Label: phrase.AgentPrints.Text(phrase.Name("Kiro"))})
	if window > 0 && window < 1<<40 {
		k.MeterOwnCount(share*window/10_000, "Kiro")
	}
}

// shareOf returns a percentage in hundredths.
func shareOf(v json.Value) int64 {
	n, fault := v.Milli()
	if v.Kind() != json.Number || fault != json.NumberOK {
		return core.Unknown
	}
	return n / 10
}
