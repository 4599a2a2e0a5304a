// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

const warningsKept = 16

// warnings are messages that explain unexpected numbers to the user. Equal ones appear once, with their number.
type warnings struct {
	list    []warning
	dropped int64 // the number of warnings beyond those that are kept

	// usageRead is set from a host's usage object until its Metered. Usage in agents' records comes without such an
	// event.
	usageRead bool

	skippedRecords, skippedBytes int64
	skippedForms                 reasons // counts records
}

type warning struct {
	sentence Text
	times    int64
	ofUsage  bool // about the usage of the last request
}

func (l *warnings) add(sentence Text) { l.addAs(sentence, false) }

func (l *warnings) addAs(sentence Text, ofUsage bool) {
	if len(sentence.Name) > 500 {
		sentence.Name = sentence.Name[:500]
	}
	for i := range l.list {
		if l.list[i].sentence.Equal(sentence) {
			l.list[i].times++
			l.list[i].ofUsage = l.list[i].ofUsage && ofUsage
			return
		}
	}
	if len(l.list) >= warningsKept {
		l.dropped++
		return
	}
	l.list = append(l.list, warning{sentence: sentence, times: 1, ofUsage: ofUsage})
}

// addOfUsage adds a warning that applies until another request reports its usage.
func (l *warnings) addOfUsage(sentence Text) { l.addAs(sentence, true) }

// forgetUsage removes the warnings about the usage of the last request.
func (l *warnings) forgetUsage() {
	l.list = slices.DeleteFunc(l.list, func(w warning) bool { return w.ofUsage })
}

func (l *warnings) skipped(e Skipped) {
	l.skippedRecords++
	l.skippedBytes += e.Bytes
	l.skippedForms.add(e.Reason, 1)
}

// sentences appends the warnings in the form in which they are shown.
func (l *warnings) sentences(out []Text) []Text {
	for _, known := range l.list {
		sentence := known.sentence
		if known.times > 1 {
			sentence = phrase.Times.Text(sentence.Arg(), phrase.Count(known.times))
		}
		out = append(out, sentence)
	}
	for _, r := range l.skippedForms {
		if r.amount == 1 {
			out = append(out, phrase.SkippedOne.Text(r.why.Arg()))
		} else {
			out = append(out, phrase.Skipped.Text(phrase.Count(r.amount), r.why.Arg()))
		}
	}
	if l.dropped > 0 {
		out = append(out, phrase.WarningsDropped.Text(phrase.Count(l.dropped)))
	}
	return out
}

func (l *warnings) walk(c *codec.Codec) {
	codec.List(c, "list", &l.list, warningsKept, (*warning).walk)
	c.Ints("dropped skippedRecords skippedBytes", &l.dropped, &l.skippedRecords, &l.skippedBytes)
	l.skippedForms.walk(c.Part("skippedForms"))
}

func (l *warning) walk(c *codec.Codec) {
	c.Texts("sentence", &l.sentence)
	c.Ints("times", &l.times)
	c.Bools("ofUsage", &l.ofUsage)
}
