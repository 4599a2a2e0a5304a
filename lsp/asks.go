// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

// maxUnanswered is how many requests of ours one client may leave without an answer. The library remembers each until
// its answer comes, also when nobody waits for it any longer.
const maxUnanswered = 256

var errUnanswered = errors.New("the client has left too many requests unanswered to be asked again")

// ask sends a request of ours and waits for the client's answer, which it decodes into result unless that is nil.
func (c *connection) ask(ctx context.Context, method string, params, result any) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	err := errUnanswered
	if c.unanswered.Add(1) <= maxUnanswered {
		c.mu.Lock()
		rpc := c.rpc
		c.mu.Unlock()
		err = rpc.Call(ctx, method, params, result)
	} else {
		c.unanswered.Add(-1)
	}
	if err != nil {
		c.log.Debug("a request of ours came to nothing", "method", method, "error", err)
	}
	return err
}

// received is told by the library of each message. One with both parts is an answer, at last, to a request of ours.
func (c *connection) received(asked *jsonrpc2.Request, answer *jsonrpc2.Response) {
	if asked != nil && answer != nil {
		c.unanswered.Add(-1)
	}
}

// libraryLog gives what the library has to say to the daemon's log.
type libraryLog struct{ log *slog.Logger }

func (l libraryLog) Printf(format string, args ...any) {
	l.log.Debug("connection", "message", strings.TrimSpace(fmt.Sprintf(format, args...)))
}
