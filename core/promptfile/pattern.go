// Copyright The ctx-lsp authors. MIT licence.

package promptfile

import "strings"

// A pattern is a location of prompt files of a kind, in any workspace. The lists in the editors are generated from the
// patterns; see tools/gen/agents.
type pattern struct {
	kind Kind
	// within is a path of directories; an asterisk at its end matches the rest of a name. "" matches any directory.
	within string
	// deep allows further directories below within.
	deep bool
	// name is a file name, or an asterisk followed by the end of a name.
	name string
}

// The patterns are tried in this order.
var patterns = [...]pattern{
	{AgentsMD, "", false, "AGENTS.md"},
	{AgentsMD, "", false, "AGENTS.override.md"},
	{ClaudeMD, "", false, "CLAUDE.md"},
	{ClaudeMD, "", false, "CLAUDE.local.md"},
	{GeminiMD, "", false, "GEMINI.md"},
	{QwenMD, "", false, "QWEN.md"},
	{CrushMD, "", false, "CRUSH.md"},
	{CrushMD, "", false, "CRUSH.local.md"},
	{Skill, "", false, "SKILL.md"},
	{CursorRules, "", false, ".cursorrules"},
	{WindsurfRules, "", false, ".windsurfrules"},
	{ClineRules, "", false, ".clinerules"},
	{RooRules, "", false, ".roorules"},
	{GooseHints, "", false, ".goosehints"},
	{CopilotInstructions, ".github", false, "copilot-instructions.md"},
	{CursorRule, "", false, "*.mdc"},
	{Instructions, "", false, "*.instructions.md"},
	{Prompt, "", false, "*.prompt.md"},
	{ChatMode, "", false, "*.chatmode.md"},
	{ChatMode, "", false, "*.agent.md"},
	{ClaudeRule, ".claude/rules", true, "*.md"},
	{ClaudeAgent, ".claude/agents", true, "*.md"},
	{ClaudeCommand, ".claude/commands", true, "*.md"},
	{WindsurfRule, ".windsurf/rules", true, "*.md"},
	{ClineRule, ".clinerules", true, "*.md"},
	{RooRule, ".roo/rules", true, "*.md"},
	{RooModeRule, ".roo/rules-*", true, "*.md"},
}

// Globs returns the patterns of all prompt files in the syntax of editors and language servers.
func Globs() []string {
	globs := make([]string, 0, len(patterns))
	for i := range patterns {
		p := &patterns[i]
		glob := "**/"
		if p.within != "" {
			glob += p.within + "/"
		}
		if p.deep {
			glob += "**/"
		}
		globs = append(globs, glob+p.name)
	}
	return globs
}

func (p *pattern) matches(path string) bool {
	dir, base := split(path)
	if ending, ok := strings.CutPrefix(p.name, "*"); ok && !ends(base, ending) || !ok && base != p.name {
		return false
	}
	for p.within != "" && !endsIn(dir, p.within) {
		if dir == "" || !p.deep {
			return false
		}
		dir, _ = split(dir)
	}
	return true
}

// endsIn reports whether a path ends in these directories.
func endsIn(dir, folders string) bool {
	for folders != "" {
		var have, want string
		dir, have = split(dir)
		folders, want = split(folders)
		if beginning, ok := strings.CutSuffix(want, "*"); ok && !strings.HasPrefix(have, beginning) || !ok && have != want {
			return false
		}
	}
	return true
}
