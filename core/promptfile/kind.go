// Copyright The ctx-lsp authors. MIT licence.

// Package promptfile reads the files that instruct coding agents, such as AGENTS.md, CLAUDE.md and SKILL.md: when each
// one is loaded, how many tokens its sections take, and which files it imports.
//
// A Document is kept while it is edited; an edit recounts only the text around it. A Set holds documents that may
// import one another. The host finds the files that imports refer to and opens them in the same set.
package promptfile

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// A Kind is the type of a prompt file, which decides who reads it and when.
type Kind uint8

// The kinds of prompt files; None is any other file.
const (
	None                Kind = iota
	AgentsMD                 // AGENTS.md
	ClaudeMD                 // CLAUDE.md and CLAUDE.local.md
	ClaudeRule               // .claude/rules/*.md
	ClaudeAgent              // .claude/agents/*.md
	ClaudeCommand            // .claude/commands/*.md
	Skill                    // SKILL.md
	GeminiMD                 // GEMINI.md
	QwenMD                   // QWEN.md
	CursorRule               // .cursor/rules/*.mdc
	CursorRules              // .cursorrules
	CopilotInstructions      // .github/copilot-instructions.md
	Instructions             // *.instructions.md
	Prompt                   // *.prompt.md
	ChatMode                 // *.chatmode.md, *.agent.md
	WindsurfRules            // .windsurfrules
	WindsurfRule             // .windsurf/rules/*.md
	ClineRules               // .clinerules
	ClineRule                // .clinerules/*.md
	GooseHints               // .goosehints
	CrushMD                  // CRUSH.md and CRUSH.local.md
	RooRules                 // .roorules
	RooRule                  // .roo/rules/*.md
	RooModeRule              // .roo/rules-*/*.md
)

// A syntax is the way in which files of a kind refer to their imports.
type syntax uint8

const (
	noImports  syntax = iota
	atImports         // @path, outside code
	referenced        // #file:path and [text](path)
)

type description struct {
	name      string    // stable, for programs
	title     phrase.ID // for users; "" if users see the file name
	titleName string    // name inserted into the title, or the file name if there is no title
	reader    string    // agent ID as in core/agent; "" if several agents read it
	syntax    syntax
	model     string // default model for counting
}

// Each model represents the tokenizer of a family and a typical window; a session or the user sets the real model.
const (
	claudeModel = "claude-sonnet-5"
	openModel   = "gpt-5.5"
	geminiModel = "gemini-2.5-pro"
)

var descriptions = [...]description{
	None:                {"none", phrase.NoPromptFile, "", "", noImports, openModel},
	AgentsMD:            {"agents", "", "AGENTS.md", "", noImports, openModel},
	ClaudeMD:            {"claude", "", "CLAUDE.md", "claude-code", atImports, claudeModel},
	ClaudeRule:          {"claude-rule", phrase.RuleOf, "Claude Code", "claude-code", atImports, claudeModel},
	ClaudeAgent:         {"claude-agent", phrase.AgentOf, "Claude Code", "claude-code", noImports, claudeModel},
	ClaudeCommand:       {"claude-command", phrase.CommandOf, "Claude Code", "claude-code", atImports, claudeModel},
	Skill:               {"skill", phrase.SkillFile, "", "", noImports, claudeModel},
	GeminiMD:            {"gemini", "", "GEMINI.md", "gemini-cli", atImports, geminiModel},
	QwenMD:              {"qwen", "", "QWEN.md", "qwen-code", atImports, openModel},
	CursorRule:          {"cursor-rule", phrase.RuleOf, "Cursor", "cursor", atImports, claudeModel},
	CursorRules:         {"cursorrules", "", ".cursorrules", "cursor", noImports, claudeModel},
	CopilotInstructions: {"copilot", phrase.InstructionsOf, "Copilot", "copilot", noImports, openModel},
	Instructions:        {"instructions", phrase.InstructionsFile, "", "copilot", referenced, openModel},
	Prompt:              {"prompt", phrase.PromptFile, "", "copilot", referenced, openModel},
	ChatMode:            {"chat-mode", phrase.CustomAgent, "", "copilot", referenced, openModel},
	WindsurfRules:       {"windsurfrules", "", ".windsurfrules", "windsurf", noImports, claudeModel},
	WindsurfRule:        {"windsurf-rule", phrase.RuleOf, "Windsurf", "windsurf", noImports, claudeModel},
	ClineRules:          {"clinerules", "", ".clinerules", "cline", noImports, claudeModel},
	ClineRule:           {"cline-rule", phrase.RuleOf, "Cline", "cline", noImports, claudeModel},
	GooseHints:          {"goosehints", "", ".goosehints", "goose", atImports, openModel},
	CrushMD:             {"crush", "", "CRUSH.md", "crush", noImports, openModel},
	RooRules:            {"roorules", "", ".roorules", "roo-code", noImports, claudeModel},
	RooRule:             {"roo-rule", phrase.RuleOf, "Roo Code", "roo-code", noImports, claudeModel},
	RooModeRule:         {"roo-mode-rule", phrase.ModeRuleOf, "Roo Code", "roo-code", noImports, claudeModel},
}

// String returns the kind's name for programs.
func (k Kind) String() string { return descriptions[k].name }

// Title returns the kind's name for users, in English.
func (k Kind) Title() string { return k.title().String() }

// title returns the kind's name for users. File names are the same in all languages.
func (k Kind) title() phrase.Text {
	switch d := &descriptions[k]; {
	case d.title == "":
		return phrase.Named(d.titleName)
	case d.titleName == "":
		return d.title.Text()
	default:
		return d.title.Text(phrase.Name(d.titleName))
	}
}

// Reader returns the agent that reads files of this kind, or "" if several do.
func (k Kind) Reader() string { return descriptions[k].reader }

// Model returns the model to count a file for if neither a session nor the user sets one.
func (k Kind) Model() string { return descriptions[k].model }

// KindOf returns the kind of the prompt file at path, or None. It accepts slashes and backslashes.
func KindOf(path string) Kind {
	for i := range patterns {
		if p := &patterns[i]; p.matches(path) {
			return p.kind
		}
	}
	return None
}

// split cuts a path before its last element.
func split(path string) (dir, base string) {
	if last := strings.LastIndexAny(path, `/\`); last >= 0 {
		return path[:last], path[last+1:]
	}
	return "", path
}

// ends reports whether name ends in suffix and is longer.
func ends(name, suffix string) bool {
	return len(name) > len(suffix) && strings.HasSuffix(name, suffix)
}
