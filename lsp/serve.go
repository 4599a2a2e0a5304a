// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"
)

// ServeListener serves every client that connects until ctx is cancelled, and waits for them to end.
func (s *Server) ServeListener(ctx context.Context, listener net.Listener) error {
	context.AfterFunc(ctx, func() { listener.Close() })
	var serving sync.WaitGroup
	defer serving.Wait()
	for {
		conn, err := listener.Accept()
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			if errors.Is(err, net.ErrClosed) {
				return err
			}
			// The system may have run out of handles or memory. That is temporary, and there are clients to serve.
			s.log.Warn("a client could not be accepted", "error", err)
			time.Sleep(100 * time.Millisecond)
			continue
		}
		serving.Add(1)
		go func() {
			defer serving.Done()
			defer s.survive("serving a client")
			s.serveWithin(ctx, conn, introduceWithin)
		}()
	}
}
