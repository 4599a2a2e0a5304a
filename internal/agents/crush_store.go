// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
	"github.com/ctx-lsp/ctx-lsp/internal/sqlite"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

func listCrush(ctx context.Context, path string) (found []transcript.Session, err error) {
	workspace := crushProject(path)
	err = opened(ctx, path, func(q *query) error {
		return q.each(`SELECT id, parent_session_id, title, created_at, updated_at FROM sessions LIMIT ?1`, []any{mostSessions}, func(r row) bool {
			found = append(found, transcript.Session{
				ID: r.text(0), Parent: r.text(1), Label: r.text(2), Workspace: workspace, Started: r.time(3), Modified: r.time(4),
			})
			return true
		})
	})
	return found, err
}

// crushProject returns the directory above the one with the database.
func crushProject(path string) string {
	if folder := filepath.Dir(path); filepath.Base(folder) == ".crush" {
		return filepath.Dir(folder)
	}
	return ""
}

func writeCrush(ctx context.Context, path, id string, to *transcript.StoreWriter) error {
	return opened(ctx, path, func(q *query) error {
		s, err := q.one(`SELECT title, created_at, prompt_tokens, completion_tokens, summary_message_id FROM sessions WHERE id=?1`, id)
		if err != nil || s == nil {
			return err
		}
		has, err := q.columns("messages")
		if err != nil {
			return err
		}
		c := crushSession{to: to, in: s.number(2), out: s.number(3), summary: s.text(4)}
		about := transcript.StoreSession{CWD: crushProject(path), Title: s.text(0), At: milliseconds(s.time(1))}
		newest, err := q.one(`SELECT model, `+sqlite.Pick(has, "provider")+` FROM messages WHERE session_id=?1 AND model<>'' ORDER BY created_at DESC, rowid DESC LIMIT 1`, id)
		if err != nil {
			return err
		}
		if newest != nil {
			about.Model, about.Provider = newest.text(0), newest.text(1)
		}
		to.Session(about)
		err = q.each(`SELECT id, role, parts, created_at, `+sqlite.Pick(has, "model", "provider", "is_summary_message")+
			` FROM messages WHERE session_id=?1 ORDER BY created_at, rowid`, []any{id}, func(r row) bool {
			c.message(r)
			return true
		})
		c.usage()
		return err
	})
}

type crushSession struct {
	to      *transcript.StoreWriter
	in, out int64
	summary string // the id of the message that replaces all earlier ones

	last, model, provider string // the last response: the key of its first item, and its source
	at                    int64
}

func (c *crushSession) message(r row) {
	id, role, at := r.text(0), r.text(1), milliseconds(r.time(3))
	parts := parsed(r.bytes(2))
	if id != "" && id == c.summary || r.number(6) == 1 {
		var text strings.Builder
		for e := parts.Elements(); e.Next(); {
			text.WriteString(e.Value.Path("data", "text").String())
		}
		compacted := transcript.StoreCompacted{Key: id, Text: text.String(), Before: transcript.Unknown, Left: transcript.Unknown, At: at, Auto: true}
		c.to.Compacted(compacted)
		c.last = ""
		return
	}
	if role == "assistant" && r.text(4) != "" {
		c.model, c.provider = r.text(4), r.text(5)
	}
	said, first := false, ""
	n := 0
	for e := parts.Elements(); e.Next(); n++ {
		part, data := e.Value.Get("type"), e.Value.Get("data")
		item := transcript.StoreItem{Key: id + "/" + strconv.Itoa(n), At: at}
		switch {
		case part.Is("text") && role == "user":
			item.Kind, item.Text, item.Turn = "user", data.Get("text").String(), !said
			said = true
		case part.Is("text"):
			item.Kind, item.Text = "assistant", data.Get("text").String()
		case part.Is("reasoning"):
			item.Kind, item.Text = "reasoning", data.Get("thinking").String()
			item.Opaque = int64(data.Get("signature").TextLen())
		case part.Is("tool_call"):
			item.Kind, item.Name, item.Call = "toolCalls", data.Get("name").String(), data.Get("id").String()
			item.JSON = []byte(data.Get("input").String())
		case part.Is("tool_result"):
			item.Kind, item.Name, item.Call = "toolResults", data.Get("name").String(), data.Get("tool_call_id").String()
			item.Text, item.Error = data.Get("content").String(), data.Get("is_error").Bool()
		case part.Is("image_url"), part.Is("binary"):
			item.Kind = "media"
			item.Media, item.Pixels = picture(data)
		case part.Is("finish") && role == "assistant":
			if !data.Get("reason").Is("tool_use") {
				c.to.Over(id)
			}
		}
		if item.Text == "" && len(item.JSON) == 0 && item.Kind != "media" {
			continue
		}
		if first == "" {
			first = item.Key
		}
		c.to.Item(item)
	}
	if role == "assistant" && first != "" {
		c.last, c.at = first, at
	}
}

// picture returns the media type and the beginning of an image.
func picture(data json.Value) (media, pixels string) {
	for _, key := range []string{"data", "Data", "url"} {
		if v := data.Get(key); v.Kind() == json.String {
			pixels = v.String()
			break
		}
	}
	media = "image/png"
	for _, key := range []string{"mime_type", "MIMEType"} {
		if v := data.Get(key); v.Kind() == json.String && v.TextLen() < 100 {
			media = v.String()
		}
	}
	return media, pixels[:min(len(pixels), 48<<10)]
}

// usage writes the usage of the last step, which is stored with the session.
func (c *crushSession) usage() {
	if c.in <= 0 || c.last == "" {
		return
	}
	u := transcript.NewStoreUsage("step " + c.last)
	u.Before, u.In, u.Out, u.Model, u.Provider, u.At = c.last, c.in, max(c.out, 0), c.model, c.provider, c.at
	if strings.Contains(c.model, "claude") {
		u.Own = true
		u.Note = phrase.CrushWrite.Text()
	}
	c.to.Usage(u)
}
