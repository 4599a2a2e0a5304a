// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/process"
)

// offered has one vocabulary, for every model but one.
type offered struct {
	mu       sync.Mutex
	looked   []string
	answered []string
	fetch    func(progress func(percent int)) ([]string, error)
}

func (o *offered) Offer(model string) (api.OfferParams, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.looked = append(o.looked, model)
	return api.OfferParams{Name: "voc", Model: model}, model != "exact"
}

func (o *offered) Answered(name string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if name != "voc" {
		return errors.New("there is no vocabulary " + name)
	}
	o.answered = append(o.answered, name)
	return nil
}

func (o *offered) Fetch(_ string, progress func(percent int)) ([]string, error) {
	return o.fetch(progress)
}

// modelEngine is a fake engine whose Readings are of a model, in an activity.
type modelEngine struct {
	*fakeEngine
	mu     sync.Mutex
	more   string   // members of each Reading
	offers []string // the families that the engine was given
}

func (e *modelEngine) Call(ctx context.Context, method string, params []byte) ([]byte, error) {
	answer, err := e.fakeEngine.Call(ctx, method, params)
	e.mu.Lock()
	defer e.mu.Unlock()
	return []byte(strings.Replace(string(answer), `"schema":"ctx.reading/3"`, `"schema":"ctx.reading/3"`+e.more, 1)), err
}

func (e *modelEngine) set(more string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.more = more
}

func (e *modelEngine) Offer(names ...string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.offers = append(e.offers, names...)
}

// TestAVocabularyIsOfferedOnceToAScreen checks that only a client that shows sessions is offered a vocabulary, for a
// session that is in use, and that each model is looked up once and each vocabulary offered once.
func TestAVocabularyIsOfferedOnceToAScreen(t *testing.T) {
	engine, vocabularies := &modelEngine{fakeEngine: newFakeEngine()}, &offered{}
	now := time.UnixMilli(1_700_000_000_000)
	s := newTestServer(t, Options{Engine: using(engine), Vocabularies: vocabularies, Now: func() time.Time { return now }})
	screen, program := start(t, s), start(t, s)
	screen.call("ctx/watch", `{}`)
	offers := 0
	// The first Reading of a session is sent before the response to the call that opens it.
	opened := func(c *testClient, name, more, at, wantLooked string, wantOffers int) {
		t.Helper()
		engine.set(more)
		c.call("ctx/session/open", `{"id":"`+name+`","shared":true,"at":`+at+`}`)
		for len(screen.notes) > 0 {
			if m := <-screen.notes; m.Method == "ctx/offer" {
				offers++
				if !strings.Contains(string(m.Params), `"name":"voc"`) {
					t.Errorf("%s: the offer is %s", name, m.Params)
				}
			}
		}
		vocabularies.mu.Lock()
		defer vocabularies.mu.Unlock()
		if looked := strings.Join(vocabularies.looked, " "); looked != wantLooked || offers != wantOffers {
			t.Errorf("%s: looked up are %q, want %q; %d offers, want %d", name, looked, wantLooked, offers, wantOffers)
		}
	}
	const fresh, old = "1699999999000", "1699990000000"
	opened(screen, "without a model", ``, fresh, "", 0)
	opened(screen, "idle", `,"model":"m","activity":"idle"`, fresh, "", 0)
	opened(screen, "left alone", `,"model":"m","activity":"working"`, old, "", 0)
	opened(screen, "left alone a moment ago", `,"model":"k","activity":"working"`, fmt.Sprint(now.Add(-process.IdleAfter).UnixMilli()-1), "", 0)
	opened(program, "shown by none", `,"model":"m","activity":"working"`, fresh, "", 0)
	opened(screen, "counted exactly", `,"model":"exact","activity":"working"`, fresh, "exact", 0)
	opened(screen, "in use", `,"model":"m","activity":"working"`, fresh, "exact m", 1)
	opened(screen, "again", `,"model":"m","activity":"waiting"`, fresh, "exact m", 1)
	opened(screen, "another model of the vocabulary", `,"model":"n","activity":"waiting"`, "0", "exact m n", 1)
	opened(screen, "about to be left alone", `,"model":"k","activity":"working"`, fmt.Sprint(now.Add(-process.IdleAfter).UnixMilli()), "exact m n k", 1)
	for len(program.notes) > 0 {
		if m := <-program.notes; m.Method == "ctx/offer" {
			t.Errorf("a client that shows no session is offered %s", m.Params)
		}
	}
}

// TestAVocabularyIsFetchedOnConsent checks the responses to an offer: a no is remembered, a yes downloads it once at a
// time and reports the outcome, and the engine counts with it.
func TestAVocabularyIsFetchedOnConsent(t *testing.T) {
	engine, vocabularies := &modelEngine{fakeEngine: newFakeEngine()}, &offered{}
	begun, outcome := make(chan struct{}, 10), make(chan error)
	vocabularies.fetch = func(progress func(int)) ([]string, error) {
		begun <- struct{}{}
		err := <-outcome
		return []string{"a", "b"}, err
	}
	c := start(t, newTestServer(t, Options{Engine: using(engine), Vocabularies: vocabularies}))
	if m := c.ask("ctx/vocabulary", `{"name":"other","fetch":true}`); m.Error == nil || m.Error.Code != api.Code(api.InvalidParams) || m.Error.Message != "there is no vocabulary other." {
		t.Errorf("a vocabulary that does not exist: %+v", m)
	}
	if m := c.ask("ctx/vocabulary", `{"name":7}`); m.Error == nil {
		t.Error("a name that is a number is accepted")
	}
	c.call("ctx/vocabulary", `{"name":"voc","fetch":false}`)
	c.call("ctx/vocabulary", `{"name":"voc","fetch":true}`)
	receive(30*time.Second, begun)
	c.call("ctx/vocabulary", `{"name":"voc","fetch":true}`) // it is being downloaded already
	outcome <- errors.New("no network")
	var shown string
	if shown = string(c.note("window/showMessage").Params); !strings.Contains(shown, `"type":1`) || !strings.Contains(shown, "no network") {
		t.Errorf("a download that fails is reported with %s", shown)
	}
	if len(begun) != 0 {
		t.Error("it is downloaded twice at a time")
	}
	for end := time.Now().Add(time.Minute); len(engine.taken()) == 0; { // the download that failed may not have ended yet
		if time.Now().After(end) {
			t.Fatal("it is not downloaded again")
		}
		c.call("ctx/vocabulary", `{"name":"voc","fetch":true}`)
		if _, again := receive(20*time.Millisecond, begun); again {
			outcome <- nil
			shown = string(c.note("window/showMessage").Params)
		}
	}
	if got := strings.Join(engine.taken(), " "); got != "a b" || !strings.Contains(shown, `"type":3`) || !strings.Contains(shown, "voc is installed") {
		t.Errorf("the engine was given %q, and the user is shown %s", got, shown)
	}
	without := start(t, newTestServer(t, Options{}))
	if m := without.ask("ctx/vocabulary", `{"name":"voc"}`); m.Error == nil || m.Error.Code != api.Code(api.RequestFailed) {
		t.Errorf("without vocabularies: %+v", m)
	}
}

// TestADownloadShowsItsProgress checks that a client that shows progress is shown the download's, and its end.
func TestADownloadShowsItsProgress(t *testing.T) {
	begun := make(chan struct{})
	vocabularies := &offered{fetch: func(progress func(percent int)) ([]string, error) {
		for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
			select {
			case <-begun:
				return nil, nil
			default:
				progress(7)
			}
		}
		return nil, errors.New("no progress is shown")
	}}
	c := connect(t, newTestServer(t, Options{Vocabularies: vocabularies}))
	c.call("initialize", `{"capabilities":{"window":{"workDoneProgress":true}}}`)
	c.call("ctx/vocabulary", `{"name":"voc","fetch":true}`)
	if got := string(c.note("$/progress").Params); !strings.Contains(got, `"kind":"begin"`) || !strings.Contains(got, `"percentage":7`) || !strings.Contains(got, `"message":"7%"`) {
		t.Errorf("the progress begins with %s", got)
	}
	close(begun)
	if got := string(c.note("$/progress").Params); !strings.Contains(got, `"kind":"end"`) {
		t.Errorf("the progress ends with %s", got)
	}
	if got := string(c.note("window/showMessage").Params); !strings.Contains(got, "voc is installed") {
		t.Errorf("the outcome is %s", got)
	}
}

// taken returns the families that the engine was given.
func (e *modelEngine) taken() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]string(nil), e.offers...)
}
