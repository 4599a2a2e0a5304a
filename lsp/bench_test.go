// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/state"
)

// BenchmarkUpdate measures one update to one of a hundred sessions in the daemon, including saving and notifying.
func BenchmarkUpdate(b *testing.B) {
	for _, name := range engines {
		b.Run(name, func(b *testing.B) {
			s := newTestServer(b, Options{Engine: realEngine(b, name), State: state.OpenLedgers(b.TempDir())})
			here, there := net.Pipe()
			go s.Serve(b.Context(), there)
			c := &testClient{t: b, conn: here}
			go io.Copy(io.Discard, here)
			c.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`)
			for i := range 100 {
				c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"o%d","method":"ctx/session/open","params":{"id":"%d","model":"gpt-5.5"}}`, i, i))
			}
			s.lanes.Wait()
			i := 0
			for b.Loop() {
				c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"u%d","method":"ctx/session/update","params":{"id":"%d","append":[{"kind":"assistant","text":"piece %d of an answer that is streaming "}]}}`, i, i%100, i))
				i++
			}
			s.lanes.Wait()
			here.Close()
		})
	}
}
