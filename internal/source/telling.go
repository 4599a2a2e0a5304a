// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"bytes"
	"context"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/neutral"
)

// A tellingTail tells the records of another tail anew, as neutral ones, for an agent whose lines no engine reads.
// Nothing of where it stands is saved: after a restart the transcript is told from its beginning.
type tellingTail struct {
	Tail
	by      string
	reader  agent.Reader
	raw     Batch
	doc     json.Document
	pending queue
}

// telling is the tail of a session, told anew where that is necessary.
func telling(s Session, tail Tail) Tail {
	if reader := agent.ReadLines(s.Agent); reader != nil {
		return &tellingTail{Tail: tail, by: s.Agent, reader: reader}
	}
	if s.Agent == agent.IFlow {
		return &iFlowTail{Tail: tail}
	}
	if store := copilotStore(s); store != "" {
		return &usageTail{Tail: tail, session: s, store: store}
	}
	return tail
}

func (t *tellingTail) Next(ctx context.Context, b *Batch) error {
	return t.pending.next(ctx, b, t.tell)
}

// tell reads on until there is something to tell.
func (t *tellingTail) tell(ctx context.Context, b *Batch) error {
	for len(t.pending) == 0 {
		if err := t.Tail.Next(ctx, &t.raw); err != nil {
			return err
		}
		if t.raw.Reset {
			b.Reset, t.reader = true, agent.ReadLines(t.by)
		}
		if t.raw.Count == 0 {
			return nil
		}
		for i := range t.raw.Count {
			t.record(t.raw.record(i))
		}
	}
	return nil
}

func (t *tellingTail) record(raw []byte) {
	v, err := t.doc.Parse(raw)
	if err != nil || v.Get("skipped").Exists() && v.Len() == 1 {
		t.pending = append(t.pending, appendSkipped(nil, int64(len(raw))))
		return
	}
	if agent.Recognise(v) == t.by { // a neutral record: it is told already
		t.pending = append(t.pending, bytes.Clone(raw))
		return
	}
	t.reader.Record(v, func(e core.Event) {
		if told := neutral.Event(t.by, e); told != nil {
			t.pending = append(t.pending, told)
		}
	})
}
