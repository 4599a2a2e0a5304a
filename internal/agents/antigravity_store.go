// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
	"github.com/ctx-lsp/ctx-lsp/internal/sqlite"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// The types of steps.
const (
	stepUser   = 14
	stepModel  = 15
	stepNotice = 101
	stepTool   = 132
)

func listAntigravity(ctx context.Context, path string) ([]transcript.Session, error) {
	s := transcript.Session{ID: strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))}
	begun := false
	err := opened(ctx, path, func(q *query) error {
		first, err := q.one(`SELECT metadata FROM steps ORDER BY idx LIMIT 1`)
		if first != nil {
			begun, s.Started = true, stepTime(first.bytes(0))
		}
		return err
	})
	if err != nil || !begun {
		return nil, err
	}
	summaries := filepath.Join(filepath.Dir(filepath.Dir(path)), "conversation_summaries.db")
	_ = opened(ctx, summaries, func(q *query) error { return summaryOf(q, &s) }) // without it the title is not known
	return []transcript.Session{s}, nil
}

// summaryOf reads the title and the workspace of a conversation from the list of all.
func summaryOf(q *query, s *transcript.Session) error {
	tables, err := q.one(`SELECT m.name, group_concat(c.name, ' ') FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type='table' GROUP BY m.name HAVING sum(c.name='workspace_uris')>0`)
	if err != nil || tables == nil || strings.ContainsAny(tables.text(0), `"`) {
		return err
	}
	has := map[string]bool{}
	id := ""
	for _, name := range strings.Fields(tables.text(1)) {
		has[name] = true
		if id == "" && (name == "conversation_id" || name == "cascade_id" || name == "id") {
			id = name
		}
	}
	if id == "" {
		return nil
	}
	r, err := q.one(`SELECT `+sqlite.Pick(has, "title", "workspace_uris", "parent_conversation_id")+` FROM "`+tables.text(0)+`" WHERE "`+id+`"=?1`, s.ID)
	if err != nil || r == nil {
		return err
	}
	s.Label, s.Parent = r.text(0), r.text(2)
	if uris := parsed(r.bytes(1)); uris.Kind() == json.Array {
		for e := uris.Elements(); e.Next() && s.Workspace == ""; {
			s.Workspace = folderOf(e.Value)
		}
	} else if first, _, _ := strings.Cut(r.text(1), ","); strings.HasPrefix(first, "file://") {
		s.Workspace = pathOf(first)
	}
	return nil
}

func stepTime(metadata []byte) time.Time {
	seconds, _ := protoMessage(metadata).Number(1, 1)
	return instant(seconds)
}

func writeAntigravity(ctx context.Context, path, _ string, to *transcript.StoreWriter) error {
	sessions, err := listAntigravity(ctx, path)
	if err != nil || len(sessions) == 0 {
		return err
	}
	return opened(ctx, path, func(q *query) error {
		s := sessions[0]
		about := transcript.StoreSession{CWD: s.Workspace, Title: s.Label, Provider: "google", At: milliseconds(s.Started)}
		newest, err := q.one(`SELECT data FROM gen_metadata ORDER BY idx DESC LIMIT 1`)
		if err != nil {
			return err
		}
		var sent protoMessage
		if newest != nil {
			sent = protoMessage(newest.bytes(0)).Get(1)
			about.Model = nameIn(sent.Text(19))
		}
		to.Session(about)
		if prompt := sent.Text(1); prompt != "" && utf8.ValidString(prompt) {
			to.Context("system", transcript.StorePart{Label: phrase.System.Text(), Text: prompt})
		}
		var tools []transcript.StorePart
		sent.Each(8, func(tool protoMessage) {
			tools = append(tools, transcript.StorePart{Label: phrase.Named(nameIn(tool.Text(1))), Text: textsOf(tool, 0)})
		})
		if len(tools) > 0 {
			to.Context("tools", tools...)
		}
		return q.each(`SELECT idx, step_type, metadata, step_payload FROM steps ORDER BY idx`, nil, func(r row) bool {
			tellStep(strconv.FormatInt(r.number(0), 10), r.number(1), r.bytes(2), r.bytes(3), about, to)
			return true
		})
	})
}

// nameIn returns a text if it may be a name.
func nameIn(s string) string {
	if len(s) > 200 || !utf8.ValidString(s) {
		return ""
	}
	return s
}

func tellStep(key string, kind int64, metadata, payload protoMessage, about transcript.StoreSession, to *transcript.StoreWriter) {
	at := milliseconds(stepTime(metadata))
	call := metadata.Get(4)
	switch kind {
	case stepUser:
		to.Item(transcript.StoreItem{Key: key, Kind: "user", Text: payload.Text(19, 2), At: at, Turn: true})
	case stepModel:
		if used := metadata.Get(9); used != nil {
			u := transcript.NewStoreUsage("step " + key)
			input, _ := used.Number(2)
			u.Out, _ = used.Number(3)
			u.Read, _ = used.Number(5)
			u.In, u.Model, u.Provider, u.At = sum(input, u.Read), about.Model, about.Provider, at
			to.Usage(u)
		}
		answer := payload.Get(20)
		if thinking := answer.Text(3); thinking != "" {
			to.Item(transcript.StoreItem{Key: key + "/thinking", Kind: "reasoning", Text: thinking, At: at})
		}
		if text := answer.Text(1); text != "" {
			to.Item(transcript.StoreItem{Key: key, Kind: "assistant", Text: text, At: at})
		}
		n := 0
		answer.Each(7, func(c protoMessage) {
			to.Item(transcript.StoreItem{Key: key + "/" + strconv.Itoa(n), Kind: "toolCalls", Call: c.Text(1), Name: nameIn(c.Text(2)), JSON: c.Get(3), At: at})
			n++
		})
		if n == 0 {
			to.Over(key)
		}
	case stepTool:
		to.Item(transcript.StoreItem{Key: key, Kind: "toolResults", Call: call.Text(1), Name: nameIn(call.Text(2)), Text: payload.Text(140, 2, 1), At: at})
	case stepNotice:
		if text := payload.Text(114, 4, 4); text != "" {
			to.Item(transcript.StoreItem{Key: key, Kind: "user", Text: text, At: at})
		}
	}
}

// textsOf returns all texts in a message, at every depth.
func textsOf(m protoMessage, depth int) string {
	var text strings.Builder
	for field := uint64(1); field < 32; field++ {
		m.Each(field, func(inner protoMessage) {
			if printable(inner) {
				text.Write(inner)
				text.WriteByte('\n')
			} else if depth < 8 {
				text.WriteString(textsOf(inner, depth+1))
			}
		})
	}
	return text.String()
}

func printable(text []byte) bool {
	for _, c := range text {
		if c < ' ' && c != '\n' && c != '\t' && c != '\r' {
			return false
		}
	}
	return utf8.Valid(text)
}
