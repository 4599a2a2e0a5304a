// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// doubled corrects Copilot's usage for Claude's prompts. For a response that shows its reasoning and is not the first
// one after a user message, each uncached token except one is counted twice. The cached tokens of the next response
// show the real length of the prompt, and so whether the correction still applies in the session.
type doubled struct {
	asked bool // the next response is the first one after a user message

	held    core.Metered // held back until the first part of the response shows whether it reasoned
	heldFor uint64       // the message that it belongs to; 0 for none

	full, halved int64 // the last corrected prompt, before and after the correction
	right, wrong int
}

// meter emits the measurement, now or as soon as the response's first part is known.
func (d *doubled) meter(id uint64, m core.Metered, answer *openMessage, emit func(core.Event)) {
	d.audit(&m)
	switch {
	case answer.opening || m.CacheRead <= 0 || d.wrong > d.right:
		m.Volatile = d.wrong > d.right
		emit(m)
	case answer.begun:
		d.correct(m, answer.reasoned, emit)
	default:
		d.held, d.heldFor = m, id
	}
}

// audit compares the last correction with the cached tokens of the next request, which are the whole previous prompt,
// except a few tokens.
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

func (d *doubled) correct(m core.Metered, reasoned bool, emit func(core.Event)) {
	m.Volatile = false
	if uncached := m.In - m.CacheRead; reasoned && uncached%2 == 1 {
		d.full = m.In
		m.In = m.CacheRead + (uncached+1)/2
		d.halved = m.In
		m.Note = phrase.CopilotTwice.Text()
	}
	emit(m)
}

// release emits the usage that was held back, as it was reported.
func (d *doubled) release(emit func(core.Event)) {
	if d.heldFor != 0 {
		d.heldFor = 0
		d.correct(d.held, false, emit)
	}
}

// shown records that a part of a response was read.
func (o *openCode) shown(message uint64, kind json.Value) {
	known, ok := o.messages[message]
	if !ok || known.user || known.begun {
		return
	}
	known.begun, known.reasoned = true, kind.Is("reasoning")
	o.messages[message] = known
	if o.twice.heldFor == message {
		o.twice.heldFor = 0
		o.twice.correct(o.twice.held, known.reasoned, o.Emit)
	}
}

func (d *doubled) Walk(c *codec.Codec) {
	c.Bools("asked", &d.asked)
	c.Hash("heldFor", &d.heldFor)
	if c.When(d.heldFor != 0) {
		walkMetered(c.Part("held"), &d.held)
	}
	c.Ints("full halved", &d.full, &d.halved)
	codec.Within(c, "right", &d.right, 0, 1<<31-1)
	codec.Within(c, "wrong", &d.wrong, 0, 1<<31-1)
}
