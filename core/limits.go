// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// limits stores the window's size by source.
type limits struct {
	stated  [limitSources]Limits
	order   [limitSources]int64 // when each source reported last, as a running number
	reports int64               // the number of reports from all sources
	beyond  int64               // the number of accepted prompts that were larger than the limit
	// refusedOutput is how much a refused request reserved for its response; 0 if none did, or if a prompt that left
	// less was accepted since.
	refusedOutput int64
}

func (l *limits) reset() {
	for i := range l.stated {
		l.stated[i] = NoLimits
	}
}

// set stores the limits from a source. Unknown fields keep the source's earlier values.
func (l *limits) set(stated Limits, from LimitSource) {
	l.reports++
	l.order[from] = l.reports
	to := &l.stated[from]
	replaceKnown(&to.Window, stated.Window)
	replaceKnown(&to.Input, stated.Input)
	replaceKnown(&to.Output, stated.Output)
}

// setRegistry stores a model's limits in the registry. They come from a lookup, not a report: they are never newer than
// another source.
func (l *limits) setRegistry(registry Limits) {
	l.stated[FromRegistry], l.order[FromRegistry] = registry, 0
}

// forgetModel withdraws the limits of another model, and what its requests have shown.
func (l *limits) forgetModel() {
	l.forget(FromError, FromProvider, FromAgentNow, FromAccepted, LimitFromEarlier)
	l.beyond, l.refusedOutput = 0, 0
}

func (l *limits) forget(sources ...LimitSource) {
	for _, source := range sources {
		l.stated[source] = NoLimits
	}
}

// newer reports whether source a reported after source b.
func (l *limits) newer(a, b LimitSource) bool { return l.order[a] > l.order[b] }

// inForce returns the limits that apply and their source, the first of: a refusal that is newer than the user's limits
// and gives less; the user's; a refusal that gives less than the agent does now; the agent's current ones; another
// refusal that is newer than the rest; those shown by accepted prompts; the agent's record; the provider's; those shown
// by earlier sessions; the agent's table; the registry's. None applies if the user's window is withheld.
func (l *limits) inForce() (Limits, LimitSource) {
	out, from := NoLimits, FromNoSource
	if l.stated[FromUser].Window == WindowWithheld {
		return out, from
	}
	for source := FromUser; source > FromNoSource; source-- {
		stated := l.stated[source]
		if source == FromError && (l.newer(FromAgent, FromError) || l.newer(FromProvider, FromError) || l.newer(FromAccepted, FromError)) && !l.refusedBelowUser() && !l.refusedBelowAgent() {
			continue
		}
		overruled := source == FromUser && l.refusedBelowUser() || source == FromAgentNow && l.refusedBelowAgent()
		if from == FromNoSource && (stated.Window > 0 || stated.Input > 0) && !overruled {
			out.Window, out.Input, from = stated.Window, stated.Input, source
		}
		if out.Output == Unknown && stated.Output > 0 {
			out.Output = stated.Output
		}
	}
	// An error that gave only the total or only the input leaves the other bound to the sources below it, unless that
	// is larger.
	if from == FromError || from == LimitFromEarlier {
		for source := min(from, FromAgent); source > FromNoSource; source-- {
			if stated := l.stated[source]; out.Window == Unknown && stated.Window > 0 {
				out.Window = max(stated.Window, out.Input)
			}
		}
	}
	return out, from
}

// inForceBut returns the limits that would apply without some of the sources.
func (l *limits) inForceBut(sources ...LimitSource) Limits {
	without := *l
	without.forget(sources...)
	out, _ := without.inForce()
	return out
}

// base returns the limit without what requests of this session and of earlier ones have shown.
func (l *limits) base() int64 {
	without := l.inForceBut(FromError, FromAccepted, LimitFromEarlier)
	return without.limit()
}

// refusedBelowUser reports whether a refusal since the user set the limits gave a smaller one.
func (l *limits) refusedBelowUser() bool {
	refused, set := l.stated[FromError].limit(), l.stated[FromUser].limit()
	return refused > 0 && refused < set && l.newer(FromError, FromUser)
}

// refusedBelowAgent reports whether a refusal gave a smaller limit than the agent does now: the agent may be wrong
// about the provider's limit.
func (l *limits) refusedBelowAgent() bool {
	refused, now := l.stated[FromError].limit(), l.stated[FromAgentNow].limit()
	return refused > 0 && refused < now
}

func (l *limits) walk(c *codec.Codec) {
	for i := range l.stated {
		stated := &l.stated[i]
		c.Ints("Window Input Output order", &stated.Window, &stated.Input, &stated.Output, &l.order[i])
	}
	c.Ints("reports", &l.reports)
	c.Ints("beyond refusedOutput", &l.beyond, &l.refusedOutput)
	c.Refuse(l.beyond < 0 || l.refusedOutput < 0)
}

// acceptedBeyond is the number of accepted prompts larger than the limit after which another limit is looked for.
const acceptedBeyond = 2

// accepted records a prompt that the provider measured and answered. After two prompts beyond the limit, it is replaced
// by the model's larger one, unless the user or the agent itself has set it.
func (s *Session) accepted(in int64) {
	l := &s.limits
	inForce, from := l.inForce()
	limit := inForce.limit()
	if limit > 0 && in > limit-l.refusedOutput {
		if l.refusedOutput = 0; s.earlier.reserve > 0 {
			s.earlier.reserve, s.earlier.unreserved = 0, true
		}
	}
	if limit <= 0 || in <= limit || from >= FromAgentNow {
		return
	}
	l.beyond++
	if l.beyond >= acceptedBeyond && from == LimitFromEarlier {
		l.forget(LimitFromEarlier)
		s.earlier.unlimited = true
		limits, _ := l.inForce()
		limit = limits.limit()
	}
	if l.beyond >= acceptedBeyond && in > limit && s.resolved.Larger.limit() >= in {
		l.set(s.resolved.Larger, FromAccepted)
	}
}

// limitNotes appends warnings about limits that are not used.
func (s *Session) limitNotes(r *Reading, out []Text) []Text {
	if l := &s.limits; r.LimitSource == FromError && l.refusedBelowUser() {
		out = append(out, phrase.RefusedBelow.Text(phrase.Count(r.Limit), phrase.Count(l.stated[FromUser].limit())))
	}
	if n := s.limits.refusedOutput; n > 0 && r.Reserve == n {
		out = append(out, phrase.ReserveRefused.Text(phrase.Count(n)))
	}
	return out
}

// Limits returns the limits in force and their source.
func (s *Session) Limits() (Limits, LimitSource) { return s.limits.inForce() }

// shownLimit returns the limit that Readings are divided by: the one in force, or
// the smaller window that the user has set for the agent.
func (s *Session) shownLimit() (int64, LimitSource) {
	l, from := s.Limits()
	if own := s.rule.Window; own > 0 && s.limits.stated[FromUser].Window != WindowWithheld && from != FromUser && (l.limit() <= 0 || own < l.limit()) {
		return own, LimitFromSetting
	}
	return l.limit(), from
}

// limit returns the largest prompt: the maximum input if it is known, otherwise the total window; Unknown if both are
// unknown.
func (l Limits) limit() int64 {
	if l.Input > 0 && (l.Window <= 0 || l.Input < l.Window) {
		return l.Input
	}
	if l.Window > 0 {
		return l.Window
	}
	return Unknown
}

// wholeWindow returns a text with the usage of the model's whole window if the agent uses only a part of it: by a
// setting, or if the rest is more than the longest response needs. It is empty otherwise.
func (s *Session) wholeWindow(l Limits, r *Reading) Text {
	window := l.Window
	if window <= 0 {
		window = s.limits.stated[FromRegistry].Window
	}
	if r.Limit <= 0 || window <= r.Limit {
		return Text{}
	}
	if r.LimitSource != LimitFromSetting && window-r.Limit <= max(l.Output, r.Limit) {
		return Text{}
	}
	return phrase.WholeWindow.Text(phrase.Tokens(percentOf(r.Used, window)), phrase.Tokens(Short(window)), phrase.Tokens(Short(r.Limit)))
}

// shared reports whether prompt and response share one window.
func (l Limits) shared() bool { return l.Window > 0 && l.limit() == l.Window }

// replaceKnown overwrites a number unless its replacement is Unknown.
func replaceKnown(to *int64, n int64) {
	if n != Unknown {
		*to = n
	}
}
