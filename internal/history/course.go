// Copyright The ctx-lsp authors. MIT licence.

// Package history reads sessions request by request: the contents of each request, where its tokens went, how the
// session would have gone under other settings, and how the fixed context changed from session to session.
package history

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
)

// A Request is one measured request, with the contents of the window after its response.
type Request struct {
	Call      int64
	At        *api.Time
	In        int64  // the measured prompt
	CacheRead *int64 // the part of In read from the cache, nil if the provider did not report it
	Used      int64  // the predicted size of the next request
	Rows      []api.Row
	Items     []api.LargeItem // the largest items of the conversation, by name; see Read
	Servers   []api.Server
	// Compacted is set on the first request after a compaction.
	Compacted bool
}

// A Course is a session's history, request by request.
type Course struct {
	Last     *api.Reading // Reading after the last record
	Requests []Request
	History  *api.HistoryAnswer
}

// itemsKept is how many of the largest items of each request are kept. The rows contain the rest.
const itemsKept = 400

// Read reads a session from its beginning. Every request has its Items only if items is set, which takes most of the
// time; otherwise only the last request has them.
func Read(ctx context.Context, feed *follow.Feed, call client.Call, items bool) (*Course, error) {
	c := &Course{}
	largest := func(of *Request) error {
		top := int64(itemsKept)
		answer, err := call.Items(ctx, &api.ItemsParams{ID: feed.ID, Top: &top}).Read()
		if err == nil {
			of.Items = answer.Items
		}
		return err
	}
	compactions := int64(0)
	err := follow.EachRequest(ctx, feed, func(text []byte) error {
		r := &api.Reading{}
		if err := json.Unmarshal(text, r); err != nil {
			return fmt.Errorf("the Reading cannot be read: %w", err)
		}
		if r.LastRequest == nil {
			return nil
		}
		c.Requests = append(c.Requests, Request{
			Call: r.Spent.Calls, At: r.AsOf, In: r.LastRequest.In, CacheRead: r.LastRequest.CacheRead, Used: r.Used,
			Rows: r.Breakdown, Servers: r.MCPServers, Compacted: r.Compaction.Count > compactions,
		})
		compactions = r.Compaction.Count
		if !items {
			return nil
		}
		return largest(&c.Requests[len(c.Requests)-1])
	})
	if err != nil {
		return nil, err
	}
	if len(c.Requests) == 0 {
		return nil, follow.ErrNothingMeasured
	}
	if !items {
		if err := largest(&c.Requests[len(c.Requests)-1]); err != nil {
			return nil, err
		}
	}
	if c.Last, err = call.Reading(ctx, &api.ReadingParams{ID: feed.ID, Panel: true}).Read(); err != nil {
		return nil, err
	}
	points := int64(1000)
	c.History, err = call.History(ctx, &api.HistoryParams{ID: feed.ID, Points: &points}).Read()
	return c, err
}
