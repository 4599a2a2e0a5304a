// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// kiroEntry has no rule: nobody has found out when Kiro compacts. Kiro CLI was Amazon Q's.
var kiroEntry = Entry{
	ID: Kiro, Name: "Kiro", Program: "kiro-cli",
	CompactCommand: "/compact",
	PromptFiles:    []string{"AGENTS.md"},
	HomeFolders:    []string{".kiro"},
	FromStore:      true, Recognise: isKiro, Read: func() Reader { return &kiro{neutral: neutral{id: Kiro}} },
}

func isKiro(r json.Value) bool {
	if r.Get(besideKey).Is("session.json") {
		return r.Path("data", "session_state").Kind() == json.Object || r.Path("data", "workspacePaths").Kind() == json.Array
	}
	if of := r.Path("payload", "type"); r.Get("id").Exists() && !r.Get("type").Exists() {
		switch {
		case of.Is("user"), of.Is("assistant"), of.Is("tool_call"), of.Is("tool_result"), of.Is("turn_start"), of.Is("turn_end"),
			of.Is("session_start"), of.Is("session_metadata"):
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
	neutral
	noted int64 // the percentage, in hundredths, that was told last
}

func (k *kiro) walk(c *codec.Codec) {
	k.neutral.walk(c)
	codec.Within(c, "noted", &k.noted, 0, 20_000)
}

func (k *kiro) Record(r json.Value, emit func(core.Event)) {
	if storeOf(r) != nil {
		k.neutral.Record(r, emit)
		return
	}
	k.emit = emit
	if k.agent == "" {
		k.seen(Kiro, json.Value{})
		k.emit(core.Warned{Sentence: phrase.KiroEstimate.Text()})
	}
	if r.Get(besideKey).Is("session.json") {
		k.beside(r.Get("data"))
		return
	}
	if payload := r.Get("payload"); payload.Kind() == json.Object {
		k.event(r, payload)
		return
	}
	kind, data := r.Get("kind"), r.Get("data")
	k.advanceTo(data.Path("meta", "timestamp"))
	switch {
	case kind.Is("Prompt"):
		k.turn()
		k.pieces(core.User, data.Get("content"))
	case kind.Is("AssistantMessage"):
		if !k.pieces(core.Assistant, data.Get("content")) {
			k.turnOver()
		}
	case kind.Is("ToolResults"):
		k.pieces(core.User, data.Get("content"))
	case kind.Is("Compaction"), kind.Is("Summary"):
		k.compactedTo(either(data, "summary", "content", "text"), 0, core.Compacted{Auto: true, Before: core.Unknown, Tokens: core.Unknown})
	case kind.Is("Clear"):
		k.emit(core.Truncated{})
		k.items = 0
	default:
		k.unknown(r, kind)
	}
}

// pieces reads the content of a message: a list of pieces, each with its kind and its data. It is true if a tool is
// called.
func (k *kiro) pieces(kind core.Kind, content json.Value) (called bool) {
	for e := content.Elements(); e.Next(); {
		switch of, data := e.Value.Get("kind"), e.Value.Get("data"); {
		case of.Is("text"):
			k.says(kind, data)
		case of.Is("thinking"):
			k.thought(data)
		case of.Is("toolUse"):
			called = true
			k.call(data)
		case of.Is("toolResult"):
			k.outcome(data)
		case of.Is("image"):
			k.image(data)
		}
	}
	return called
}

// outcome reads a result: a text, or pieces of text and of JSON.
func (k *kiro) outcome(data json.Value) {
	id := hash(data.Get("toolUseId"))
	item := newItem(core.ToolResults)
	item.Name = k.tools.get(id)
	item.Label, item.Answers = core.Named(item.Name), k.tools.answers(id)
	item.Error = data.Get("status").Is("error")
	item.Text = k.scratch[:0]
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
	k.scratch = item.Text
	k.add(item)
}

// event reads an event of Kiro's editor. A call is written again as it progresses, and counts once.
func (k *kiro) event(r, p json.Value) {
	k.advanceTo(r.Get("timestamp"))
	if share := shareOf(p.Path("contextUsage", "usagePercentage")); share > 0 {
		k.notes(share, 0)
	}
	content, id := either(p, "content", "text"), hash(either(p, "toolCallId", "callId", "id"))
	switch of, operation := p.Get("type"), p.Get("operationType"); {
	case of.Is("user"):
		k.turn()
		k.blocks(core.User, content)
	case of.Is("assistant") && operation.Is("Summary"):
		k.compactedTo(content, 0, core.Compacted{Auto: true, Before: core.Unknown, Tokens: core.Unknown})
	case of.Is("assistant") && operation.Is("Reasoning"):
		k.thought(p)
	case of.Is("assistant"):
		k.blocks(core.Assistant, content)
	case of.Is("tool_call"):
		if k.tools.get(id) == "" {
			k.call(p)
		}
	case of.Is("tool_result"):
		k.result(p)
	case of.Is("turn_end"):
		k.turnOver()
	case of.Is("turn_start"), of.Is("session_start"), of.Is("session_metadata"), of.Is("session_pause"), of.Is("usage_summary"),
		of.Is("steering"), of.Is("pending_interaction"), of.Is("interaction_resolved"), of.Is("internal_context"):
	default:
		k.unknown(r, of)
	}
}

// beside reads the document beside the messages.
func (k *kiro) beside(d json.Value) {
	k.cwd(d.Get("cwd"))
	for e := d.Get("workspacePaths").Elements(); e.Next(); {
		k.cwd(e.Value)
		break
	}
	k.modelIs(short(d.Get("modelId")), "", "")
	k.called(d.Get("title"), core.ByAgent)
	state := d.Get("session_state")
	info := state.Path("rts_model_state", "model_info")
	k.modelIs(short(either(info, "model_id", "model_name")), "", "")
	window := count(info.Get("context_window_tokens"))
	k.windowIs(window, core.Unknown, core.Unknown)
	share := shareOf(state.Path("rts_model_state", "context_usage_percentage"))
	for e := state.Path("conversation_metadata", "user_turn_metadatas").Elements(); e.Next(); {
		if n := shareOf(e.Value.Get("context_usage_percentage")); n > 0 {
			share = n
		}
	}
	k.notes(share, window)
}

// notes tells the percentage that Kiro has noted, and what that is of a window that is known.
func (k *kiro) notes(share, window int64) {
	if share <= 0 || share > 20_000 || share == k.noted {
		return
	}
	k.noted = share
	k.emit(core.AgentPercent{Hundredths: share, Label: phrase.AgentPrints.Text(phrase.Name("Kiro"))})
	if window > 0 && window < 1<<40 {
		k.ownCount(share*window/10_000, "Kiro")
	}
}

// shareOf is a percentage in hundredths.
func shareOf(v json.Value) int64 {
	n, fault := v.Milli()
	if v.Kind() != json.Number || fault != json.NumberOK {
		return core.Unknown
	}
	return n / 10
}
