// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"os"
	"path/filepath"

	"github.com/ctx-lsp/ctx-lsp/internal/sqlite"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// Copilot Chat can be set to keep its traces in a database, globalStorage/github.copilot-chat/agent-traces.db: a span
// for each request of a model, with the measured usage. With it, each round of a chat is measured, not only the last
// one of a turn.

// A chatTrace is the usage of a chat's request. The prompt includes cached tokens.
type chatTrace struct {
	model                    string
	in, out, read, reasoning int64
}

// chatTraces returns the requests of a chat by turn, in order, without those of sub-agents. It returns none if nothing
// is traced.
func chatTraces(ctx context.Context, chat string) map[int64][]chatTrace {
	// User/workspaceStorage/<hash>/chatSessions/<chat>
	user := filepath.Dir(filepath.Dir(filepath.Dir(filepath.Dir(chat))))
	if filepath.Base(user) != "User" {
		user = filepath.Dir(filepath.Dir(filepath.Dir(chat))) // User/globalStorage/emptyWindowChatSessions/<chat>
	}
	path := filepath.Join(user, "globalStorage", "github.copilot-chat", "agent-traces.db")
	if filepath.Base(user) != "User" {
		return nil
	}
	if _, err := os.Stat(path); err != nil {
		return nil
	}
	turns := map[int64][]chatTrace{}
	err := opened(ctx, path, func(q *query) error {
		has, err := q.columns("spans")
		if err != nil || !has["chat_session_id"] || !has["turn_index"] || !has["input_tokens"] || !has["operation_name"] {
			return err
		}
		return q.each(`SELECT `+sqlite.Pick(has, "turn_index", "response_model", "request_model", "input_tokens", "output_tokens", "cached_tokens", "reasoning_tokens")+
			` FROM spans WHERE chat_session_id=?1 AND operation_name='chat' ORDER BY start_time_ms, rowid`, []any{chatName(chat)}, func(r row) bool {
			t := chatTrace{model: nameIn(r.text(1)), in: r.number(3), out: r.number(4), read: r.number(5), reasoning: r.number(6)}
			if t.model == "" {
				t.model = nameIn(r.text(2))
			}
			if turn := r.number(0); t.in > 0 && turn >= 0 {
				turns[turn] = append(turns[turn], t)
			}
			return true
		})
	})
	if err != nil {
		return nil // the chat's own data is used
	}
	return turns
}

// traced writes the usage of the request whose response follows.
func (c *chat) traced(key string, t chatTrace) {
	u := transcript.NewStoreUsage("trace " + key)
	u.Model, u.Provider = t.model, "github-copilot"
	u.In, u.Out, u.Read, u.Reasoning = t.in, t.out, t.read, t.reasoning
	c.to.Usage(u)
	c.measured = true
}
