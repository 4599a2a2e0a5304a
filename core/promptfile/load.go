// Copyright The ctx-lsp authors. MIT licence.

package promptfile

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// When is the time at which the text of a file enters the context.
type When uint8

// The times at which a file is loaded.
const (
	Always When = iota
	ByPath      // once a matching file is used
	OnDemand
)

// String returns the name for programs.
func (w When) String() string {
	return [...]string{"always", "path", "demand"}[w]
}

// Load describes when and why a file is loaded.
type Load struct {
	When  When
	Globs []string // patterns for ByPath
	// Why is a sentence into which Whose, a directory or an agent, is inserted.
	Why     phrase.ID
	WhyName string
	// Listed is the text that is always in the context, even if the rest is not: the description from which the model
	// chooses.
	Listed string
}

// Sentence returns the reason in English.
func (l *Load) Sentence() string {
	text := l.why(l.WhyName)
	return text.String()
}

// why returns the reason with a name inserted, if it has one.
func (l *Load) why(name string) phrase.Text {
	if l.WhyName == "" {
		return l.Why.Text()
	}
	return l.Why.Text(phrase.Name(name))
}

// loadOf decides by the kind, the path and the frontmatter. The path is relative to the workspace, or begins with ~/
// for the user's own files.
func loadOf(k Kind, path string, f *frontmatter) Load {
	switch k {
	case AgentsMD, ClaudeMD, GeminiMD, QwenMD, GooseHints, CrushMD:
		return byFolder(k, path)
	case ClaudeRule:
		if globs := f.globs("paths"); len(globs) > 0 {
			return Load{When: ByPath, Globs: globs, Why: phrase.WhyPaths, WhyName: "Claude Code"}
		}
		return Load{Why: phrase.WhyNoPaths}
	case ClaudeAgent:
		return Load{When: OnDemand, Listed: listed(f), Why: phrase.WhySubAgent}
	case ClaudeCommand:
		return Load{When: OnDemand, Listed: listed(f), Why: phrase.WhyCommand}
	case Skill:
		return Load{When: OnDemand, Listed: listed(f), Why: phrase.WhySkill}
	case CursorRule:
		switch globs := f.globs("globs"); {
		case f.text("alwaysApply") == "true":
			return Load{Why: phrase.WhyAlwaysApply}
		case len(globs) > 0:
			return Load{When: ByPath, Globs: globs, Why: phrase.WhyGlobs}
		case f.text("description") != "":
			return Load{When: OnDemand, Listed: f.text("description"), Why: phrase.WhyModelAsks}
		}
		return Load{When: OnDemand, Why: phrase.WhyNamed}
	case CursorRules, WindsurfRules, ClineRules, CopilotInstructions, RooRules, RooRule:
		return Load{Why: phrase.WhyAlways}
	case Instructions:
		globs := f.globs("applyTo")
		switch {
		case len(globs) == 1 && (globs[0] == "**" || globs[0] == "**/*" || globs[0] == "*"):
			return Load{Why: phrase.WhyAllFiles}
		case len(globs) > 0:
			return Load{When: ByPath, Globs: globs, Why: phrase.WhyApplyTo}
		}
		return Load{When: OnDemand, Listed: f.text("description"), Why: phrase.WhyAttached}
	case RooModeRule:
		return Load{When: OnDemand, Why: phrase.WhyMode}
	case Prompt:
		return Load{When: OnDemand, Why: phrase.WhyPrompt}
	case ChatMode:
		return Load{When: OnDemand, Why: phrase.WhyChosen}
	case WindsurfRule:
		switch f.text("trigger") {
		case "always_on":
			return Load{Why: phrase.WhyAlwaysOn}
		case "glob":
			return Load{When: ByPath, Globs: f.globs("globs"), Why: phrase.WhyGlobs}
		case "model_decision":
			return Load{When: OnDemand, Listed: f.text("description"), Why: phrase.WhyModelAsks}
		}
		return Load{When: OnDemand, Why: phrase.WhyNamed}
	case ClineRule:
		if globs := f.globs("paths"); len(globs) > 0 {
			return Load{When: ByPath, Globs: globs, Why: phrase.WhyPaths, WhyName: "Cline"}
		}
		return Load{Why: phrase.WhyAlways}
	}
	return Load{When: OnDemand, Why: phrase.WhyImported}
}

// byFolder returns the Load of files that apply to their own directory.
func byFolder(k Kind, path string) Load {
	dir, _ := split(path)
	switch {
	case strings.HasPrefix(path, "~"):
		return Load{Why: phrase.WhyEverywhere}
	case dir == "" || dir == "." || dir == ".claude" || dir[0] == '/' || len(dir) > 1 && dir[1] == ':':
		return Load{Why: phrase.WhyAlways}
	}
	why := phrase.WhyFolder
	if k == AgentsMD {
		why = phrase.WhyNearest
	}
	return Load{When: ByPath, Globs: []string{dir + "/**"}, Why: why, WhyName: dir}
}

// listed returns the name and description that the model sees before it loads the file.
func listed(f *frontmatter) string {
	name, about := f.text("name"), f.text("description")
	if name == "" || about == "" {
		return name + about
	}
	return name + ": " + about
}
