// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

// Limits of what one client may send.
const (
	maxHeader = 8 << 10  // bytes of one message's header
	maxBody   = 16 << 20 // bytes of one message
	// A longer message is read and thrown away up to this length. Beyond it the length itself is not believed: waiting for
	// four gigabytes that never come would leave the connection deaf.
	maxSkipped = 1 << 30
	readAhead  = maxHeader // bytes of the buffer for what comes
	idWindow   = 64 << 10  // how far into a message that is thrown away its id is looked for

	closeGrace = time.Second // how long the last answers may take to be read when a connection ends
)

// A frameError is a message that could not be taken; the connection lives on.
type frameError struct {
	id      []byte // as the client wrote it; null when it could not be found
	code    int64
	message string
}

func (e *frameError) Error() string { return e.message }

// errNobodysAnswer is an answer with id null: the client could not read something of ours, and there is nobody to tell.
var errNobodysAnswer = errors.New("an answer to no request")

// A stream is one client's byte stream as JSON-RPC messages: LSP framing with limits, in which a bad message costs
// itself alone. It is the ObjectStream under a jsonrpc2.Conn.
//
// The library sees only the answers to requests of ours. It decodes params into maps and encodes them again, which
// reorders and rewrites them and takes time for large ones, and it knows ids from 0 to 2^63 only. So what a client
// asks is handed over here, in the order of its arrival, as it stands in the message.
type stream struct {
	in     *bufio.Reader
	out    *outbox
	closer io.Closer
	take   func(call)
}

// A call is a request or a notification of the client.
type call struct {
	method string
	id     []byte // raw JSON, nil in a notification
	params []byte // raw JSON, nil when absent
}

func newStream(rwc io.ReadWriteCloser, out *outbox, take func(call)) *stream {
	return &stream{in: bufio.NewReaderSize(rwc, readAhead), out: out, closer: rwc, take: take}
}

// ReadObject reads messages until one is an answer, which it decodes into v, a message of the jsonrpc2 library. What a
// client asks is handed over, bad messages are answered and skipped.
func (s *stream) ReadObject(v any) error {
	for {
		body, err := s.readFrame()
		var asked *call
		if err == nil {
			asked, err = readCall(body)
		}
		var bad *frameError
		switch {
		case errors.Is(err, errNobodysAnswer):
		case errors.As(err, &bad):
			s.out.send(errorFrame(bad.id, bad.code, bad.message, nil))
		case err != nil:
			return err
		case asked != nil:
			s.take(*asked)
		default:
			if err := json.Unmarshal(body, v); err == nil {
				return nil
			}
			s.out.send(errorFrame(nil, jsonrpc2.CodeInvalidRequest, "This is no JSON-RPC 2.0 message: it has no method, and answers nothing.", nil))
		}
	}
}

// WriteObject queues a message of the library: a request, a notification or an answer of ours.
func (s *stream) WriteObject(obj any) error {
	body, err := json.Marshal(obj)
	if err != nil {
		return err
	}
	return s.out.send(frame(body))
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
	case <-time.After(closeGrace):
	}
}

// readCall checks a message and returns what the client asks; nil for an answer to a request of ours.
func readCall(body []byte) (*call, error) {
	if !json.Valid(body) {
		var any json.RawMessage
		err := json.Unmarshal(body, &any)
		return nil, &frameError{code: jsonrpc2.CodeParseError, message: fmt.Sprintf("The message is not valid JSON: %v.", err)}
	}
	if first := skipSpace(body, 0); body[first] == '[' {
		return nil, &frameError{code: jsonrpc2.CodeInvalidRequest, message: "Batches are not part of the language server protocol; send one message at a time."}
	}
	var method, id, params []byte
	isObject := members(body, func(m member) bool {
		switch string(m.name) {
		case "method":
			method = m.value
		case "id":
			id = m.value
		case "params":
			params = m.value
		}
		return true
	})
	switch {
	case !isObject:
		return nil, &frameError{code: jsonrpc2.CodeInvalidRequest, message: "A JSON-RPC message is an object."}
	case method == nil && string(id) == "null":
		return nil, errNobodysAnswer
	case method == nil:
		return nil, nil
	case method[0] != '"':
		return nil, &frameError{id: id, code: jsonrpc2.CodeInvalidRequest, message: "The method of a request is a string."}
	case params != nil && params[0] != '{' && params[0] != '[' && string(params) != "null":
		return nil, &frameError{id: id, code: jsonrpc2.CodeInvalidRequest, message: "The params of a request are an object or an array."}
	case id != nil && string(id) != "null" && id[0] != '"' && id[0] != '-' && (id[0] < '0' || id[0] > '9'):
		return nil, &frameError{code: jsonrpc2.CodeInvalidRequest, message: "The id of a request is a number or a string."}
	}
	asked := &call{method: text(method), id: id, params: params}
	if string(id) == "null" {
		asked.id = nil
	}
	if string(params) == "null" {
		asked.params = nil
	}
	return asked, nil
}

// readFrame reads one header and its body.
func (s *stream) readFrame() ([]byte, error) {
	length, err := s.readHeader()
	if err != nil {
		return nil, err
	}
	if length > maxBody {
		return nil, s.skipBody(length)
	}
	if length <= 64<<10 {
		body := make([]byte, length)
		if _, err := io.ReadFull(s.in, body); err != nil {
			return nil, unexpected(err)
		}
		return body, nil
	}
	// The buffer grows with what arrives: a length alone reserves nothing.
	var body bytes.Buffer
	if _, err := io.CopyN(&body, s.in, length); err != nil {
		return nil, unexpected(err)
	}
	return body.Bytes(), nil
}

// readHeader reads up to the blank line and returns the content length. Whatever is no header is reported once and
// skipped until a header comes again.
func (s *stream) readHeader() (int64, error) {
	length := int64(-1)
	lost := false // what comes is being skipped
	total := 0
	lose := func(format string, args ...any) {
		if !lost {
			s.out.send(errorFrame(nil, jsonrpc2.CodeParseError, fmt.Sprintf(format, args...), nil))
		}
		lost, length = true, -1
	}
	for {
		line, err := s.in.ReadSlice('\n')
		long := errors.Is(err, bufio.ErrBufferFull)
		if err != nil && !long {
			if len(line) == 0 && total == 0 {
				return 0, err
			}
			return 0, unexpected(err)
		}
		total += len(line)
		text := bytes.TrimRight(line, "\r\n")
		if len(text) == 0 && !long {
			switch {
			case length >= 0:
				return length, nil
			case lost:
				continue
			case total == len(line):
				total = 0 // a stray blank line between messages
				continue
			}
			return 0, &frameError{code: jsonrpc2.CodeParseError, message: "A message header has no Content-Length."}
		}
		if total > maxHeader || long {
			lose("A message header is longer than %d bytes; everything up to the next one is skipped.", maxHeader)
		}
		name, value, found := bytes.Cut(text, []byte{':'})
		if !lost && (!found || !isHeaderName(name)) {
			lose("There are bytes between messages that are no header; everything up to the next one is skipped.")
		}
		if lost {
			if n, ok := lengthIn(text); ok && !long {
				length = n
			}
			continue
		}
		if strings.EqualFold(string(name), "content-length") {
			n, err := strconv.ParseUint(strings.TrimSpace(string(value)), 10, 63)
			if err != nil || n > maxSkipped {
				lose("A Content-Length of %.40q cannot be: at most %d bytes are accepted.", bytes.TrimSpace(value), maxBody)
				continue
			}
			length = int64(n)
		}
	}
}

// lengthIn finds a Content-Length that follows other bytes on its line.
func lengthIn(line []byte) (int64, bool) {
	const name = "content-length:"
	at := bytes.LastIndex(bytes.ToLower(line), []byte(name))
	if at < 0 {
		return 0, false
	}
	n, err := strconv.ParseUint(strings.TrimSpace(string(line[at+len(name):])), 10, 63)
	return int64(n), err == nil && n <= maxBody
}

func isHeaderName(b []byte) bool {
	for _, c := range b {
		if !(c == '-' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9') {
			return false
		}
	}
	return len(b) > 0
}

// skipBody throws a message away that is too long, and answers it by its id if that stands near its start.
func (s *stream) skipBody(length int64) error {
	head := make([]byte, min(length, idWindow))
	if _, err := io.ReadFull(s.in, head); err != nil {
		return unexpected(err)
	}
	if _, err := io.CopyN(io.Discard, s.in, length-int64(len(head))); err != nil {
		return unexpected(err)
	}
	id, method := peek(head)
	what := "A message"
	if method != "" {
		what = "A message " + strconv.Quote(method)
	}
	return &frameError{
		id: id, code: codeLimitExceeded,
		message: fmt.Sprintf("%s of %d bytes was skipped: at most %d are accepted.", what, length, maxBody),
	}
}

// peek finds id and method in the first bytes of a message.
func peek(head []byte) (id []byte, method string) {
	decoder := json.NewDecoder(bytes.NewReader(head))
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		return nil, ""
	}
	for {
		name, err := decoder.Token()
		if err != nil {
			return id, method
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return id, method
		}
		switch name {
		case "id":
			id = value
		case "method":
			_ = json.Unmarshal(value, &method) // no method named is as good as none
		}
	}
}

func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// frame puts the header before a message, which is given in pieces.
func frame(pieces ...[]byte) []byte {
	length := 0
	for _, piece := range pieces {
		length += len(piece)
	}
	out := append(make([]byte, 0, length+40), "Content-Length: "...)
	out = strconv.AppendInt(out, int64(length), 10)
	out = append(out, "\r\n\r\n"...)
	for _, piece := range pieces {
		out = append(out, piece...)
	}
	return out
}

// resultFrame is an answer whose result is JSON already.
func resultFrame(id, result []byte) []byte {
	if len(result) == 0 {
		result = []byte("null")
	}
	return frame([]byte(`{"jsonrpc":"2.0","id":`), id, []byte(`,"result":`), result, []byte("}"))
}

// errorFrame is an error answer. Without an id the client is told all the same, as JSON-RPC has it, with id null.
func errorFrame(id []byte, code int64, message string, data []byte) []byte {
	if len(id) == 0 {
		id = []byte("null")
	}
	if len(data) == 0 { // programs read the kind, as of the core's own errors
		switch code {
		case jsonrpc2.CodeParseError:
			data = []byte(`{"kind":"parse_error"}`)
		case codeLimitExceeded:
			data = []byte(`{"kind":"limit_exceeded"}`)
		}
	}
	text, _ := json.Marshal(message) // a string always encodes
	body := append(make([]byte, 0, len(text)+len(data)+96), `{"jsonrpc":"2.0","id":`...)
	body = append(body, id...)
	body = append(body, `,"error":{"code":`...)
	body = strconv.AppendInt(body, code, 10)
	body = append(body, `,"message":`...)
	body = append(body, text...)
	if len(data) > 0 {
		body = append(body, `,"data":`...)
		body = append(body, data...)
	}
	return frame(append(body, '}', '}'))
}

// notificationFrame is a notification whose params are JSON already.
func notificationFrame(method string, params []byte) []byte {
	return frame([]byte(`{"jsonrpc":"2.0","method":"`), []byte(method), []byte(`","params":`), params, []byte("}"))
}
