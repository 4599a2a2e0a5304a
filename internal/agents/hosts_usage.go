// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"errors"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// A hostedUsage is what VS Code's Agent Host keeps of a turn: the usage of its last request, as the agent reported it.
// Sums of the turn are next to it; they say nothing about the window and are not read.
type hostedUsage struct {
	Event string // the id of the user's message, as the agent records it
	Call  string // the request, by the provider's id; "" if the host did not note it
	Usage copilotRequest
	// Limit is the largest prompt, as the agent says; it is below the window if the agent uses only a part of that.
	Limit int64
	// Composition is the agent's own composition of its window.
	Composition []composed
}

// A composed is one row of an agent's own composition of its window.
type composed struct {
	Kind, Label string
	Tokens      int64
}

// mostUsage bounds the text of one turn, and mostComposed the rows of a composition.
const (
	mostUsage    = 1 << 20
	mostComposed = 32
)

// hostedUsages reads the turns of a session from the host's database, in their order.
func hostedUsages(ctx context.Context, path string) (found []hostedUsage, err error) {
	for tries := 0; ; tries++ {
		found = nil
		err = opened(ctx, path, func(q *query) error {
			usage, err := q.columns("turn_usage")
			if err != nil || !usage["turn_id"] || !usage["usage"] {
				return err
			}
			turns, err := q.columns("turns")
			if err != nil || !turns["event_id"] {
				return err
			}
			return q.each(`SELECT t.event_id, u.usage FROM turn_usage u JOIN turns t ON t.id=u.turn_id WHERE length(u.usage)<?1 ORDER BY t.rowid`, []any{mostUsage}, func(r row) bool {
				if u, ok := readHostedUsage(r.text(0), parsed(r.bytes(1))); ok {
					found = append(found, u)
				}
				return true
			})
		})
		if !errors.Is(err, errChanged) || tries == 3 {
			withLimits(found)
			return found, err
		}
	}
}

// withLimits gives turns without a limit that of another turn of the same model: the host notes it only if the agent
// names it before the turn has ended.
func withLimits(usages []hostedUsage) {
	limits := map[string]int64{}
	for _, u := range usages {
		if u.Limit > 0 {
			limits[u.Usage.Model] = u.Limit
		}
	}
	for i := range usages {
		if u := &usages[i]; u.Limit <= 0 {
			u.Limit = limits[u.Usage.Model]
		}
	}
}

func readHostedUsage(event string, v json.Value) (u hostedUsage, ok bool) {
	about := v.Get("_meta")
	call, detail, info := about.Get("vscode.modelCall"), about.Get("copilot.usageDetail"), about.Get("copilot.usageInfo")
	u = hostedUsage{
		Event: event, Call: call.Get("apiCallId").String(), Limit: whole(info.Get("tokenLimit")),
		Usage: copilotRequest{
			Model: nameIn(v.Get("model").String()), In: whole(v.Get("inputTokens")), Out: whole(v.Get("outputTokens")),
			Read: whole(v.Get("cacheReadTokens")), Write: whole(detail.Get("cacheWriteTokens")), ReasoningOut: whole(detail.Get("reasoningTokens")),
		},
	}
	own := about.Get("contextAttribution")
	for _, name := range []string{"promptTokenLimit", "limit", "tokenLimit"} {
		if n := whole(own.Get(name)); n > 0 && u.Limit <= 0 {
			u.Limit = n
		}
	}
	u.Composition = readComposition(own)
	return u, u.Event != "" && u.Usage.In > 0
}

// readComposition reads an agent's own composition of its window: the sums by category, or without them
// the entries of the first level. Free and reserved space is left out.
func readComposition(own json.Value) (rows []composed) {
	for f := own.Get("categories").Fields(); f.Next(); {
		if n := whole(f.Value); n > 0 && !f.Key.Is("freeSpace") && !f.Key.Is("buffer") && f.Key.TextLen() < 100 && len(rows) < mostComposed {
			rows = append(rows, composed{Kind: f.Key.String(), Tokens: n})
		}
	}
	if rows != nil {
		return rows
	}
	for e := own.Get("entries").Elements(); e.Next(); {
		label, n := e.Value.Get("label"), whole(e.Value.Get("tokens"))
		if n > 0 && !e.Value.Get("parentId").Exists() && label.Kind() == json.String && label.TextLen() < 200 && len(rows) < mostComposed {
			rows = append(rows, composed{Kind: e.Value.Get("kind").String(), Label: label.String(), Tokens: n})
		}
	}
	if total := whole(own.Get("totalTokens")); rows != nil && total > 0 {
		for _, r := range rows {
			total -= r.Tokens
		}
		if total > 0 {
			rows = append(rows, composed{Kind: "messages", Tokens: total})
		}
	}
	return rows
}
