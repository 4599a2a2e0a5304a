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

// maxLessons is the maximum number of learned corrections in each list; the oldest are dropped.
const maxLessons = 512

// Keep adds what this program has learned to the file, merging it with what other programs have written in the
// meantime.
func (s *Learned) Keep(ctx context.Context, numbers []byte) error {
	return s.Update(ctx, func(old []byte) ([]byte, error) {
		merged := merge(old, numbers, time.Now())
		if bytes.Equal(merged, old) || old == nil && !bytes.Contains(merged, []byte(`"key"`)) {
			return nil, nil
		}
		return merged, nil
	})
}

// KeepCorrections is Keep without what was learned about limits.
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

// learnedFor is how long a learned limit is kept after it was last confirmed. Limits depend on settings, which change;
// corrections of estimates do not.
const learnedFor = 90 * 24 * time.Hour

// firstTime is the earliest plausible time of a correction, in September 2001.
const firstTime = 1_000_000_000_000

// learnedLists are the lists in the file: corrections of estimates, and limits learned from sessions.
var learnedLists = [...]string{"lessons", "limits"}

// learnedBytes bounds each list by dropping its oldest entries, so that a full file can always be saved.
var learnedBytes = map[string]int{"lessons": MaxLearnedBytes * 3 / 4, "limits": MaxLearnedBytes/4 - 1024}

// merge unites what two programs have learned and drops what is too old. If both have an entry with the same key, the
// later one is used: it includes what its program had read at the start.
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

// mergeLists merges one list of all texts, with the oldest entries first. An entry without a time is kept until newer
// ones need its space.
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
