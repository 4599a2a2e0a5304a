// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
)

// A spokenWord is one row of the table "Words" of docs/providers.md, with spaces where folding removes separators.
type spokenWord struct {
	counts string
	words  string // spaces where folding removes separators; several names are separated by commas
	stands string
}

// The table is derived from docs/providers.md alone; nothing is copied from the code.
var spokenWords = []spokenWord{
	{"in", "input,prompt,input tokens,prompt tokens,input token count,prompt token count", ""},
	{"out", "output,completion,output tokens,completion tokens,output token count,candidates token count", ""},
	{"total", "total,total tokens,total token count", ""},
	{"reasoning", "reasoning,reasoning tokens,reasoning output tokens,thinking tokens", "inside"},
	{"reasoning", "thoughts,thought tokens,thoughts token count", "beside"},
	{"read", "cached,cached tokens,cached input tokens,cached content token count", "inside"},
	{"read", "cache read,cache read tokens", "open"},
	{"read", "cache read input tokens,cache/read", "beside"},
	{"write", "cache write,cache write tokens", "open"},
	{"write", "cache creation tokens,cache creation input tokens,cache write input tokens,cache/write", "beside"},
	{"tools", "tool,tool tokens,tool use prompt token count", "beside"},
}

// A said is one member of a generated usage.
type said struct {
	counts, stands, key, object string
	value                       int64 // -1 is null
}

// A madeUsage is a random usage and its meaning according to the document.
type madeUsage struct {
	members  []said
	casing   int  // spelling of most names
	mixed    bool // some names have another spelling, possibly that of a shape
	text     string
	strange  string // the name of an unknown number
	contrary []string
}

// cased spells a name in one of the common ways.
func cased(words string, casing int) string {
	parts := strings.Fields(words)
	for i, p := range parts {
		switch {
		case casing == 1 && i > 0, casing == 2:
			parts[i] = strings.ToUpper(p[:1]) + p[1:]
		case casing == 4:
			parts[i] = strings.ToUpper(p)
		}
	}
	return strings.Join(parts, [...]string{"_", "", "", "-", "_"}[casing])
}

func makeUsage(random *rand.Rand) *madeUsage {
	u := &madeUsage{casing: random.Intn(5)}
	pick := func(counts string, nested bool) said {
		var choices []said
		for _, line := range spokenWords {
			if line.counts != counts {
				continue
			}
			for _, w := range strings.Split(line.words, ",") {
				choices = append(choices, said{counts: counts, stands: line.stands, key: w})
			}
		}
		s := choices[random.Intn(len(choices))]
		casing := u.casing
		if random.Intn(8) == 0 {
			casing = random.Intn(5)
			u.mixed = true
		}
		if object, key, ok := strings.Cut(s.key, "/"); ok {
			s.object, s.key = cased(object, casing), cased(key, casing)
			return s
		}
		if nested && random.Intn(4) == 0 {
			s.object = map[string]string{"read": "input tokens details", "write": "prompt tokens details", "reasoning": "output tokens details"}[counts]
			s.object = cased(s.object, casing)
			if s.stands != "beside" || counts != "reasoning" {
				s.stands = "inside"
			}
		}
		s.key = cased(s.key, casing)
		return s
	}
	for _, m := range []struct {
		counts  string
		percent int
		most    int64
	}{{"in", 92, 200_000}, {"out", 92, 5000}, {"reasoning", 50, 4000}, {"read", 60, 200_000}, {"write", 40, 50_000}, {"tools", 10, 9000}} {
		if random.Intn(100) >= m.percent {
			continue
		}
		s := pick(m.counts, m.counts == "read" || m.counts == "write" || m.counts == "reasoning")
		s.value = 1 + random.Int63n(m.most)
		switch random.Intn(16) {
		case 0:
			s.value = -1
		case 1:
			s.value = 0
		}
		u.members = append(u.members, s)
	}
	if random.Intn(2) == 0 {
		s := pick("total", false)
		n := max(u.value("in"), 0) + max(u.value("out"), 0) + max(u.value("tools"), 0)
		if random.Intn(2) == 0 {
			n += max(u.value("read"), 0) + max(u.value("write"), 0)
		}
		if random.Intn(2) == 0 {
			n += max(u.value("reasoning"), 0)
		}
		if random.Intn(5) == 0 {
			n += 1 + random.Int63n(1000)
		}
		if s.value = n; n > 0 {
			u.members = append(u.members, s)
		}
	}
	if random.Intn(10) == 0 && len(u.members) > 0 {
		// Another word with the same meaning and another number.
		old := u.members[random.Intn(len(u.members))]
		if again := pick(old.counts, false); old.value > 0 && !u.has(again) {
			again.value = old.value + 1 + random.Int63n(99)
			u.members = append(u.members, again)
			u.contrary = []string{old.key, again.key}
		}
	}
	random.Shuffle(len(u.members), func(i, j int) { u.members[i], u.members[j] = u.members[j], u.members[i] })
	if random.Intn(10) == 0 {
		u.strange = cased([]string{"mystery tokens", "parallel tokens", "draft token count"}[random.Intn(3)], random.Intn(5))
	}
	u.text = u.write(random)
	return u
}

func (u *madeUsage) has(s said) bool {
	return slices.ContainsFunc(u.members, func(m said) bool { return m.key == s.key && m.object == s.object })
}

// value returns the number given for a meaning, or -1.
func (u *madeUsage) value(counts string) int64 {
	for _, m := range u.members {
		if m.counts == counts {
			return m.value
		}
	}
	return -1
}

// write writes the usage as JSON, in one of the positions where usages appear.
func (u *madeUsage) write(random *rand.Rand) string {
	var b strings.Builder
	done := map[string]bool{}
	b.WriteByte('{')
	comma := func() {
		if last := b.String(); last[len(last)-1] != '{' {
			b.WriteByte(',')
		}
	}
	number := func(key string, n int64) {
		comma()
		if n < 0 {
			fmt.Fprintf(&b, "%q:null", key)
		} else {
			fmt.Fprintf(&b, "%q:%d", key, n)
		}
	}
	for _, m := range u.members {
		switch {
		case m.object == "":
			number(m.key, m.value)
		case !done[m.object]:
			done[m.object] = true
			comma()
			fmt.Fprintf(&b, "%q:{", m.object)
			for _, inner := range u.members {
				if inner.object == m.object {
					number(inner.key, inner.value)
				}
			}
			b.WriteByte('}')
		}
	}
	if u.strange != "" {
		number(u.strange, 12345)
	}
	b.WriteByte('}')
	around := []string{"%s", "%s", `{"usage":%s}`, `{"role":"assistant","tokenUsage":%s}`, `{"message":{"usage":%s}}`, `{"type":"step-finish","tokens":%s}`, `{"tokens":%s}`}
	return fmt.Sprintf(around[random.Intn(len(around))], b.String())
}
