// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/promptfile"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
)

func typescript() string {
	var b strings.Builder
	fmt.Fprintf(&b, `// %s

// %s

/** What is known of an agent. */
export interface Agent {
  /** As readings have it. */
  readonly id: string;
  /** As people know it. */
  readonly name: string;
  /** What makes room in its window: a command that is typed, or the name of a button. */
  readonly compactCommand?: string;
  /** The view types of its tabs. */
  readonly webview?: RegExp;
  /** How it is started with a first prompt: the words before the prompt. */
  readonly start?: string;
  /** What its reader was compared with, and the version or the month of that. */
  readonly proof?: readonly ['lab' | 'fixtures' | 'estimated' | 'described', string];
}

/** The agents. A tab belongs to the first whose pattern fits. */
export const agents: readonly Agent[] = [
`, copyright, origin)
	for _, e := range tabOrder() {
		fields := []string{"id: " + quoted(e.ID), "name: " + quoted(e.Name)}
		if e.CompactCommand != "" {
			fields = append(fields, "compactCommand: "+quoted(e.CompactCommand))
		}
		if tabsOf(e) != "" {
			fields = append(fields, "webview: /"+tabsOf(e)+"/i")
		}
		if start := agents.Named(e.ID).Start; start != "" {
			fields = append(fields, "start: "+quoted(start))
		}
		if p := e.Proof; p.Rank() != "" {
			fields = append(fields, fmt.Sprintf("proof: ['%s', '%s']", p.Rank(), cmp.Or(p.Lab, p.Dated)))
		}
		fmt.Fprintf(&b, "  { %s },\n", strings.Join(fields, ", "))
	}
	b.WriteString("];\n\n/** The files that agents read by themselves. */\nexport const promptFileGlobs: readonly string[] = [\n")
	for _, glob := range promptfile.Globs() {
		fmt.Fprintf(&b, "  %s,\n", quoted(glob))
	}
	b.WriteString("];\n\n/** The files in which settings of agents and MCP servers are written. */\nexport const settingsFileGlobs: readonly string[] = [\n")
	for _, glob := range agents.SettingsGlobs() {
		fmt.Fprintf(&b, "  %s,\n", quoted(glob))
	}
	b.WriteString("];\n")
	return b.String()
}

// tabsOf returns the pattern for an agent's tabs, "" for an agent without tabs.
func tabsOf(e *agent.Entry) string {
	return agents.Named(e.ID).Tabs
}

// tabOrder returns the agents in their usual order, except that an agent with tabs that match the pattern of another
// comes before that one: "roo-cline" contains "cline".
func tabOrder() []*agent.Entry {
	var order []*agent.Entry
	for _, e := range agent.Entries() {
		at := len(order)
		for i, before := range order {
			if shadows(before, e) {
				at = i
				break
			}
		}
		order = append(order[:at], append([]*agent.Entry{e}, order[at:]...)...)
	}
	return order
}

// shadows reports whether the pattern for one agent's tabs also matches those of another.
func shadows(one, other *agent.Entry) bool {
	for _, word := range strings.Split(tabsOf(one), "|") {
		for _, longer := range strings.Split(tabsOf(other), "|") {
			if word != "" && word != longer && strings.Contains(longer, word) {
				return true
			}
		}
	}
	return false
}

// lua returns the paths as autocommand patterns. In these an asterisk also matches slashes, and a pattern without a
// slash is compared with the file's name only.
func lua() string {
	var b strings.Builder
	fmt.Fprintf(&b, "-- %s\n\n-- %s\n\n--- The prompt files and the files with settings that agents read, as autocommand patterns.\n---@type string[]\nreturn {\n", copyright, origin)
	for _, glob := range append(promptfile.Globs(), agents.SettingsGlobs()...) {
		pattern := strings.ReplaceAll(strings.TrimPrefix(glob, "**/"), "**/", "")
		if strings.Contains(pattern, "/") {
			pattern = "*/" + pattern
		}
		fmt.Fprintf(&b, "  %s,\n", quoted(pattern))
	}
	b.WriteString("}\n")
	return b.String()
}

// quoted returns a string literal for both languages. None of the texts contains a quote or a backslash.
func quoted(s string) string {
	if strings.ContainsAny(s, `'\`) {
		panic("a fact with a quote or a backslash: " + s)
	}
	return "'" + s + "'"
}
