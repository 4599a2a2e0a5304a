// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
	"github.com/ctx-lsp/ctx-lsp/internal/sqlite"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

func listHermes(ctx context.Context, path string) (found []transcript.Session, err error) {
	err = opened(ctx, path, func(q *query) error {
		has, err := q.columns("sessions")
		if err != nil {
			return err
		}
		return q.each(`SELECT `+sqlite.Pick(has, "id", "parent_session_id", "title", "started_at", "ended_at", "last_updated", "cwd")+` FROM sessions LIMIT ?1`, []any{mostSessions}, func(r row) bool {
			s := transcript.Session{ID: r.text(0), Parent: r.text(1), Label: r.text(2), Started: r.time(3), Modified: r.time(4), Workspace: r.text(6)}
			if at := r.time(5); at.After(s.Modified) {
				s.Modified = at
			}
			found = append(found, s)
			return true
		})
	})
	return found, err
}

func writeHermes(ctx context.Context, path, id string, to *transcript.StoreWriter) error {
	return opened(ctx, path, func(q *query) error {
		has, err := q.columns("sessions")
		if err != nil {
			return err
		}
		s, err := q.one(`SELECT `+sqlite.Pick(has, "title", "model", "cwd", "started_at", "system_prompt", "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "reasoning_tokens")+` FROM sessions WHERE id=?1`, id)
		if err != nil || s == nil {
			return err
		}
		route, err := hermesRoute(q, id)
		if err != nil {
			return err
		}
		to.Session(transcript.StoreSession{Title: s.text(0), Model: nameIn(s.text(1)), CWD: s.text(2), Route: route, At: milliseconds(s.time(3))})
		if prompt := s.text(4); prompt != "" {
			to.Context("system", transcript.StorePart{Label: phrase.System.Text(), Text: prompt})
		}
		if has, err = q.columns("messages"); err != nil {
			return err
		}
		milli := "NULL"
		if has["timestamp"] {
			milli = "CAST(timestamp * 1000 AS INTEGER)"
		}
		conversation := hermesConversation{to: to, calls: readHermesCalls(path, id)}
		err = q.each(`SELECT `+sqlite.Pick(has, "id", "role", "content", "timestamp", "tool_call_id", "tool_calls", "tool_name", "reasoning", "active", "compacted")+`, `+milli+` FROM messages WHERE session_id=?1 ORDER BY rowid`, []any{id}, func(r row) bool {
			conversation.message(r)
			return true
		})
		if conversation.calls.used {
			return err
		}
		to.Warning(phrase.HermesSums.Text())
		if in := s.number(5); in > 0 {
			u := transcript.NewStoreUsage("sums")
			u.Sum, u.Out, u.Read, u.Write, u.Reasoning = true, s.number(6), s.number(7), s.number(8), s.number(9)
			u.In = sum(in, u.Read, u.Write)
			to.Usage(u)
		}
		return err
	})
}

// hermesRoute returns the way to the model. Hermes keeps what it needs to send reasoning again, such as signatures,
// next to the text of the reasoning; it keeps only the text if the API cannot carry reasoning.
func hermesRoute(q *query, id string) (string, error) {
	has, err := q.columns("messages")
	kept := "coalesce(codex_reasoning_items, reasoning_details)"
	if err != nil || !has["codex_reasoning_items"] || !has["reasoning_details"] {
		return "", err
	}
	found, err := q.one(`SELECT 1 FROM messages WHERE session_id=?1 AND `+kept+` <> '' LIMIT 1`, id)
	if err != nil || found != nil {
		return "", err
	}
	return "chat-completions", nil
}

// hermesConversation writes the messages of a session as records.
type hermesConversation struct {
	to    *transcript.StoreWriter
	calls hermesCalls
	past  bool // the last message was replaced by a compaction
}

func (c *hermesConversation) message(r row) {
	to, key, at := c.to, r.text(0), milliseconds(r.time(3))
	if n := r.number(0); n >= 0 {
		key = strconv.FormatInt(n, 10)
	}
	switch replaced := r.number(9) == 1; {
	case !replaced && r.number(8) == 0:
		return // taken back
	case c.past && !replaced:
		to.Compacted(transcript.StoreCompacted{Key: key, Before: transcript.Unknown, Left: transcript.Unknown, At: at, Auto: true})
		fallthrough
	default:
		c.past = replaced
	}
	i := transcript.StoreItem{Key: key, Text: r.text(2), At: at}
	if content := parsed(r.bytes(2)); content.Kind() == json.Array { // blocks; an object is a tool's own result
		if text := contentText(content); text != "" {
			i.Text = text
		}
	}
	switch r.text(1) {
	case "user":
		i.Kind, i.Turn = "user", true
	case "assistant":
		if u, ok := c.calls.before(r.number(10)); ok {
			to.Usage(u)
		}
		if reasoning := r.text(7); reasoning != "" {
			to.Item(transcript.StoreItem{Key: key + "/reasoning", Kind: "reasoning", Text: reasoning, At: at})
		}
		i.Kind = "assistant"
	case "tool":
		i.Kind, i.Call, i.Name = "toolResults", r.text(4), nameIn(r.text(6))
	default:
		return
	}
	if i.Text != "" {
		to.Item(i)
	}
	n := 0
	for e := parsed(r.bytes(5)).Elements(); e.Next(); n++ {
		call := e.Value.Get("function")
		to.Item(transcript.StoreItem{Key: key + "/" + strconv.Itoa(n), Kind: "toolCalls", Call: e.Value.Get("id").String(), Name: nameIn(call.Get("name").String()), JSON: []byte(call.Get("arguments").String()), At: at})
	}
	if i.Kind == "assistant" && n == 0 {
		to.Over(key)
	}
}
