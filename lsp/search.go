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

// A signal wakes the goroutines that wait for the next news.
type signal struct {
	mu   sync.Mutex    // guards the field below
	news chan struct{} // nil if no goroutine waits
}

// next returns a channel that is closed by the next fire. It is taken before the state is read, so that no news is
// missed.
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

// A search finds the sessions that a client wants to see, and waits until they are read.
type search struct {
	done    chan struct{} // closed when they are read
	percent atomic.Int64  // how many of them are read
}

// search follows what the clients want from now on.
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

// find returns when the sessions that exist are read, or after longSearch.
func (w *watcher) find(ctx context.Context, wanted *watch, percent *atomic.Int64) {
	expected := map[string]bool{}
	for _, q := range w.queriesOf(wanted.workspaces, wanted.here(), w.beginning()) {
		found, problems, err := w.server.options.Source.Find(ctx, q)
		if err != nil {
			return
		}
		for _, problem := range problems {
			w.say(problem.String())
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

// searched is the key of ctx/searched among the states that wait to be written, so that it follows the Readings that
// were found. No session has this id.
const searched = "\x00searched"

// awaitSearch waits until a search has ended, or for firstReads. If it has not, the client is notified of its end.
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
		case <-r.ctx.Done():
			return true
		case <-again.C:
			report(phrase.Text{}, int(found.percent.Load()))
		case <-late.C:
			r.after = func() {
				go func() {
					defer c.survive("searching sessions")
					<-found.done
					c.out.Replace(searched, wire.NotificationFrame("ctx/searched", []byte("{}")))
				}()
			}
			return true
		}
	}
}
