// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"path/filepath"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
	"github.com/ctx-lsp/ctx-lsp/internal/sqlite"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// mostUnindexed is how many conversations are listed of versions before 3.9, which have no table of them.
const mostUnindexed = 1000

func listCursor(ctx context.Context, path string) (found []transcript.Session, err error) {
	err = opened(ctx, path, func(q *query) error {
		if one, err := isCursorChat(q); err != nil || one {
			if err == nil {
				found, err = listCursorChat(q)
			}
			return err
		}
		has, err := q.columns("composerHeaders")
		if err != nil {
			return err
		}
		folders := map[string]string{}
		user := filepath.Dir(filepath.Dir(path))
		folder := func(id string) string {
			if _, known := folders[id]; !known && within(id) {
				folders[id] = workspaceOf(filepath.Join(user, "workspaceStorage", id))
			}
			return folders[id]
		}
		if len(has) == 0 {
			return q.each(`SELECT substr(key,14), json_extract(value,'$.name'), json_extract(value,'$.createdAt'), json_extract(value,'$.lastUpdatedAt'), json_extract(value,'$.workspaceIdentifier.id') FROM cursorDiskKV WHERE key>='composerData:' AND key<'composerData;' AND json_valid(value) LIMIT ?1`,
				[]any{mostUnindexed}, func(r row) bool {
					found = append(found, transcript.Session{ID: r.text(0), Label: r.text(1), Started: r.time(2), Modified: r.time(3), Workspace: folder(r.text(4))})
					return true
				})
		}
		return q.each(`SELECT `+sqlite.Pick(has, "composerId", "workspaceId", "createdAt", "lastUpdatedAt", "isSubagent", "value")+` FROM composerHeaders LIMIT ?1`, []any{mostSessions}, func(r row) bool {
			about := parsed(r.bytes(5))
			s := transcript.Session{ID: r.text(0), Started: r.time(2), Modified: r.time(3), Workspace: folder(r.text(1)), Label: about.Get("name").String()}
			if r.number(4) == 1 {
				s.Parent = about.Path("subagentInfo", "parentComposerId").String()
			}
			found = append(found, s)
			return true
		})
	})
	return found, err
}

// isCursorChat reports whether a database is a chat of the command-line program.
func isCursorChat(q *query) (bool, error) {
	has, err := q.columns("blobs")
	return has["data"], err
}

func writeCursor(ctx context.Context, path, id string, to *transcript.StoreWriter) error {
	return opened(ctx, path, func(q *query) error {
		if one, err := isCursorChat(q); err != nil || one {
			if err == nil {
				err = writeCursorChat(q, to)
			}
			return err
		}
		value := func(key string) (json.Value, error) {
			r, err := q.one(`SELECT value FROM cursorDiskKV WHERE key=?1`, key)
			if err != nil || r == nil {
				return json.Value{}, err
			}
			return parsed(r.bytes(0)), nil
		}
		data, err := value("composerData:" + id)
		if err != nil || !data.Exists() {
			return err
		}
		c := cursorSession{to: to}
		c.begin(data)
		conversation, whole := data.Get("fullConversationHeadersOnly"), false
		if conversation.Kind() != json.Array {
			conversation, whole = data.Get("conversation"), true // older versions keep the messages inside
		}
		n := 0
		for e := conversation.Elements(); e.Next() && n < mostRows; n++ {
			bubble, name := e.Value, e.Value.Get("bubbleId").String()
			if !whole {
				if bubble, err = value("bubbleId:" + id + ":" + name); err != nil {
					return err
				}
			}
			c.bubble(name, e.Value, bubble)
		}
		c.meter(data)
		return nil
	})
}

type cursorSession struct {
	to *transcript.StoreWriter
	// summed is set if a part of the conversation is now a summary.
	summed bool
	spoken string // the user's last message
	most   int64  // the largest count since the last summary
	// metered is set if Cursor's meter has given the fixed rows.
	metered bool
}

// cursorRows maps Cursor's names for the window's content to kinds of rows.
var cursorRows = []struct {
	id, kind string
	label    phrase.ID
}{
	{"system_prompt", "system", phrase.System},
	{"tools", "tools", phrase.Tools},
	{"rules", "memory", phrase.CursorRules},
	{"skills", "skills", phrase.Skills},
	{"mcp", "mcpTools", phrase.MCPTools},
	{"subagents", "agents", phrase.CursorSubagents},
}

func (c *cursorSession) begin(data json.Value) {
	s := transcript.StoreSession{Title: data.Get("name").String(), At: milliseconds(instant(whole(data.Get("createdAt"))))}
	s.Window = whole(data.Get("contextTokenLimit"))
	if model := data.Path("modelConfig", "modelName"); model.TextLen() < 200 && !model.Is("default") {
		s.Model = model.String()
	}
	c.to.Session(s)
	for e := data.Path("promptTokenBreakdown", "categories").Elements(); e.Next(); {
		tokens := whole(e.Value.Get("estimatedTokens"))
		c.summed = c.summed || e.Value.Get("id").Is("summarized_conversation") && tokens > 0
		for _, row := range cursorRows {
			if e.Value.Get("id").Is(row.id) && tokens > 0 {
				c.to.Context(row.kind, transcript.StorePart{Label: phrase.ByCursorCount.Text(row.label.Arg()), Tokens: tokens})
			}
		}
	}
}

func (c *cursorSession) bubble(name string, header, b json.Value) {
	if !b.Exists() || name == "" {
		return // the row of an undone message
	}
	at := milliseconds(timeOf(b.Get("createdAt")))
	text := b.Get("text").String()
	if whole(header.Get("type")) == 1 {
		c.spoken = name
		status := b.Get("contextWindowStatusAtCreation")
		used := whole(status.Get("tokensUsed"))
		if c.summed && used > 0 && used < c.most/2 {
			c.to.Compacted(transcript.StoreCompacted{Key: name, Before: c.most, Left: used, At: at, Auto: true})
			c.most = 0
		}
		c.to.Item(transcript.StoreItem{Key: name, Kind: "user", Text: text, At: at, Turn: true})
		c.stated("before "+name, name, used, at)
		return
	}
	if thinking := b.Path("thinking", "text").String(); thinking != "" {
		c.to.Item(transcript.StoreItem{Key: name + "/thinking", Kind: "reasoning", Text: thinking, At: at, Opaque: int64(b.Path("thinking", "signature").TextLen())})
	}
	if text != "" {
		c.to.Item(transcript.StoreItem{Key: name, Kind: "assistant", Text: text, At: at})
	}
	tool := b.Get("toolFormerData")
	if tool.Get("name").TextLen() == 0 {
		return
	}
	arguments := tool.Get("rawArgs")
	if arguments.TextLen() == 0 {
		arguments = tool.Get("params")
	}
	called := tool.Get("name").String()
	c.to.Item(transcript.StoreItem{Key: name + "/call", Kind: "toolCalls", Name: called, Call: name, JSON: []byte(arguments.String()), At: at})
	if result := tool.Get("result"); result.TextLen() > 0 {
		c.to.Item(transcript.StoreItem{
			Key: name + "/result", Kind: "toolResults", Name: called, Call: name, Text: result.String(), At: at,
			Error: tool.Get("status").Is("error"),
		})
	}
}

// stated writes a number of Cursor's meter: the window's content before an item, or now.
func (c *cursorSession) stated(id, before string, tokens, at int64) {
	if tokens <= 0 {
		return
	}
	c.most = max(c.most, tokens)
	u := transcript.NewStoreUsage(id)
	u.Before, u.In, u.Out, u.At, u.Own = before, tokens, 0, at, true
	u.Note = phrase.CursorMeter.Text()
	c.to.Usage(u)
}

func (c *cursorSession) meter(data json.Value) {
	used := whole(data.Path("promptTokenBreakdown", "totalUsedTokens"))
	if used <= 0 {
		used = whole(data.Get("contextTokensUsed"))
	}
	c.stated("after "+c.spoken, "", used, milliseconds(instant(whole(data.Get("lastUpdatedAt")))))
	percent, limit := data.Get("contextUsagePercent"), whole(data.Get("contextTokenLimit"))
	if hundredths := hundredths(percent); hundredths >= 0 {
		c.to.Own(hundredths, phrase.AgentPrints.Text(phrase.Name("Cursor")))
		if used > 0 && limit > 0 && abs(used*10000/limit-hundredths) > 200 {
			c.to.Warning(phrase.CursorMoments.Text())
		}
	}
	if status := data.Get("status"); status.Is("completed") || status.Is("aborted") {
		c.to.Over(c.spoken)
	}
}

// hundredths returns a percentage in hundredths, or transcript.Unknown if it is not one.
func hundredths(v json.Value) int64 {
	if v.Kind() != json.Number {
		return transcript.Unknown
	}
	n, fault := v.Milli()
	if fault != json.NumberOK || n < 0 || n > 1000*1000 {
		return transcript.Unknown
	}
	return (n + 5) / 10
}

func abs(n int64) int64 { return max(n, -n) }
