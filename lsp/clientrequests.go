// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// maxUnanswered is how many requests one client may leave unanswered. The library keeps each request until its response
// arrives, even after ask has timed out.
const maxUnanswered = 256

var errUnanswered = errors.New("the client has too many unanswered requests")

// sendRequest sends a request to the client, waits for the response, and decodes it into result unless result is nil.
func (c *connection) sendRequest(ctx context.Context, method string, params, result any) error {
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
		c.log.Debug("a request to the client failed", "method", method, "error", err)
	}
	return err
}

// received counts responses; the library calls it with each message. A message with both parts is the response to a
// request of ours.
func (c *connection) received(asked *jsonrpc2.Request, answer *jsonrpc2.Response) {
	if asked != nil && answer != nil {
		c.unanswered.Add(-1)
	}
}

// noCalls is the library's handler. It is never called, because the stream passes calls to receive.
type noCalls struct{}

// Handle does nothing.
func (noCalls) Handle(context.Context, *jsonrpc2.Conn, *jsonrpc2.Request) {}

// noMethod returns the error for an unknown method. For methods of ctx-lsp it lists the ones that exist; a client of
// LSP knows its own.
func noMethod(name string) *api.Error {
	if strings.HasPrefix(name, "ctx/") {
		return api.NoMethod(name, methodNames("ctx/"))
	}
	return &api.Error{Kind: api.UnknownMethod, Name: name, Message: "There is no method " + strconv.Quote(name) + "."}
}

// libraryLog writes the library's log to the daemon's.
type libraryLog struct{ log *slog.Logger }

func (l libraryLog) Printf(format string, args ...any) {
	l.log.Debug("connection", "message", strings.TrimSpace(fmt.Sprintf(format, args...)))
}
