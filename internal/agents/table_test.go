// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
)

// asAnother are agents that write another's records: their fixtures, hostile inputs and restored sessions are its.
var asAnother = map[string]string{
	agent.OMP: agent.Pi, agent.Prime: agent.Pi, agent.OpenClaw: agent.Pi, agent.OpenClaude: agent.ClaudeCode, agent.IFlow: agent.ClaudeCode,
	agent.Qoder: agent.ClaudeCode, agent.Augure: agent.Codex, agent.TraeX: agent.Codex,
	agent.MiMoCode: agent.OpenCode, agent.ZCode: agent.OpenCode, agent.Kilo: agent.OpenCode, agent.ZooCode: agent.RooCode,
}

// withoutRule are agents of which nobody has found out when they compact.
var withoutRule = []string{agent.Kiro, agent.Antigravity, agent.IFlow, agent.Droid, agent.Qoder}

// notRead are agents of which a rule or a name is known, and whose sessions are not read.
var notRead = []string{agent.Aider, agent.Amp, agent.Dexto, agent.Codelet, "windsurf"}

// TestEveryAgentHasAllOfItsParts fails for an agent of which something is missing: a reader, a place where its sessions
// are listed, fixtures that the tests of hostile inputs and of restored sessions go through, a fuzz target, a rule, a
// row in both tables of docs/agents.md, and its entry in the editors.
func TestEveryAgentHasAllOfItsParts(t *testing.T) {
	text := func(path string) string {
		content, err := os.ReadFile(filepath.FromSlash("../../" + path))
		if err != nil {
			t.Fatal(err)
		}
		return string(content)
	}
	docs := text("docs/agents.md")
	section := func(from, to string) string {
		_, rest, found := strings.Cut(docs, from)
		part, _, ended := strings.Cut(rest, to)
		if !found || !ended {
			t.Fatalf("docs/agents.md has no part from %q to %q", from, to)
		}
		return rows(part)
	}
	tables := map[string]string{
		"how each agent is read": section("## How each agent is read", "## Compaction thresholds"),
		"compaction thresholds":  section("## Compaction thresholds", "### Overrides"),
	}
	editors := text("extensions/vscode/src/agents.gen.ts")
	fuzzed := text("core/agent/lines_test.go") + text("internal/agents/store_fuzz_test.go") + text("internal/agents/openhands_store_test.go") + text("internal/agents/jetbrains_test.go") + text("internal/agents/junie_test.go") + text("internal/agents/auggie_test.go") + text("internal/agents/devin_test.go")
	listed := map[string]bool{}
	for _, root := range Roots(dirs.New("linux", "/home/ada", func(string) string { return "" })) {
		listed[root.Agent] = listed[root.Agent] || root.List != nil
	}
	for _, entry := range agent.Entries() {
		id := entry.ID
		if slices.Contains(notRead, id) {
			if listed[id] {
				t.Errorf("%s is read, so it is not among those that are not", id)
			}
			continue
		}
		missing := func(what string) { t.Errorf("%s has no %s", entry.Name, what) }
		if agent.New(id) == nil {
			missing("reader")
		}
		if !listed[id] {
			missing("place where its sessions are listed")
		}
		if (entry.Rule == nil) != slices.Contains(withoutRule, id) {
			missing("rule, or has one and is among those without")
		}
		if !strings.Contains(editors, `'`+id+`'`) && !strings.Contains(editors, `"`+id+`"`) && !strings.Contains(editors, entry.Name) {
			missing("entry in the editors")
		}
		of := id
		if other, ok := asAnother[id]; ok {
			of = other
		}
		sessions, _ := filepath.Glob(filepath.FromSlash("../../testdata/sessions/" + of + "/*.events"))
		lines, _ := filepath.Glob(filepath.FromSlash("../../testdata/lines/" + of + "/*.events"))
		if len(sessions)+len(lines) == 0 && storeOf(of) == nil {
			missing("fixture")
		}
		if len(lines) > 0 && !strings.Contains(fuzzed, "agent."+constant(of)+")") {
			missing("fuzz target of its lines")
		}
		if storeOf(of) != nil && !strings.Contains(strings.ToLower(fuzzed), "agent."+strings.ToLower(constant(of))) {
			missing("fuzz target of its store")
		}
		for name, table := range tables {
			if !strings.Contains(strings.ToLower(table), strings.ToLower(inDocs(entry.Name))) {
				t.Errorf("%s has no row in the table of docs/agents.md: %s", entry.Name, name)
			}
		}
	}
}

// inDocs is how an agent is called in docs/agents.md, where others have the same maker.
func inDocs(name string) string {
	switch name {
	case "GitHub Copilot":
		return "Copilot Chat"
	case "Factory Droid":
		return "Droid"
	case "iFlow CLI":
		return "iFlow"
	case "Kilo CLI":
		return "Kilo 7"
	}
	return name
}

// rows are the rows of the tables in a text.
func rows(text string) (table string) {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "|") {
			table += line
		}
	}
	return table
}

// constant is the name of an agent's id in Go.
func constant(id string) string {
	for name, is := range map[string]string{
		"KimiCode": agent.KimiCode, "KimiCLI": agent.KimiCLI, "DSH": agent.DSH, "Pi": agent.Pi, "Droid": agent.Droid, "Grok": agent.Grok,
		"Vibe": agent.Vibe, "Continue": agent.Continue, "Kiro": agent.Kiro, "Cursor": agent.Cursor, "Crush": agent.Crush, "Goose": agent.Goose,
		"Zed": agent.Zed, "Antigravity": agent.Antigravity, "Hermes": agent.Hermes, "Copilot": agent.Copilot,
		"GPTMe": agent.GPTMe, "OpenHands": agent.OpenHands, "JetBrains": agent.JetBrains, "Junie": agent.Junie, "Auggie": agent.Auggie, "Devin": agent.Devin,
	} {
		if is == id {
			return name
		}
	}
	return "unheard of"
}
