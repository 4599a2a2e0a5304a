// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/sqlite"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

func listGoose(ctx context.Context, path string) (found []transcript.Session, err error) {
	err = opened(ctx, path, func(q *query) error {
		has, err := q.columns("sessions")
		if err != nil {
			return err
		}
		return q.each(`SELECT `+sqlite.Pick(has, "id", "parent_session_id", "working_dir", "name", "description", "created_at", "updated_at", "session_type")+` FROM sessions LIMIT ?1`, []any{mostSessions}, func(r row) bool {
			if r.text(7) == "hidden" {
				return true
			}
			s := transcript.Session{ID: r.text(0), Parent: r.text(1), Workspace: r.text(2), Label: r.text(3), Started: r.time(5), Modified: r.time(6)}
			if r.text(4) != "" {
				s.Label = r.text(4)
			}
			found = append(found, s)
			return true
		})
	})
	return found, err
}

func writeGoose(ctx context.Context, path, id string, to *transcript.StoreWriter) error {
	return opened(ctx, path, func(q *query) error {
		has, err := q.columns("sessions")
		if err != nil {
			return err
		}
		s, err := q.one(`SELECT `+sqlite.Pick(has, "working_dir", "name", "created_at", "provider_name", "model_config_json", "input_tokens", "output_tokens", "total_tokens")+` FROM sessions WHERE id=?1`, id)
		if err != nil || s == nil {
			return err
		}
		config := parsed(s.bytes(4))
		g := gooseSession{to: to, provider: s.text(3), model: config.Get("model_name").String()}
		to.Session(transcript.StoreSession{
			CWD: s.text(0), Title: s.text(1), At: milliseconds(s.time(2)), Model: g.model, Provider: g.provider,
			Window: whole(config.Get("context_limit")),
		})
		if err := g.ledger(q, id); err != nil {
			return err
		}
		hasKey, err := q.columns("messages")
		if err != nil {
			return err
		}
		err = q.each(`SELECT id, role, content_json, created_timestamp, `+sqlite.Pick(hasKey, "metadata_json")+` FROM messages WHERE session_id=?1 ORDER BY created_timestamp, id`, []any{id}, func(r row) bool {
			g.message(r)
			return true
		})
		if err != nil {
			return err
		}
		g.used(1 << 62)
		if len(g.requests) == 0 && s.number(5) > 0 && g.answer != "" {
			u := transcript.NewStoreUsage("last " + g.answer)
			u.Before, u.In, u.Out, u.Model, u.Provider = g.answer, s.number(5), s.number(6), g.model, g.provider
			to.Usage(u)
		}
		return nil
	})
}

type gooseSession struct {
	to              *transcript.StoreWriter
	model, provider string
	requests        []gooseRequest
	told            int
	answer          string // the first item of the last answer
	answering       bool
}

type gooseRequest struct {
	at    int64
	usage transcript.StoreUsage
}

// ledger reads the requests of a session. The total, which is input plus output, shows whether the input includes the
// cached part.
func (g *gooseSession) ledger(q *query, id string) error {
	has, err := q.columns("usage_ledger")
	if err != nil || !has["input_tokens"] {
		return err
	}
	return q.each(`SELECT `+sqlite.Pick(has, "id", "created_timestamp", "model", "input_tokens", "output_tokens", "total_tokens", "cache_read_tokens", "cache_write_tokens", "is_compaction")+` FROM usage_ledger WHERE session_id=?1 ORDER BY id`, []any{id}, func(r row) bool {
		u := transcript.NewStoreUsage("ledger " + strconv.FormatInt(r.number(0), 10))
		u.In, u.Out, u.Read, u.Write, u.Model, u.Provider = r.number(3), r.number(4), r.number(6), r.number(7), r.text(2), g.provider
		cached := max(sum(u.Read, u.Write), 0)
		if total := r.number(5); u.In >= 0 && (u.In < cached || total > u.In+max(u.Out, 0)) {
			u.In += cached // the cached part is separate
		}
		u.Side = r.number(8) == 1
		at := milliseconds(r.time(1))
		u.At = at
		g.requests = append(g.requests, gooseRequest{at, u})
		return true
	})
}

// used writes the requests up to a time, before the response that they returned.
func (g *gooseSession) used(until int64) {
	for g.told < len(g.requests) && g.requests[g.told].at <= until {
		u := g.requests[g.told].usage
		u.Before = g.answer
		g.to.Usage(u)
		g.told++
	}
}

func (g *gooseSession) message(r row) {
	at := milliseconds(r.time(3))
	id := strconv.FormatInt(r.number(0), 10)
	visible := parsed(r.bytes(4)).Get("agentVisible")
	if visible.Kind() == json.Bool && !visible.Bool() {
		return // it was summarized, or is only for the user
	}
	assistant := r.text(1) == "assistant"
	n, spoke := 0, false
	for e := parsed(r.bytes(2)).Elements(); e.Next(); n++ {
		i := transcript.StoreItem{Key: id + "/" + strconv.Itoa(n), At: at}
		switch part := e.Value; {
		case part.Get("type").Is("text") && assistant:
			i.Kind, i.Text = "assistant", part.Get("text").String()
		case part.Get("type").Is("text"):
			i.Kind, i.Text, i.Turn = "user", part.Get("text").String(), !spoke
			spoke = true
		case part.Get("type").Is("thinking"):
			i.Kind, i.Text, i.Opaque = "reasoning", part.Get("thinking").String(), int64(part.Get("signature").TextLen())
		case part.Get("type").Is("redactedThinking"):
			i.Kind, i.Opaque = "reasoning", int64(part.Get("data").TextLen())
		case part.Get("type").Is("toolRequest"), part.Get("type").Is("frontendToolRequest"):
			call := part.Path("toolCall", "value")
			i.Kind, i.Call, i.Name, i.JSON = "toolCalls", part.Get("id").String(), call.Get("name").String(), call.Get("arguments").Raw()
		case part.Get("type").Is("toolResponse"):
			result := part.Get("toolResult")
			i.Kind, i.Call, i.Error = "toolResults", part.Get("id").String(), result.Get("status").Is("error")
			if i.Text = contentText(result.Path("value", "content")); i.Text == "" {
				i.Text = contentText(result.Get("value")) + result.Get("error").String()
			}
		case part.Get("type").Is("image"):
			i.Kind, i.Media, i.Pixels = "media", part.Get("mimeType").String(), head(part.Get("data"))
		default:
			continue
		}
		if assistant && !g.answering {
			// Requests recorded before this response belong to the previous one.
			g.used(at - 1)
			g.answer = i.Key
		}
		g.answering = assistant
		g.to.Item(i)
	}
}

// head returns the beginning of an image in base64.
func head(v json.Value) string {
	text := v.String()
	return strings.TrimSpace(text[:min(len(text), 48<<10)])
}
