// Copyright The ctx-lsp authors. MIT licence.

package core

// limits keeps what each source has said about the size of the window.
type limits struct {
	told  [limitSources]Limits
	order [limitSources]int64 // when each source spoke last, as a running number
	said  int64               // how often any source spoke
}

func (l *limits) reset() {
	for i := range l.told {
		l.told[i] = NoLimits
	}
}

// set takes in what a source says. What it leaves unknown stays as it was for
// that source.
func (l *limits) set(told Limits, from LimitSource) {
	l.said++
	l.order[from] = l.said
	to := &l.told[from]
	replaceKnown(&to.Window, told.Window)
	replaceKnown(&to.Input, told.Input)
	replaceKnown(&to.Output, told.Output)
}

// setRegistry takes over what the registry has for a model. The registry is
// looked up and says nothing by itself: it is never newer than another source.
func (l *limits) setRegistry(registry Limits) {
	l.told[FromRegistry], l.order[FromRegistry] = registry, 0
}

func (l *limits) forget(sources ...LimitSource) {
	for _, source := range sources {
		l.told[source] = NoLimits
	}
}

// newer is true if a source has spoken after another.
func (l *limits) newer(a, b LimitSource) bool { return l.order[a] > l.order[b] }

// inForce chooses the limits that count, and says whose they are: the user's;
// those of an overflow error newer than the rest; the agent's record; the
// provider's; the agent's table; the registry's.
func (l *limits) inForce() (Limits, LimitSource) {
	out, from := NoLimits, FromNobody
	for source := FromUser; source > FromNobody; source-- {
		told := l.told[source]
		if source == FromError && (l.newer(FromAgent, FromError) || l.newer(FromProvider, FromError)) {
			continue
		}
		if from == FromNobody && (told.Window > 0 || told.Input > 0) {
			out.Window, out.Input, from = told.Window, told.Input, source
		}
		if out.Output == Unknown && told.Output > 0 {
			out.Output = told.Output
		}
	}
	// An error that taught only the total or only the input keeps the other
	// bound of the sources below it, where that is no larger.
	if from == FromError {
		for source := FromAgent; source > FromNobody; source-- {
			if told := l.told[source]; out.Window == Unknown && told.Window > 0 {
				out.Window = max(told.Window, out.Input)
			}
		}
	}
	return out, from
}

func (l *limits) walk(w *walker) {
	for i := range l.told {
		told := &l.told[i]
		w.each(&told.Window, &told.Input, &told.Output, &l.order[i])
	}
	w.int(&l.said)
}

// Limits are the limits in force and who says so.
func (s *Session) Limits() (Limits, LimitSource) { return s.limits.inForce() }

// limit is the largest prompt: the maximum input where one is known, else
// the total window.
func (l Limits) limit() int64 {
	if l.Input > 0 && (l.Window <= 0 || l.Input < l.Window) {
		return l.Input
	}
	if l.Window > 0 {
		return l.Window
	}
	return Unknown
}

// shared is true when prompt and answer live in the same window.
func (l Limits) shared() bool { return l.Window > 0 && l.limit() == l.Window }

// replaceKnown overwrites a number unless its replacement is Unknown.
func replaceKnown(to *int64, n int64) {
	if n != Unknown {
		*to = n
	}
}
