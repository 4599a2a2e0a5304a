// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
	"github.com/ctx-lsp/ctx-lsp/internal/process"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// Vocabularies are those that can be fetched, each after a person has agreed to it.
type Vocabularies interface {
	// Offer is the offer of the vocabulary that would make the counts of a model exact. It says false if there is none,
	// if this machine has it, or if a person has answered the offer before, even in an earlier run of the daemon.
	Offer(model string) (api.OfferParams, bool)
	// Answered notes that a person has answered, so that the vocabulary is not offered again.
	Answered(name string) error
	// Fetch downloads a vocabulary and keeps it. It returns the names of the families that are counted with it.
	Fetch(name string, progress func(percent int)) ([]string, error)
}

// A vocabularyEngine is an engine that can count with further vocabularies while it runs.
type vocabularyEngine interface{ Offer(names ...string) }

// offers remember what one run of the daemon has offered.
type offers struct {
	mu       sync.Mutex      // guards the fields below
	asked    map[string]bool // models that were looked up, and "name " with the names that were offered
	fetching map[string]bool
}

// offer offers a vocabulary that would make a session's counts exact to one of the clients that watch the session. Each
// model is looked up once.
func (s *Server) offer(model string, watchers []*connection) {
	if s.options.Vocabularies == nil || model == "" || len(watchers) == 0 {
		return
	}
	o := &s.offers
	o.mu.Lock()
	before := o.asked[model]
	if !before {
		if o.asked == nil {
			o.asked = map[string]bool{}
		}
		o.asked[model] = true
	}
	o.mu.Unlock()
	if before {
		return
	}
	offered, wanted := s.options.Vocabularies.Offer(model)
	if !wanted {
		return
	}
	o.mu.Lock()
	before = o.asked["name "+offered.Name]
	o.asked["name "+offered.Name] = true
	o.mu.Unlock()
	params, err := json.Marshal(offered)
	if before || err != nil {
		return
	}
	for _, c := range watchers {
		if c.watches() {
			c.out.Send(wire.NotificationFrame("ctx/offer", params))
			return
		}
	}
}

// carriedOn tells whether somebody works in a session. Nobody is asked anything because of a session that was left
// hours ago, even while the daemon does not know yet that its agent has ended.
func (s *Server) carriedOn(sum *summary) bool {
	return sum.live && (sum.asOf == 0 || s.options.Now().Sub(time.UnixMilli(sum.asOf)) <= process.IdleAfter)
}

// watches is true for a client that asked to follow the sessions of this machine. Such a client shows them to a person,
// and a program that only has something counted does not ask.
func (c *connection) watches() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.watching != nil && !c.watching.unasked
}

// answerOffer answers ctx/vocabulary. It begins the download and does not wait for it: LSP's progress shows how far it
// is, and a message says how it ended.
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

// begin notes that a vocabulary is being fetched. It is false if that is so already.
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

// fetchVocabulary downloads a vocabulary and offers it to the engine, which counts with it from then on.
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
