// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// Before 2.1.100 Claude Code sends without a record: the files that a prompt
// names with an @; the memory files of a folder, when a file of it is read for
// the first time; and what has changed in files that it had read. A host that
// has the files can tell them.

// wants asks for what is sent of a file.
func (c *claudeCode) wants(path string, use core.FileUse) {
	if c.old && len(path) <= reader.MaxPath {
		c.Emit(core.FileUsed{Path: path, Use: use})
	}
}

// uses notes the file that a tool reads or writes.
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
	}
}

// mentions asks for the files that a prompt names.
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

// mentioned looks for @path and @"path" at the beginnings of words. What is no
// letter, digit or underscore at the end of a path belongs to the sentence.
func (c *claudeCode) mentioned(v json.Value) {
	text, grown := v.Text(c.Scratch)
	c.Scratch = grown
	if len(text) == 0 || text[0] == '<' { // the output of a command, or a note of the program
		return
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

// inWord is true of letters, digits and underscores, and of all beyond ASCII.
func inWord(b byte) bool { return b|0x20-'a' < 26 || b-'0' < 10 || b == '_' || b >= 0x80 }
