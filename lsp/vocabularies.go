// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
	"github.com/ctx-lsp/ctx-lsp/internal/process"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// Vocabularies can be downloaded, each with the user's consent.
type Vocabularies interface {
	// Offer returns the offer of the vocabulary that would make counts for a model exact. It returns false if there is
	// none, if it is installed, or if the user has already responded to the offer, even in an earlier run of the
	// daemon.
	Offer(model string) (api.OfferParams, bool)
	// Answered records that the user has responded to an offer, so that it is not repeated.
	Answered(name string) error
	// Fetch downloads and stores a vocabulary. It returns the names of the families that it counts.
	Fetch(name string, progress func(percent int)) ([]string, error)
}

// A vocabularyEngine is an engine that can be given more vocabularies while it runs.
type vocabularyEngine interface{ Offer(names ...string) }

// offers are the vocabularies that this run of the daemon has offered.
type offers struct {
	mu       sync.Mutex      // guards the fields below
	asked    map[string]bool // models that were looked up, and "name " followed by the names offered
	fetching map[string]bool
}

// offer offers the first client that watches a session the vocabulary that would make its counts exact. Each model is
// looked up once.
func (s *Server) offer(model string, watchers []*connection) {
	first := slices.IndexFunc(watchers, (*connection).watches)
	if s.options.Vocabularies == nil || first < 0 || !s.offers.first(model) {
		return
	}
	offered, wanted := s.options.Vocabularies.Offer(model)
	if !wanted || !s.offers.first("name "+offered.Name) {
		return
	}
	params, _ := json.Marshal(offered) // strings and numbers always encode
	watchers[first].out.Send(wire.NotificationFrame("ctx/offer", params))
}

// first records a model, or "name " and a vocabulary, and reports whether it is new.
func (o *offers) first(asked string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.asked[asked] {
		return false
	}
	if o.asked == nil {
		o.asked = map[string]bool{}
	}
	o.asked[asked] = true
	return true
}

// carriedOn reports whether a session is in use. Users are not asked about a session left idle for hours, even if the
// end of its agent has not been noticed yet.
func (s *Server) carriedOn(sum *summary) bool {
	return sum.live && (sum.asOf == 0 || s.options.Now().Sub(time.UnixMilli(sum.asOf)) <= process.IdleAfter)
}

// watches reports whether the client has sent ctx/watch. Such a client shows the sessions to a user; a program that
// only counts does not send it.
func (c *connection) watches() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.watching != nil && !c.watching.unasked
}

// answerOffer answers ctx/vocabulary. It starts the download without waiting for it: LSP progress shows how far it is,
// and a message reports the outcome.
func (c *connection) answerOffer(r *request) ([]byte, *api.Error) {
	var asked api.VocabularyParams
	if err := r.read(&asked); err != nil {
		return nil, err
	}
	from := c.server.options.Vocabularies
	if from == nil {
		return nil, &api.Error{Kind: api.RequestFailed, Message: "This daemon does not fetch vocabularies."}
	}
	if err := from.Answered(asked.Name); err != nil {
		return nil, &api.Error{Kind: api.InvalidParams, Field: "name", Message: err.Error() + "."}
	}
	if asked.Fetch && c.server.offers.begin(asked.Name) {
		go c.fetchVocabulary(asked.Name)
	}
	return []byte("{}"), nil
}

// begin marks a vocabulary as being downloaded. It returns false if it already is.
func (o *offers) begin(name string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.fetching[name] {
		return false
	}
	if o.fetching == nil {
		o.fetching = map[string]bool{}
	}
	o.fetching[name] = true
	return true
}

func (o *offers) end(name string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.fetching, name)
}

// fetchVocabulary downloads a vocabulary and passes it to the engine, which uses it from then on.
func (c *connection) fetchVocabulary(name string) {
	defer c.survive("fetching a vocabulary")
	defer c.server.offers.end(name)
	report, end := c.progress(nil, phrase.VocabularyFetching.Text(phrase.Name(name)))
	names, err := c.server.options.Vocabularies.Fetch(name, func(percent int) { report(phrase.Named(fmt.Sprintf("%d%%", percent)), percent) })
	end()
	if err != nil {
		c.server.log.Warn("a vocabulary could not be fetched", "name", name, "error", err)
		c.showMessage(messageError, phrase.VocabularyFailed.Text(phrase.Name(name), phrase.Name(err.Error())))
		return
	}
	if e, err := c.server.running(c.ctx); err == nil {
		if counts, ok := e.(vocabularyEngine); ok {
			counts.Offer(names...)
		}
	}
	c.showMessage(messageInfo, phrase.VocabularyInstalled.Text(phrase.Name(name)))
}
