// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// TestEveryErrorOfTheConnectionHasItsKind checks that errors that only a connection has use a kind of the table, and
// its code.
func TestEveryErrorOfTheConnectionHasItsKind(t *testing.T) {
	s := newTestServer(t, Options{Engine: realEngine(t, "native")})
	starting, running, ended := connect(t, s), start(t, s), start(t, s)
	ended.call("shutdown", "null")
	for _, test := range []struct {
		by         *testClient
		body, kind string
	}{
		{starting, `{"jsonrpc":"2.0","id":91,"method":"ctx/sessions"}`, api.NotInitialized},
		{running, `{"jsonrpc":"2.0","id":91,"method":"initialize","params":{}}`, api.InvalidRequest},
		{ended, `{"jsonrpc":"2.0","id":91,"method":"ctx/sessions"}`, api.InvalidRequest},
		{running, `[{"jsonrpc":"2.0","id":91,"method":"ctx/sessions"}]`, api.InvalidRequest},
		{running, `{"jsonrpc":"2.0","id":{},"method":"ctx/sessions"}`, api.InvalidRequest},
		{running, `{"jsonrpc":"2.0","id":1,"id":2,"method":"ctx/sessions"}`, api.InvalidRequest},
		{running, `{"jsonrpc":"2.0","id":91,"method":"ctx/nothing"}`, api.UnknownMethod},
		{running, `{"jsonrpc":"2.0","id":91,"method":"textDocument/nothing"}`, api.UnknownMethod},
		{running, `{"jsonrpc":"2.0","id":91,"method":"textDocument/hover","params":[1]}`, api.InvalidParams},
		{running, `{"jsonrpc":"2.0","id":91,"method":"textDocument/hover","params":{}}`, api.InvalidParams},
		{running, `{"jsonrpc":"2.0","id":91,"method":"ctx/watch","params":{"nothing":1}}`, api.InvalidParams},
		{running, `{"jsonrpc":"2.0","id":91,"method":"ctx/forgot","params":{}}`, api.InvalidParams},
		{running, `{"jsonrpc":"2.0","id":91,"method":"ctx/focus","params":{"session":"nobody"}}`, api.UnknownSession},
		{running, `{"jsonrpc":"2.0","id":91,"method":"ctx/count","params":{"exact":{}}}`, api.RequestFailed},
		{running, `{"jsonrpc":"2.0","id":91,`, api.ParseError},
	} {
		test.by.send(test.body)
		m := test.by.note("(answer)")
		var data struct{ Kind string }
		if m.Error == nil || json.Unmarshal(m.Error.Data, &data) != nil || data.Kind != test.kind || m.Error.Code != api.Code(test.kind) {
			t.Errorf("%s is answered %+v, want the kind %s", test.body, m.Error, test.kind)
		}
	}
}

// TestOnlyACanceledCallIsCanceled checks that an engine's own error is reported, also if it says that a context ended.
func TestOnlyACanceledCallIsCanceled(t *testing.T) {
	s := newTestServer(t, Options{})
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		ctx  context.Context
		err  error
		want string
	}{
		{ended, fmt.Errorf("waiting: %w", context.Canceled), cancelled().Kind},
		{ended, errors.New("it broke"), api.Internal},
		{context.Background(), context.Canceled, api.Internal},
		{ended, &api.Error{Kind: api.BadLedger}, api.BadLedger},
	} {
		if _, fault := s.outcome(c.ctx, "ctx/models", nil, c.err); fault == nil || fault.Kind != c.want {
			t.Errorf("%v: %+v, want %s", c.err, fault, c.want)
		}
	}
}
