// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/core/internal/fnv"
)

// remodels remembers how much longer the prompts of a session are with each of its models: an agent gives each model
// its own tools and system prompt. A change to a model that was used before is then predicted; the first change to a
// model is not.
type remodels struct {
	list []remodel
	last int // the model that measured the last prompt, plus one; 0 before the first
}

// remodel is a model and how much longer the prompts with it are than with the first one.
type remodel struct {
	model uint64
	shift int64
}

const (
	remodelsKept = 8
	// remodelShare is the part of the number that the range covers on each side after a change to a new model: an
	// eighth, and at most half of the first prompt, which was mostly tools and system prompt.
	remodelShare = 8
)

// find returns the index of a model, plus one; 0 if the model is new.
func (r *remodels) find(model string) int {
	name := fnv.Hash(model)
	for i := range r.list {
		if r.list[i].model == name {
			return i + 1
		}
	}
	return 0
}

// shift returns how much longer the next prompt is because another model will answer it than the last one. known is
// false if the session has not had that model yet.
func (r *remodels) shift(model string) (tokens int64, known bool) {
	if r.last == 0 || model == "" {
		return 0, true
	}
	i := r.find(model)
	if i == 0 {
		return 0, false
	}
	return r.list[i-1].shift - r.list[r.last-1].shift, true
}

// changed reports whether a model is another one than that of the last measured prompt.
func (r *remodels) changed(model string) bool {
	return r.last > 0 && model != "" && r.find(model) != r.last
}

// measured records the model of a measured prompt. off is by how much the prompt was longer than predicted without a
// shift, if the prediction was made for this model. A shift is learned only once: later errors have other causes.
func (r *remodels) measured(model string, off int64) {
	if model == "" {
		return
	}
	i := r.find(model)
	if i == 0 {
		if len(r.list) >= remodelsKept {
			r.list, r.last = r.list[:0], 0
		}
		fresh := remodel{model: fnv.Hash(model)}
		if r.last > 0 {
			fresh.shift = r.list[r.last-1].shift + off
		}
		r.list = append(r.list, fresh)
		i = len(r.list)
	}
	r.last = i
}

// goBack makes the model that measured an earlier prompt the last one again.
func (r *remodels) goBack(model int) {
	if model > 0 && model <= len(r.list) {
		r.last = model
	}
}

func (r *remodels) walk(c *codec.Codec) {
	codec.List(c, "list", &r.list, remodelsKept, func(m *remodel, c *codec.Codec) {
		c.Hash("model", &m.model)
		codec.Within(c, "shift", &m.shift, -MaxTokens, MaxTokens)
	})
	c.Sizes("last", &r.last)
	c.Refuse(r.last < 0 || r.last > len(r.list))
}

// modelShift returns how much longer or shorter the next prompt is because of another model. It is 0 if the model was
// never measured, or if it counts the prompt with another tokenizer.
func (s *Session) modelShift() (longer, shorter int64) {
	if s.fixed.density > 0 && s.fixed.density != s.resolved.Meter.Density() {
		return 0, 0
	}
	n, _ := s.remodels.shift(s.Model)
	return max(n, 0), max(-n, 0)
}

// offByModel returns by how much a prompt is longer than predicted because a new model got it. predicted is the
// prediction if only the response named that model. Another tokenizer's error is not the model's.
func (s *Session) offByModel(previous, r *request, folded *pending, predicted *prediction) int64 {
	if previous == nil || !s.newModel() || s.fixed.density != s.resolved.Meter.Density() {
		return 0
	}
	if predicted == nil {
		p := s.predict(folded, nil, s.calibration.mode)
		predicted = &p
	}
	return r.in - predicted.used
}

// newModel reports whether a model that this session has not had will answer the next request.
func (s *Session) newModel() bool {
	_, known := s.remodels.shift(s.Model)
	return !known
}

// modelDoubt returns half the width of the range after a change to a new model.
func (s *Session) modelDoubt(used int64) int64 {
	most := used / remodelShare
	if first := s.residual.first.in; first != Unknown {
		most = min(most, first/2)
	}
	return most
}
