// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// Before 2.1.100, Claude Code sends some content without a record: files that a prompt names with @, memory files of a
// directory when one of its files is first read, and changes in files that it had read. A host that has the files can
// send their content to the core.

// wants requests the unrecorded content of a file.
func (c *claudeCode) wants(path string, use core.FileUse) {
	if c.old && len(path) <= reader.MaxPath {
		c.Emit(core.FileUsed{Path: path, Use: use})
	}
}

// uses records which file a tool reads or writes.
func (c *claudeCode) uses(tool string, input json.Value) {
	use := core.FileWritten
	if tool == "Read" {
		use = core.FileRead
		if input.Get("offset").Exists() || input.Get("limit").Exists() {
			use = core.FileReadInPart
		}
	}
	if path := input.Get("file_path"); reader.HasText(path) {
		c.wants(path.String(), use)
		if use == core.FileWritten && path.TextLen() <= reader.MaxPath && loadedByName(path.String()) {
			c.Emit(core.PromptTouched{Kind: core.Memory, Name: baseName(path.String())})
		}
	}
}

// loadedByName reports whether Claude Code reads a file into the prompt without being asked: memory, rules and skills.
func loadedByName(path string) bool {
	path = strings.ReplaceAll(path, `\`, "/")
	switch baseName(path) {
	case "CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "MEMORY.md", "SKILL.md":
		return true
	}
	return strings.Contains(path, "/.claude/rules/") || strings.Contains(path, "/.claude/agents/") ||
		strings.Contains(path, "/.claude/projects/") && strings.Contains(path, "/memory/")
}

// baseName returns the last element of a path of any system.
func baseName(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }

// mentions requests the files that a prompt names.
func (c *claudeCode) mentions(content json.Value) {
	if !c.old {
		return
	}
	if content.Kind() == json.String {
		c.mentioned(content)
	}
	for e := content.Elements(); e.Next(); {
		c.mentioned(e.Value.Get("text"))
	}
}

// mentioned looks for @path and @"path" at the beginnings of words. Characters at the end of a path that are not
// letters, digits or underscores belong to the sentence.
func (c *claudeCode) mentioned(v json.Value) {
	var text []byte
	if text, c.Scratch = v.Text(c.Scratch); len(text) == 0 || text[0] == '<' {
		return // the output of a command, or a note of the program
	}
	for i := 0; i < len(text); i++ {
		if text[i] != '@' || i > 0 && text[i-1] > ' ' {
			continue
		}
		from, end := i+1, i+1
		if from < len(text) && text[from] == '"' {
			from++
			for end = from; end < len(text) && text[end] != '"'; end++ {
			}
		} else {
			for end < len(text) && text[end] > ' ' {
				end++
			}
			for end > from && !inWord(text[end-1]) {
				end--
			}
		}
		if end > from {
			c.wants(string(text[from:end]), core.FileMentioned)
		}
		i = end
	}
}

// inWord reports whether a byte is a letter, a digit, an underscore, or not ASCII.
func inWord(b byte) bool { return b|0x20-'a' < 26 || b-'0' < 10 || b == '_' || b >= 0x80 }
