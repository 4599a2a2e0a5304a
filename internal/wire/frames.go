// Copyright The ctx-lsp authors. MIT licence.

// Package wire handles one client's connection as messages: their framing, how much may wait to be read or written, and
// the order in which work is done. It speaks JSON-RPC with the header of the language server protocol, and knows
// nothing of what a message asks for.
package wire

import (
	"encoding/json"
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// Frame puts the header before a message, which is given in pieces.
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

// ResultFrame is the frame of an answer whose result is JSON already.
func ResultFrame(id, result []byte) []byte {
	if len(result) == 0 {
		result = []byte("null")
	}
	return Frame([]byte(`{"jsonrpc":"2.0","id":`), id, []byte(`,"result":`), result, []byte("}"))
}

// ErrorFrame returns the frame of an error answer. If the request's id is unknown, the id is null, as JSON-RPC
// prescribes.
func ErrorFrame(id []byte, refused *api.Error) []byte {
	if len(id) == 0 {
		id = []byte("null")
	}
	return Frame([]byte(`{"jsonrpc":"2.0","id":`), id, []byte(","), api.Refusal(refused)[1:])
}

// errorBody is the answer that the library reads as an error of the client.
func errorBody(id []byte, code int64, message string, data []byte) []byte {
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
	return append(body, '}', '}')
}

// NotificationFrame is a notification whose params are JSON already.
func NotificationFrame(method string, params []byte) []byte {
	return Frame([]byte(`{"jsonrpc":"2.0","method":"`), []byte(method), []byte(`","params":`), params, []byte("}"))
}
