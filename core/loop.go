// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/internal/phrase"

// loop is the action of advice for a session that compactions do not help.
const loop = "loop"

// turnsTypical is how many turns must have ended before there is a typical turn.
const turnsTypical = 3

// typicalTurn returns how much a turn of this session adds to the prompt on average; known is false for a young
// session.
func (s *Session) typicalTurn() (tokens int64, known bool) {
	grown, steps := s.history.growth.sum()
	requests, turns := s.turn.lengths.sum()
	if turns < turnsTypical || steps < growthsEnough || turns == 0 || steps == 0 {
		return 0, false
	}
	return mulDiv(grown, requests, steps*turns), true
}

// loops reports whether compactions do not help this session: the last two each freed less than a fifth, or the size
// after the last one is already most of the threshold, so that one typical turn reaches it again. Long turns alone are
// not a loop if compactions leave little.
func (s *Session) loops(r *Reading) bool {
	last := r.Compaction.Last
	if last == nil {
		return false
	}
	if last.Loop {
		return true
	}
	threshold, left := r.Compaction.Threshold, s.history.left()
	turn, known := s.typicalTurn()
	return known && threshold > 0 && left != Unknown && left >= threshold/5*3 && left+turn > threshold
}

// loopAdvice returns advice for such a session: it names the largest part that survives compactions.
func (s *Session) loopAdvice(r *Reading) Advice {
	best := Advice{Action: loop, BreaksCache: true}
	cause := Text{}
	own := &s.rule.Commands
	consider := func(tokens int64, basis Basis, items int64, why, how Text) {
		if tokens > best.Tokens {
			best.Tokens, best.Basis, best.Items, best.How, cause = tokens, basis, items, how, why
		}
	}
	for i := range r.Servers {
		v := &r.Servers[i]
		switch {
		case v.Tokens <= 0:
		case v.called > 0:
			consider(v.Tokens, v.Basis, v.Tools, phrase.LoopServerUsed.Text(phrase.Name(v.Name)), phrase.LoopServerHow.Text())
		case v.Off != "":
			consider(v.Tokens, v.Basis, v.Tools, phrase.LoopServer.Text(phrase.Name(v.Name)), Named(v.Off))
		default:
			consider(v.Tokens, v.Basis, v.Tools, phrase.LoopServer.Text(phrase.Name(v.Name)), phrase.DefinitionsHow.Text())
		}
	}
	var memory Advice
	sumOf(Memory, r.Breakdown, &memory)
	how := phrase.EveryRequestHow.Text()
	if own.Memory != "" {
		how = Named(own.Memory)
	}
	consider(memory.Tokens, memory.Basis, int64(len(s.fixed.parts[Memory])), phrase.LoopMemory.Text(), how)
	setting, rule := (*ThresholdSource)(nil), Unknown
	for i := range r.Compaction.Sources {
		switch source := &r.Compaction.Sources[i]; {
		case source.Kind == FromSetting && source.State == ThresholdInForce:
			setting = source
		case source.Kind == FromOwnRule:
			rule = source.Threshold
		}
	}
	if setting != nil && rule != Unknown {
		consider(rule-r.Compaction.Threshold, Counted, 1, phrase.LoopSetting.Text(phrase.Name(setting.Setting)), phrase.LoopSettingHow.Text())
	}
	if best.Tokens < r.Compaction.Threshold/20 {
		// No part of the fixed context is worth a change: the conversation itself fills the window.
		best.Tokens = 0
		how = phrase.NewSessionHow.Text()
		if own.New != "" {
			how = Named(own.New)
		}
		consider(r.Used-min(r.Used, s.fixedOnly()), Estimated, int64(len(s.conversation.items)), phrase.LoopRest.Text(), how)
	}
	best.Label = phrase.Loop.Text(cause.Arg())
	return best
}
