// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"bytes"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// snapshotBoundary separates the part of the system prompt that is the same in all sessions from the rest.
const snapshotBoundary = "__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__"

// snapshot reads the system prompt and the tools as they are sent, which Claude Code records from 2.1.277 on: first
// without the tools, and again whenever anything changes.
func (c *claudeCode) snapshot(a json.Value) {
	var fixed, rest []byte
	after := false
	for e := a.Get("systemPrompt").Elements(); e.Next(); {
		switch {
		case e.Value.Is(snapshotBoundary):
			after = true
		case after:
			rest = append(e.Value.AppendText(rest), '\n')
		default:
			fixed = append(e.Value.AppendText(fixed), '\n')
		}
	}
	var system []core.PrefixPart
	if len(fixed) > 0 {
		system = append(system, reader.TextPart(phrase.System.Text(), fixed, core.IsCached))
	}
	if len(rest) > 0 {
		system = append(system, reader.TextPart(phrase.SystemHere.Text(), rest, core.NotCached))
	}
	c.systemIs(system)
	if list := a.Get("tools"); list.Len() > 0 {
		c.snapshotOfTools(list)
	}
}

// systemIs stores the system prompt as it is sent now.
func (c *claudeCode) systemIs(parts []core.PrefixPart) {
	if len(parts) > 0 {
		c.SetPrefix(core.FromRecord, core.System, parts)
	}
}

// shape reads the part of a request around the messages, which Claude Code records from 2.1.300 on, block by block and
// whenever it changes. The messages have their own records in the conversation, and are not read again.
func (c *claudeCode) shape(r json.Value) {
	if !c.begun || c.sideOnly != r.Get("isSidechain").Bool() {
		return
	}
	var system []core.PrefixPart
	n := 0
	for e := r.Path("shape", "system").Elements(); e.Next() && n < reader.MaxTools; n++ {
		text := e.Value.Get("text").AppendText(nil)
		switch {
		case len(text) == 0:
		case n < shapeFixed && len(system) > 0:
			system[0].Text = append(append(system[0].Text, '\n'), text...)
		case n < shapeFixed:
			system = append(system, reader.TextPart(phrase.System.Text(), text, core.IsCached))
		case n == shapeFixed:
			system = append(system, reader.TextPart(phrase.SystemHere.Text(), text, core.NotCached))
		default:
			last := &system[len(system)-1]
			last.Text = append(append(last.Text, '\n'), text...)
		}
	}
	c.systemIs(system)
	if list := r.Path("shape", "tools"); list.Len() > 0 {
		c.snapshotOfTools(list)
	}
}

// shapeFixed is how many blocks of a system prompt all sessions share: the
// billing header, the identity and the first part of the instructions.
const shapeFixed = 3

// snapshotOfTools emits the definitions of the tools in the form that a Claude model receives, and those of MCP servers
// separately. A preamble explains how to call tools: 497 tokens up to Claude 4.6, then 694.
func (c *claudeCode) snapshotOfTools(list json.Value) {
	var own, served []core.PrefixPart
	n := 0
	for e := list.Elements(); e.Next() && n < reader.MaxTools; n++ {
		tool := e.Value
		schema, server := tool.Get("schema"), tool.Get("server")
		if inner := schema.Get("input_schema"); inner.Exists() { // 2.1.272 and similar versions
			tool, schema = schema, inner
		}
		if !schema.Exists() {
			schema = tool.Get("input_schema")
		}
		text := definitionText(tool, schema)
		if c.defined(tool, text) {
			continue
		}
		name := reader.Short(tool.Get("name"))
		part := reader.TextPart(core.Named(name), text, core.IsCached)
		if reader.HasText(server) || strings.HasPrefix(name, "mcp__") {
			served = append(served, part)
		} else {
			own = append(own, part)
		}
	}
	if n > 0 {
		preamble := int64(694)
		if strings.Contains(c.Model, "-4-5") || strings.Contains(c.Model, "-4-6") {
			preamble = 497
		}
		own = append(own, core.PrefixPart{Part: core.Part{Label: phrase.Calling.Text(), Tokens: preamble}, Cached: core.IsCached})
	}
	c.SetPrefix(core.FromRecord, core.Tools, own)
	c.SetPrefix(core.FromRecord, core.MCPTools, served)
}

// instructions reads the memory files as they were loaded. If the text that was sent is known, it also has a heading
// for each.
func (c *claudeCode) instructions(a json.Value, sent []byte) {
	var files []core.PrefixPart
	for e := a.Get("files").Elements(); e.Next() && len(files) < reader.MaxTools; {
		if content := e.Value.Get("content"); reader.HasText(content) {
			path := strings.ReplaceAll(reader.Short(e.Value.Get("path")), `\`, "/")
			label := path[strings.LastIndexByte(path, '/')+1:]
			text := content.AppendText(nil)
			if at := bytes.Index(sent, bytes.TrimSpace(text)); at >= 0 {
				end := at + len(bytes.TrimSpace(text))
				text, sent = slices.Clone(sent[:end]), sent[end:]
			}
			files = append(files, reader.TextPart(core.Named(label), text, core.NotCached))
		}
	}
	if len(files) > 0 {
		c.SetPrefix(core.FromRecord, core.Memory, files)
	}
}

// changedInstructions appends memory files that have changed since the first request. They are sent again in the
// conversation, each with a heading, and the earlier ones stay in front of it.
func (c *claudeCode) changedInstructions(a json.Value) {
	text := c.Scratch[:0]
	item := reader.NewItem(core.Memory)
	item.Label = phrase.AttachedMemory.Text()
	for e := a.Get("files").Elements(); e.Next(); {
		if content := e.Value.Get("content"); reader.HasText(content) {
			text = e.Value.Get("path").AppendText(text)
			text = append(text, "\n\n"...)
			text = content.AppendText(text)
			item.Wrapping += 20
		}
	}
	if item.Text, c.Scratch = text, text; len(text) > 0 {
		item.Wrapping += 60
		c.add(item)
	}
}
