// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"path/filepath"
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
	"github.com/ctx-lsp/ctx-lsp/internal/sqlite"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

func listKiro(ctx context.Context, path string) (found []transcript.Session, err error) {
	if filepath.Ext(path) == ".json" {
		return listKiroIDE(ctx, path)
	}
	err = opened(ctx, path, func(q *query) error {
		has, err := q.columns("conversations_v2")
		if err != nil {
			return err
		}
		if len(has) == 0 { // in earlier versions, each directory had one conversation
			return q.each(`SELECT key FROM conversations LIMIT ?1`, []any{mostSessions}, func(r row) bool {
				s := transcript.Session{ID: r.text(0)}
				if filepath.IsAbs(s.ID) {
					s.Workspace = s.ID
				}
				found = append(found, s)
				return true
			})
		}
		return q.each(`SELECT `+sqlite.Pick(has, "conversation_id", "key", "created_at", "updated_at")+` FROM conversations_v2 LIMIT ?1`, []any{mostSessions}, func(r row) bool {
			s := transcript.Session{ID: r.text(0), Started: r.time(2), Modified: r.time(3)}
			if filepath.IsAbs(r.text(1)) {
				s.Workspace = r.text(1)
			}
			found = append(found, s)
			return true
		})
	})
	return found, err
}

func writeKiro(ctx context.Context, path, id string, to *transcript.StoreWriter) error {
	if filepath.Ext(path) == ".json" {
		return writeKiroIDE(ctx, path, id, to)
	}
	return opened(ctx, path, func(q *query) error {
		has, err := q.columns("conversations_v2")
		if err != nil {
			return err
		}
		from := `conversations_v2 WHERE conversation_id=?1`
		if len(has) == 0 {
			from = `conversations WHERE key=?1`
		}
		r, err := q.one(`SELECT key, value FROM `+from, id)
		if err != nil || r == nil {
			return err
		}
		value := parsed(r.bytes(1))
		about := transcript.StoreSession{Model: nameIn(value.Path("model_info", "model_id").String())}
		if filepath.IsAbs(r.text(0)) {
			about.CWD = r.text(0)
		}
		about.Window = whole(value.Path("model_info", "context_window_tokens"))
		to.Session(about)
		n, noted := 0, int64(transcript.Unknown)
		for e := value.Get("history").Elements(); e.Next(); n++ {
			tellKiroTurn(strconv.Itoa(n), e.Value, to)
			if share := hundredths(e.Value.Path("request_metadata", "context_usage_percentage")); share > 0 {
				noted = share
			}
		}
		percent := hundredths(value.Get("contextUsagePercentage"))
		if percent < 0 {
			percent = noted
		}
		if percent < 0 {
			percent = hundredths(value.Path("context_usage", "usagePercentage"))
		}
		if percent >= 0 {
			to.Own(percent, phrase.AgentPrints.Text(phrase.Name("Kiro")))
			if about.Window > 0 {
				u := transcript.NewStoreUsage("after " + strconv.Itoa(n))
				u.In, u.Out, u.Own = percent*about.Window/10000, 0, true
				u.Note = phrase.KiroPercent.Text()
				to.Usage(u)
			}
		}
		to.Warning(phrase.KiroEstimate.Text())
		return nil
	})
}

func tellKiroTurn(key string, turn json.Value, to *transcript.StoreWriter) {
	user, assistant := turn.Get("user"), turn.Get("assistant")
	at := milliseconds(timeOf(user.Get("timestamp")))
	content := user.Get("content")
	if prompt := content.Path("Prompt", "prompt"); prompt.TextLen() > 0 {
		to.Item(transcript.StoreItem{Key: key + "/user", Kind: "user", Text: prompt.String(), At: at, Turn: true})
	}
	for _, of := range []string{"ToolUseResults", "CancelledToolUses"} {
		n := 0
		for e := content.Path(of, "tool_use_results").Elements(); e.Next(); n++ {
			to.Item(transcript.StoreItem{
				Key: key + "/result/" + strconv.Itoa(n), Kind: "toolResults", Call: e.Value.Get("tool_use_id").String(),
				Text: kiroText(e.Value.Get("content")), Error: e.Value.Get("status").Is("Error"), At: at,
			})
		}
	}
	at = milliseconds(timeOf(turn.Path("request_metadata", "stream_end_timestamp_ms")))
	for _, of := range []string{"Response", "ToolUse"} {
		answer := assistant.Get(of)
		if text := answer.Get("content"); text.TextLen() > 0 {
			to.Item(transcript.StoreItem{Key: key + "/answer", Kind: "assistant", Text: text.String(), At: at})
		}
		n := 0
		for e := answer.Get("tool_uses").Elements(); e.Next(); n++ {
			to.Item(transcript.StoreItem{Key: key + "/call/" + strconv.Itoa(n), Kind: "toolCalls", Name: e.Value.Get("name").String(), Call: e.Value.Get("id").String(), JSON: e.Value.Get("args").Raw(), At: at})
		}
		if of == "Response" && answer.Exists() {
			to.Over(key)
		}
	}
}

// kiroText returns the text of a result, which is a text or JSON in a list.
func kiroText(content json.Value) (text string) {
	for e := content.Elements(); e.Next(); {
		if part := e.Value.Get("Text"); part.Kind() == json.String {
			text += part.String()
		} else if part := e.Value.Get("Json"); part.Exists() {
			text += string(part.Raw())
		}
	}
	return text
}
