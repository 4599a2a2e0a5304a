// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// A plugin of OpenCode for dynamic context pruning gives the model a tool, compress, that replaces a range of messages
// with a summary. The messages stay in the session; the plugin leaves them out of every later request. It numbers all
// messages of a session from m0001 on.

// numbered stores the first item of a new message.
func (o *openCode) numbered() {
	if len(o.order) < maxMessages {
		o.order = append(o.order, int32(o.Items))
	}
}

// compress drops the items of the ranges that a call of the tool has replaced, and appends their summaries.
func (o *openCode) compress(input json.Value) {
	list := input.Get("content")
	if list.Kind() == json.Object {
		o.compressRange(list)
	}
	for e := list.Elements(); e.Next(); {
		o.compressRange(e.Value)
	}
}

func (o *openCode) compressRange(r json.Value) {
	first, last := o.messageNumber(r.Get("startId")), o.messageNumber(r.Get("endId"))
	if strings.HasPrefix(r.Get("startId").String(), "b") {
		first = 0 // a block: an earlier summary, which replaced everything before it
	}
	if first < 0 || last < first || last >= len(o.order)-1 || !reader.HasText(r.Get("summary")) {
		return
	}
	end := int(o.order[last+1])
	if first == 0 {
		o.begin(end, last+1)
	} else {
		for i := int(o.order[first]); i < end; i++ {
			o.Emit(core.Dropped{Index: i, Reason: phrase.LeavesCut.Text()})
		}
	}
	o.Add(o.TextItem(core.Summary, r.Get("summary")))
}

// begin lets the conversation begin with an item, after the given number of messages. The measurement before the first
// of them shows the remaining size better than the sizes of the removed items.
func (o *openCode) begin(from, messages int) {
	o.Emit(core.Compacted{Recorded: true, Kept: o.Items - from, Tokens: core.Unknown, Before: core.Unknown})
	o.drop(from, messages)
}

// drop drops the items before one, and the given number of messages.
func (o *openCode) drop(from, messages int) {
	o.Items -= from
	o.order, o.forgotten = o.order[messages:], o.forgotten+messages
	for i := range o.order {
		o.order[i] -= int32(from)
	}
	for key, m := range o.messages {
		m.first = max(m.first-int32(from), 0)
		o.messages[key] = m
	}
	for key, p := range o.parts {
		p.index, p.result = max(p.index-int32(from), -1), max(p.result-int32(from), -1)
		o.parts[key] = p
	}
	kept := o.cleared[:0]
	for _, c := range o.cleared {
		if c.index -= from; c.index >= 0 {
			kept = append(kept, c)
		}
	}
	o.cleared = kept
}

// messageNumber returns the index in order of a message, from "m0007"; -1 if there is none.
func (o *openCode) messageNumber(id json.Value) int {
	text := id.String()
	if len(text) < 2 || text[0] != 'm' {
		return -1
	}
	n, rest := number(text[1:])
	if n -= int64(o.forgotten); rest != "" || n < 1 || n > int64(len(o.order)) {
		return -1
	}
	return int(n) - 1
}
