// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// FilesChanged gives the times at which files were last changed that the agent reads again without recording it: the
// configuration of its servers, and its memory files. Each is in milliseconds since 1970, or Unknown.
type FilesChanged struct{ Servers, Memory int64 }

func (FilesChanged) event() {}

// fileChanges are these times, and the time of the last measured prompt: a later change of a file may change the next
// prompt. How much it does is unknown, because the records do not show what the files contained before.
// tools are the sizes of the servers' tools that came or left since, as far as the records show them.
type fileChanges struct{ servers, memory, measured, tools int64 }

func (f *fileChanges) walk(c *codec.Codec) {
	c.Ints("servers memory measured tools", &f.servers, &f.memory, &f.measured, &f.tools)
}

func (s *Session) applyFilesChanged(e FilesChanged) {
	s.files.servers, s.files.memory = max(e.Servers, 0), max(e.Memory, 0)
}

// changedServers reports whether servers were configured differently after the last measured prompt. gone is set if
// the tools of one may have left.
func (s *Session) changedServers() (changed, gone bool) {
	if s.anchor() == nil || s.files.measured <= 0 || s.files.servers <= s.files.measured {
		return false, false
	}
	var names []string
	for i := range s.prefix.parts {
		if part := &s.prefix.parts[i]; part.kind == MCPTools && part.source == FromFiles && part.tokens == 0 {
			names = append(names, part.label.Name)
		}
	}
	called := func(l label) bool { return l.what == OfServer && !slices.Contains(names, l.tool.Name) }
	return true, len(names) == 0 || slices.ContainsFunc(s.conversation.labels.list, called)
}

// changedMemory reports whether a memory file was changed after the last measured prompt.
func (s *Session) changedMemory() bool {
	return s.anchor() != nil && s.files.measured > 0 && s.files.memory > s.files.measured
}

// fileBand returns by how much changed files may shorten and lengthen the next prompt, and the reason. Tools and memory
// files are a part of the first prompt and do not grow with the conversation: the shares are of that prompt, as they
// were observed for twenty tools and for a memory file that doubled. Both are 0 if nothing has changed.
func (s *Session) fileBand(used int64) (shorter, longer int64, cause Text) {
	fixed := used
	if first := s.residual.first.in; first > 0 {
		fixed = min(fixed, first)
	}
	switch changed, gone := s.changedServers(); {
	case gone:
		return fixed / 4, fixed / 100, phrase.RangeServers.Text()
	case changed:
		return fixed / 100, fixed * 29 / 100, phrase.RangeServers.Text()
	case s.files.tools > 0:
		return s.files.tools / 10, s.files.tools / 10, phrase.RangeServers.Text()
	}
	if s.changedMemory() {
		return fixed / 10, fixed * 3 / 20, phrase.RangeMemory.Text()
	}
	return 0, 0, Text{}
}
