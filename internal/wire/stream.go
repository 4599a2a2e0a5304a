// Copyright The ctx-lsp authors. MIT licence.

package wire

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"sync"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// errUnrequested is the error for a response without an id of ours: for example, the id is null because the client
// could not read one of our messages. No request waits for it.
var errUnrequested = errors.New("a response without a request")

// A Stream reads and writes one client's byte stream as JSON-RPC messages; a bad message affects only itself. The
// jsonrpc2 library uses it to send our own requests; see objects.go. The client's calls keep the bytes of their ids and
// parameters: ids of every kind are returned as they were written, and a megabyte of parameters is never decoded into
// Go values.
type Stream struct {
	framing *Framing
	out     *Outbox
	closer  io.Closer
	closing sync.Once
	receive func(*Call)
	survive func(string)
	ended   <-chan struct{}
	// AtEnd, if not nil, is called at the end of the input, before the library learns of it.
	AtEnd func()
	// Refused, if not nil, is called with each message that cannot be read, as the client is told.
	Refused func(*FrameError)
	index   json.Document // the message being read; its memory is reused
}

// A Call is a request or a notification from the client.
type Call struct {
	Method string
	ID     []byte    // raw JSON, nil in a notification
	Params []byte    // raw JSON, nil when absent
	Kind   json.Kind // the type of params
	Fields Fields    // the members of params
	Twice  string    // the first name that occurs twice in params, if any
}

// NewStream returns a stream that calls receive with each call in the order of arrival, and stops reading once ended is
// closed. survive is deferred in every function that the library calls.
func NewStream(rwc io.ReadWriteCloser, out *Outbox, receive func(*Call), survive func(string), ended <-chan struct{}) *Stream {
	s := &Stream{out: out, closer: rwc, receive: receive, survive: survive, ended: ended}
	s.framing = NewFraming(rwc, s.refuse)
	return s
}

// refuse sends an error response for a message that could not be read.
func (s *Stream) refuse(bad *FrameError) {
	if s.Refused != nil {
		s.Refused(bad)
	}
	_ = s.out.Send(ErrorFrame(bad.id, &bad.refusal)) // if sending fails, the connection is being closed
}

// Introduced must be called when the client has sent initialize. From then on, unexpected bytes between messages are
// skipped.
func (s *Stream) Introduced() { s.framing.SkipUnexpected() }

// read returns the next good message: a call from the client, or a response.
func (s *Stream) read() (*Call, []byte, error) {
	for {
		asked, answer, err := s.readOne()
		var bad *FrameError
		switch {
		case errors.Is(err, errUnrequested):
		case errors.As(err, &bad):
			s.refuse(bad)
			if bad.Last {
				return nil, nil, err
			}
		default:
			return asked, answer, err
		}
	}
}

// keptIndex is the longest message after which the index's memory is kept for the next one.
const keptIndex = 64 << 10

func (s *Stream) readOne() (*Call, []byte, error) {
	body, err := s.framing.Next()
	if err != nil {
		if errors.Is(err, io.EOF) && s.AtEnd != nil {
			s.AtEnd()
		}
		return nil, nil, err
	}
	index := &s.index
	if len(body) > keptIndex {
		index = &json.Document{}
	}
	return parseMessage(index, body)
}

// parseMessage checks a message. It returns either the client's call, or a response for the library to decode.
func parseMessage(index *json.Document, body []byte) (*Call, []byte, error) {
	refused := func(id []byte, kind, message string) (*Call, []byte, error) {
		return nil, nil, &FrameError{id: id, refusal: api.Error{Kind: kind, Message: message}}
	}
	message, err := index.Parse(body)
	if err != nil {
		id, _ := peek(body[:min(len(body), idWindow)])
		if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) && syntax.TooLarge {
			return refused(id, api.LimitExceeded, fmt.Sprintf("The message is too large at byte %d: %s.", syntax.Offset, syntax.Message))
		}
		return refused(id, api.ParseError, fmt.Sprintf("The message is not valid JSON: %v.", err))
	}
	switch message.Kind() {
	case json.Object:
	case json.Array:
		return refused(nil, api.InvalidRequest, "The language server protocol has no batches; send one message at a time.")
	default:
		return refused(nil, api.InvalidRequest, "A JSON-RPC message must be an object.")
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
			return refused(nil, api.InvalidRequest, fmt.Sprintf("The message contains %q twice.", f.Name()))
		}
		*part = f.Value
	}
	named := id.Raw()
	switch id.Kind() {
	case json.Missing, json.Null:
		named = nil
	case json.String, json.Number:
	default:
		return refused(nil, api.InvalidRequest, "The id of a request must be a number or a string.")
	}
	if !method.Exists() {
		answer, err := readAnswer(id, result, fault)
		return nil, answer, err
	}
	switch {
	case method.Kind() != json.String:
		return refused(named, api.InvalidRequest, "The method of a request must be a string.")
	}
	asked := &Call{Method: method.String(), ID: named, Kind: params.Kind(), Fields: fieldsIn(params)}
	if !params.IsNull() {
		asked.Params = params.Raw()
	}
	if twice, found := params.Twice(); found {
		asked.Twice = twice.Key.String()
	}
	return asked, nil, nil
}

// MaxAnswer is the longest response that the library may decode, because it decodes into Go values.
const MaxAnswer = 1 << 20

// readAnswer is parseMessage for a message without a method. An error of any form is accepted as an error response.
func readAnswer(id, result, fault json.Value) ([]byte, error) {
	if id.Kind() != json.Null && (!id.Exists() || !result.Exists() && !fault.Exists()) {
		return nil, unreadable(api.InvalidRequest, "This is not a JSON-RPC 2.0 message: it is neither a request, a notification nor a response.")
	}
	number, wrong := id.Int64()
	if wrong != json.NumberOK || number < 0 {
		return nil, errUnrequested // our own requests have the ids 0, 1, 2 and so on
	}
	ours := strconv.AppendInt(nil, number, 10)
	switch {
	case len(result.Raw())+len(fault.Raw()) > MaxAnswer:
		return errorBody(ours, api.Code(api.LimitExceeded), fmt.Sprintf("The response is larger than %d bytes.", MaxAnswer), nil), nil
	case !fault.IsNull():
		code, _ := fault.Get("code").Int64()
		return errorBody(ours, code, fault.Get("message").String(), fault.Get("data").Raw()), nil
	}
	value := result.Raw()
	if !result.Exists() {
		value = []byte("null")
	}
	return slices.Concat([]byte(`{"id":`), ours, []byte(`,"result":`), value, []byte("}")), nil
}
