// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// claudeCodeDefinitions contains the sizes of the definitions of deferred tools: the tool, the first version, and the
// tokens for Opus and Fable, for Sonnet 5, which gets longer descriptions, and for models up to 4.6, which have another
// tokenizer. Packages 2.1.170, 2.1.209, 2.1.226 and 2.1.332 were run once in 2026-11 without an account or a network,
// in a terminal and without one; a server on the same machine replaced the provider's.
const claudeCodeDefinitions = `
AskUserQuestion 2.1.170 1620 1545 931
CronCreate 2.1.170 1633 1633 1205
CronCreate 2.1.332 1888 1888 1410
CronDelete 2.1.170 172 172 121
CronList 2.1.170 114 114 82
EnterPlanMode 2.1.170 1611 1611 1102
EnterWorktree 2.1.170 1304 1304 995
EnterWorktree 2.1.209 1387 1387 1052
ExitPlanMode 2.1.170 884 884 611
ExitPlanMode 2.1.226 861 861 596
ExitWorktree 2.1.170 900 900 684
ExitWorktree 2.1.332 1019 1019 779
ListAgents 2.1.332 626 626 470
Monitor 2.1.170 2850 2850 2065
NotebookEdit 2.1.170 608 608 441
ReportFindings 2.1.209 707 707 495
ReportFindings 2.1.226 765 765 536
ReportFindings 2.1.332 845 845 596
ScheduleWakeup 2.1.170 1395 1395 978
ScheduleWakeup 2.1.209 1515 1515 1063
ScheduleWakeup 2.1.332 1805 1805 1264
SendMessage 2.1.209 474 474 359
SendMessage 2.1.226 531 531 402
SendMessage 2.1.332 2116 2116 1580
TaskCreate 2.1.170 980 980 681
TaskGet 2.1.170 383 383 278
TaskList 2.1.170 439 439 312
TaskOutput 2.1.170 524 524 380
TaskStop 2.1.170 200 200 148
TaskStop 2.1.209 293 293 217
TaskStop 2.1.332 285 285 210
TaskUpdate 2.1.170 1373 1373 988
WebFetch 2.1.170 286 679 474
WebFetch 2.1.332 392 793 561
WebSearch 2.1.170 291 640 475
WebSearch 2.1.332 296 645 477
Workflow 2.1.170 7609 7609 5425
Workflow 2.1.209 7781 7781 5544
Workflow 2.1.226 7878 7878 5612
Workflow 2.1.332 2042 2044 1462
`

const (
	// reference is how many tokens a loaded definition costs beyond its text: the median of recorded sessions, 17 to
	// 67.
	reference = 55
	// unseenDefinition is assumed for a tool that is in no table: the median of the table, which is also close to that
	// of 45 tools of MCP servers. The range covers from a third of it to three times as much.
	unseenDefinition = 650
)

// claudeCodeDefinition returns the size of a deferred tool's definition once it is loaded, by the newest row that is
// not newer than the version, otherwise by the oldest. known is false if no row has the tool.
func claudeCodeDefinition(tool string, version reader.Version, model string) (size int64, known bool) {
	column := 0
	switch name := claudeName(bare(model)); {
	case oldTokens(name):
		column = 2
	case strings.HasPrefix(name, "claude-sonnet-5"):
		column = 1
	}
	for line := range strings.SplitSeq(claudeCodeDefinitions, "\n") {
		name, rest := field(line)
		if name != tool || name == "" {
			continue
		}
		since, rest := field(rest)
		if known && version != 0 && reader.ParseVersion(since) > version {
			break
		}
		var tokensOf string
		for range column + 1 {
			tokensOf, rest = field(rest)
		}
		size, known = max(tokens(tokensOf), 0)+reference, true
	}
	if !known {
		return unseenDefinition, false
	}
	return size, true
}

// oldTokens reports whether a model has the tokenizer of Claude 3 to 4.6.
func oldTokens(name string) bool {
	for _, old := range []string{"claude-3", "claude-opus-4-0", "claude-opus-4-1", "claude-opus-4-5", "claude-opus-4-6", "claude-sonnet-4", "claude-haiku-4-5"} {
		if strings.HasPrefix(name, old) {
			return true
		}
	}
	return false
}

// A loadedTool is a deferred tool that the model has searched for, with its item.
type loadedTool struct {
	name uint64
	item int
}

// maxLoaded is how many loaded tools are remembered.
const maxLoaded = 500

// definition adds a deferred tool that the model has searched for: from now on, its definition is sent. The transcript
// contains it only later, and only from 2.1.300 on.
func (c *claudeCode) definition(tool json.Value) {
	item := definitionItem(reader.Short(tool))
	size, known := claudeCodeDefinition(item.Name, reader.ParseVersion(c.Version), c.Model)
	item.Tokens, item.Assumed = size, !known
	index := c.add(item)
	if len(c.loaded) < maxLoaded {
		c.loaded = append(c.loaded, loadedTool{reader.Hash(tool), index})
	}
}

func definitionItem(name string) core.Item {
	item := reader.NewItem(core.Tools)
	item.Name, item.Label, item.Hidden = name, core.Named(name), true
	if strings.HasPrefix(name, "mcp__") {
		item.Kind = core.MCPTools
	}
	return item
}

// defined reads the definition of a deferred tool, which is an item of the conversation and not a part of the prefix.
// It returns false for other tools. The definition that was assumed before is replaced if no request has measured it.
func (c *claudeCode) defined(tool json.Value, text []byte) bool {
	name := reader.Hash(tool.Get("name"))
	for i := range c.loaded {
		if l := &c.loaded[i]; l.name == name {
			if l.item >= c.through && l.item < c.Items && len(text) > 0 {
				item := definitionItem(reader.Short(tool.Get("name")))
				item.Text, item.Wrapping = text, reference
				c.Emit(core.Replaced{Index: l.item, Item: item})
			}
			return true
		}
	}
	return tool.Get("defer_loading").Bool() // only listed
}

// unload drops the tools whose items were removed from the conversation.
func (c *claudeCode) unload(from int) {
	c.loaded = slices.DeleteFunc(c.loaded, func(l loadedTool) bool { return l.item >= from })
}

// definitions reads the record of the loaded definitions.
func (c *claudeCode) definitions(list json.Value) {
	n := 0
	for e := list.Elements(); e.Next() && n < reader.MaxTools; n++ {
		c.defined(e.Value, definitionText(e.Value, e.Value.Get("input_schema")))
	}
}

// definitionText returns the definition of a tool in the form that a Claude model receives.
func definitionText(tool, schema json.Value) []byte {
	text := []byte(`<function>{"description":`)
	text = append(append(text, tool.Get("description").Raw()...), `,"name":`...)
	text = append(append(text, tool.Get("name").Raw()...), `,"parameters":`...)
	return append(append(text, schema.Raw()...), "}</function>\n"...)
}

func (l *loadedTool) walk(to *codec.Codec) {
	to.Hash("name", &l.name)
	codec.Within(to, "item", &l.item, 0, core.MaxItems)
}
