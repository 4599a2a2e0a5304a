// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/ipc"
)

// TestRequestsBeforeTheEndOfTheInputAreAnswered sends requests that take a while and ends the input at once.
func TestRequestsBeforeTheEndOfTheInputAreAnswered(t *testing.T) {
	engine := newFakeEngine()
	engine.delay = func(string) { time.Sleep(time.Millisecond) }
	s := newTestServer(t, Options{Engine: using(engine)})
	var in strings.Builder
	send := func(body string) { fmt.Fprintf(&in, "Content-Length: %d\r\n\r\n%s", len(body), body) }
	send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"processId":null,"capabilities":{}}}`)
	send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	send(`{"jsonrpc":"2.0","id":1,"method":"ctx/session/open","params":{"id":"a"}}`)
	for i := 2; i <= 200; i++ {
		send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ctx/session/update","params":{"id":"a","system":1}}`, i))
	}
	out := &onlyReads{}
	if code := s.ServeToEnd(context.Background(), ipc.Stdio(strings.NewReader(in.String()), out)); code != 1 {
		t.Errorf("code %d", code)
	}
	for i := range 201 {
		if !bytes.Contains(out.all.Bytes(), fmt.Appendf(nil, `"id":%d,"result"`, i)) {
			t.Fatalf("request %d is not answered: %.300s", i, out.all.Bytes())
		}
	}
}

// onlyReads is a client that only reads.
type onlyReads struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (a *onlyReads) Write(p []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.all.Write(p)
}

var _ io.Writer = (*onlyReads)(nil)
