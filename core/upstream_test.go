// Copyright The ctx-lsp authors. MIT licence.

package core

import "testing"

// routed is a session by way of a router, each of whose prompts adds a
// thousand tokens; upstreams that count otherwise are named with by how many
// thousandths.
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

// Behind a router the upstreams count one prompt differently. That is no
// content which came unseen: the range holds both, and nothing is learned of
// it for the text.
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
		if step.Actual < step.Low || step.Actual > step.High+5 { // the step itself misses by a few tokens
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

// However many upstreams there are, few are remembered, and the one that
// answers is among them.
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
