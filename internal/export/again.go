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
type repeated struct{ fresh, carried []int64 }

// oneConversation bounds the sessions whose texts are in memory to one.
var oneConversation sync.Mutex

// readAgain returns the repeated output of a session; nil if its texts cannot be read.
func readAgain(ctx context.Context, s transcript.Session, call client.Call) *repeated {
	oneConversation.Lock()
	defer oneConversation.Unlock()
	c, err := conversation.Read(ctx, s, nil)
	if err != nil {
		return nil
	}
	found := sight.FindRepeats(c)
	counter := conversation.Counter{Model: c.Model, Provider: c.Provider, Call: call}
	if found.Count(c, func(texts []string) ([]int64, error) { return counter.Count(ctx, texts) }) != nil {
		return nil
	}
	again := &repeated{fresh: make([]int64, c.Requests()), carried: make([]int64, c.Requests())}
	for _, each := range found.List {
		from := c.Items[each.Item].AtRequest
		for request := from; request < from+each.Requests; request++ {
			again.carried[request] += each.Tokens
		}
		if each.Requests > 0 {
			again.fresh[from] += each.Tokens
		}
	}
	return again
}

// set sets the columns of a row.
func (a *repeated) set(row *Row) {
	if at := row.Call - 1; a != nil && at >= 0 && at < int64(len(a.fresh)) {
		row.ReadAgain, row.ReadAgainCarried = &a.fresh[at], &a.carried[at]
	}
}
