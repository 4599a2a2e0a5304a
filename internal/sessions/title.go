// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"bufio"
	"bytes"
	"errors"
	"io"

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
		if !mayBeTitle(line) {
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

// maxTitleRecord is the length of the longest record that is searched for a title.
const maxTitleRecord = 64 << 10

// FindTitle returns the position and length of the last record with this title in a transcript of lines; length is 0
// without one.
func FindTitle(s transcript.Session, title string) (at int64, length int) {
	f, err := safefile.File(s.Path)
	if err != nil || s.Form != transcript.Lines {
		return 0, 0
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, 0
	}
	var doc json.Document
	in := bufio.NewReaderSize(io.LimitReader(f, info.Size()), maxTitleRecord)
	offset, cut := int64(0), false
	for {
		line, err := in.ReadSlice('\n')
		if !cut && !errors.Is(err, bufio.ErrBufferFull) && titleOf(s.Agent, &doc, line) == title {
			at, length = offset, len(line)
		}
		offset, cut = offset+int64(len(line)), errors.Is(err, bufio.ErrBufferFull)
		if err != nil && !cut {
			return at, length
		}
	}
}

// TitleAt returns the title that a record gives a session; "" if it gives none.
func TitleAt(s transcript.Session, at int64, length int) string {
	if length <= 0 || length > maxTitleRecord {
		return ""
	}
	f, err := safefile.File(s.Path)
	if err != nil {
		return ""
	}
	defer f.Close()
	return titleOf(s.Agent, new(json.Document), transcript.ReadSome(f, nil, at, at+int64(length)))
}

// titleOf returns the title that a record of an agent contains, "" if none.
func titleOf(id string, doc *json.Document, line []byte) (title string) {
	if !mayBeTitle(line) {
		return ""
	}
	v, err := doc.Parse(transcript.TrimSpace(line))
	reader := agent.New(id)
	if err != nil || reader == nil {
		return ""
	}
	reader.Record(v, func(e core.Event) {
		if seen, ok := e.(core.TitleSeen); ok {
			title = core.OneLine(seen.Title)
		}
	})
	return title
}

// mayBeTitle reports whether a record may contain a title: the names of all fields with one end like this.
func mayBeTitle(line []byte) bool {
	return bytes.Contains(line, []byte("itle")) || bytes.Contains(line, []byte("ummary"))
}
