// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// doubled corrects what Copilot reports of Claude's prompts: in an answer that
// shows its reasoning, and is not the first to what the person said, each
// token that was not cached counts twice, but for one. The next answer's
// cached tokens say how long the prompt really was, and so whether the rule
// still holds in this session.
type doubled struct {
	asked bool // the next answer is the first to what the person said

	held  core.Metered // until the answer's first part shows whether it reasoned
	holds uint64       // the message it belongs to; 0 for none

	full, halved int64 // the last prompt that was corrected, before and after
	right, wrong int
}

// meter passes on what was measured, now or once the answer's first part is
// known.
func (d *doubled) meter(id uint64, m core.Metered, answer *openMessage, emit func(core.Event)) {
	d.audit(&m)
	switch {
	case answer.opening || m.CacheRead <= 0 || d.wrong > d.right:
		m.Volatile = d.wrong > d.right
		emit(m)
	case answer.begun:
		d.pass(m, answer.reasoned, emit)
	default:
		d.held, d.holds = m, id
	}
}

// audit holds the last correction against what the next request found cached:
// all of the prompt before it, to a few tokens.
func (d *doubled) audit(m *core.Metered) {
	const blur = 16
	near := func(in int64) bool { return m.CacheRead <= in && in-m.CacheRead <= blur }
	switch {
	case d.halved == 0 || m.In == d.full:
		return
	case near(d.halved):
		d.right++
	case near(d.full):
		d.wrong++
	}
	d.full, d.halved = 0, 0
}

func (d *doubled) pass(m core.Metered, reasoned bool, emit func(core.Event)) {
	m.Volatile = false
	if uncached := m.In - m.CacheRead; reasoned && uncached%2 == 1 {
		d.full = m.In
		m.In = m.CacheRead + (uncached+1)/2
		d.halved = m.In
		m.Note = "Copilot counts what Claude had not cached twice in an answer with reasoning; it is counted once here"
	}
	emit(m)
}

// release passes on what is held, as it was reported.
func (d *doubled) release(emit func(core.Event)) {
	if d.holds != 0 {
		d.holds = 0
		d.pass(d.held, false, emit)
	}
}

// shown takes in that a part of an answer was read.
func (o *openCode) shown(message uint64, kind json.Value) {
	known, ok := o.messages[message]
	if !ok || known.user || known.begun {
		return
	}
	known.begun, known.reasoned = true, kind.Is("reasoning")
	o.messages[message] = known
	if o.twice.holds == message {
		o.twice.holds = 0
		o.twice.pass(o.twice.held, known.reasoned, o.emit)
	}
}
