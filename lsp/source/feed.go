// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/ctx-lsp/ctx-lsp/core/json"
)

// Call is an engine's answer to a method: {"result":…} or {"error":…}.
type Call func(ctx context.Context, method string, params []byte) ([]byte, error)

// Feed reads a session into an engine and keeps it up to date.
type Feed struct {
	Session Session
	// ID is the session's id in the engine: Session.ID unless it is changed
	// before the first Read.
	ID string
	// Parent is the id in the engine of the session that started this one.
	Parent string
	// Steps asks for what was predicted and what came, request by request.
	Steps bool
	// OnAnswer sees the answer to every call: a Reading, with the steps of
	// that call under "steps" when they were asked for. It is valid only
	// until OnAnswer returns.
	OnAnswer func(answer []byte)

	call   Call
	tail   Tail
	opened bool
	params json.Writer
	batch  Batch
	// Records and Skipped count what has been read.
	Records, Skipped int64
}

// NewFeed prepares to read a session from its beginning.
func NewFeed(s Session, call Call) *Feed {
	return &Feed{Session: s, ID: s.ID, call: call, tail: OpenTail(s)}
}

// Resume goes on with a session that the engine has already read up to
// position.
func (f *Feed) Resume(tail Tail) { f.tail, f.opened = tail, true }

// Position is how far the session has been read.
func (f *Feed) Position() int64 { return f.tail.Position() }

// Read reads everything that has been added since the last Read. It returns
// the last Reading, or nil when nothing was added.
func (f *Feed) Read(ctx context.Context) (reading []byte, err error) {
	for {
		if err := f.tail.Next(ctx, &f.batch); err != nil {
			return reading, err
		}
		if f.batch.Reset && f.opened {
			f.close(ctx)
		}
		if f.batch.Count == 0 {
			return reading, nil
		}
		answer, err := f.give(ctx)
		var fault *Fault
		if errors.As(err, &fault) && fault.Kind == "unknown_session" && f.opened {
			// The engine has lost it; it is read anew, once.
			f.opened, f.tail = false, OpenTail(f.Session)
			f.Records, f.Skipped = 0, 0
			continue
		}
		if err != nil {
			return reading, err
		}
		reading = answer
	}
}

// Close forgets the session in the engine.
func (f *Feed) Close(ctx context.Context) {
	if f.opened {
		f.close(ctx)
	}
}

func (f *Feed) close(ctx context.Context) {
	f.opened = false
	f.Records, f.Skipped = 0, 0
	w := json.Writer{}
	w.BeginObject()
	w.Key("id")
	w.String(f.ID)
	w.EndObject()
	f.call(ctx, "ctx/session/close", w.Buf)
}

// give hands the batch to the engine. When the engine cannot parse it, the
// records are given one by one, so that only the broken ones are lost.
func (f *Feed) give(ctx context.Context) ([]byte, error) {
	answer, err := f.send(ctx, f.batch.body, f.batch.Count)
	if err == nil {
		f.Records += int64(f.batch.Count)
		f.Skipped += int64(f.batch.Skipped)
		return answer, nil
	}
	var fault *Fault
	if !errors.As(err, &fault) || fault.Kind != "parse_error" && fault.Kind != "limit_exceeded" {
		return nil, err
	}
	f.Skipped += int64(f.batch.Skipped)
	for i := range f.batch.Count {
		record := f.batch.record(i)
		one, err := f.send(ctx, record, 1)
		if err != nil {
			if !errors.As(err, &fault) {
				return nil, err
			}
			one, err = f.send(ctx, bytes.ToValidUTF8(record, []byte("\uFFFD")), 1)
		}
		if err != nil {
			f.Skipped++
			if one, err = f.send(ctx, appendSkipped(nil, int64(len(record))), 1); err != nil {
				return nil, err
			}
		}
		f.Records++
		answer = one
	}
	return answer, nil
}

// send makes one call of ctx/session/records and returns its result.
func (f *Feed) send(ctx context.Context, records []byte, count int) ([]byte, error) {
	w := &f.params
	w.Buf = w.Buf[:0]
	*w = json.Writer{Buf: w.Buf}
	w.BeginObject()
	w.Key("id")
	w.String(f.ID)
	if !f.opened {
		f.open(w)
	}
	if f.Steps {
		w.Key("steps")
		w.Bool(true)
	}
	w.Key("file")
	w.String(filepath.Base(f.Session.Path))
	w.Key("records")
	w.BeginArray()
	w.Raw(records)
	w.EndArray()
	w.EndObject()
	envelope, err := f.call(ctx, "ctx/session/records", w.Buf)
	if err != nil {
		return nil, err
	}
	result, err := Result(envelope)
	if err != nil {
		return nil, err
	}
	f.opened = true
	if f.OnAnswer != nil {
		f.OnAnswer(result)
	}
	return result, nil
}

// open adds what the first call says about the session.
func (f *Feed) open(w *json.Writer) {
	w.Key("open")
	w.Bool(true)
	optional := func(key, value string) {
		if value != "" {
			w.Key(key)
			w.String(value)
		}
	}
	optional("agent", f.Session.Agent)
	optional("workspace", f.Session.Workspace)
	optional("parent", f.Parent)
	optional("label", f.Session.Label)
}

// Fault is an error that an engine answered.
type Fault struct {
	Kind    string // data.kind: parse_error, unknown_session, …
	Message string
}

func (f *Fault) Error() string { return f.Message }

// Result takes the result out of an engine's answer, or its error.
func Result(envelope []byte) ([]byte, error) {
	const success = `{"result":`
	if bytes.HasPrefix(envelope, []byte(success)) && bytes.HasSuffix(envelope, []byte("}")) {
		return envelope[len(success) : len(envelope)-1], nil
	}
	v, err := json.Parse(envelope)
	if err != nil {
		return nil, fmt.Errorf("the engine's answer cannot be read: %w", err)
	}
	if result := v.Get("result"); result.Exists() {
		return result.Raw(), nil
	}
	fault := &Fault{Kind: v.Path("error", "data", "kind").String(), Message: v.Path("error", "message").String()}
	if fault.Message == "" {
		fault.Message = "the engine answered with neither a result nor an error"
	}
	return nil, fault
}
