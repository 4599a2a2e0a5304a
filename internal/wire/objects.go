// Copyright The ctx-lsp authors. MIT licence.

package wire

import (
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

// This file is the side of a stream that the jsonrpc2 library sees: the library reads objects, writes objects, and
// closes the stream. It does so from goroutines of its own, so a panic must not leave these functions.

var _ jsonrpc2.ObjectStream = (*Stream)(nil)

// CloseGrace is how long a client may take to read the last answers when a connection ends.
const CloseGrace = time.Second

// errDefect ends a connection in whose reader there was a panic.
var errDefect = errors.New("a message could not be accepted because of an internal error")

// ReadObject returns to the library the next answer to a request of ours, decoded into v, a type of the library. Calls
// of the client are received on the way: the library would make maps of their parameters, and knows fewer ids than
// clients.
func (s *Stream) ReadObject(v any) (err error) {
	defer s.survive("reading a message")
	err = errDefect // replaced below, unless receive panics
	var answer []byte
	if answer, err = s.next(); err != nil {
		return err
	}
	return json.Unmarshal(answer, v)
}

// next is ReadObject before the decoding.
func (s *Stream) next() ([]byte, error) {
	for {
		select {
		case <-s.ended:
			return nil, io.EOF
		default:
		}
		call, answer, err := s.read()
		if call == nil {
			return answer, err
		}
		s.receive(call)
	}
}

// WriteObject queues a message of the library, which is always a request of ours: the library would encode the results
// of calls a second time.
func (s *Stream) WriteObject(message any) error {
	body, err := json.Marshal(message)
	if err != nil {
		return err
	}
	return s.out.Send(Frame(body))
}

// Close lets a client that reads have what is queued, and then closes the connection. It returns when that is done,
// even if another goroutine has begun it.
func (s *Stream) Close() (err error) {
	defer s.survive("closing a connection")
	s.closing.Do(func() {
		s.out.close()
		select {
		case <-s.out.done:
		case <-s.out.Failed:
		case <-time.After(CloseGrace):
		}
		err = s.closer.Close()
	})
	return err
}
