// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// closeGrace is how long the last answers may take to be read when a connection ends.
const closeGrace = time.Second

// errNobodysAnswer is an answer with id null: the client could not read something of ours, and there is nobody to tell.
var errNobodysAnswer = errors.New("an answer to no request")

// A stream is one client's byte stream as JSON-RPC messages, in which a bad message costs itself alone. What the client
// asks is handed over in the order of its arrival, as it stands in the message: ids of every kind come back as they
// were, and a megabyte of params never becomes Go values.
type stream struct {
	framing *framing
	out     *outbox
	closer  io.Closer
	take    func(call)
	replied func(id []byte, with reply)
	index   json.Document // of the message that is read; its memory is used again
}

// A call is a request or a notification of the client.
type call struct {
	method string
	id     []byte // raw JSON, nil in a notification
	params []byte // raw JSON, nil when absent
	fields fields // the members of params
}

func newStream(rwc io.ReadWriteCloser, out *outbox, take func(call), replied func([]byte, reply)) *stream {
	s := &stream{out: out, closer: rwc, take: take, replied: replied}
	s.framing = newFraming(rwc, s.refuse)
	return s
}

// refuse answers what could not be taken.
func (s *stream) refuse(bad *frameError) {
	_ = s.out.send(errorFrame(bad.id, bad.code, bad.message, nil)) // a client that takes no answer is being closed
}

// introduced is to be called when the client has said initialize: from now on it is helped over bytes that are no
// message.
func (s *stream) introduced() { s.framing.forgiving = true }

// read takes messages until there are none, and returns why.
func (s *stream) read() error {
	for {
		err := s.readOne()
		var bad *frameError
		switch {
		case err == nil, errors.Is(err, errNobodysAnswer):
		case errors.As(err, &bad):
			s.refuse(bad)
			if bad.last {
				return err
			}
		default:
			return err
		}
	}
}

// keptIndex is how long a message may be for the memory of its index to be kept for the next.
const keptIndex = 64 << 10

func (s *stream) readOne() error {
	body, err := s.framing.next()
	if err != nil {
		return err
	}
	index := &s.index
	if len(body) > keptIndex {
		index = &json.Document{}
	}
	asked, answered, err := parseMessage(index, body)
	switch {
	case err != nil:
		return err
	case asked != nil:
		s.take(*asked)
	default:
		s.replied(answered.id, answered.reply)
	}
	return nil
}

// Close lets what is queued go out, for a client that reads it, and closes the connection.
func (s *stream) Close() error {
	s.flush()
	return s.closer.Close()
}

// flush takes nothing more to write and waits, not for ever, until what is queued has gone out.
func (s *stream) flush() {
	s.out.close()
	select {
	case <-s.out.done:
	case <-s.out.failed:
	case <-time.After(closeGrace):
	}
}

// An answered is an answer to a request of ours.
type answered struct {
	id []byte
	reply
}

// parseMessage checks a message, and returns what the client asks or what it answers.
func parseMessage(index *json.Document, body []byte) (*call, *answered, error) {
	refused := func(id []byte, code int64, message string) (*call, *answered, error) {
		return nil, nil, &frameError{id: id, code: code, message: message}
	}
	message, err := index.Parse(body)
	if err != nil {
		id, _ := peek(body[:min(len(body), idWindow)])
		if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) && syntax.TooLarge {
			return refused(id, codeLimitExceeded, fmt.Sprintf("The message is too large at byte %d: %s.", syntax.Offset, syntax.Message))
		}
		return refused(id, codeParse, fmt.Sprintf("The message is not valid JSON: %v.", err))
	}
	switch message.Kind() {
	case json.Object:
	case json.Array:
		return refused(nil, codeInvalidRequest, "Batches are not part of the language server protocol; send one message at a time.")
	default:
		return refused(nil, codeInvalidRequest, "A JSON-RPC message is an object.")
	}
	var method, id, params, result, fault json.Value
	for f := message.Fields(); f.Next(); {
		var part *json.Value
		switch string(f.Name()) {
		case "method":
			part = &method
		case "id":
			part = &id
		case "params":
			part = &params
		case "result":
			part = &result
		case "error":
			part = &fault
		default:
			continue
		}
		if part.Exists() {
			return refused(nil, codeInvalidRequest, fmt.Sprintf("The message has %q twice.", f.Name()))
		}
		*part = f.Value
	}
	named := id.Raw()
	switch id.Kind() {
	case json.Missing, json.Null:
		named = nil
	case json.String, json.Number:
	default:
		return refused(nil, codeInvalidRequest, "The id of a request is a number or a string.")
	}
	if !method.Exists() {
		return readAnswer(id, result, fault)
	}
	switch {
	case method.Kind() != json.String:
		return refused(named, codeInvalidRequest, "The method of a request is a string.")
	case params.Kind() != json.Object && params.Kind() != json.Array && !params.IsNull():
		return refused(named, codeInvalidRequest, "The params of a request are an object or an array.")
	}
	asked := &call{method: method.String(), id: named}
	if !params.IsNull() {
		asked.params = params.Raw()
	}
	if params.Kind() == json.Object {
		if asked.fields, err = fieldsIn(params); err != nil {
			return refused(named, codeInvalidParams, fmt.Sprintf("The params of %.80q cannot be used: %v.", asked.method, err))
		}
	}
	return asked, nil, nil
}

// readAnswer is parseMessage of what has no method.
func readAnswer(id, result, fault json.Value) (*call, *answered, error) {
	switch {
	case id.Kind() == json.Null:
		return nil, nil, errNobodysAnswer
	case !id.Exists() || !result.Exists() && !fault.Exists():
		return nil, nil, &frameError{
			code:    codeInvalidRequest,
			message: "This is no JSON-RPC 2.0 message: it has no method, and answers nothing.",
		}
	}
	with := answered{id: id.Raw(), reply: reply{result: result.Raw()}}
	if !fault.IsNull() {
		code, _ := fault.Get("code").Int64() // whatever it is, it is a refusal
		with.err = &wireError{code: code, message: fault.Get("message").String(), data: fault.Get("data").Raw()}
	}
	return nil, &with, nil
}
