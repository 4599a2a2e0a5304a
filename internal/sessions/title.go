// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"bytes"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// titleTail is how many bytes at the end of a transcript are searched for a title, because agents write it again when
// they end.
const titleTail = 128 << 10

// Title returns the agent's name for an unread session: from its index, or from the last records of its transcript. It
// returns "" if there is none.
func Title(s transcript.Session) string {
	switch {
	case s.Parent != "":
		return ""
	case s.Form == transcript.Database || s.Form == transcript.Folder || s.Form == transcript.Store:
		if s.Label == "" && s.Form == transcript.Store {
			s.Label = agents.StoreLabel(s)
		}
		if agent.IsPlaceholder(s.Label) {
			return ""
		}
		return core.OneLine(s.Label)
	}
	if title := agents.IndexedTitle(s); title != "" || s.Form != transcript.Lines {
		return title
	}
	reader := agent.New(s.Agent)
	f, err := safefile.File(s.Path)
	if err != nil || reader == nil {
		return ""
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return ""
	}
	title, by := "", core.BySummary
	var doc json.Document
	for line := range bytes.Lines(transcript.ReadSome(f, nil, max(info.Size()-titleTail, 0), info.Size())) {
		if !bytes.Contains(line, []byte("itle")) && !bytes.Contains(line, []byte("ummary")) {
			continue
		}
		if v, err := doc.Parse(transcript.TrimSpace(line)); err == nil {
			reader.Record(v, func(e core.Event) {
				if seen, ok := e.(core.TitleSeen); ok && seen.By >= by {
					title, by = core.OneLine(seen.Title), seen.By
				}
			})
		}
	}
	return title
}
