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

// ReadObject returns to the library the next message that concerns it: an answer to a request of ours, or a request
// whose method nobody here knows. The message is decoded into v, a type of the library. All other messages are handled
// on the way, because the library would make maps of their params.
func (s *Stream) ReadObject(v any) (err error) {
	defer s.survive("reading a message")
	err = errDefect // replaced below, unless next panics
	var message []byte
	if message, err = s.next(); err != nil {
		return err
	}
	return json.Unmarshal(message, v)
}

// next is ReadObject before the decoding.
func (s *Stream) next() ([]byte, error) {
	for {
		select {
		case <-s.ended:
			return nil, io.EOF
		default:
		}
		asked, answer, err := s.read()
		switch {
		case err != nil:
			return nil, err
		case asked == nil:
			return answer, nil
		case !s.receive(*asked):
			return json.Marshal(head{asked.Method, string(asked.ID)})
		}
	}
}

// A head is what the library sees of a request. The library knows only whole numbers from 0 on and strings as ids, so
// it is given the text of the id as the client has written it; a notification has no id.
type head struct {
	Method string `json:"method"`
	ID     string `json:"id,omitempty"`
}

// WriteObject queues a message of the library, which is always a request of ours.
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
