// Copyright The ctx-lsp authors. MIT licence.

package follow

import "github.com/ctx-lsp/ctx-lsp/internal/json"

// WithHost adds the name of the program that runs a session for its agent to a copy of the session's Reading.
func WithHost(reading []byte, host string) []byte {
	if host == "" || len(reading) == 0 {
		return reading
	}
	w := json.Writer{Buf: make([]byte, 0, len(reading)+len(host)+16)}
	w.Reopen(reading)
	w.StringField(`,"host":`, host)
	w.EndObject()
	return w.Buf
}
