// Copyright The ctx-lsp authors. MIT licence.

// Package wire handles one client's connection as messages: their framing, how much may wait to be read or written, and
// the order of the work. It speaks JSON-RPC with the header of the language server protocol, and does not interpret
// requests.
package wire

import (
	"encoding/json"
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// Frame returns a message, given in pieces, with its header in front.
func Frame(pieces ...[]byte) []byte {
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

// ResultFrame returns the frame of a response with a result that is already JSON. An empty result becomes null.
func ResultFrame(id, result []byte) []byte {
	if len(result) == 0 {
		result = []byte("null")
	}
	return Frame([]byte(`{"jsonrpc":"2.0","id":`), id, []byte(`,"result":`), result, []byte("}"))
}

// ErrorFrame returns the frame of an error response. If the request's id is unknown, the id is null, as JSON-RPC
// requires.
func ErrorFrame(id []byte, refused *api.Error) []byte {
	if len(id) == 0 {
		id = []byte("null")
	}
	return Frame([]byte(`{"jsonrpc":"2.0","id":`), id, []byte(","), api.Refusal(refused)[1:])
}

// errorBody returns a response that the library reads as an error from the client.
func errorBody(id []byte, code int64, message string, data []byte) []byte {
	text, _ := json.Marshal(message) // a string can always be encoded
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
	return append(body, '}', '}')
}

// NotificationFrame returns the frame of a notification with params that are already JSON.
func NotificationFrame(method string, params []byte) []byte {
	return Frame([]byte(`{"jsonrpc":"2.0","method":"`), []byte(method), []byte(`","params":`), params, []byte("}"))
}
