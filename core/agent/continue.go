// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

var continueEntry = Entry{
	ID: Continue, Name: "Continue",
	Proof:          Proof{Dated: "2026-11"},
	CompactCommand: "/compact",
	Recognise:      isContinue, Read: func(string) Reader { return &continued{} },
	Rule: continueRule,
}

// continueRule returns Continue's rule: the input leaves space for the response and a buffer of a fifth of the rest,
// but at least the response's own size and at most 15,000.
func continueRule(*Installation) core.Rule {
	return core.Rule{
		Name: "continue", Since: "2026-06-18", Source: "continue extensions/cli/src/util/tokenizer.ts, shouldAutoCompact",
		Formula: func(l core.Limits) int64 {
			window := l.Window
			if window <= 0 {
				window = 200_000
			}
			output := l.Output
			if output <= 0 {
				output = min((window*35+99)/100, 64_000)
			}
			rest := window - output
			return max(rest-min(max(output, (rest+4)/5), 15_000), 0)
		},
	}
}

func isContinue(r json.Value) bool {
	if r.Get("history").Kind() == json.Array {
		return r.Get("workspaceDirectory").Exists() && r.Get("sessionId").Exists()
	}
	return r.Get("contextItems").Kind() == json.Array && r.Path("message", "role").Exists()
}

// continued reads the sessions of Continue: the document, and each entry of its history.
type continued struct {
	reader.Messages
	thoughts int // index of a reply whose reasoning is a separate entry, plus one; 0 for none
}

func (c *continued) Walk(to *codec.Codec) {
	c.WalkMessages(to)
	codec.Within(to, "thoughts", &c.thoughts, 0, core.MaxItems)
}

func (c *continued) Record(r json.Value, emit func(core.Event)) {
	c.Emit = emit
	if c.Agent == "" {
		c.SetAgent(Continue, json.Value{})
	}
	if r.Get("history").Exists() {
		if path := r.Get("workspaceDirectory"); !strings.HasPrefix(path.String(), "file:") {
			c.SetWorkspace(path)
		}
		c.SetTitle(r.Get("title"), core.ByAgent)
		for e := r.Get("history").Elements(); e.Next(); {
			c.entry(e.Value)
		}
		return
	}
	c.entry(r)
}

func (c *continued) entry(r json.Value) {
	m := r.Get("message")
	if !m.Get("role").Exists() {
		c.SkipUnknown(r, r.Get("type"))
		return
	}
	if e := r.Get("promptLogs").Elements(); e.Next() {
		c.SetModel(reader.Short(reader.FirstOf(e.Value, "modelTitle", "model")), reader.Short(e.Value.Get("modelProvider")), "")
	}
	if in := reader.Count(m.Path("usage", "promptTokens")); in > 0 {
		u := reader.DisjointUsage(m.Path("usage", "promptTokensDetails"), reader.UsageKeys{Read: "cachedTokens", Written: "cacheWriteTokens"})
		cached := max(u.In, 0)
		if u.In = in; cached > in || strings.Contains(c.Model, "claude") || c.Provider == "anthropic" {
			u.In += cached // Anthropic's input is the uncached part
		}
		u.Out = reader.Count(m.Path("usage", "completionTokens"))
		u.Through, u.ThroughSet = c.Items, true
		if c.thoughts > 0 {
			u.Through = min(c.thoughts-1, c.Items)
		}
		c.Emit(u)
	}
	if c.thoughts = 0; m.Get("role").Is("thinking") {
		c.thoughts = c.Items + 1
	}
	c.Message(m)
	for e := r.Get("contextItems").Elements(); e.Next(); {
		c.AddMessageText(core.User, e.Value.Get("content"))
	}
	for e := r.Get("toolCallStates").Elements(); e.Next(); {
		if e.Value.Get("output").Len() > 0 {
			c.AddResult(e.Value)
		}
	}
	if summary := r.Get("conversationSummary"); reader.HasText(summary) {
		c.Compact(summary, 0, core.Compacted{Auto: true, Before: core.Unknown, Tokens: core.Unknown})
	}
}
