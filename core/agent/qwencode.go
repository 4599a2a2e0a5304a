// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

var qwenCodeEntry = Entry{
	ID: QwenCode, Name: "Qwen Code",
	Proof:          Proof{Lab: "0.24.4"},
	CompactCommand: "/compress",
	MCPOff:         "NAME in mcp.excluded of settings.json",
	Commands:       core.Commands{New: "/clear"},
	Recognise:      isQwenCode, Read: func(string) Reader { return &qwenCode{} },
	Rule: qwenCodeRule, Window: qwenCodeWindow, OffsetsFromZero: true,
}

// isQwenCode reports whether a record is Qwen Code's: the envelope is that of Claude Code, but messages have Gemini's
// shape, and each result is a separate record.
func isQwenCode(r json.Value) bool {
	if !r.Get("uuid").Exists() || !r.Get("sessionId").Exists() || r.Get("isSidechain").Exists() || r.Get("userType").Exists() {
		return false
	}
	switch kind := r.Get("type"); {
	case kind.Is("user"), kind.Is("assistant"):
		return r.Path("message", "parts").Exists()
	case kind.Is("tool_result"):
		return true
	case kind.Is("system"):
		return r.Get("systemPayload").Exists()
	}
	return false
}

// qwenCode reads the chat records of Qwen Code.
type qwenCode struct {
	reader.Transcript
	chain  reader.Chain
	window int64
	tools  reader.Calls
	past   bool // set while records from before the last request are read
}

func (q *qwenCode) Record(r json.Value, emit func(core.Event)) {
	q.Emit = emit
	if known, shared := q.chain.WasRead(r); known {
		return
	} else if shared {
		q.WarnOfSharedID()
	}
	q.AdvanceTo(r.Get("timestamp"))
	q.SetAgent(QwenCode, r.Get("version"))
	q.SetWorkspace(r.Get("cwd"))
	q.SetBranch(r.Get("gitBranch"))
	first := q.Items
	kind := r.Get("type")
	switch {
	case kind.Is("user"):
		if from, rewound := q.chain.Rewound(r); rewound && from < q.Items {
			q.Emit(core.Truncated{From: from})
			q.Items, first = from, from
		}
		q.StartTurn()
		builtIn(&q.Transcript, false)
		q.content(core.User, r.Get("message"))
	case kind.Is("assistant"):
		q.answer(r)
	case kind.Is("tool_result"):
		q.content(core.ToolResults, r.Get("message"))
	case kind.Is("system"):
		q.system(r)
		first = min(first, q.Items)
	default:
		q.SkipUnknown(r, kind)
		return
	}
	q.chain.Add(r, first, q.Items, kind.Is("assistant"))
}

func (q *qwenCode) answer(r json.Value) {
	if w := reader.Count(r.Get("contextWindowSize")); w > 0 && w != q.window {
		q.window = w
		q.Emit(core.LimitsKnown{Limits: core.Limits{Window: w, Input: core.Unknown, Output: core.Unknown}, Source: core.FromAgent})
	}
	u := r.Get("usageMetadata")
	if in := reader.Count(u.Get("promptTokenCount")); in > 0 {
		m := core.NewMetered()
		if !q.chain.Has(r.Get("uuid")) && reader.Identity(r.Get("uuid")) != 0 {
			m.Request = reader.Short(r.Get("uuid"))
		}
		m.Model = q.AnsweredBy(reader.Short(r.Get("model")), "qwen", "chat")
		m.In = in
		m.CacheRead = reader.Count(u.Get("cachedContentTokenCount"))
		m.Reasoning = reader.Count(u.Get("thoughtsTokenCount"))
		m.Out = reader.Count(u.Get("candidatesTokenCount"))
		// The total shows whether thoughts are included in the candidates.
		if total := reader.Count(u.Get("totalTokenCount")); m.Reasoning > 0 && total == in+m.Out+m.Reasoning {
			m.Out += m.Reasoning
		}
		m.Through, m.ThroughSet = q.Items, true
		q.Emit(m)
		builtIn(&q.Transcript, false)
	}
	q.content(core.Assistant, r.Get("message"))
}

// content appends the parts of a message in Gemini's shape.
func (q *qwenCode) content(kind core.Kind, message json.Value) {
	for e := message.Get("parts").Elements(); e.Next(); {
		p := e.Value
		switch {
		case p.Get("text").Exists():
			as := kind
			if p.Get("thought").Bool() {
				as = core.Reasoning
			}
			if item := q.TextItem(as, p.Get("text")); len(item.Text) > 0 {
				item.NotReply = q.past
				q.Add(item)
			}
		case p.Get("functionCall").Exists():
			item := reader.NewItem(core.ToolCalls)
			item.Name = reader.Short(p.Path("functionCall", "name"))
			item.Label = core.Named(item.Name)
			item.Text = p.Path("functionCall", "args").Raw()
			item.Parameters = int64(p.Path("functionCall", "args").Len())
			item.About = reader.About(item.Name, p.Path("functionCall", "args"))
			item.NotReply = q.past
			q.tools.Add(reader.Hash(p.Path("functionCall", "id")), item.Name, q.Items)
			q.Add(item)
		case p.Get("functionResponse").Exists():
			q.result(p.Get("functionResponse"))
		case p.Get("inlineData").Exists():
			item := reader.NewItem(core.Media)
			item.MediaType = reader.Short(p.Path("inlineData", "mimeType"))
			item.Label = phrase.MediaFile.Text()
			item.Width, item.Height = reader.ImageSize(p.Path("inlineData", "data"))
			q.Add(item)
		}
	}
}

func (q *qwenCode) result(f json.Value) {
	item := reader.NewItem(core.ToolResults)
	item.Name = reader.Short(f.Get("name"))
	item.Label = core.Named(item.Name)
	item.Answers = q.tools.Answers(reader.Hash(f.Get("id")))
	text := q.Scratch[:0]
	for e := f.Get("response").Fields(); e.Next(); {
		if e.KeyIs("error") {
			item.Error = true
		}
		if e.Value.Kind() == json.String {
			text = e.Value.AppendText(text)
		} else {
			text = append(text, e.Value.Raw()...)
		}
	}
	item.Text, q.Scratch = text, text
	q.Add(item)
}

// system reads a system record, for example a compression.
func (q *qwenCode) system(r json.Value) {
	subtype := r.Get("subtype")
	if subtype.Is("custom_title") {
		q.SetTitle(r.Path("systemPayload", "customTitle"), core.ByUser)
	}
	if !subtype.Is("chat_compression") {
		return
	}
	payload := r.Get("systemPayload")
	info := payload.Get("info")
	q.Emit(core.Compacted{Auto: true, Tokens: core.Unknown, Before: reader.Count(info.Get("originalTokenCount")), Bare: q.reminds()})
	q.Items = 0
	q.chain.Clear()
	q.tools.ForgetIndices()
	for e := payload.Get("compressedHistory").Elements(); e.Next(); {
		kind := core.Summary
		if e.Value.Get("role").Is("model") {
			kind = core.Assistant
		}
		q.past = true
		q.content(kind, e.Value)
		q.past = false
	}
}

// reminds reports whether the first message has a reminder without a record: lists of skills, of tools to search for,
// and of MCP tools. The request after a compression does not have it, and the one after that has it again.
func (q *qwenCode) reminds() bool {
	return q.Version != "" && reader.ParseVersion(q.Version).AtLeast(qwenCodeAbsolute)
}

// qwenCodeWindows is Qwen Code 0.15.10's own table. If a record names its window, that one is used.
const qwenCodeWindows = `
qwen3-coder-plus 1000000 -
qwen3-coder-flash 1000000 -
qwen3.5 1000000 -
qwen3 262144 -
claude 200000 -
gpt-5 272000 -
gemini 1000000 -
deepseek 131072 -
`

func qwenCodeWindow(in *Installation) (core.Limits, bool) {
	if in.Model == "" {
		return core.NoLimits, false
	}
	if l, ok := table(qwenCodeWindows, bare(in.Model)); ok {
		return l, true
	}
	return core.Limits{Window: 131_072, Input: core.Unknown, Output: core.Unknown}, true
}

// qwenCodeAbsolute is the first known version of Qwen Code that also keeps a number of tokens free; 0.15.10 does not.
const qwenCodeAbsolute = "0.16.0"

func qwenCodeRule(in *Installation) core.Rule {
	rule := core.Rule{
		Name: "qwen-code", Since: "2026-11-23", Source: "read from the shipped program, version 0.24.4: DEFAULT_PCT 0.85, SUMMARY_RESERVE 20,000, AUTOCOMPACT_BUFFER 13,000",
		First:   core.FirstPrompt{Tools: core.Unrecorded{Usual: 500, Most: 6_000}, Memory: core.Unrecorded{Usual: 1_000, Most: 9_000}},
		Percent: 8500, OfWindow: true, Prints: printsPrompt, PrintsAs: phrase.AgentPrints.Text(phrase.Name("Qwen Code")),
	}
	setting := "context.autoCompactThreshold"
	if in.version().AtLeast(qwenCodeAbsolute) {
		const reserve, buffer = 20_000, 13_000
		if w := in.Limits.Window; w <= 0 || w > reserve+buffer {
			rule.Below = reserve + buffer
		}
	} else {
		rule.Percent, rule.Since, rule.Source = 7000, "2026-05-01", "read from the shipped program, version 0.15.10: COMPRESSION_TOKEN_THRESHOLD 0.7"
		setting = "chatCompression.contextPercentageThreshold"
	}
	if share := in.fraction(setting, 1, 100); share > 0 {
		rule.Percent = share * 100
		rule.Name += " with " + setting
	}
	return rule
}

func (q *qwenCode) Walk(c *codec.Codec) {
	q.WalkTranscript(c)
	c.Ints("window", &q.window)
	q.tools.Walk(c.Part("tools"))
	q.chain.Walk(c.Part("chain"))
}
