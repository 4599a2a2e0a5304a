// Copyright The ctx-lsp authors. MIT licence.

package core

import "testing"

// routed applies requests that a router sends to providers, each of which adds a thousand tokens to the prompt, and
// returns the prompt's size. AI Studio counts 1% more than the others.
func routed(s *Session, in int64, providers ...string) int64 {
	for _, p := range providers {
		in += 1000
		counted := in
		if p == "AI Studio" {
			counted = in * 1010 / 1000
		}
		m := measured(counted, 400)
		m.Model = ModelSet{Model: "google/gemini-3-pro", Provider: p}
		s.Apply(m)
		s.Apply(item(ToolResults, 600))
	}
	return in
}

// TestUpstreamsThatCountOtherwise checks that different counts of a router's upstreams are not taken for unseen
// content: the range covers both, and the ratio of texts does not change.
func TestUpstreamsThatCountOtherwise(t *testing.T) {
	s := after(item(User, 50))
	s.Recording = true
	in := routed(s, 20_000, "Google", "Google", "AI Studio", "Google", "Google")
	ratioBefore := s.calibration.ratio
	routed(s, in, "AI Studio", "Google")
	steps := s.TakeSteps()
	if len(steps) != 6 {
		t.Fatalf("%d steps", len(steps))
	}
	for _, step := range steps[4:] {
		if step.Actual < step.Low || step.Actual > step.High+5 { // the step itself is off by a few tokens
			t.Errorf("an upstream that was seen before: %d is not within %d and %d", step.Actual, step.Low, step.High)
		}
	}
	if s.calibration.ratio != ratioBefore {
		t.Error("another upstream's count was taken for another length of text")
	}
	l := s.Save()
	restored, ok := Restore(l, plain{})
	if !ok || len(restored.calibration.list) != 2 || restored.calibration.upstreams.now != s.calibration.upstreams.now {
		t.Errorf("restored: %v, %+v", ok, restored.calibration.upstreams)
	}
}

// TestManyUpstreams checks that few upstreams are kept, however many there are, and that the last one to answer is
// among them.
func TestManyUpstreams(t *testing.T) {
	s := after(item(User, 50))
	in := int64(20_000)
	for n := range 40 {
		in = routed(s, in, string(rune('a'+n%13)))
		u := &s.calibration.upstreams
		if n > 0 && (len(u.list) > maxUpstreams || u.list[u.now-1].provider != hash(s.Provider)) {
			t.Fatalf("after %d upstreams: %+v", n+1, u)
		}
	}
}
