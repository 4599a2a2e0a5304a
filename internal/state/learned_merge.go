// Copyright The ctx-lsp authors. MIT licence.

package state

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// maxLessons is how many lessons are kept; the oldest are dropped.
const maxLessons = 512

// Keep adds what this program has learned to the file. Another program may have
// written to it since this one has read it, so both are merged.
func (s *Learned) Keep(ctx context.Context, numbers []byte) error {
	return s.Update(ctx, func(old []byte) ([]byte, error) {
		merged := merge(old, numbers)
		if bytes.Equal(merged, old) || old == nil && !bytes.Contains(merged, []byte(`"key"`)) {
			return nil, nil
		}
		return merged, nil
	})
}

// merge unites the lessons of two programs. Of two lessons with the same key
// the later one counts: it has grown from what its program knew when it began.
func merge(old, numbers []byte) []byte {
	type lesson struct {
		at  int64
		raw []byte
	}
	byKey := map[string]lesson{}
	for _, text := range [][]byte{old, numbers} {
		v, err := json.Parse(text)
		if err != nil {
			continue
		}
		for e := v.Get("lessons").Elements(); e.Next(); {
			at, _ := e.Value.Get("at").Int64()
			key := e.Value.Get("key").String()
			if known, ok := byKey[key]; key != "" && (!ok || at >= known.at) {
				byKey[key] = lesson{at, e.Value.Raw()}
			}
		}
	}
	lessons := make([]lesson, 0, len(byKey))
	for _, l := range byKey {
		lessons = append(lessons, l)
	}
	slices.SortFunc(lessons, func(a, b lesson) int {
		return cmp.Or(cmp.Compare(a.at, b.at), bytes.Compare(a.raw, b.raw))
	})
	lessons = lessons[max(0, len(lessons)-maxLessons):]
	var w json.Writer
	w.BeginObject()
	w.Key("lessons")
	w.BeginArray()
	for _, l := range lessons {
		w.Raw(l.raw)
	}
	w.EndArray()
	w.EndObject()
	return w.Buf
}
