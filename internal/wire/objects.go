// Copyright The ctx-lsp authors. MIT licence.

package wire

import (
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

// This file is what the jsonrpc2 library sees of a stream: it reads objects, writes objects, and closes it. The library
// calls from goroutines of its own, so a defect must not leave these functions.

var _ jsonrpc2.ObjectStream = (*Stream)(nil)

// CloseGrace is how long the last answers may take to be read when a connection ends.
const CloseGrace = time.Second

// errDefect ends a connection whose reader has failed inside.
var errDefect = errors.New("a message could not be taken, by a defect of the daemon")

// ReadObject reads messages up to the next one for the library, which is an answer to a request of ours or a request
// whose method nobody here knows, and decodes it into v, a message of the library. All others are taken on the way: the
// library would make maps of their params.
func (s *Stream) ReadObject(v any) (err error) {
	defer s.survive("reading a message")
	err = errDefect // unless next returns
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

// A head is what the library sees of a request. It knows no ids but whole numbers from 0 on and strings, so an id goes
// through it as the text that the client has written; a notification has none.
type head struct {
	Method string `json:"method"`
	ID     string `json:"id,omitempty"`
}

// WriteObject queues a message of the library, which is a request of ours.
func (s *Stream) WriteObject(message any) error {
	body, err := json.Marshal(message)
	if err != nil {
		return err
	}
	return s.out.Send(Frame(body))
}

// Close lets what is queued go out, for a client that reads it, and closes the connection. It returns when that is
// done, whoever has begun it.
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
