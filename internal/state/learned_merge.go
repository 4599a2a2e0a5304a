// Copyright The ctx-lsp authors. MIT licence.

package state

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// maxLessons is how many lessons are kept; the oldest are dropped.
const maxLessons = 512

// Keep adds what this program has learned to the file. Another program may have
// written to it since this one has read it, so both are merged.
func (s *Learned) Keep(ctx context.Context, numbers []byte) error {
	return s.Update(ctx, func(old []byte) ([]byte, error) {
		merged := merge(old, numbers, time.Now())
		if bytes.Equal(merged, old) || old == nil && !bytes.Contains(merged, []byte(`"key"`)) {
			return nil, nil
		}
		return merged, nil
	})
}

// KeepCorrections is Keep without the lessons about limits.
func (s *Learned) KeepCorrections(ctx context.Context, numbers []byte) error {
	v, err := json.Parse(numbers)
	if err != nil {
		return err
	}
	var w json.Writer
	w.BeginObject()
	w.Key("lessons")
	w.Raw(v.Get("lessons").Raw())
	w.EndObject()
	return s.Keep(ctx, w.Buf)
}

// learnedFor is how long a lesson about limits is kept after it was taught last:
// settings change, and corrections of estimates do not.
const learnedFor = 90 * 24 * time.Hour

// firstTime is the earliest time of a lesson that is believed, in September 2001.
const firstTime = 1_000_000_000_000

// learnedLists are the lists of lessons in the file: corrections of estimates,
// and what sessions have shown of their limits.
var learnedLists = [...]string{"lessons", "limits"}

// learnedBytes bounds each list, so that a full file can always be saved: the oldest lessons give way.
var learnedBytes = map[string]int{"lessons": MaxLearnedBytes * 3 / 4, "limits": MaxLearnedBytes/4 - 1024}

// merge unites the lessons of two programs and drops those that are too old. Of
// two lessons with the same key the later one is used: it has grown from what
// its program knew when it began.
func merge(old, numbers []byte, now time.Time) []byte {
	var w json.Writer
	w.BeginObject()
	for i, list := range learnedLists {
		merged := mergeLists(list, now, old, numbers)
		if i > 0 && len(merged) == 0 {
			continue
		}
		w.Key(list)
		w.BeginArray()
		for _, raw := range merged {
			w.Raw(raw)
		}
		w.EndArray()
	}
	w.EndObject()
	return w.Buf
}

// mergeLists unites one list, the oldest lessons first. A lesson without a time
// is kept until newer ones need its place.
func mergeLists(list string, now time.Time, texts ...[]byte) [][]byte {
	type lesson struct {
		at  int64
		raw []byte
	}
	byKey := map[string]lesson{}
	oldest := now.Add(-learnedFor).UnixMilli()
	for _, text := range texts {
		v, err := json.Parse(text)
		if err != nil {
			continue
		}
		for e := v.Get(list).Elements(); e.Next(); {
			at, _ := e.Value.Get("at").Int64()
			key := e.Value.Get("key").String()
			if list == "limits" && at >= firstTime && at < oldest {
				continue
			}
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
	raws, left := [][]byte(nil), learnedBytes[list]
	for _, l := range slices.Backward(lessons[max(0, len(lessons)-maxLessons):]) {
		if left -= len(l.raw) + 1; left < 0 {
			break
		}
		raws = append(raws, l.raw)
	}
	slices.Reverse(raws)
	return raws
}
