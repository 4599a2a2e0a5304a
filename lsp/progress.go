// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"encoding/json"
	"strconv"
	"sync/atomic"
	"time"
)

var progressTokens atomic.Uint64

// progress shows work that takes long, to a client that can show it, before a second has passed without a word. The
// returned functions report on the work, four times a second, and end it.
func (c *connection) progress(token json.RawMessage, title string) (report func(message string, percent int), end func()) {
	const patience = 600 * time.Millisecond
	given := len(token) > 0
	if !given && !c.about().progress {
		return func(string, int) {}, func() {}
	}
	if !given {
		token, _ = json.Marshal("ctx-" + strconv.FormatUint(progressTokens.Add(1), 10))
	}
	begin := time.Now()
	shown, refused := false, false
	lastMessage, lastPercent := "", 0
	send := func(value map[string]any) {
		c.notify("$/progress", map[string]any{"token": token, "value": value})
	}
	report = func(message string, percent int) {
		if refused || !shown && time.Since(begin) < patience || shown && message == lastMessage && percent == lastPercent {
			return
		}
		lastMessage, lastPercent = message, percent
		if !shown {
			if !given && c.ask(context.Background(), "window/workDoneProgress/create", map[string]any{"token": token}, nil) != nil {
				refused = true
				return
			}
			shown = true
			send(map[string]any{"kind": "begin", "title": title, "message": message, "percentage": percent})
			return
		}
		send(map[string]any{"kind": "report", "message": message, "percentage": percent})
	}
	end = func() {
		if shown {
			send(map[string]any{"kind": "end"})
		}
	}
	return report, end
}
