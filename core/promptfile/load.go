// Copyright The ctx-lsp authors. MIT licence.

package promptfile

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
)

// When says when the text of a file is in the context.
type When uint8

// The times at which a file is loaded.
const (
	Always When = iota
	ByPath      // after a file was touched that matches
	OnDemand
)

// String is the name for programs.
func (w When) String() string {
	return [...]string{"always", "path", "demand"}[w]
}

// Load is when a file is loaded, and why.
type Load struct {
	When  When
	Globs []string // of ByPath
	// Why is a sentence, in which Whose stands: a folder, or an agent.
	Why   core.Phrase
	Whose string
	// Listed is the text that is in the context even while the rest is not:
	// the description by which the model chooses.
	Listed string
}

// Sentence says in English why.
func (l *Load) Sentence() string { return l.Why.Say(false, l.Whose) }

// loadOf decides by the kind, the place and the frontmatter. The path is
// relative to the workspace, or begins with ~/ for the user's own files.
func loadOf(k Kind, path string, f *frontmatter) Load {
	switch k {
	case AgentsMD, ClaudeMD, GeminiMD, QwenMD, GooseHints, CrushMD:
		return byFolder(k, path)
	case ClaudeRule:
		if globs := f.globs("paths"); len(globs) > 0 {
			return Load{When: ByPath, Globs: globs, Why: whyPaths, Whose: "Claude Code"}
		}
		return Load{Why: whyNoPaths}
	case ClaudeAgent:
		return Load{When: OnDemand, Listed: listed(f), Why: whySubAgent}
	case ClaudeCommand:
		return Load{When: OnDemand, Listed: listed(f), Why: whyCommand}
	case Skill:
		return Load{When: OnDemand, Listed: listed(f), Why: whySkill}
	case CursorRule:
		switch globs := f.globs("globs"); {
		case f.text("alwaysApply") == "true":
			return Load{Why: whyAlwaysApply}
		case len(globs) > 0:
			return Load{When: ByPath, Globs: globs, Why: whyGlobs}
		case f.text("description") != "":
			return Load{When: OnDemand, Listed: f.text("description"), Why: whyModelAsks}
		}
		return Load{When: OnDemand, Why: whyNamed}
	case CursorRules, WindsurfRules, ClineRules, CopilotInstructions, RooRules, RooRule:
		return Load{Why: whyAlways}
	case Instructions:
		globs := f.globs("applyTo")
		switch {
		case len(globs) == 1 && (globs[0] == "**" || globs[0] == "**/*" || globs[0] == "*"):
			return Load{Why: whyAllFiles}
		case len(globs) > 0:
			return Load{When: ByPath, Globs: globs, Why: whyApplyTo}
		}
		return Load{When: OnDemand, Listed: f.text("description"), Why: whyAttached}
	case RooModeRule:
		return Load{When: OnDemand, Why: whyMode}
	case Prompt:
		return Load{When: OnDemand, Why: whyPrompt}
	case ChatMode:
		return Load{When: OnDemand, Why: whyChosen}
	case WindsurfRule:
		switch f.text("trigger") {
		case "always_on":
			return Load{Why: whyAlwaysOn}
		case "glob":
			return Load{When: ByPath, Globs: f.globs("globs"), Why: whyGlobs}
		case "model_decision":
			return Load{When: OnDemand, Listed: f.text("description"), Why: whyModelAsks}
		}
		return Load{When: OnDemand, Why: whyNamed}
	case ClineRule:
		if globs := f.globs("paths"); len(globs) > 0 {
			return Load{When: ByPath, Globs: globs, Why: whyPaths, Whose: "Cline"}
		}
		return Load{Why: whyAlways}
	}
	return Load{When: OnDemand, Why: whyImported}
}

// byFolder is the Load of files that apply to the folder in which they lie.
func byFolder(k Kind, path string) Load {
	dir, _ := split(path)
	switch {
	case strings.HasPrefix(path, "~"):
		return Load{Why: whyEverywhere}
	case dir == "" || dir == "." || dir == ".claude" || dir[0] == '/' || len(dir) > 1 && dir[1] == ':':
		return Load{Why: whyAlways}
	}
	why := whyFolder
	if k == AgentsMD {
		why = whyNearest
	}
	return Load{When: ByPath, Globs: []string{dir + "/**"}, Why: why, Whose: dir}
}

// listed is the text by which a model knows of a file that it may load.
func listed(f *frontmatter) string {
	name, about := f.text("name"), f.text("description")
	if name == "" || about == "" {
		return name + about
	}
	return name + ": " + about
}
