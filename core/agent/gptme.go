// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

var gptmeEntry = Entry{
	ID: GPTMe, Name: "gptme", CompactCommand: "/compact",
	Proof:     Proof{Lab: "0.35.1"},
	Recognise: isGPTMe, Read: func(string) Reader { return &gptme{} }, Rule: gptmeRule,
}

// gptmeRule returns gptme's rule: it compacts at 90% of the window, at 256,000 tokens, or 1,000 tokens before the
// output no longer fits, whichever is least, or at a configured budget.
func gptmeRule(in *Installation) core.Rule {
	rule := core.Rule{
		Name: "gptme", Since: "2026-10-01", Source: "gptme 0.35.1 util/context_budget.py",
	}
	// In these formats the system prompt has the tools. Otherwise they are sent without a record.
	if format := in.setting("chat.tool_format"); format != "markdown" && format != "xml" {
		rule.First.ToolsHidden = true
	}
	share, budget := int64(0), int64(0) // hundredths of the window, or tokens
	for _, name := range []string{"chat.context_budget", "GPTME_CONTEXT_BUDGET", "context.budget"} {
		set := in.setting(name)
		if n := tokens(set); n > 1 {
			budget = n
		} else if share = hundredth(set); share <= 0 || share > 100 {
			share = 0
			continue
		}
		rule.Name += " with " + name
		break
	}
	rule.Formula = func(l core.Limits) int64 {
		window, output := windowOf(l), l.Output
		if window <= 0 {
			if budget > 0 {
				return budget
			}
			return core.Unknown
		}
		if output <= 0 || output >= window {
			output = 8192
		}
		most := window - output - 1000
		if most <= 0 {
			most = min(1000, window)
		}
		switch {
		case budget > 0:
			return min(budget, most)
		case share > 0:
			return min(window*share/100, most)
		}
		return min(max(min(window*9/10, 256_000), 1000), most)
	}
	return rule
}

// isGPTMe recognizes a message by its fields: it has no type and no id.
func isGPTMe(r json.Value) bool {
	if role := r.Get("role"); !role.Is("user") && !role.Is("assistant") && !role.Is("system") {
		return false
	}
	if r.Get("content").Kind() != json.String || r.Get("timestamp").Kind() != json.String {
		return false
	}
	for f := r.Fields(); f.Next(); {
		switch f.Called() {
		case "role", "content", "timestamp", "files", "file_hashes", "pinned", "hide", "ui_only", "ephemeral_ttl", "call_id", "metadata":
		default:
			return false
		}
	}
	return true
}

// gptme reads the messages of gptme. Those before the first one of the user are the system prompt.
type gptme struct {
	reader.Messages
	began bool // the user has sent a message
}

func (g *gptme) Walk(c *codec.Codec) {
	g.WalkMessages(c)
	c.Bools("began", &g.began)
}

func (g *gptme) Record(r json.Value, emit func(core.Event)) {
	g.Emit = emit
	if g.Agent == "" {
		g.SetAgent(GPTMe, json.Value{})
	}
	if at := r.Get("timestamp"); zoned(at) {
		g.AdvanceTo(at)
	}
	content := r.Get("content")
	switch role := r.Get("role"); {
	case r.Get("ui_only").Bool():
		g.notice(content.String())
	case role.Is("user"):
		g.began = true
		g.StartTurn()
		g.AddText(core.User, content)
	case role.Is("assistant"):
		g.answer(r)
	case role.Is("system") && !g.began:
		g.system(content)
	case role.Is("system"):
		g.result(r)
	default:
		g.SkipUnknown(r, role)
	}
}

// system reads a part of the system prompt. The first one names the version and the model, and a later one the window.
func (g *gptme) system(content json.Value) {
	text := content.String()
	if after, ok := strings.CutPrefix(text, "You are gptme v"); ok && g.Version == "" {
		if version, _, ok := strings.Cut(after, ","); ok && reader.IsName(version) {
			g.Version = version
			g.Emit(core.AgentSeen{Agent: GPTMe, Version: version})
		}
	}
	if _, after, ok := strings.Cut(text[:min(len(text), 1000)], "Currently using model: "); ok && g.Model == "" {
		name, _, _ := strings.Cut(after, "\n")
		provider, model, found := strings.Cut(name, "/")
		if !found {
			provider, model = "", name
		}
		if reader.IsName(model) {
			g.SetModel(model[strings.LastIndexByte(model, '/')+1:], gptmeProvider(provider), "")
		}
	}
	if after, ok := strings.CutPrefix(text, "<budget:token_budget>"); ok {
		window, _, _ := strings.Cut(after, "<")
		g.SetWindow(tokens(window), core.Unknown, core.Unknown)
	}
	if g.HasPrefix {
		g.AddText(core.System, content)
		return
	}
	// The prompt has files that are not in the record, so it is not the whole fixed context except the tools.
	g.SetPrefix(core.FromFiles, core.System, []core.PrefixPart{reader.TextPart(phrase.System.Text(), []byte(text), core.NotCached)})
	g.HasPrefix = true
}

// zoned reports whether a time has a zone. gptme writes most times as the clock on the wall shows them.
func zoned(at json.Value) bool {
	text := at.String()
	return strings.HasSuffix(text, "Z") || len(text) > 19 && strings.LastIndexAny(text, "+-") > 10
}

// notice reads a message that is shown and not sent. Two of them end a compaction: the summary, or the shortened
// messages, are in a file of their own.
func (g *gptme) notice(text string) {
	if strings.HasPrefix(text, "\U0001F504 Auto-compacted conversation") || strings.HasPrefix(text, "\u2705 LLM-powered resume completed") {
		g.Compact(json.Value{}, 0, core.Compacted{Auto: true, Tokens: core.Unknown, Before: core.Unknown})
	}
}

func (g *gptme) answer(r json.Value) {
	meta := r.Get("metadata")
	usage := meta.Get("usage")
	if usage.Exists() {
		m := reader.DisjointUsage(usage, reader.UsageKeys{
			Fresh: "input_tokens", Read: "cache_read_tokens", Written: "cache_creation_tokens", Out: "output_tokens", Reasoning: "reasoning_tokens",
		})
		provider, _, found := strings.Cut(reader.Short(meta.Get("model")), "/")
		if !found {
			provider = ""
		}
		m.Model = g.AnsweredBy(gptmeModel(reader.FirstOf(meta, "served_model", "model")), gptmeProvider(provider), "")
		g.Meter(m)
	}
	text := r.Get("content").String()
	for text != "" {
		at, name, id, arguments := gptmeCall(text)
		if before := strings.TrimSpace(text[:at]); before != "" {
			item := reader.NewItem(core.Assistant)
			item.Text, item.NotReply = []byte(before), !usage.Exists()
			g.Add(item)
		}
		if name == "" {
			break
		}
		g.call(name, id, arguments, !usage.Exists())
		text = text[at+len("@(): ")+len(name)+len(id)+len(arguments):]
	}
	// A call in the text itself, as a block of code, is only known by its result.
	if content := r.Get("content").String(); !strings.Contains(content, "```") && !strings.Contains(content, "\n@") && !strings.HasPrefix(content, "@") {
		g.EndTurn()
	}
}

// gptmeProvider returns the id of a provider; a local one has none.
func gptmeProvider(name string) string {
	if name == "local" {
		return ""
	}
	return name
}

// gptmeModel returns the name of a model without its provider.
func gptmeModel(v json.Value) string {
	name := reader.Short(v)
	return name[strings.LastIndexByte(name, '/')+1:]
}

// call appends a call. notReply is set if no usage was recorded with it: an interrupted response is sent again, and is
// no part of the one measured before.
func (g *gptme) call(name, id, arguments string, notReply bool) {
	item := reader.NewItem(core.ToolCalls)
	item.Name, item.NotReply = name, notReply
	item.Label, item.Text = core.Named(item.Name), []byte(arguments)
	if v, err := json.Parse(item.Text); err == nil {
		item.About = reader.About(item.Name, v)
	}
	g.Calls.Add(hashOf(id), item.Name, g.Items)
	g.Add(item)
}

// hashOf returns the hash of an id that is part of a text.
func hashOf(id string) uint64 {
	v, err := json.Parse([]byte(`"` + id + `"`))
	if err != nil {
		return 0
	}
	return reader.Hash(v)
}

// gptmeCall finds the first call in an answer, which is written as @tool(id): {arguments} at the beginning of a line.
// Without one, name is "" and at the end of the text.
func gptmeCall(text string) (at int, name, id, arguments string) {
	start := 0
	for line := range strings.Lines(text) {
		if open := strings.IndexByte(line, '('); line[0] == '@' && open > 1 && reader.IsName(line[1:open]) {
			if id, _, called := strings.Cut(line[open+1:], "): {"); called && reader.IsName(id) {
				body := text[start+open+len("(): ")+len(id):]
				if n := objectLength(body); n > 0 {
					return start, line[1:open], id, body[:n]
				}
			}
		}
		start += len(line)
	}
	return len(text), "", "", ""
}

// objectLength returns the length of the JSON object at the beginning of a text; 0 if it does not end.
func objectLength(text string) int {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// result reads the result of a tool, or a message of gptme itself.
func (g *gptme) result(r json.Value) {
	id, tool := r.Get("call_id"), r.Path("metadata", "tool")
	if !reader.HasText(id) && !reader.HasText(tool) {
		g.AddText(core.System, r.Get("content"))
		return
	}
	item := g.TextItem(core.ToolResults, r.Get("content"))
	if item.Name = g.Calls.Name(reader.Hash(id)); item.Name == "" {
		item.Name = reader.Short(tool)
	}
	item.Label, item.Answers = core.Named(item.Name), g.Calls.Answers(reader.Hash(id))
	g.Add(item)
}
