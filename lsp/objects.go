// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

// This file is what the jsonrpc2 library sees of a stream: it reads objects, writes objects, and closes it. The library
// calls from goroutines of its own, so a defect must not leave these functions.

var _ jsonrpc2.ObjectStream = (*stream)(nil)

// closeGrace is how long the last answers may take to be read when a connection ends.
const closeGrace = time.Second

// errDefect ends a connection whose reader has failed inside.
var errDefect = errors.New("a message could not be taken, by a defect of the daemon")

// ReadObject reads messages up to the next one for the library, which is an answer to a request of ours or a request
// whose method nobody here knows, and decodes it into v, a message of the library. All others are taken on the way: the
// library would make maps of their params.
func (s *stream) ReadObject(v any) (err error) {
	defer s.survive("reading a message")
	err = errDefect // unless next returns
	var message []byte
	if message, err = s.next(); err != nil {
		return err
	}
	return json.Unmarshal(message, v)
}

// next is ReadObject before the decoding.
func (s *stream) next() ([]byte, error) {
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
		case !s.take(*asked):
			return json.Marshal(head{asked.method, string(asked.id)})
		}
	}
}

// A head is what the library sees of a request. It knows no ids but whole numbers from 0 on and strings, so an id goes
// through it as the text that the client has written; a notification has none.
type head struct {
	Method string `json:"method"`
	ID     string `json:"id,omitempty"`
}

// unknownMethods is the handler of the library: it refuses what the client asks by the name of no method.
type unknownMethods struct{ conn *connection }

// Handle answers one such request. A notification has nobody to answer; those of $/ are meant to be ignored.
func (u unknownMethods) Handle(_ context.Context, _ *jsonrpc2.Conn, asked *jsonrpc2.Request) {
	defer u.conn.survive("refusing a message")
	if asked.Notif {
		return
	}
	var data []byte
	if strings.HasPrefix(asked.Method, "ctx/") {
		known, _ := json.Marshal(methodNames("ctx/")) // strings always encode
		data = []byte(`{"kind":"unknown_method","known":` + string(known) + `}`)
	}
	_ = u.conn.out.send(errorFrame([]byte(asked.ID.Str), codeMethodNotFound, "There is no method "+strconv.Quote(asked.Method)+".", data))
}

// WriteObject queues a message of the library, which is a request of ours.
func (s *stream) WriteObject(message any) error {
	body, err := json.Marshal(message)
	if err != nil {
		return err
	}
	return s.out.send(frame(body))
}

// Close lets what is queued go out, for a client that reads it, and closes the connection. It returns when that is
// done, whoever has begun it.
func (s *stream) Close() (err error) {
	defer s.survive("closing a connection")
	s.closing.Do(func() {
		s.out.close()
		select {
		case <-s.out.done:
		case <-s.out.failed:
		case <-time.After(closeGrace):
		}
		err = s.closer.Close()
	})
	return err
}
