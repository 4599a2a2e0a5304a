// Copyright The ctx-lsp authors. MIT licence.

package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// The library ends a connection at the first malformed message, and at the end of the input, whether or not requests
// are running. So it gets only messages that it can decode, and the end of the input once every request has its
// response.

const (
	// maxLine is the longest message in bytes.
	maxLine = 64 << 20
	// endPatience is how long the end of the input waits without any response.
	endPatience = time.Minute
)

// exchange is the stream of one client: the library reads lines from it, and writes its own to it.
type exchange struct {
	from *bufio.Reader
	rest []byte // of the line that the library reads

	writing sync.Mutex // held while a line is written
	to      io.Writer

	mu       sync.Mutex // guards the fields below
	running  map[string]int
	answered chan struct{} // closed and replaced with each response
	patience time.Duration
}

func newExchange(from io.Reader, to io.Writer) *exchange {
	return &exchange{
		from: bufio.NewReader(from), to: to, running: map[string]int{}, answered: make(chan struct{}), patience: endPatience,
	}
}

// Read returns the next message that can be decoded. Others are answered with an error.
func (c *exchange) Read(p []byte) (int, error) {
	for len(c.rest) == 0 {
		line, err := c.line()
		if trimmed := bytes.TrimSpace(line); len(trimmed) > 0 && c.accept(trimmed) {
			c.rest = append(trimmed, '\n')
			break
		}
		if err != nil {
			c.awaitResponses()
			return 0, err
		}
	}
	n := copy(p, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

// line returns the next line. The last one may have no line break. Of a line that is too long, it returns the start.
func (c *exchange) line() (line []byte, err error) {
	for {
		part, err := c.from.ReadSlice('\n')
		if len(line) <= maxLine {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// accept reports whether the library can decode a line, and remembers its requests. Otherwise it sends an error.
func (c *exchange) accept(line []byte) bool {
	messages := []json.RawMessage{line}
	code, problem := int64(jsonrpc.CodeParseError), error(nil)
	switch {
	case len(line) > maxLine:
		problem = fmt.Errorf("the message is longer than %d bytes", maxLine)
	case !json.Valid(line):
		problem = errors.New("the line is not valid JSON")
	case line[0] == '[':
		code = jsonrpc.CodeInvalidRequest
		if problem = json.Unmarshal(line, &messages); problem == nil && len(messages) == 0 {
			problem = errors.New("the batch is empty")
		}
	}
	var ids, canceled []string
	for _, each := range messages {
		if problem != nil {
			break
		}
		code = jsonrpc.CodeInvalidRequest
		var message jsonrpc.Message
		if message, problem = jsonrpc.DecodeMessage(each); problem != nil {
			break
		}
		request, is := message.(*jsonrpc.Request)
		switch {
		case is && request.ID.IsValid():
			ids = append(ids, idOf(request.ID.Raw()))
		case is && request.Method == "notifications/cancelled":
			var params struct {
				RequestID any `json:"requestId"`
			}
			if json.Unmarshal(request.Params, &params) == nil {
				canceled = append(canceled, idOf(params.RequestID))
			}
		}
	}
	if problem != nil {
		c.refuse(code, problem)
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, id := range ids {
		c.running[id]++
	}
	for _, id := range canceled {
		delete(c.running, id) // it gets no response
	}
	return true
}

// idOf returns an id in one form, whether it was decoded as a number of one type or another.
func idOf(id any) string {
	text, _ := json.Marshal(id) // ids are numbers or strings
	return string(text)
}

func (c *exchange) refuse(code int64, problem error) {
	text, _ := json.Marshal(map[string]any{ // strings and numbers can always be encoded
		"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": "This message cannot be read: " + problem.Error() + "."},
	})
	_, _ = c.write(append(text, '\n')) // if it cannot be written, the next response fails too
}

func (c *exchange) write(line []byte) (int, error) {
	c.writing.Lock()
	defer c.writing.Unlock()
	return c.to.Write(line)
}

// Write sends a line of the library, and notes the responses in it.
func (c *exchange) Write(line []byte) (int, error) {
	n, err := c.write(line)
	type response struct {
		ID     any     `json:"id"`
		Method *string `json:"method"`
	}
	all := []response{{}}
	if json.Unmarshal(line, &all[0]) != nil {
		_ = json.Unmarshal(line, &all) // the library writes only messages and batches
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, each := range all {
		if id := idOf(each.ID); each.ID != nil && each.Method == nil {
			if c.running[id]--; c.running[id] <= 0 {
				delete(c.running, id)
			}
		}
	}
	close(c.answered)
	c.answered = make(chan struct{})
	return n, err
}

// Close does nothing: the streams belong to the process.
func (c *exchange) Close() error { return nil }

// awaitResponses waits until every request has its response, or none has come for too long.
func (c *exchange) awaitResponses() {
	for {
		c.mu.Lock()
		running, answered := len(c.running), c.answered
		c.mu.Unlock()
		if running == 0 {
			return
		}
		select {
		case <-answered:
		case <-time.After(c.patience):
			return
		}
	}
}

// unanswered returns an error if requests have no response.
func (c *exchange) unanswered() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.running); n > 0 {
		return fmt.Errorf("the connection has ended before %d requests were answered", n)
	}
	return nil
}
