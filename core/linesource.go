// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/internal/phrase"

// LineSourceKind is a kind of source of the compaction threshold, in order of precedence.
type LineSourceKind uint8

// The kinds of sources.
const (
	// FromThisSession is a threshold that the session itself has shown.
	FromThisSession LineSourceKind = iota
	// FromEarlierSessions is a threshold that earlier sessions have shown.
	FromEarlierSessions
	// FromAskedRule is the rule that the user or the host asked for.
	FromAskedRule
	// FromSetting is a setting of the agent.
	FromSetting
	// FromOwnRule is the agent's own rule without any setting.
	FromOwnRule
	// FromLargestPrompt is the limit less the reserve, which bounds the others.
	FromLargestPrompt
	lineSourceKinds
)

var lineSourceNames = [lineSourceKinds]string{"session", "learned", "asked", "setting", "rule", "limit"}

func (k LineSourceKind) String() string { return lineSourceNames[k] }

// LineState is the effect of a source's threshold.
type LineState uint8

// The states of sources.
const (
	// LineInForce marks a source that decides.
	LineInForce LineState = iota
	// LineOverruled marks a source that another one overrules.
	LineOverruled
	// LineWithoutEffect marks a source that would decide, but changes nothing.
	LineWithoutEffect
	lineStates
)

var lineStateNames = [lineStates]string{"inForce", "overruled", "withoutEffect"}

func (s LineState) String() string { return lineStateNames[s] }

// LineSource is a source of the compaction threshold.
type LineSource struct {
	Kind LineSourceKind
	Name Text
	// Setting and Value are the name of a setting and its value as written; "" for other sources.
	Setting, Value string
	Line           int64 // the threshold that it would give alone; Unknown if it gives none
	State          LineState
	Note           Text // how its value is interpreted, or why it has no effect; empty otherwise
}

// RuleSource is a source of a rule: the rule that would apply if it were the only one.
type RuleSource struct {
	Kind           LineSourceKind
	Setting, Value string // the name and the value of a setting
	Note           Text   // how the agent interprets its value, if not literally
	Rule           *Rule
}

// asked reports whether the rule was asked for rather than the agent's own.
func (r *Rule) asked() bool { return len(r.Sources) > 0 && r.Sources[0].Kind == FromAskedRule }

// lineSources caches the list of sources until something that it depends on changes.
type lineSources struct {
	made bool
	rule int64 // a running number of the rule
	key  lineSourcesKey
	from Text // result of lineFrom
	list []LineSource
}

type lineSourcesKey struct {
	rule    int64
	l       Limits
	most    int64
	shown   shownLine
	earlier earlierLines
}

// lineSources returns an explanation of the threshold's source, and all sources in order of precedence. The list must
// not be changed.
func (s *Session) lineSources(l Limits, r *Reading) (Text, []LineSource) {
	key := lineSourcesKey{s.sources.rule, l, r.mostUsed(), s.shown, s.earlier}
	if k := &s.sources; !k.made || k.key != key {
		k.made, k.key, k.from, k.list = true, key, s.lineFrom(l), s.makeLineSources(l, r.mostUsed())
	}
	return s.sources.from, s.sources.list
}

func (s *Session) makeLineSources(l Limits, most int64) (list []LineSource) {
	line, from := s.thresholdFrom(l)
	if line == Unknown {
		return nil
	}
	own := &s.rule
	for i := range s.rule.Sources {
		if source := &s.rule.Sources[i]; source.Kind == FromOwnRule {
			own = source.Rule
		}
	}
	clamped := most != Unknown && most < line
	add := func(source LineSource, decides bool) {
		switch {
		case source.State == LineWithoutEffect:
		case decides && !clamped:
			source.State = LineInForce
		default:
			source.State = LineOverruled
		}
		list = append(list, source)
	}
	s.addShown(l, func(source LineSource) { add(source, from == source.Kind) })
	if s.rule.asked() {
		add(LineSource{Kind: FromAskedRule, Name: phrase.SourceAsked.Text(phrase.Name(s.rule.Name)), Line: s.rule.line(l)}, from == FromAskedRule)
	}
	ruled := from == FromOwnRule
	effective := 0
	for i := range s.rule.Sources {
		source := &s.rule.Sources[i]
		if source.Kind != FromSetting {
			continue
		}
		if source.Rule.Idle != own.Idle && source.Rule.line(l) == own.line(l) {
			continue // it concerns idle sessions
		}
		out := LineSource{Kind: FromSetting, Name: phrase.Named(source.Setting), Setting: source.Setting, Value: source.Value, Line: source.Rule.line(l), Note: source.Note}
		switch {
		case out.Line != own.line(l):
			effective++
		case out.Note.Empty():
			out.State, out.Note = LineWithoutEffect, phrase.SettingIdle.Text()
		default:
			out.State = LineWithoutEffect
		}
		add(out, ruled)
	}
	if effective > 1 {
		together := s.rule.line(l)
		for i := range list {
			if source := &list[i]; source.Kind == FromSetting && source.State != LineWithoutEffect && source.Note.Empty() {
				source.Note = phrase.SettingsTogether.Text(phrase.Count(together))
			}
		}
	}
	add(LineSource{Kind: FromOwnRule, Name: phrase.SourceRule.Text(phrase.Name(own.Name)), Line: own.line(l)}, ruled && effective == 0)
	if most != Unknown {
		source := LineSource{Kind: FromLargestPrompt, Name: phrase.SourceLimit.Text(), Line: most, State: LineWithoutEffect}
		if clamped {
			source.State = LineInForce
		}
		list = append(list, source)
	}
	return list
}

// addShown adds the thresholds that this session and earlier ones have shown.
func (s *Session) addShown(l Limits, add func(LineSource)) {
	if line := s.shownThreshold(l); line != Unknown {
		name := phrase.SourcePassed.Text()
		if s.shown.compacted > 0 {
			name = phrase.SourceCompactions.Text()
		}
		add(LineSource{Kind: FromThisSession, Name: name, Line: line})
	}
	if line := s.earlierThreshold(l); line != Unknown {
		name := phrase.SourceLearnedOne.Text()
		if n := s.earlier.sessions; n > 1 {
			name = phrase.SourceLearnedMany.Text(phrase.Count(n))
		}
		add(LineSource{Kind: FromEarlierSessions, Name: name, Line: line})
	}
}

// lineFrom explains the source of the threshold in force and what it overrules; an empty text if the rule decides.
func (s *Session) lineFrom(l Limits) Text {
	line, from := s.thresholdFrom(l)
	rule := s.rule.line(l)
	switch {
	case line == Unknown || from != FromThisSession && from != FromEarlierSessions:
		return Text{}
	case from == FromEarlierSessions && s.earlier.sessions == 1:
		return phrase.LineFromOne.Text(phrase.Count(rule))
	case from == FromEarlierSessions:
		return phrase.LineFromMany.Text(phrase.Count(s.earlier.sessions), phrase.Count(rule))
	}
	if s.shown.lowered > 0 {
		return phrase.LineFromLowered.Text(phrase.Count(s.shown.compacted), phrase.Count(s.rule.Usual), phrase.Count(rule))
	}
	if s.shown.compacted > 0 {
		return phrase.LineFromCompactions.Text(phrase.Count(rule))
	}
	return phrase.LineFromPassing.Text(phrase.Count(rule))
}
