// Copyright The ctx-lsp authors. MIT licence.

package export

import (
	"context"
	"sync"

	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/conversation"
	"github.com/ctx-lsp/ctx-lsp/internal/sight"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// A repeated has the tokens of tool output that was still in the window when it came again, by the number of the
// request, from 0 on: those that are new in it, and all that it contains.
type repeated struct {
	session        transcript.Session
	call           client.Call
	fresh, carried []int64
	ended          bool // the texts cannot be read, or have no further requests
}

// oneConversation bounds the sessions whose texts are in memory to one.
var oneConversation sync.Mutex

// read reads the session's texts.
func (a *repeated) read(ctx context.Context) error {
	oneConversation.Lock()
	defer oneConversation.Unlock()
	c, err := conversation.Read(ctx, a.session, nil)
	if err != nil {
		return err
	}
	found := sight.FindRepeats(c)
	counter := conversation.Counter{Model: c.Model, Provider: c.Provider, Call: a.call}
	if err := found.Count(c, func(texts []string) ([]int64, error) { return counter.Count(ctx, texts) }); err != nil {
		return err
	}
	a.fresh, a.carried = make([]int64, c.Requests()), make([]int64, c.Requests())
	for _, each := range found.List {
		from := c.Items[each.Item].AtRequest
		for request := from; request < from+each.Requests; request++ {
			a.carried[request] += each.Tokens
		}
		if each.Requests > 0 {
			a.fresh[from] += each.Tokens
		}
	}
	return nil
}

// set sets the columns of a row. The texts are read when a row is not among their requests: at the first one, and again
// if the session has continued since.
func (a *repeated) set(ctx context.Context, row *Row) {
	at := row.Call - 1
	if at >= int64(len(a.fresh)) && !a.ended {
		a.ended = a.read(ctx) != nil || at >= int64(len(a.fresh))
	}
	if at >= 0 && at < int64(len(a.fresh)) {
		row.ReadAgain, row.ReadAgainCarried = &a.fresh[at], &a.carried[at]
	}
}
