// Copyright The ctx-lsp authors. MIT licence.

package promptfile

import "strings"

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
	Why   string   // a sentence
	// Listed is the text that is in the context even while the rest is not:
	// the description by which the model chooses.
	Listed string
}

// loadOf decides by the kind, the place and the frontmatter. The path is
// relative to the workspace, or begins with ~/ for the user's own files.
func loadOf(k Kind, path string, f *frontmatter) Load {
	switch k {
	case AgentsMD, ClaudeMD, GeminiMD, QwenMD, GooseHints, CrushMD:
		return byFolder(k, path)
	case ClaudeRule:
		if globs := f.globs("paths"); len(globs) > 0 {
			return Load{When: ByPath, Globs: globs, Why: "Loaded when Claude Code works with a file that matches its paths."}
		}
		return Load{Why: "In every request: a rule without paths is loaded at the start."}
	case ClaudeAgent:
		return Load{When: OnDemand, Listed: listed(f), Why: "Its description is in every request; the rest is the system prompt of the sub-agent, in a context of its own."}
	case ClaudeCommand:
		return Load{When: OnDemand, Listed: listed(f), Why: "Loaded when the command is called."}
	case Skill:
		return Load{When: OnDemand, Listed: listed(f), Why: "Its name and description are in every request; the rest is loaded when the skill is used."}
	case CursorRule:
		switch globs := f.globs("globs"); {
		case f.text("alwaysApply") == "true":
			return Load{Why: "In every request: alwaysApply is set."}
		case len(globs) > 0:
			return Load{When: ByPath, Globs: globs, Why: "Loaded when a file that matches its globs is in the conversation."}
		case f.text("description") != "":
			return Load{When: OnDemand, Listed: f.text("description"), Why: "Its description is in every request; the rest is loaded when the model asks for it."}
		}
		return Load{When: OnDemand, Why: "Loaded when somebody names it."}
	case CursorRules, WindsurfRules, ClineRules, CopilotInstructions, RooRules, RooRule:
		return Load{Why: "In every request."}
	case Instructions:
		globs := f.globs("applyTo")
		switch {
		case len(globs) == 1 && (globs[0] == "**" || globs[0] == "**/*" || globs[0] == "*"):
			return Load{Why: "In every request: it applies to all files."}
		case len(globs) > 0:
			return Load{When: ByPath, Globs: globs, Why: "Loaded when a file that matches applyTo is in the conversation."}
		}
		return Load{When: OnDemand, Listed: f.text("description"), Why: "Loaded when somebody attaches it: it has no applyTo."}
	case RooModeRule:
		return Load{When: OnDemand, Why: "In every request while its mode is chosen."}
	case Prompt:
		return Load{When: OnDemand, Why: "Loaded when the prompt is run."}
	case ChatMode:
		return Load{When: OnDemand, Why: "Loaded while this agent is chosen."}
	case WindsurfRule:
		switch f.text("trigger") {
		case "always_on":
			return Load{Why: "In every request: its trigger is always_on."}
		case "glob":
			return Load{When: ByPath, Globs: f.globs("globs"), Why: "Loaded when a file that matches its globs is in the conversation."}
		case "model_decision":
			return Load{When: OnDemand, Listed: f.text("description"), Why: "Its description is in every request; the rest is loaded when the model asks for it."}
		}
		return Load{When: OnDemand, Why: "Loaded when somebody names it."}
	case ClineRule:
		if globs := f.globs("paths"); len(globs) > 0 {
			return Load{When: ByPath, Globs: globs, Why: "Loaded when Cline works with a file that matches its paths."}
		}
		return Load{Why: "In every request."}
	}
	return Load{When: OnDemand, Why: "Loaded where another file imports it."}
}

// byFolder is the Load of files that apply to the folder in which they lie.
func byFolder(k Kind, path string) Load {
	dir, _ := split(path)
	switch {
	case strings.HasPrefix(path, "~"):
		return Load{Why: "In every request, in every workspace of yours."}
	case dir == "" || dir == "." || dir == ".claude" || dir[0] == '/' || len(dir) > 1 && dir[1] == ':':
		return Load{Why: "In every request."}
	}
	why := "Loaded when the agent works with a file below " + dir + "/."
	if k == AgentsMD {
		why = "Loaded when the agent works below " + dir + "/; the nearest such file counts."
	}
	return Load{When: ByPath, Globs: []string{dir + "/**"}, Why: why}
}

// listed is the text by which a model knows of a file that it may load.
func listed(f *frontmatter) string {
	name, about := f.text("name"), f.text("description")
	if name == "" || about == "" {
		return name + about
	}
	return name + ": " + about
}
