// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"math/rand"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// countsInTwoWays applies a session with a provider that counts each prompt in one of two ways, and returns its steps.
// larger returns the share, in thousandths, by which the next prompt is counted larger.
func countsInTwoWays(s *Session, random *rand.Rand, requests int, larger func(request int) int64) []StepMade {
	s.Recording = true
	prompt := 30_000 + random.Int63n(100_000)
	s.Apply(TurnStarted{})
	s.Apply(item(User, 50))
	for n := range requests {
		m := measured(prompt+prompt*larger(n)/1000, 50+random.Int63n(600))
		s.Apply(m)
		text := 20 + random.Int63n(3000)
		if n%17 == 16 {
			s.Apply(TurnEnded{})
			s.Apply(TurnStarted{})
			s.Apply(item(User, text))
		} else {
			s.Apply(item(ToolResults, text))
		}
		prompt += m.Out + text + random.Int63n(30)
	}
	return s.TakeSteps()
}

// TestTwoWaysOfCountingAreARange checks that the range covers both counts of a provider that counts a prompt in two
// ways, using only the counts themselves: 90% of requests, those before the evidence included. If the difference
// between the ways varies, the evidence comes later, and a few more are missed.
func TestTwoWaysOfCountingAreARange(t *testing.T) {
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewSource(seed))
	for name, share := range map[string]func() func(int) int64{
		"12% every second request": func() func(int) int64 {
			return func(n int) int64 { return int64(n%2) * 124 }
		},
		"12% by chance": func() func(int) int64 {
			return func(int) int64 { return random.Int63n(2) * 124 }
		},
		"7 to 15% by chance": func() func(int) int64 {
			apart := 70 + random.Int63n(81)
			return func(int) int64 { return random.Int63n(2) * apart }
		},
		"another share each time": func() func(int) int64 {
			return func(int) int64 { return random.Int63n(2) * (70 + random.Int63n(81)) }
		},
		"a share that grows": func() func(int) int64 {
			return func(n int) int64 { return random.Int63n(2) * (70 + int64(n)) }
		},
	} {
		steps, held := 0, 0
		for range 30 {
			s := after()
			for _, step := range countsInTwoWays(s, random, 80, share()) {
				steps++
				if step.Low <= step.Actual && step.Actual <= step.High {
					held++
				}
			}
			r := s.Reading()
			if r.RangeCause.String() != "counted in two ways by the provider" {
				t.Errorf("%s: the range is wide because of %q", name, r.RangeCause)
			}
			if strings.HasPrefix(name, "12%") && r.High-r.Low > r.Used/3 {
				t.Errorf("%s: a range of %d to %d around %d", name, r.Low, r.High, r.Used)
			}
			restored, ok := Restore(s.Save(), plain{})
			if again := restored.Reading(); !ok || again.Low != r.Low || again.High != r.High {
				t.Errorf("%s: restored it is %d to %d, not %d to %d", name, again.Low, again.High, r.Low, r.High)
			}
		}
		least := 900
		if name == "another share each time" {
			least = 870
		}
		if held*1000 < steps*least {
			t.Errorf("%s: %d of %d ranges covered the prompt", name, held, steps)
		}
		t.Logf("%s: %d of %d", name, held, steps)
	}
}

// TestOneWayOfCountingIsNotTakenForTwo checks that content that is added, or leaves for good, is not taken for another
// way of counting, and that a provider that stops switching counts in one way again.
func TestOneWayOfCountingIsNotTakenForTwo(t *testing.T) {
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewSource(seed))
	for name, share := range map[string]func(int) int64{
		"nothing":                            func(int) int64 { return 0 },
		"a file without a record":            func(n int) int64 { return min(int64(n/30), 1) * 110 },
		"two files without a record":         func(n int) int64 { return min(int64(n/20), 2) * 110 },
		"half of what came leaves":           func(n int) int64 { return []int64{0, 140, 60}[min(n/20, 2)] },
		"what came leaves much later":        func(n int) int64 { return []int64{0, 120, 0}[min(n/20, 2)] },
		"larger by more than a fifth":        func(n int) int64 { return int64(n%2) * 220 },
		"larger by a little each other time": func(n int) int64 { return int64(n%2) * 15 },
	} {
		s := after()
		if countsInTwoWays(s, random, 80, share); s.calibration.ways.found {
			t.Errorf("%s is taken for another way of counting", name)
		}
	}
	s := after()
	countsInTwoWays(s, random, 80, func(n int) int64 { return min(int64(n%2), max(10-int64(n), 0)) * 124 })
	if s.calibration.ways.found {
		t.Error("after 70 requests counted in one way, two are expected")
	}
}

// TestAFlipTeachesNothingElse checks that neither growth nor the ratio of estimates follows the provider's other count.
func TestAFlipTeachesNothingElse(t *testing.T) {
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewSource(seed))
	s := after()
	countsInTwoWays(s, random, 20, func(n int) int64 { return int64(n%2) * 124 })
	ratio, sum := s.calibration.ratio, s.excess
	before := s.history.growth
	for range 20 {
		r := s.Reading().Used
		if s.calibration.now == 1 {
			r += r * 124 / 1000
		} else {
			r = r * 1000 / 1124
		}
		s.Apply(measured(r, 100))
		s.Apply(item(ToolResults, 300))
	}
	if s.calibration.ratio != ratio || s.excess != sum {
		t.Error("flips were taken for text")
	}
	added, n := int64(0), s.history.growth.n-before.n
	var values [20]int64
	for _, v := range s.history.growth.last(n, values[:0]) {
		added += v
	}
	if n != 20 || added < 20*300 || added > 20*600 {
		t.Errorf("%d flips have grown the prompt by %d", n, added)
	}
}

// TestAnotherModelCountsInOneWay checks that two ways of counting are those of one model.
func TestAnotherModelCountsInOneWay(t *testing.T) {
	s := after()
	countsInTwoWays(s, rand.New(rand.NewSource(1)), 20, func(n int) int64 { return int64(n%2) * 124 })
	if len(s.calibration.list) == 0 {
		t.Fatal("the two ways were not found")
	}
	s.Apply(ModelSet{Model: "another"})
	s.Apply(measured(40_000, 100))
	if r := s.Reading(); len(s.calibration.list) > 0 || r.RangeCause.String() == phrase.RangeTwoWays.Text().String() {
		t.Errorf("%d ways, a range because of %q", len(s.calibration.list), r.RangeCause)
	}
}

// TestAJumpShowsAnotherWayOnceItIsReversed checks which prompts are a jump, and which one reverses it. The prompt is
// predicted as 100,000 tokens each time.
func TestAJumpShowsAnotherWayOnceItIsReversed(t *testing.T) {
	const back = 92_593 // reverses 108,000
	fits := func(n int) []int64 { return slices.Repeat([]int64{100_000}, n) }
	for name, c := range map[string]struct {
		prompts []int64
		found   bool
	}{
		"at once":                    {[]int64{108_000, back}, true},
		"within twelve requests":     {append(append([]int64{108_000}, fits(12)...), back), true},
		"later":                      {append(append([]int64{108_000}, fits(13)...), back), false},
		"after one that just fits":   {[]int64{108_000, 102_000, back}, true},
		"after one that nearly fits": {[]int64{108_000, 102_001, back}, false},
		"the other way round":        {[]int64{back, 108_000}, true},
		"a second one up":            {[]int64{108_000, 108_000}, false},
		"the smallest":               {[]int64{104_000, 96_000}, true},
		"less than the smallest":     {[]int64{103_990, 96_000}, false},
		"the largest":                {[]int64{119_999, 83_334}, true},
		"more than the largest":      {[]int64{120_100, 83_264}, false},
		"enough of it is reversed":   {[]int64{108_000, 94_930}, true},
		"too little of it":           {[]int64{108_000, 94_940}, false},
	} {
		var u upstreams
		for _, actual := range c.prompts {
			u.observe(100_000, actual, true)
		}
		if u.ways.found != c.found {
			t.Errorf("%s: found %t", name, u.ways.found)
		}
	}
	// The smallest jump has 500 tokens.
	for predicted, found := range map[int64]bool{12_500: true, 6_250: true, 6_238: false} {
		var u upstreams
		u.observe(predicted, predicted+predicted*8/100, true)
		u.observe(predicted, predicted-predicted*8/100, true)
		if u.ways.found != found {
			t.Errorf("with prompts of %d: found %t", predicted, u.ways.found)
		}
	}
}

// TestTwoWaysEndAfterThirtyRequestsInOne checks when a provider is taken to count in one way again.
func TestTwoWaysEndAfterThirtyRequestsInOne(t *testing.T) {
	for n, found := range map[int]bool{waysEnd - 1: true, waysEnd: false} {
		var u upstreams
		u.observe(100_000, 108_000, true)
		u.observe(100_000, 92_593, true)
		for range n {
			u.observe(100_000, 100_000, true)
		}
		if u.ways.found != found {
			t.Errorf("after %d requests: found %t", n, u.ways.found)
		}
	}
	u := upstreams{list: []upstream{{density: upstreamUnit}, {density: upstreamUnit * 5 / 4}}, now: 1, ways: ways{found: true}}
	for actual, other := range map[int64]bool{112_500: false, 112_501: true, 137_499: true, 150_000: false} {
		v := upstreams{list: slices.Clone(u.list), now: 1, ways: u.ways}
		if _, flipped := v.observe(100_000, actual, true); flipped != other {
			t.Errorf("a prompt of %d is counted in the other way: %t", actual, flipped)
		}
	}
}

// TestOnlyUnexplainedErrorsShowAnotherWay checks what else explains that a prompt is longer than predicted.
func TestOnlyUnexplainedErrorsShowAnotherWay(t *testing.T) {
	for name, change := range map[string]func(s *Session, o *outcome){
		"":                       func(*Session, *outcome) {},
		"a refused prompt":       func(_ *Session, o *outcome) { o.previous.flags = requestOverflow },
		"a stated size":          func(_ *Session, o *outcome) { o.previous.flags = requestStated },
		"a lower bound":          func(_ *Session, o *outcome) { o.previous.flags = requestLowerBound },
		"an own count":           func(_ *Session, o *outcome) { o.previous.flags = requestDoubtful },
		"a cut response":         func(_ *Session, o *outcome) { o.previous.flags = requestCut },
		"a response of any size": func(_ *Session, o *outcome) { o.previous.out = Unknown },
		"the first request":      func(_ *Session, o *outcome) { o.previous = nil },
		"a resumed session":      func(_ *Session, o *outcome) { o.kind = "resume" },
		"a provider's tool":      func(_ *Session, o *outcome) { o.m.ServerTools = true },
		"a route that jumps":     func(_ *Session, o *outcome) { o.m.Volatile = true },
		"other tools":            func(s *Session, _ *outcome) { s.changes.toolsChanged = true },
		"inflation":              func(s *Session, _ *outcome) { s.inflation.tokens = 1 },
		"estimated text":         func(_ *Session, o *outcome) { o.p.unscaled = 4000 },
	} {
		s := after()
		o := &outcome{previous: &request{in: 99_000, out: 100}, r: &request{in: 108_000}, m: &Metered{}, p: prediction{used: 100_000, unscaled: 3999}, kind: "tool"}
		change(s, o)
		if got := s.unexplained(o); got != (name == "") {
			t.Errorf("%q: unexplained %t", name, got)
		}
	}
}
