// Copyright The ctx-lsp authors. MIT licence.

package client

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
)

// maxStreamMessage is how many bytes a daemon's message may have.
const maxStreamMessage = 1 << 20

// OverStream returns calls to the daemon at the other end of two streams, one at a time. The daemon's notifications are
// skipped. A deadline of the streams ends a call; its context does not.
func OverStream(to io.Writer, from io.Reader) Call {
	s := &stream{to: to, from: bufio.NewReader(from)}
	return s.call
}

type stream struct {
	to   io.Writer
	from *bufio.Reader
	last int // the id of the last request
}

func (s *stream) call(_ context.Context, method string, params []byte) ([]byte, error) {
	s.last++
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, s.last, method, params)
	if _, err := fmt.Fprintf(s.to, "Content-Length: %d\r\n\r\n%s", len(body), body); err != nil {
		return nil, err
	}
	for {
		header, err := textproto.NewReader(s.from).ReadMIMEHeader()
		if err != nil {
			return nil, err
		}
		length, err := strconv.Atoi(header.Get("Content-Length"))
		if err != nil || length < 0 || length > maxStreamMessage {
			return nil, fmt.Errorf("the daemon sent a message of %q bytes", header.Get("Content-Length"))
		}
		text := make([]byte, length)
		if _, err := io.ReadFull(s.from, text); err != nil {
			return nil, err
		}
		var answer struct {
			ID     *int            `json:"id"`
			Result json.RawMessage `json:"result"`
			Error  json.RawMessage `json:"error"`
		}
		switch {
		case json.Unmarshal(text, &answer) != nil || answer.ID == nil || *answer.ID != s.last:
		case answer.Error != nil:
			return text, nil
		default:
			return append(append([]byte(`{"result":`), answer.Result...), '}'), nil
		}
	}
}
