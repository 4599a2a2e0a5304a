// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"sync"
	"time"
)

// errGone says that a client went before it answered.
var errGone = errors.New("the client is gone")

// asks are the requests of ours that one client has not answered yet.
type asks struct {
	mu      sync.Mutex // guards the fields below
	last    int64
	waiting map[int64]chan reply
}

// A reply is what a client answers: a result, or an error.
type reply struct {
	result []byte
	err    *wireError
}

// begin gives a request its id, and where its reply will arrive.
func (a *asks) begin() (int64, chan reply) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.last++
	replied := make(chan reply, 1)
	if a.waiting == nil {
		a.waiting = map[int64]chan reply{}
	}
	a.waiting[a.last] = replied
	return a.last, replied
}

// forget is for a request that nobody waits for any longer.
func (a *asks) forget(id int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.waiting, id)
}

// replied hands a reply to whoever waits for it, and says whether anybody did.
func (a *asks) replied(rawID []byte, with reply) bool {
	id, err := strconv.ParseInt(string(rawID), 10, 64)
	if err != nil {
		return false
	}
	a.mu.Lock()
	waiting := a.waiting[id]
	delete(a.waiting, id)
	a.mu.Unlock()
	if waiting == nil {
		return false
	}
	waiting <- with
	return true
}

// ask sends a request of ours and waits for the client's answer, which it decodes into result unless that is nil.
func (c *connection) ask(ctx context.Context, method string, params, result any) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	var body []byte
	if params != nil {
		var err error
		if body, err = json.Marshal(params); err != nil {
			return err
		}
	}
	id, replied := c.asks.begin()
	defer c.asks.forget(id)
	if err := c.out.send(requestFrame(id, method, body)); err != nil {
		return err
	}
	select {
	case answer := <-replied:
		if answer.err != nil {
			c.log.Debug("the client refused", "method", method, "error", answer.err)
			return answer.err
		}
		if result == nil {
			return nil
		}
		return json.Unmarshal(answer.result, result)
	case <-c.gone:
		return errGone
	case <-ctx.Done():
		c.log.Debug("the client does not answer", "method", method)
		return ctx.Err()
	}
}
