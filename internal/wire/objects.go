// Copyright The ctx-lsp authors. MIT licence.

package wire

import (
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

// This file contains the methods of a stream that the jsonrpc2 library calls: it reads objects, writes objects, and
// closes the stream. It does so from its own goroutines, so a panic must not leave these functions.

var _ jsonrpc2.ObjectStream = (*Stream)(nil)

// CloseGrace is how long a client has to read the last messages when a connection ends.
const CloseGrace = time.Second

// errDefect ends a connection after a panic in its reader.
var errDefect = errors.New("a message could not be accepted because of an internal error")

// ReadObject decodes the next response to one of our requests into v, a type of the library. The client's calls that
// arrive before it go to receive instead: the library would make maps of their parameters, and supports fewer kinds of
// ids than clients use.
func (s *Stream) ReadObject(v any) (err error) {
	defer s.survive("reading a message")
	err = errDefect // replaced below, unless receive panics
	var answer []byte
	if answer, err = s.next(); err != nil {
		return err
	}
	return json.Unmarshal(answer, v)
}

// next is ReadObject without the decoding.
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

// WriteObject queues a message of the library, which is always one of our own requests: for results of calls, the
// library would encode the JSON again.
func (s *Stream) WriteObject(message any) error {
	body, err := json.Marshal(message)
	if err != nil {
		return err
	}
	return s.out.Send(Frame(body))
}

// Close gives the client a moment to read the queued messages, and then closes the connection. It returns when that is
// done, even if another goroutine started it.
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
