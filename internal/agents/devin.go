// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
	"github.com/ctx-lsp/ctx-lsp/internal/sqlite"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// devin is the CLI of Devin. Its messages are nodes of a tree in a database, each with the node that it follows.
var devin = Agent{
	ID: agent.Devin, Home: Folder{Elsewhere: inData("devin/cli")},
	Places: Places{
		Roots: inHome(Root{Path: "sessions.db", List: listStore}),
	},
	Records: Records{
		Store: &Store{List: listDevin, Write: writeDevin, Tables: []Table{{"message_nodes", "parent_node_id"}}},
	},
	Process: Process{Programs: []string{"devin"}},
}

func listDevin(ctx context.Context, path string) (found []transcript.Session, err error) {
	err = opened(ctx, path, func(q *query) error {
		has, err := q.columns("sessions")
		if err != nil {
			return err
		}
		columns := sqlite.Pick(has, "working_directory", "title", "created_at", "last_activity_at", "hidden")
		return q.each(`SELECT id, `+columns+` FROM sessions LIMIT ?1`, []any{mostSessions}, func(r row) bool {
			if r.number(5) <= 0 {
				found = append(found, transcript.Session{ID: r.text(0), Workspace: r.text(1), Label: r.text(2), Started: r.time(3), Modified: r.time(4)})
			}
			return true
		})
	})
	return found, err
}

// A devinNode is a message of the tree.
type devinNode struct {
	parent  int64
	message json.Value
	at      int64
}

func writeDevin(ctx context.Context, path, id string, to *transcript.StoreWriter) error {
	return opened(ctx, path, func(q *query) error {
		has, err := q.columns("sessions")
		if err != nil {
			return err
		}
		s, err := q.one(`SELECT `+sqlite.Pick(has, "working_directory", "title", "model", "created_at", "main_chain_id")+` FROM sessions WHERE id=?1`, id)
		if err != nil || s == nil {
			return err
		}
		about := transcript.StoreSession{CWD: s.text(0), Title: s.text(1), Model: nameIn(s.text(2)), At: milliseconds(s.time(3))}
		nodes, last := map[int64]devinNode{}, int64(0)
		err = q.each(`SELECT node_id, coalesce(parent_node_id, -1), chat_message, created_at FROM message_nodes WHERE session_id=?1 ORDER BY node_id`, []any{id}, func(r row) bool {
			last = r.number(0)
			nodes[last] = devinNode{r.number(1), parsed(slices.Clone(r.bytes(2))), milliseconds(r.time(3))}
			return true
		})
		if err != nil {
			return err
		}
		if main := s.number(4); main > 0 {
			last = main
		}
		var chain []int64
		for at := last; len(chain) < len(nodes); at = nodes[at].parent {
			if _, known := nodes[at]; !known {
				break
			}
			chain = append(chain, at)
		}
		slices.Reverse(chain)
		for _, at := range chain {
			about.Model = cmp.Or(nameIn(nodes[at].message.Path("metadata", "generation_model").String()), about.Model)
		}
		to.Session(about)
		for _, at := range chain {
			devinMessage(strconv.FormatInt(at, 10), nodes[at], to)
		}
		return nil
	})
}

// devinMessage writes a message, and before a response the usage of its request.
func devinMessage(key string, n devinNode, to *transcript.StoreWriter) {
	m, about := n.message, n.message.Get("metadata")
	text, role, at := contentText(m.Get("content")), m.Get("role"), cmp.Or(milliseconds(timeOf(about.Get("created_at"))), n.at)
	switch {
	case role.Is("system"):
		to.Context("system", transcript.StorePart{Label: phrase.System.Text(), Text: text})
	case role.Is("user"):
		to.Item(transcript.StoreItem{Key: key, Kind: "user", Text: text, At: at, Turn: about.Get("is_user_input").Bool() || !about.Get("is_user_input").Exists()})
	case role.Is("tool"):
		to.Item(transcript.StoreItem{Key: key, Kind: "toolResults", Call: m.Get("tool_call_id").String(), Text: text, At: at})
	case role.Is("assistant"):
		u, used := transcript.NewStoreUsage(cmp.Or(nameIn(m.Get("message_id").String()), key)), about.Get("metrics")
		u.Out, u.Read, u.Write = whole(used.Get("output_tokens")), whole(used.Get("cache_read_tokens")), whole(used.Get("cache_creation_tokens"))
		u.In = max(whole(used.Get("input_tokens")), 0) + max(u.Read, 0) + max(u.Write, 0) // beside the cached part
		if u.Model, u.At = nameIn(about.Get("generation_model").String()), at; u.In > 0 {
			to.Usage(u)
		}
		if thinking := m.Path("thinking", "thinking"); thinking.TextLen() > 0 {
			to.Item(transcript.StoreItem{Key: key + "/thinking", Kind: "reasoning", Text: thinking.String(), Opaque: int64(m.Path("thinking", "signature").TextLen()), At: at})
		}
		if text != "" {
			to.Item(transcript.StoreItem{Key: key, Kind: "assistant", Text: text, At: at})
		}
		calls := 0
		for e := m.Get("tool_calls").Elements(); e.Next(); calls++ {
			to.Item(transcript.StoreItem{Key: key + "/call/" + strconv.Itoa(calls), Kind: "toolCalls", Name: nameIn(e.Value.Get("name").String()), Call: e.Value.Get("id").String(), JSON: auggieInput(e.Value.Get("arguments")), At: at})
		}
		if calls == 0 {
			to.Over(key)
		}
	}
}
