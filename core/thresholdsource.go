// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/internal/phrase"

// ThresholdSourceKind is a kind of source of the compaction threshold, in order of precedence.
type ThresholdSourceKind uint8

// The kinds of sources.
const (
	// FromThisSession is a threshold that the session itself has shown.
	FromThisSession ThresholdSourceKind = iota
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
	// FromDropped is reasoning that the agent still counts although it is no longer sent.
	FromDropped
	// FromEstimate is the difference between the agent's own estimate of new items and their size.
	FromEstimate
	thresholdSourceKinds
)

var thresholdSourceNames = [thresholdSourceKinds]string{"session", "learned", "asked", "setting", "rule", "limit", "dropped", "estimate"}

func (k ThresholdSourceKind) String() string { return thresholdSourceNames[k] }

// ThresholdState is the effect of a source's threshold.
type ThresholdState uint8

// The states of sources.
const (
	// ThresholdInForce marks a source that decides.
	ThresholdInForce ThresholdState = iota
	// ThresholdOverruled marks a source that another one overrules.
	ThresholdOverruled
	// ThresholdWithoutEffect marks a source that would decide, but changes nothing.
	ThresholdWithoutEffect
	// ThresholdAdjusts marks what is added to the threshold in force, because the agent counts differently. The sum is
	// the threshold that is shown.
	ThresholdAdjusts
	thresholdStates
)

var thresholdStateNames = [thresholdStates]string{"inForce", "overruled", "withoutEffect", "adjusts"}

func (s ThresholdState) String() string { return thresholdStateNames[s] }

// ThresholdSource is a source of the compaction threshold.
type ThresholdSource struct {
	Kind ThresholdSourceKind
	Name Text
	// Setting and Value are the name of a setting and its value as written; "" for other sources.
	Setting, Value string
	Threshold      int64 // the threshold that it would give alone; Unknown if it gives none
	Adds           int64 // tokens that it adds to the threshold in force; 0 unless it adjusts it
	State          ThresholdState
	Note           Text // how its value is interpreted, or why it has no effect; empty otherwise
}

// RuleSource is a source of a rule: the rule that would apply if it were the only one.
type RuleSource struct {
	Kind           ThresholdSourceKind
	Setting, Value string // the name and the value of a setting
	Note           Text   // how the agent interprets its value, if not literally
	Rule           *Rule
}

// asked reports whether the rule was asked for rather than the agent's own.
func (r *Rule) asked() bool { return len(r.Sources) > 0 && r.Sources[0].Kind == FromAskedRule }

// thresholdSources caches the list of sources until something that it depends on changes.
type thresholdSources struct {
	made bool
	rule int64 // a running number of the rule
	key  thresholdSourcesKey
	from Text // result of thresholdReason
	list []ThresholdSource
}

type thresholdSourcesKey struct {
	rule    int64
	l       Limits
	most    int64
	adjust  thresholdAdjust
	shown   observedThreshold
	earlier earlierLimits
}

// thresholdAdjust is how much earlier an agent compacts than at its threshold, because it counts dropped reasoning, and
// estimates new items.
type thresholdAdjust struct{ dropped, estimate int64 }

// thresholdSources returns an explanation of the threshold's source, and all sources in order of precedence. The list
// must not be changed.
func (s *Session) thresholdSources(l Limits, r *Reading, adjust thresholdAdjust) (Text, []ThresholdSource) {
	key := thresholdSourcesKey{s.sources.rule, l, r.mostUsed(), adjust, s.shown, s.earlier}
	if k := &s.sources; !k.made || k.key != key {
		k.made, k.key, k.from, k.list = true, key, s.thresholdReason(l), s.makeThresholdSources(l, r.mostUsed(), adjust)
	}
	return s.sources.from, s.sources.list
}

func (s *Session) makeThresholdSources(l Limits, most int64, adjust thresholdAdjust) (list []ThresholdSource) {
	threshold, from := s.thresholdFrom(l)
	if threshold == Unknown {
		return nil
	}
	own := &s.rule
	for i := range s.rule.Sources {
		if source := &s.rule.Sources[i]; source.Kind == FromOwnRule {
			own = source.Rule
		}
	}
	clamped := most != Unknown && most < threshold-adjust.dropped-adjust.estimate
	add := func(source ThresholdSource, decides bool) {
		switch {
		case source.State == ThresholdWithoutEffect:
		case decides && !clamped:
			source.State = ThresholdInForce
		default:
			source.State = ThresholdOverruled
		}
		list = append(list, source)
	}
	s.addShown(l, func(source ThresholdSource) { add(source, from == source.Kind) })
	if s.rule.asked() {
		add(ThresholdSource{Kind: FromAskedRule, Name: phrase.SourceAsked.Text(phrase.Name(s.rule.Name)), Threshold: s.rule.threshold(l)}, from == FromAskedRule)
	}
	ruled := from == FromOwnRule
	effective := 0
	for i := range s.rule.Sources {
		source := &s.rule.Sources[i]
		if source.Kind != FromSetting {
			continue
		}
		if source.Rule.Idle != own.Idle && source.Rule.threshold(l) == own.threshold(l) {
			continue // it concerns idle sessions
		}
		out := ThresholdSource{Kind: FromSetting, Name: phrase.Named(source.Setting), Setting: source.Setting, Value: source.Value, Threshold: source.Rule.threshold(l), Note: source.Note}
		switch {
		case out.Threshold != own.threshold(l):
			effective++
		case out.Note.Empty():
			out.State, out.Note = ThresholdWithoutEffect, phrase.SettingIdle.Text()
		default:
			out.State = ThresholdWithoutEffect
		}
		add(out, ruled)
	}
	if effective > 1 {
		together := s.rule.threshold(l)
		for i := range list {
			if source := &list[i]; source.Kind == FromSetting && source.State != ThresholdWithoutEffect && source.Note.Empty() {
				source.Note = phrase.SettingsTogether.Text(phrase.Count(together))
			}
		}
	}
	add(ThresholdSource{Kind: FromOwnRule, Name: phrase.SourceRule.Text(phrase.Name(own.Name)), Threshold: own.threshold(l)}, ruled && effective == 0)
	if most != Unknown {
		source := ThresholdSource{Kind: FromLargestPrompt, Name: phrase.SourceLimit.Text(), Threshold: most, State: ThresholdWithoutEffect}
		if clamped {
			source.State = ThresholdInForce
		}
		list = append(list, source)
	}
	if clamped {
		return list
	}
	if adjust.dropped > 0 {
		list = append(list, ThresholdSource{Kind: FromDropped, Name: phrase.SourceDropped.Text(), Threshold: Unknown, Adds: -adjust.dropped, State: ThresholdAdjusts})
	}
	if adjust.estimate != 0 {
		list = append(list, ThresholdSource{Kind: FromEstimate, Name: phrase.SourceEstimate.Text(), Threshold: Unknown, Adds: -adjust.estimate, State: ThresholdAdjusts})
	}
	return list
}

// addShown adds the thresholds that this session and earlier ones have shown.
func (s *Session) addShown(l Limits, add func(ThresholdSource)) {
	if threshold := s.shownThreshold(l); threshold != Unknown {
		name := phrase.SourcePassed.Text()
		if s.shown.compacted > 0 {
			name = phrase.SourceCompactions.Text()
		}
		add(ThresholdSource{Kind: FromThisSession, Name: name, Threshold: threshold})
	}
	if threshold := s.earlierThreshold(l); threshold != Unknown {
		name := phrase.SourceLearnedOne.Text()
		if n := s.earlier.sessions; n > 1 {
			name = phrase.SourceLearnedMany.Text(phrase.Count(n))
		}
		add(ThresholdSource{Kind: FromEarlierSessions, Name: name, Threshold: threshold})
	}
}

// thresholdReason explains the source of the threshold in force and what it overrules; an empty text if the rule
// decides.
func (s *Session) thresholdReason(l Limits) Text {
	threshold, from := s.thresholdFrom(l)
	rule := s.rule.threshold(l)
	switch {
	case threshold == Unknown || from != FromThisSession && from != FromEarlierSessions:
		return Text{}
	case from == FromEarlierSessions && s.earlier.sessions == 1:
		return phrase.ThresholdFromOne.Text(phrase.Count(rule))
	case from == FromEarlierSessions:
		return phrase.ThresholdFromMany.Text(phrase.Count(s.earlier.sessions), phrase.Count(rule))
	}
	if s.shown.lowered > 0 {
		return phrase.ThresholdFromLowered.Text(phrase.Count(s.shown.compacted), phrase.Count(s.rule.Usual), phrase.Count(rule))
	}
	if s.shown.compacted > 0 {
		return phrase.ThresholdFromCompactions.Text(phrase.Count(rule))
	}
	return phrase.ThresholdFromPassing.Text(phrase.Count(rule))
}
