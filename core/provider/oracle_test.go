// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	stdjson "encoding/json"
	"fmt"
	"math/rand"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core"
)

// ownSpelling reports whether the usage is spelled like no provider's shape: then only the words decide, and the
// document defines every number.
func (u *madeUsage) ownSpelling() bool {
	if u.mixed || u.casing < 2 {
		return false
	}
	for _, m := range u.members {
		if folded := strings.ToLower(m.key); m.object == "" && (strings.HasSuffix(folded, "count") || !strings.ContainsAny(m.key, "-_ABCDEFGHIJKLMNOPQRSTUVWXYZ")) {
			return false
		}
	}
	return true
}

// A reading is one interpretation of which numbers include each other.
type reading struct{ cacheApart, thoughtApart bool }

func (u *madeUsage) sums(r reading) (in, out int64) {
	in, out = u.value("in")+max(u.value("tools"), 0), u.value("out")
	if r.cacheApart {
		in += max(u.value("read"), 0) + max(u.value("write"), 0)
	}
	if r.thoughtApart {
		out += max(u.value("reasoning"), 0)
	}
	return in, out
}

// usual returns the interpretation by the words, whether a size proves it, and whether the words leave the placement of
// the cache open.
func (u *madeUsage) usual() (r reading, cacheProven, thoughtProven, open bool) {
	inside, short := false, false
	for _, m := range u.members {
		if m.counts == "in" && strings.EqualFold(m.key, "input") {
			short = true
		}
		if strings.EqualFold(m.object, "cache") {
			r.thoughtApart = true
		}
		if m.value < 0 || m.counts == "total" {
			continue
		}
		switch {
		case m.counts == "reasoning" && m.stands == "beside":
			r.thoughtApart = true
		case m.counts != "read" && m.counts != "write":
		case m.stands == "beside":
			r.cacheApart = true
		case m.stands == "inside":
			inside = true
		}
	}
	open = !r.cacheApart && !inside
	if open && short {
		r.cacheApart, open = true, false
	}
	if cached := max(u.value("read"), 0) + max(u.value("write"), 0); u.value("in") >= 0 && cached > u.value("in") {
		r.cacheApart, cacheProven = true, true
	}
	if u.value("out") >= 0 && u.value("reasoning") > u.value("out") {
		r.thoughtApart, thoughtProven = true, true
	}
	return r, cacheProven, thoughtProven, open
}

// check compares the result with the document and returns the difference.
func (u *madeUsage) check(m core.Metered, warnings []Warning, err error) string {
	named := func(key string) bool {
		return slices.ContainsFunc(warnings, func(w Warning) bool { return w.Field == key || strings.HasSuffix(w.Field, "."+key) })
	}
	if err != nil {
		numbers := 0
		for _, s := range u.members {
			if s.object == "" && s.value >= 0 {
				numbers++
			}
		}
		if numbers >= 2 {
			return "refused: " + err.Error()
		}
		return ""
	}
	if u.strange != "" && !named(u.strange) {
		return "no warning names " + u.strange
	}
	if u.contrary != nil {
		if !named(u.contrary[0]) && !named(u.contrary[1]) && !m.Counted {
			return fmt.Sprintf("no warning names one of %q", u.contrary)
		}
		return ""
	}
	if m.Counted {
		return ""
	}
	// No number may be lost.
	for _, s := range u.members {
		lost := false
		switch {
		case s.value <= 0 || named(s.key):
		case s.counts == "read":
			lost = m.CacheRead != s.value
		case s.counts == "write":
			lost = m.CacheWrite != s.value
		case s.counts == "reasoning":
			lost = m.Reasoning != s.value && !(u.value("out") < 0 && m.Out >= s.value)
		case s.counts == "in":
			lost = m.In < s.value
		case s.counts == "out":
			lost = m.Out < s.value
		}
		if lost {
			return fmt.Sprintf("%s is lost: %d", s.key, s.value)
		}
	}
	if u.value("in") < 0 && m.In != core.Unknown {
		return "a prompt that was not told is known"
	}
	if u.value("in") <= 0 || u.value("out") < 0 || len(warnings) > 0 {
		return ""
	}
	return u.checkReading(m)
}

// checkReading compares the arithmetic with the document.
func (u *madeUsage) checkReading(m core.Metered) string {
	usual, cacheProven, thoughtProven, open := u.usual()
	cached := max(u.value("read"), 0) + max(u.value("write"), 0)
	var all, fitting []reading
	total := u.value("total")
	for _, r := range []reading{{}, {true, false}, {false, true}, {true, true}} {
		if cacheProven && !r.cacheApart || thoughtProven && !r.thoughtApart {
			continue
		}
		all = append(all, r)
		if in, out := u.sums(r); in+out == total {
			fitting = append(fitting, r)
		}
	}
	is := func(r reading) bool { in, out := u.sums(r); return m.In == in && m.Out == out }
	if !slices.ContainsFunc(all, is) {
		return "the prompt is no sum of the numbers"
	}
	bare, bareOut := u.sums(reading{false, true})
	least, leastOut := u.sums(reading{})
	without := total == bare+bareOut || total == least+leastOut // it leaves out the cache
	if total > 0 && len(fitting) == 0 && !without {
		in, out := u.sums(usual)
		note := strings.ReplaceAll(m.Note.String(), ",", "")
		if !m.Ambiguous || !strings.Contains(note, strconv.FormatInt(total, 10)) || u.ownSpelling() && !strings.Contains(note, strconv.FormatInt(in+out, 10)) {
			return "a total that fits nothing is not said"
		}
	}
	if total > 0 && len(fitting) > 0 && !without && !slices.ContainsFunc(fitting, is) {
		return "the total fits another reading"
	}
	if !u.ownSpelling() {
		return ""
	}
	if len(fitting) == 0 && cacheProven && total == bare+bareOut && total != least+leastOut {
		usual.thoughtApart = true
	}
	if (total <= 0 || len(fitting) == 0) && !is(usual) {
		return fmt.Sprintf("the words say %+v", usual)
	}
	if slices.Contains(fitting, usual) && !is(usual) {
		return fmt.Sprintf("words and total say %+v", usual)
	}
	if open && !cacheProven && cached > 0 && total <= 0 && !m.Ambiguous {
		return "a place that stays open is not estimated"
	}
	if !open && (total <= 0 || len(fitting) > 0) && m.Ambiguous {
		return "a settled usage is estimated"
	}
	return ""
}

// Whatever names a usage has, in any case, order and nesting, with any of them missing or null, every number must be
// used or named in a warning, and the result must match docs/providers.md. CTX_ORACLE_USAGES sets the number of usages.
func TestRandomUsagesMeanWhatTheDocumentSays(t *testing.T) {
	document, err := os.ReadFile("../../docs/providers.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range spokenWords {
		for _, w := range strings.Split(line.words, ",") {
			written := "`" + strings.ReplaceAll(w, " ", "") + "`"
			if object, key, ok := strings.Cut(w, "/"); ok {
				written = "`" + object + ": {" + key + "}`"
			}
			if !strings.Contains(string(document), written) {
				t.Errorf("docs/providers.md has no word %s", written)
			}
		}
	}
	number := 20_000
	if s := os.Getenv("CTX_ORACLE_USAGES"); s != "" {
		if number, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	seed := time.Now().UnixNano()
	if s := os.Getenv("CTX_ORACLE_SEED"); s != "" {
		if seed, err = strconv.ParseInt(s, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	random := rand.New(rand.NewSource(seed))
	wrong, refused, exact := 0, 0, 0
	for range number {
		u := makeUsage(random)
		if len(u.members) == 0 {
			continue
		}
		if !stdjson.Valid([]byte(u.text)) {
			t.Fatalf("seed %d made no JSON: %s", seed, u.text)
		}
		m, warnings, err := Usage("", parse(t, u.text), nil)
		if err != nil {
			refused++
		} else if u.ownSpelling() {
			exact++
		}
		if fault := u.check(m, warnings, err); fault != "" {
			if wrong++; wrong <= 12 {
				t.Errorf("%s\n  %s\n  in %d out %d reasoning %d read %d write %d ambiguous %v note %q\n  %v", fault, u.text,
					m.In, m.Out, m.Reasoning, m.CacheRead, m.CacheWrite, m.Ambiguous, m.Note, warnings)
			}
		}
	}
	t.Logf("seed %d: %d usages, %d of them known by words alone, %d refused with an error, %d wrong", seed, number, exact, refused, wrong)
	if wrong > 0 {
		t.Errorf("seed %d: %d of %d usages are read otherwise than docs/providers.md says", seed, wrong, number)
	}
}
