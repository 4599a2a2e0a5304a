// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"bytes"
	"context"
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// EachRequest reads a session into an engine. It calls visit with the Reading after every record that measured a
// request of the session itself. visit may keep the Reading.
func EachRequest(ctx context.Context, f *Feed, visit func(reading []byte) error) error {
	defer f.takeScratch()()
	// For sessions whose agent names tokens, which are the longest, a Reading is requested only after records that led
	// to a step; that halves the time of an export (make bench-export). A test checks that no request is missed.
	e := requestWalk{feed: f, visit: visit, all: !agents.Of(f.Session).NamesTokens}
	onStep := f.OnStep
	defer func() { f.OnStep = onStep }()
	f.OnStep = func(step Step) {
		if step.Session == f.ID {
			e.stepped, e.call = true, step.Call
		}
		if onStep != nil {
			onStep(step)
		}
	}
	for {
		if err := f.tail.Next(ctx, &f.batch); err != nil {
			return err
		}
		if f.batch.Count == 0 {
			return nil
		}
		if err := e.batch(ctx); err != nil {
			return err
		}
	}
}

// EachRecord reads a session into an engine. It calls visit with the Reading after every record.
func EachRecord(ctx context.Context, f *Feed, visit func(reading []byte) error) error {
	defer f.takeScratch()()
	e := requestWalk{feed: f, visit: visit, all: true, every: true}
	for {
		if err := f.tail.Next(ctx, &f.batch); err != nil {
			return err
		}
		if f.batch.Count == 0 {
			return nil
		}
		if err := e.batch(ctx); err != nil {
			return err
		}
	}
}

// mayMeter reports whether a record may measure a request, for an agent that names tokens.
func mayMeter(record []byte) bool {
	return bytes.Contains(record, []byte("_tokens")) || bytes.Contains(record, []byte("token_count"))
}

// requestWalk is the state of reading one session.
type requestWalk struct {
	feed  *Feed
	visit func([]byte) error
	all   bool  // request a Reading after every record
	every bool  // visit it whether a request was measured or not
	calls int64 // visited requests

	stepped bool  // a prediction was verified since the last look
	call    int64 // the number of its request

	last []byte // the last request of the last visited Reading
}

// batch sends the records of a batch: those that measure nothing together with the next one that may.
func (e *requestWalk) batch(ctx context.Context) error {
	b, line := &e.feed.batch, e.feed.batch.Line
	for first := 0; first < b.Count; {
		last := first
		for last+1 < b.Count && !e.all && !mayMeter(b.Record(last)) {
			last++
		}
		if err := e.send(ctx, first, last, line); err != nil {
			return err
		}
		if line > 0 {
			line += int64(last - first + 1)
		}
		if e.feed.opened && (e.all || e.stepped || e.calls == 0 && mayMeter(b.Record(last))) {
			if err := e.look(ctx); err != nil {
				return err
			}
		}
		first = last + 1
	}
	return nil
}

// send sends some records. If the engine refuses them together, send sends them one by one, so that only the invalid
// ones are lost.
func (e *requestWalk) send(ctx context.Context, first, last int, line int64) error {
	b := &e.feed.batch
	err := e.feed.send(ctx, b.Span(first, last), line)
	if first == last || !client.Refused(err, "") {
		return unlessFault(err)
	}
	for i := first; i <= last; i++ {
		if err := unlessFault(e.feed.send(ctx, b.Record(i), line)); err != nil {
			return err
		}
		if line > 0 {
			line++
		}
	}
	return nil
}

func unlessFault(err error) error {
	if client.Refused(err, "") {
		return nil
	}
	return err
}

// look requests a Reading, and visits it if a request was measured.
func (e *requestWalk) look(ctx context.Context) error {
	stepped := e.stepped
	e.stepped = false
	reading, err := e.feed.reading(ctx)
	if err != nil {
		return err
	}
	if e.every {
		return e.visit(reading)
	}
	if stepped && e.call > e.calls && !e.all { // the number is known, so do not search the Reading for it
		e.calls = e.call
		return e.visit(reading)
	}
	spent, _ := json.Member(reading, "spent")
	text, _ := json.Member(spent, "calls")
	calls, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil || calls == e.calls {
		return nil
	}
	e.calls = calls
	last, _ := json.Member(reading, "lastRequest")
	if !stepped && bytes.Equal(last, e.last) { // not a request of the work, such as one that compacts
		return nil
	}
	e.last = append(e.last[:0], last...)
	return e.visit(reading)
}
