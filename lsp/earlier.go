// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/document"
	"github.com/ctx-lsp/ctx-lsp/internal/focus"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

const (
	// maxAsked is how many sessions are read because a client showed them; the most recent ones are kept.
	maxAsked = 32
	// earlierAtOnce is how many earlier sessions are listed by default, and mostEarlier how many a client can request.
	earlierAtOnce, mostEarlier = 50, 500
)

// listEarlier answers ctx/earlier with the sessions of this machine that are not read because they are inactive.
func (c *connection) listEarlier(r *request) ([]byte, *api.Error) {
	var asked api.EarlierParams
	if err := r.read(&asked); err != nil {
		return nil, err
	}
	if path, ok := document.Path(asked.Workspace); ok {
		asked.Workspace = path
	}
	switch {
	case asked.Workspace != "" && !filepath.IsAbs(asked.Workspace):
		return nil, api.Invalid("workspace", "must be an absolute path or a file URI.")
	case asked.Limit < 0 || asked.Limit > mostEarlier:
		return nil, api.Invalid("limit", "must be a number from 1 to 500.")
	case asked.Limit == 0:
		asked.Limit = earlierAtOnce
	}
	type listed struct {
		api.Earlier
		Glimpse json.RawMessage `json:"glimpse"`
	}
	answer := struct {
		Sessions []listed `json:"sessions"`
		More     bool     `json:"more"`
	}{Sessions: []listed{}}
	if c.server.options.Source == nil {
		out, _ := json.Marshal(answer) // strings and numbers always encode
		return out, nil
	}
	read := map[string]bool{}
	for _, s := range c.server.all(func(s *session) bool { return s.origin != nil && s.origin.Parent == "" }) {
		if !s.unread() { // a session that is being read for the first time is not in ctx/sessions yet
			read[s.origin.ID] = true
		}
	}
	near := ""
	if asked.Workspace != "" {
		near = focus.Look("", asked.Workspace).Workspace
	}
	found, _, err := c.server.options.Source.Find(r.ctx, sessions.Query{Near: near, Limit: int(asked.Limit) + len(read) + 1})
	if err != nil {
		return nil, cancelled()
	}
	room := int64(mostPreviewed)
	for _, s := range found {
		if read[s.ID] {
			continue
		}
		if len(answer.Sessions) == int(asked.Limit) {
			answer.More = true
			break
		}
		each := api.Earlier{Session: s.ID, Agent: s.Agent, Title: sessions.Title(s), Workspace: s.Workspace, Modified: s.Modified.UnixMilli(), Host: s.Host}
		if each.Title == "" && c.readingView().openings {
			each.Opening = c.server.openings.Of(r.ctx, s)
		}
		if !s.Started.IsZero() {
			started := s.Started.UnixMilli()
			each.Started = &started
		}
		answer.Sessions = append(answer.Sessions, listed{each, c.server.watcher.preview(r.ctx, s, &room)})
	}
	out, _ := json.Marshal(answer) // strings and numbers always encode
	return out, nil
}

// also has one more session read at the next call of want. It returns false if the session is on the list already.
func (w *watcher) also(id string) (news bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.follower == nil || id == "" {
		return false
	}
	news = true
	if i := slices.Index(w.asked, id); i >= 0 {
		w.asked, news = slices.Delete(w.asked, i, i+1), false
	}
	w.asked = append(w.asked, id)
	if len(w.asked) > maxAsked {
		w.asked = w.asked[len(w.asked)-maxAsked:]
	}
	return news
}

// fetch has an earlier session read because a client shows it, and waits up to firstReads for it. It returns false if
// there is no such session.
func (c *connection) fetch(ctx context.Context, id string) bool {
	w := c.server.watcher
	if w.server.options.Source == nil {
		return false
	}
	found, _, err := w.server.options.Source.Find(ctx, sessions.Query{ID: id})
	if err != nil || !slices.ContainsFunc(found, func(s transcript.Session) bool { return s.ID == id }) {
		return false
	}
	w.also(id)
	if !w.want() {
		return false
	}
	late := time.NewTimer(firstReads)
	defer late.Stop()
	for {
		news := w.news.next()
		if s := c.find(id); s != nil && !s.unread() {
			return true
		}
		select {
		case <-news:
		case <-late.C:
			return true // ctx/focused follows when it is read
		case <-ctx.Done():
			return true
		}
	}
}
