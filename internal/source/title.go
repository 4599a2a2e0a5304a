// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"bytes"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// indexTail is how much of the end of an index is read, because the newest names stand there.
const indexTail = 512 << 10

// titleTail is how much of the end of a transcript is searched for a title, because agents write it again when they
// end.
const titleTail = 128 << 10

// Title is the agent's name for a session that is not read: from its index, or from the last
// records of its transcript.
func Title(s Session) string {
	switch {
	case s.Parent != "":
		return ""
	case s.kind == kindDatabase || s.kind == kindTree || s.kind == kindStore:
		if s.Label == "" && s.kind == kindStore {
			s.Label = storeLabel(s)
		}
		if agent.IsPlaceholder(s.Label) {
			return ""
		}
		return core.OneLine(s.Label)
	}
	if title := IndexedTitle(s); title != "" || s.kind != kindLines {
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
	for line := range bytes.Lines(readSome(f, nil, max(info.Size()-titleTail, 0), info.Size())) {
		if !bytes.Contains(line, []byte("itle")) && !bytes.Contains(line, []byte("ummary")) {
			continue
		}
		if v, err := doc.Parse(trimSpace(line)); err == nil {
			reader.Record(v, func(e core.Event) {
				if seen, ok := e.(core.TitleSeen); ok && seen.By >= by {
					title, by = core.OneLine(seen.Title), seen.By
				}
			})
		}
	}
	return title
}

// codexTitle is the newest name of a thread in Codex's index: {"id", "thread_name", "updated_at"} a line.
func codexTitle(s Session, file string) string {
	f, err := safefile.File(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return ""
	}
	from := max(info.Size()-indexTail, 0)
	text := make([]byte, info.Size()-from)
	n, _ := f.ReadAt(text, from)
	lines := bytes.Split(text[:n], []byte("\n"))
	id := []byte(s.ID)
	var doc json.Document
	for i := len(lines) - 1; i >= 0; i-- {
		if !bytes.Contains(lines[i], id) {
			continue
		}
		if v, err := doc.Parse(trimSpace(lines[i])); err == nil && v.Get("id").Is(s.ID) && v.Get("thread_name").TextLen() <= maxTitle {
			return v.Get("thread_name").String()
		}
	}
	return ""
}

// maxTitle is how long a title in an index may be.
const maxTitle = 4096

// copilotTitle is the name or the summary in Copilot CLI's workspace.yaml. Before the summary
// is made, the first prompt
// may stand there, which is no title.
func copilotTitle(s Session, file string) string {
	text, ok := safefile.Small(file)
	if !ok {
		return ""
	}
	if name := configfile.YAMLScalar(text, "name"); name != "" {
		return name
	}
	summary := configfile.YAMLScalar(text, "summary")
	if summary == "" || isFirstPrompt(s.Path, summary) {
		return ""
	}
	return summary
}

// isFirstPrompt says whether a text is the first prompt of a Copilot session, or its beginning.
// If the prompt cannot be
// found, every text counts as one.
func isFirstPrompt(path, text string) bool {
	f, err := safefile.File(path)
	if err != nil {
		return true
	}
	defer f.Close()
	words := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	text = strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(words(text), "..."), "…"), " ")
	var doc json.Document
	for rest := readSome(f, nil, 0, longRead); len(rest) > 0; {
		line := firstLine(rest)
		rest = rest[min(len(line)+1, len(rest)):]
		if v, err := doc.Parse(trimSpace(line)); err == nil && v.Get("type").Is("user.message") {
			return strings.HasPrefix(words(v.Path("data", "content").String()), text)
		}
	}
	return true
}
