// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"io"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// Warmth is the state of a session's prompt cache at a time.
type Warmth string

// The states of a prompt cache. NoWarmth means that nothing is recorded.
const (
	NoWarmth  Warmth = ""
	Warm      Warmth = "warm"
	MaybeWarm Warmth = "perhaps"
	Cold      Warmth = "cold"
)

// WarmthOf returns the state of a prompt cache at a time. A clock that shows a time before the last request is wrong,
// so the state is then uncertain.
func WarmthOf(b *api.Back, now time.Time) Warmth {
	if b == nil {
		return NoWarmth
	}
	switch at := now.UnixMilli(); {
	case at >= b.ColdFrom:
		return Cold
	case at > b.WarmUntil || b.WarmUntil-at > b.Life:
		return MaybeWarm
	}
	return Warm
}

// untilCold returns how long a warm cache stays warm, in minutes that are rounded up.
func untilCold(b *api.Back, now time.Time) string {
	return itoa((b.WarmUntil-now.UnixMilli())/60_000+1) + " min"
}

// BackSoon returns the cache's entry in a status line: how long it stays warm, in the last fifth of its lifetime, and
// afterwards that it is cold. It is "" earlier, while the agent works, and if the cache is cold for a reason other than
// time.
func BackSoon(r *api.Reading, now time.Time) string {
	b := r.Cache.Back
	if b == nil || b.Cause != "time" || r.Activity == "working" || now.UnixMilli() < b.WarnFrom {
		return ""
	}
	switch WarmthOf(b, now) {
	case Warm:
		return "cold in " + untilCold(b, now)
	case MaybeWarm:
		return "may be cold"
	}
	return "cold: " + b.Display
}

// JustBroke returns the break of the last request, as a clause; "" if that one did not break the cache.
func JustBroke(r *api.Reading) string {
	if b := r.Cache.Breaks; b != nil && b.Last.Call == r.Spent.Calls {
		return "the last request broke it: " + b.Last.Text.Text
	}
	return ""
}

// CacheState returns the state of a prompt cache for a column of a table: how long it stays warm, or whether it is or
// may be cold; "" if unknown.
func CacheState(b *api.Back, now time.Time) string {
	switch WarmthOf(b, now) {
	case Warm:
		return itoa((b.WarmUntil-now.UnixMilli())/60_000+1) + "m"
	case MaybeWarm:
		return "may"
	case Cold:
		return "cold"
	}
	return ""
}

// Verdicts writes a paragraph about each compaction, the newest last.
func Verdicts(w io.Writer, verdicts []api.Verdict, now time.Time, s Style) error {
	var out strings.Builder
	for _, v := range verdicts {
		s.dated(&out, v.At, v.Text.Text, now)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// ThresholdMoves writes a paragraph about each change of the compaction threshold, the newest last.
func ThresholdMoves(w io.Writer, moves []api.ThresholdMove, now time.Time, s Style) error {
	var out strings.Builder
	for _, m := range moves {
		s.dated(&out, m.At, "Threshold: "+m.Text.Text+".", now)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// mostBreaks is how many breaks of the cache CacheBreaks lists.
const mostBreaks = 20

// CacheBreaks writes a paragraph about each of the last breaks of the cache, the newest last.
func CacheBreaks(w io.Writer, breaks []api.DetailedBreak, now time.Time, s Style) error {
	var out strings.Builder
	if more := len(breaks) - mostBreaks; more > 0 {
		breaks = breaks[more:]
		out.WriteString("The last " + itoa(mostBreaks) + " breaks of the cache; --json lists more:\n")
	}
	for _, b := range breaks {
		out.WriteString(s.breakMark() + " ")
		s.dated(&out, b.At, "Cache: "+b.Text.Text+".", now)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// dated writes a paragraph that begins with a time, if it is known.
func (s Style) dated(out *strings.Builder, at *api.Time, text string, now time.Time) {
	when := ""
	if at != nil {
		when = time.UnixMilli(int64(*at)).In(now.Location()).Format("2006-01-02 15:04") + "  "
	}
	for i, line := range wrap(when+s.Clean(text), max(min(s.Width, 100), 24)-2) {
		out.WriteString([]string{"", "  "}[min(i, 1)] + line + "\n")
	}
}
