// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"testing"
	"time"
)

// prefixCache is an independent model of Anthropic's documented prompt cache: a prompt is tools, system prompt and
// messages; a request marks at most four prefixes, each is looked up at the mark and at the 20 blocks before it, the
// longest one found is read, and the marks are written. Each model and effort has its own cache.
type prefixCache struct {
	entries map[uint64]int64 // the times until which prefixes are kept, by their hashes
	life    int64
}

type promptBlock struct {
	text   string
	tokens int64
}

func (c *prefixCache) send(key string, blocks []promptBlock, marks []int, now int64) (read, total int64) {
	h := fnv.New64a()
	h.Write([]byte(key))
	prefixes, sums := make([]uint64, len(blocks)+1), make([]int64, len(blocks)+1)
	for i, b := range blocks {
		fmt.Fprintf(h, "%s\x00%d\x00", b.text, b.tokens)
		prefixes[i+1], sums[i+1] = h.Sum64(), sums[i]+b.tokens
	}
	best := 0
	for _, mark := range marks {
		for at := mark; at > 0 && at >= mark-20; at-- {
			if c.entries[prefixes[at]] >= now {
				best = max(best, at)
				break
			}
		}
	}
	for _, mark := range marks {
		c.entries[prefixes[mark]] = now + c.life
	}
	if best > 0 {
		c.entries[prefixes[best]] = now + c.life
	}
	return sums[best], sums[len(blocks)]
}

// cacheHost is a random agent with such a cache, and the session that measures it.
type cacheHost struct {
	random                       *rand.Rand
	cache                        prefixCache
	session                      *Session
	tools, dynamic, model, level int
	messages                     []promptBlock
	serial                       int
	now                          int64
	last                         int64 // what the last request left in the cache
}

func (h *cacheHost) block(kind string, tokens int64) promptBlock {
	h.serial++
	return promptBlock{fmt.Sprint(kind, h.serial), tokens}
}

func (h *cacheHost) add(k Kind, tokens int64) {
	h.messages = append(h.messages, h.block("m", tokens))
	h.session.Apply(item(k, tokens))
}

// request sends the prompt, and returns how many tokens of the last one were lost.
func (h *cacheHost) request() (lost int64) {
	blocks := append([]promptBlock{
		{fmt.Sprint("tools", h.tools), 14_000}, {"static", 6_000}, {fmt.Sprint("dynamic", h.dynamic), 5_000},
	}, h.messages...)
	read, total := h.cache.send(fmt.Sprint(h.model, h.level), blocks, []int{2, 3, len(blocks)}, h.now)
	lost = h.last - read
	h.last = total
	h.now += 4_000
	h.session.Apply(At{h.now})
	h.session.Apply(measured(total, 300, func(m *Metered) {
		m.CacheRead, m.CacheWrite, m.CacheLife, m.Request = read, total-read, CacheShort, fmt.Sprint("r", h.serial)
		m.Model = ModelSet{Model: fmt.Sprint("model", h.model)}
	}))
	h.add(Assistant, 300)
	return lost
}

// change changes the prompt at random, and returns the cause of the break that has to follow.
func (h *cacheHost) change(begins bool) BreakCause {
	s := h.session
	switch n := h.random.IntN(40); {
	case n == 0:
		h.now += CacheShort + 60_000
		s.Apply(At{h.now})
		return BreakTime
	case n == 1:
		h.tools++
		s.Apply(PromptTouched{Kind: Tools})
		return BreakTools
	case n == 2:
		for range 22 + h.random.IntN(10) {
			h.add(ToolResults, int64(20+h.random.IntN(200)))
		}
		return BreakProvider
	case n == 3 && begins:
		h.model++
		return BreakModel
	case n == 4 && begins:
		h.level++
		s.Apply(EffortSet{fmt.Sprint(h.level)})
		return BreakEffort
	case n == 5 && begins:
		h.dynamic++
		return BreakSystem
	case n == 6 && begins:
		h.dynamic++
		s.Apply(ProcessEnded{Certain: true})
		return BreakSystem
	case n == 7 && begins && len(h.messages) > 4:
		h.messages[h.random.IntN(len(h.messages)/2)].text += "edited"
		return BreakMessages
	}
	return BreakUnknown
}

// TestBreaksOfASimulatedCache plays random sessions against the simulated cache, which knows each break and its cause.
func TestBreaksOfASimulatedCache(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Log("seed", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	var real, right, claimed [breakCauses]int
	requests, wrong := 0, 0
	for range 300 {
		h := &cacheHost{random: random, cache: prefixCache{map[uint64]int64{}, CacheShort}, now: 1_000_000}
		h.session = New(Identity{ID: "test"}, lookingBack{})
		h.session.Apply(EffortSet{"0"})
		// Another session has left the shared beginning in the cache.
		h.cache.send("0 0", []promptBlock{{"tools0", 14_000}, {"static", 6_000}}, []int{2}, h.now)
		h.session.Apply(At{h.now})
		h.add(User, 2_000)
		h.request()
		for range 4 + random.IntN(12) {
			h.now += int64(random.IntN(200_000))
			h.session.Apply(At{h.now})
			h.session.Apply(TurnStarted{})
			cause := h.change(true)
			h.add(User, int64(20+random.IntN(2_000)))
			for range 1 + random.IntN(6) {
				before, _, _ := h.session.CacheBreaks()
				lost := h.request()
				requests++
				count, _, list := h.session.CacheBreaks()
				if cause != BreakUnknown && lost >= breakLeast {
					real[cause]++
				}
				switch broke := count > before; {
				case broke && lost < breakLeast:
					wrong++
					t.Errorf("a request that lost %d tokens is called a break: %+v", lost, list[len(list)-1])
				case broke:
					last := list[len(list)-1]
					claimed[last.Cause]++
					if last.Cause == cause {
						right[cause]++
					}
					if last.Written != lost {
						t.Errorf("%s: %d tokens were written again, not %d", cause, lost, last.Written)
					}
				}
				h.session.Apply(item(ToolCalls, 50))
				h.messages = append(h.messages, h.block("m", 50))
				cause = h.change(false)
				h.add(ToolResults, int64(50+random.IntN(3_000)))
			}
			h.session.Apply(TurnEnded{})
			if cause != BreakUnknown { // it was not sent yet
				h.session.Apply(TurnStarted{})
				before, _, _ := h.session.CacheBreaks()
				lost := h.request()
				requests++
				if count, _, list := h.session.CacheBreaks(); lost >= breakLeast {
					real[cause]++
					if count > before {
						claimed[list[len(list)-1].Cause]++
						if list[len(list)-1].Cause == cause {
							right[cause]++
						}
					}
				}
			}
		}
	}
	for _, cause := range []BreakCause{BreakTime, BreakTools, BreakModel, BreakEffort, BreakSystem, BreakMessages, BreakProvider} {
		t.Logf("%-10s %4d real, %4d claimed, %4d right", cause, real[cause], claimed[cause], right[cause])
		if real[cause] == 0 || right[cause]*100 < real[cause]*95 || right[cause]*100 < claimed[cause]*95 {
			t.Errorf("%s: %d of %d breaks are found, and %d of %d claims are right", cause, right[cause], real[cause], right[cause], claimed[cause])
		}
	}
	t.Logf("%d requests, %d claims without a loss", requests, wrong)
}
