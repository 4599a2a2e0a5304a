// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// A signal wakes the goroutines that wait for an event.
type signal struct {
	mu   sync.Mutex    // guards the field below
	news chan struct{} // nil if no goroutine waits
}

// next returns a channel that is closed by the next fire. Call it before reading the state, so that no event is missed.
func (s *signal) next() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.news == nil {
		s.news = make(chan struct{})
	}
	return s.news
}

func (s *signal) fire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.news != nil {
		close(s.news)
		s.news = nil
	}
}

// A search finds the sessions that a client wants to see, and waits until they have been read.
type search struct {
	done    chan struct{} // closed when they have been read
	percent atomic.Int64  // percentage of them that has been read
}

// search starts following what the clients want now, and returns the search for the sessions that exist.
func (w *watcher) search(ctx context.Context, wanted *watch) *search {
	s := &search{done: make(chan struct{})}
	if !w.want() {
		close(s.done)
		return s
	}
	go func() {
		defer close(s.done)
		defer w.server.survive("searching sessions")
		w.find(ctx, wanted, &s.percent)
	}()
	return s
}

// find returns when the existing sessions have been read, or after longSearch.
func (w *watcher) find(ctx context.Context, wanted *watch, percent *atomic.Int64) {
	expected := map[string]bool{}
	for _, q := range w.queriesOf(wanted.workspaces, wanted.here(), w.beginning()) {
		q.Children = true
		found, problems, err := w.server.options.Source.Find(ctx, q)
		if err != nil {
			return
		}
		for _, problem := range problems {
			w.complain(problem.String())
		}
		for _, each := range found {
			expected[each.ID] = true
		}
	}
	late := time.NewTimer(longSearch)
	defer late.Stop()
	for {
		news := w.news.next()
		read := 0
		for _, s := range w.server.all(func(s *session) bool { return s.origin != nil && expected[s.origin.ID] }) {
			if s.wasSeen() {
				read++
			}
		}
		if read >= len(expected) {
			w.lookAround(true)
			return
		}
		percent.Store(int64(100 * read / len(expected)))
		select {
		case <-news:
		case <-late.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

// wasSeen reports whether the transcript was read, or could not be read.
func (s *session) wasSeen() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen
}

// searched is the key of ctx/searched in the outbox, so that it is sent after the Readings that were found. No session
// has this id.
const searched = "\x00searched"

// awaitSearch waits until a search has ended, but no longer than firstReads. If it is still running then, the client
// gets a notification at its end.
func (c *connection) awaitSearch(r *request, found *search) (searching bool) {
	report, end := c.progress(r.fields.Get("workDoneToken"), phrase.Named("Reading sessions"))
	defer end()
	late := time.NewTimer(firstReads)
	defer late.Stop()
	again := time.NewTicker(250 * time.Millisecond)
	defer again.Stop()
	for {
		select {
		case <-found.done:
			return false
		case <-again.C:
			report(phrase.Text{}, int(found.percent.Load()))
			continue
		case <-r.ctx.Done():
		case <-late.C:
			r.after = func() {
				go func() {
					defer c.survive("searching sessions")
					<-found.done
					c.out.Replace(searched, wire.NotificationFrame("ctx/searched", []byte("{}")))
				}()
			}
		}
		return true
	}
}
