// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"encoding/json"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

var progressTokens atomic.Int64

// newToken returns a token that no other progress has.
func newToken() json.RawMessage {
	return json.RawMessage(`"ctx-` + strconv.Itoa(int(progressTokens.Add(1))) + `"`)
}

// progress shows long-running work to a client that can show it, starting within the first second. The returned
// functions report on the work and end it; report is meant to be called about four times a second.
func (c *connection) progress(token json.RawMessage, title phrase.Text) (report func(message phrase.Text, percent int), end func()) {
	const patience = 600 * time.Millisecond
	given := len(token) > 0
	if !given && !c.about().progress {
		return func(phrase.Text, int) {}, func() {}
	}
	if !given {
		token = newToken()
	}
	begin := time.Now()
	var shown, refused bool
	var lastMessage phrase.Text
	var lastPercent int
	send := func(value map[string]any) {
		c.notify("$/progress", map[string]any{"token": token, "value": value})
	}
	report = func(message phrase.Text, percent int) {
		if refused || !shown && time.Since(begin) < patience || shown && message.Equal(lastMessage) && percent == lastPercent {
			return
		}
		lastMessage, lastPercent = message, percent
		if !shown {
			if !given && c.sendRequest(context.Background(), "window/workDoneProgress/create", map[string]any{"token": token}, nil) != nil {
				refused = true
				return
			}
			shown = true
			begun := withPhrase(map[string]any{"kind": "begin", "percentage": percent}, "title", "titlePhrase", title)
			send(withPhrase(begun, "message", "messagePhrase", message))
			return
		}
		send(withPhrase(map[string]any{"kind": "report", "percentage": percent}, "message", "messagePhrase", message))
	}
	end = func() {
		if shown {
			send(map[string]any{"kind": "end"})
		}
	}
	return report, end
}
