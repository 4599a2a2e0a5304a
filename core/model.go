// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/internal/phrase"

// resolve looks up the data of the session's model.
func (s *Session) resolve() {
	s.resolved = s.resolver.Resolve(s.Model, s.Provider, s.Route)
	if s.resends {
		s.resolved.Reasoning = ReasoningAlways
	}
	s.limits.setRegistry(s.resolved.Limits)
}

// ResendsReasoning sets that the agent sends all reasoning again, whatever is usual for the model. Measured requests
// may show otherwise.
func (s *Session) ResendsReasoning() {
	if s.resends {
		return
	}
	s.resends = true
	usual := s.calibration.mode == s.resolved.Reasoning
	s.resolve()
	if usual && !s.calibration.fixed && len(s.requests.list) == 0 {
		s.calibration.mode = ReasoningAlways
	}
}

// modelNotes appends the notes on the session's model: on its limits, unless they are known from a better source, on
// its counts, and on a reasoning mode that measured requests have shown instead of the usual one.
func (s *Session) modelNotes(r *Reading, out []Text) []Text {
	if !s.resolved.LimitsNote.Empty() && r.LimitSource <= FromRegistry {
		out = append(out, s.resolved.LimitsNote)
	}
	if !s.resolved.CountNote.Empty() {
		out = append(out, s.resolved.CountNote)
	}
	if c := &s.calibration; !c.fixed && c.mode != s.resolved.Reasoning {
		out = append(out, reasoningNotes[c.mode].Text())
	}
	return out
}

// reasoningNotes name a reasoning mode that is not the model's usual one.
var reasoningNotes = [reasoningModes]phrase.ID{
	ReasoningNever: phrase.ReasoningNever, ReasoningTurn: phrase.ReasoningTurn, ReasoningAlways: phrase.ReasoningAlways,
}

// unknownNames appends warnings about unknown names of the model and the provider, unless the limit is known from
// another source. An unknown provider that resembles a known one is named even if the model's maker has a limit.
func (s *Session) unknownNames(r *Reading, out []Text) []Text {
	if !s.resolved.UnknownModel.Empty() && r.Limit == Unknown {
		out = append(out, s.resolved.UnknownModel)
	}
	if !s.resolved.UnknownProvider.Empty() && (r.Limit == Unknown || s.resolved.Similar && r.LimitSource <= FromRegistry) {
		out = append(out, s.resolved.UnknownProvider)
	}
	return out
}

// SimilarModels returns the known models that resemble the session's unknown one, if a warning of the Reading names it.
func (s *Session) SimilarModels(r *Reading) []string {
	if r.Limit != Unknown {
		return nil
	}
	return s.resolved.SimilarModels
}

// Expect sets the model that will probably answer and uses its window as long as the model is unknown. It reports
// whether this changed the expectation. Nothing is counted with that model, so a session's later numbers do not depend
// on Expect.
func (s *Session) Expect(model string) bool {
	if s.Model != "" || model == "" || model == s.expectedModel {
		return false
	}
	s.expectedModel = model
	s.limits.setRegistry(s.resolver.Resolve(model, s.Provider, s.Route).Limits)
	return true
}

// LikelyModel returns the session's model, or the expected one if the model is unknown.
func (s *Session) LikelyModel() string {
	if s.Model == "" {
		return s.expectedModel
	}
	return s.Model
}

// Meter returns the meter of this session's model.
func (s *Session) Meter() Meter { return s.resolved.Meter }

// FixReasoning sets the reasoning mode that the caller asked for; nothing learned later overrides it.
func (s *Session) FixReasoning(m ReasoningMode) {
	s.calibration.mode = m
	s.calibration.fixed = true
}

// applyModel switches to the model of the next request.
func (s *Session) applyModel(e ModelSet) {
	was := ModelSet{s.Model, s.Provider, s.Route}
	if e == was {
		return
	}
	family, reasons := s.resolved.Meter.Family(), s.resolved.Reasoning
	s.Model, s.Provider, s.Route = e.Model, e.Provider, e.Route
	s.resolve()
	sameModel := e.Model == was.Model && s.resolved.Meter.Family() == family
	if !s.calibration.fixed && !(sameModel && reasons == s.resolved.Reasoning) {
		s.adoptReasoning(s.resolved.Reasoning)
	}
	named := was.Model == "" && len(s.requests.list) == 0 // the model had only been unknown
	rerouted := e.Model == was.Model && e.Provider == was.Provider
	if named || rerouted {
		return
	}
	// The limits from refusals, from the provider and from the agent belonged to the previous model.
	s.limits.forgetModel()
	s.earlier.reserve, s.earlier.unreserved, s.earlier.unlimited = 0, false, false
	s.requests.refusedAt = Unknown
	s.unexplained = unexplained{}
	s.requests.remodeled = len(s.requests.list) > 0 && !sameModel
	if s.resolved.Meter.Family() != family {
		s.calibration.ratio = newRatio()
		s.fixed.close()
	}
}

// adoptReasoning switches to another model's reasoning mode. If the previous model's reasoning was always sent again
// and the new one's is not, that reasoning leaves.
func (s *Session) adoptReasoning(mode ReasoningMode) {
	kept := &s.conversation.rows.tokens[Reasoning]
	if s.calibration.mode == ReasoningAlways && mode != ReasoningAlways && *kept > 0 {
		s.changes.leaving.add(phrase.LeavesEarlier.Text(), *kept)
		*kept = 0
	}
	s.calibration.forgetModel(mode)
}
