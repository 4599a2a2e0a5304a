// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/json"
)

func number(w *json.Writer, key string, n int64) {
	w.Key(key)
	if n == core.Unknown {
		w.Null()
		return
	}
	w.Int(n)
}

// signed writes a number for which -1 is a value like any other.
func signed(w *json.Writer, key string, n int64) {
	w.Key(key)
	w.Int(n)
}

func percent(w *json.Writer, key string, hundredths int64) {
	w.Key(key)
	if hundredths == core.Unknown {
		w.Null()
		return
	}
	w.Hundredths(hundredths)
}

func text(w *json.Writer, key, value string) {
	w.Key(key)
	w.String(value)
}

func limitSource(s core.LimitSource) string {
	switch s {
	case core.FromUser:
		return "user"
	case core.FromError:
		return "error"
	case core.FromAgent:
		return "agent"
	case core.FromProvider:
		return "provider"
	case core.FromAgentTable:
		return "agentTable"
	case core.FromRegistry:
		return "registry"
	}
	return "unknown"
}

// writeReading writes the Reading of a session, the shape that types.go
// declares, field by field in its order.
func (c *Core) writeReading(e *entry) {
	r := e.session.Reading()
	w := &c.out
	w.BeginObject()
	text(w, "schema", core.Schema)
	text(w, "session", r.ID)
	text(w, "label", r.Label)
	text(w, "agent", r.Agent)
	text(w, "agentVersion", r.AgentVersion)
	text(w, "model", r.Model)
	text(w, "workspace", r.Workspace)
	w.Key("parent")
	if r.Parent == "" {
		w.Null()
	} else {
		w.String(r.Parent)
	}
	text(w, "mode", r.Mode.String())
	text(w, "basis", r.Basis.String())
	w.Key("pending")
	w.Bool(r.Pending)
	number(w, "used", r.Used)
	number(w, "low", r.Low)
	number(w, "high", r.High)
	number(w, "limit", r.Limit)
	w.Key("free")
	if r.Limit == core.Unknown {
		w.Null()
	} else {
		w.Int(r.Free)
	}
	number(w, "reserve", r.Reserve)
	percent(w, "percent", r.Percent)
	text(w, "limitSource", limitSource(r.LimitSource))
	writeLastRequest(w, r.LastRequest)
	writeLeaving(w, &r.Leaving)
	w.Key("new")
	w.BeginObject()
	signed(w, "tokens", r.New.Tokens)
	number(w, "items", int64(r.New.Items))
	text(w, "basis", r.New.Basis.String())
	w.EndObject()
	w.Key("breakdown")
	w.BeginArray()
	for i := range r.Breakdown {
		writeRow(w, &r.Breakdown[i])
	}
	w.EndArray()
	writeCompaction(w, &r.Compaction, r.Limit != core.Unknown)
	w.Key("advice")
	w.BeginArray()
	for i := range r.Advice {
		a := &r.Advice[i]
		w.BeginObject()
		text(w, "action", a.Action)
		text(w, "label", a.Label)
		number(w, "tokens", a.Tokens)
		number(w, "items", a.Items)
		text(w, "how", a.How)
		w.Key("breaksCache")
		w.Bool(a.BreaksCache)
		w.EndObject()
	}
	w.EndArray()
	writeAccuracy(w, &r.Accuracy)
	w.Key("spent")
	w.BeginObject()
	number(w, "calls", r.Spent.Calls)
	number(w, "in", r.Spent.In)
	number(w, "out", r.Spent.Out)
	number(w, "cacheRead", r.Spent.CacheRead)
	number(w, "cacheWrite", r.Spent.CacheWrite)
	number(w, "reasoning", r.Spent.Reasoning)
	w.EndObject()
	number(w, "compactions", r.Compactions)
	w.Key("children")
	w.BeginArray()
	for _, child := range e.children {
		c.writeBrief(child, false)
	}
	w.EndArray()
	w.Key("warnings")
	w.BeginArray()
	for _, sentence := range r.Warnings {
		w.String(sentence)
	}
	w.EndArray()
	number(w, "asOf", r.AsOf)
	w.Key("agentPercent")
	if r.AgentOwn == nil {
		w.Null()
	} else {
		w.BeginObject()
		percent(w, "value", r.AgentOwn.Hundredths)
		text(w, "label", r.AgentOwn.Label)
		w.EndObject()
	}
	writeDisplay(w, &r.Display)
	w.EndObject()
}

func writeLastRequest(w *json.Writer, l *core.LastRequest) {
	w.Key("lastRequest")
	if l == nil {
		w.Null()
		return
	}
	w.BeginObject()
	number(w, "in", l.In)
	percent(w, "percent", l.Percent)
	number(w, "cacheRead", l.CacheRead)
	number(w, "cacheWrite", l.CacheWrite)
	number(w, "out", l.Out)
	number(w, "reasoning", l.Reasoning)
	number(w, "carry", l.Carry)
	text(w, "carryBasis", l.CarryBasis.String())
	w.EndObject()
}

func writeLeaving(w *json.Writer, l *core.Leaving) {
	w.Key("leaving")
	w.BeginObject()
	number(w, "tokens", l.Tokens)
	w.Key("reasons")
	w.BeginArray()
	for _, r := range l.Reasons {
		w.BeginObject()
		text(w, "reason", r.Reason)
		number(w, "tokens", r.Tokens)
		w.EndObject()
	}
	w.EndArray()
	w.EndObject()
}

func writeRow(w *json.Writer, r *core.Row) {
	w.BeginObject()
	text(w, "kind", r.Kind.String())
	text(w, "label", r.Label)
	number(w, "tokens", r.Tokens)
	text(w, "basis", r.Basis.String())
	if r.Deferred {
		w.Key("deferred")
		w.Bool(true)
	}
	w.EndObject()
}

func writeRange(w *json.Writer, key string, r *core.Range, likely bool) {
	w.Key(key)
	if r == nil {
		w.Null()
		return
	}
	w.BeginObject()
	signed(w, "low", r.Low)
	if likely {
		signed(w, "likely", r.Likely)
	}
	signed(w, "high", r.High)
	w.EndObject()
}

func writeCompaction(w *json.Writer, k *core.Compaction, limited bool) {
	w.Key("compaction")
	w.BeginObject()
	text(w, "rule", k.Rule)
	text(w, "since", k.Since)
	text(w, "source", k.Source)
	number(w, "line", k.Line)
	w.Key("left")
	if k.Line == core.Unknown {
		w.Null()
	} else {
		w.Int(k.Left)
	}
	percent(w, "percent", k.Percent)
	text(w, "level", k.Level.String())
	w.Key("advised")
	w.Bool(k.Advised)
	number(w, "buffer", k.Buffer)
	writeRange(w, "landing", k.Landing, false)
	writeRange(w, "callsLeft", k.CallsLeft, true)
	writeRange(w, "turnsLeft", k.TurnsLeft, true)
	w.EndObject()
}

func writeAccuracy(w *json.Writer, a *core.Accuracy) {
	w.Key("accuracy")
	w.BeginObject()
	w.Key("last")
	if a.Last == nil {
		w.Null()
	} else {
		w.BeginObject()
		signed(w, "predicted", a.Last.Predicted)
		signed(w, "actual", a.Last.Actual)
		signed(w, "error", a.Last.Error)
		w.Key("percent")
		w.Hundredths(a.Last.Percent)
		text(w, "cause", a.Last.Cause)
		w.EndObject()
	}
	w.Key("ratio")
	w.Hundredths(a.Ratio)
	number(w, "medianTokens", a.MedianTokens)
	number(w, "p95Tokens", a.P95Tokens)
	percent(w, "p95Percent", a.P95Percent)
	number(w, "steps", a.Steps)
	w.EndObject()
}

func writeDisplay(w *json.Writer, d *core.Display) {
	w.Key("display")
	w.BeginObject()
	text(w, "mark", d.Mark)
	text(w, "percent", d.Percent)
	text(w, "used", d.Used)
	text(w, "limit", d.Limit)
	text(w, "free", d.Free)
	text(w, "left", d.Left)
	text(w, "percentLeft", d.PercentLeft)
	text(w, "line", d.Line)
	text(w, "linePercent", d.LinePercent)
	text(w, "linePercentLeft", d.LinePercentLeft)
	text(w, "bar", d.Bar)
	w.EndObject()
}

// writeBrief writes a session in short, with the children it has, nested
// unless the caller lists them itself.
func (c *Core) writeBrief(e *entry, flat bool) {
	r := e.session.Reading()
	w := &c.out
	w.BeginObject()
	text(w, "session", r.ID)
	text(w, "label", r.Label)
	text(w, "agent", r.Agent)
	text(w, "model", r.Model)
	text(w, "workspace", r.Workspace)
	w.Key("parent")
	if r.Parent == "" {
		w.Null()
	} else {
		w.String(r.Parent)
	}
	number(w, "used", r.Used)
	number(w, "limit", r.Limit)
	percent(w, "percent", r.Percent)
	text(w, "level", r.Compaction.Level.String())
	text(w, "basis", r.Basis.String())
	w.Key("pending")
	w.Bool(r.Pending)
	number(w, "asOf", r.AsOf)
	w.Key("children")
	w.BeginArray()
	for _, child := range e.children {
		if flat {
			w.String(child.session.ID)
		} else {
			c.writeBrief(child, false)
		}
	}
	w.EndArray()
	writeDisplay(w, &r.Display)
	w.EndObject()
}
