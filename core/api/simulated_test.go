// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A simulated is an agent whose tokens are all known. It has a conversation, knows how large its next prompt would be,
// and sends it to a session in one of the orders that hosts use. It is independent of the code under test: the truth is
// the sum of what would be sent.
type simulated struct {
	*rand.Rand
	t     *testing.T
	core  *Core
	calls []string // told so far, for whoever has to find out

	system, tools, memory int64
	unseen                int64 // of a conversation that was joined late: sent, and never itemised
	documents, recalled   int64 // of the turn that runs
	items                 []told
	reasoning             string // never, turn or always
	explicit              bool   // the session is told where turns begin and end

	turn     int
	open     bool
	attached [2]habit // documents and recalled memory
	requests int
	untold   int64 // of an answer whose usage came, and whose items have not
	unfolded bool  // joined late, and no request with an item in its prompt was measured yet: all is one row

	firstItems int // how many items were in the first prompt that had any
}

// told is an item that the session has received.
type told struct {
	kind   string
	tokens int64
	turn   int
	gone   bool
}

// habit is what earlier turns had of what passes with its turn.
type habit struct {
	last     int64 // of the last turn that had any
	without  int   // turns since then
	expected int64 // of the turn that runs, as long as nobody tells
}

func (h *habit) ended(had int64) {
	h.expected = 0
	if had > 0 {
		h.last, h.without = had, 0
	} else if h.without++; h.without >= 2 {
		h.last = 0
	}
}

// sent reports whether an item would be in the next prompt.
func (s *simulated) sent(it told) bool {
	switch {
	case it.gone:
		return false
	case it.kind == "reasoning" && s.reasoning == "turn":
		return s.open && it.turn == s.turn
	case it.kind == "reasoning":
		return s.reasoning == "always"
	}
	return true
}

// prompt returns the size of a request sent now.
func (s *simulated) prompt() int64 {
	sum := s.system + s.tools + s.memory + s.unseen + s.documents + s.recalled
	for _, it := range s.items {
		if s.sent(it) {
			sum += it.tokens
		}
	}
	return sum
}

// shown returns what the session should show: the prompt, with the expectation for the turn that has just begun or is
// next.
func (s *simulated) shown() int64 {
	return s.prompt() + s.untold + s.attached[0].expected + s.attached[1].expected
}

// rows returns what the session should show by kind.
func (s *simulated) rows() map[string]int64 {
	rows := map[string]int64{
		"system": s.system, "tools": s.tools, "memory": s.memory + s.recalled + s.attached[1].expected,
		"documents": s.documents + s.attached[0].expected, "messages": s.unseen,
	}
	for _, it := range s.items {
		if s.sent(it) {
			rows[it.kind] += it.tokens
		}
	}
	return rows
}

// call sends something to the session, and compares what it shows with the truth.
func (s *simulated) call(method string, params map[string]any) {
	s.t.Helper()
	answer := s.ask(method, params)
	var reading struct {
		Used      int64
		Breakdown []struct {
			Kind     string
			Tokens   int64
			Deferred bool
		}
	}
	if err := json.Unmarshal(answer, &reading); err != nil {
		s.t.Fatal(err)
	}
	if reading.Used != s.shown() {
		s.fail("used is %d, and truly %d", reading.Used, s.shown())
	}
	if s.untold > 0 || s.unfolded {
		return // the kinds are not told yet
	}
	rows := s.rows()
	for _, row := range reading.Breakdown {
		rows[row.Kind] -= row.Tokens
	}
	for kind, missing := range rows {
		if missing != 0 {
			s.fail("of %s the rows lack %d of %v: %v", kind, missing, s.rows(), reading.Breakdown)
		}
	}
}

func (s *simulated) ask(method string, params map[string]any) json.RawMessage {
	s.t.Helper()
	text, err := json.Marshal(params)
	if err != nil {
		s.t.Fatal(err)
	}
	s.calls = append(s.calls, fmt.Sprintf(`{"method":%q,"params":%s}`, method, text))
	var answer struct{ Result, Error json.RawMessage }
	if err := json.Unmarshal(s.core.Call(method, text), &answer); err != nil {
		s.t.Fatal(err)
	}
	if answer.Error != nil {
		s.fail("refused: %s", answer.Error)
	}
	return answer.Result
}

func (s *simulated) fail(format string, args ...any) {
	s.t.Helper()
	s.t.Fatalf("%s\nafter\n%s", fmt.Sprintf(format, args...), strings.Join(s.calls, "\n"))
}

func (s *simulated) once(in int) bool { return s.IntN(in) == 0 }

func (s *simulated) some(most int64) int64 { return 1 + s.Int64N(most) }

func (s *simulated) update(fields map[string]any) {
	s.t.Helper()
	fields["id"] = "s"
	s.call("ctx/session/update", fields)
}

// listed returns items as parameters of a call.
func listed(items []told) []map[string]any {
	var list []map[string]any
	for _, it := range items {
		list = append(list, map[string]any{"kind": it.kind, "tokens": it.tokens})
	}
	return list
}

// speak begins a turn: the user sends a message, and documents or recalled memory may come with it.
func (s *simulated) speak() {
	s.t.Helper()
	fields := map[string]any{}
	if s.open {
		s.close()
	}
	s.turn, s.open = s.turn+1, true
	for i := range s.attached {
		s.attached[i].expected = s.attached[i].last
	}
	if s.explicit {
		fields["turn"] = "start"
	}
	if s.once(6) && !s.attaches() {
		s.rewind(fields)
	}
	if s.once(2) {
		s.tell(fields)
	}
	said := told{"user", s.some(900), s.turn, false}
	s.items = append(s.items, said)
	fields["append"] = listed([]told{said})
	s.update(fields)
	if s.once(3) {
		fields = map[string]any{}
		s.tell(fields)
		s.update(fields)
	}
}

// attaches is true if a turn had what passes with it. What is expected of the turn after one that was rewound is a
// guess either way.
func (s *simulated) attaches() bool {
	return s.documents+s.recalled+s.attached[0].last+s.attached[1].last > 0
}

// rewind goes back to before a message of the user.
func (s *simulated) rewind(fields map[string]any) {
	var words []int
	for i, it := range s.items {
		if it.kind == "user" && !it.gone {
			words = append(words, i)
		}
	}
	if len(words) > 0 {
		at := words[s.IntN(len(words))]
		s.items = s.items[:at]
		s.unfolded = s.unfolded || s.unseen > 0 && at < s.firstItems
		fields["removeFrom"] = at
	}
}

// tell sends the documents or memory that come with the turn.
func (s *simulated) tell(fields map[string]any) {
	if s.once(2) {
		s.documents = s.some(9000)
		s.attached[0].expected = 0
		fields["documents"] = []any{map[string]any{"tokens": s.documents}}
	} else {
		s.recalled = s.some(4000)
		s.attached[1].expected = 0
		fields["memory"] = []any{s.memory, map[string]any{"tokens": s.recalled, "ephemeral": true}}
	}
}

// close ends a turn, and removes what came with it.
func (s *simulated) close() {
	s.attached[0].ended(s.documents)
	s.attached[1].ended(s.recalled)
	s.documents, s.recalled, s.open = 0, 0, false
}

// answers are what a model may say to a request.
func (s *simulated) answer(last bool) (said, results []told) {
	add := func(kind string, most int64) { said = append(said, told{kind, s.some(most), s.turn, false}) }
	if s.once(3) {
		add("reasoning", 2000)
	}
	if last || s.once(2) {
		add("assistant", 800)
	}
	if last {
		return said, nil
	}
	for range 1 + s.IntN(3) {
		add("toolCalls", 200)
		results = append(results, told{"toolResults", s.some(5000), s.turn, false})
	}
	return said, results
}

func total(items []told, kind string) int64 {
	sum := int64(0)
	for _, it := range items {
		if kind == "" || it.kind == kind {
			sum += it.tokens
		}
	}
	return sum
}

// request sends the prompt, and the response in one of the orders that hosts use.
func (s *simulated) request(last bool) {
	s.t.Helper()
	in, held := s.prompt(), len(s.items)
	said, results := s.answer(last)
	s.requests++
	usage := map[string]any{"id": "s", "provider": "ctx", "request": strconv.Itoa(s.requests)}
	numbers := map[string]any{"in": in, "out": total(said, ""), "reasoning": total(said, "reasoning")}
	measured := func(extra ...any) {
		s.t.Helper()
		usage["usage"] = numbers
		for i := 0; i+1 < len(extra); i += 2 {
			usage[extra[i].(string)] = extra[i+1]
		}
		for i := range s.attached {
			s.attached[i].expected = 0
		}
		if s.unfolded {
			s.unfolded, s.firstItems = false, held
		}
		s.call("ctx/session/usage", usage)
		if s.once(4) { // reported once more
			s.call("ctx/session/usage", usage)
		}
	}
	carried := total(said, "")
	if s.reasoning == "never" {
		carried -= total(said, "reasoning")
	}
	appended := func(items []told) {
		s.t.Helper()
		if len(items) > 0 {
			s.items = append(s.items, items...)
			s.update(map[string]any{"append": listed(items)})
		}
	}
	switch s.IntN(5) {
	case 0: // the usage first
		s.untold = carried
		measured()
		s.untold = 0
		appended(said)
		appended(results)
	case 1: // the answer, then its usage
		appended(said)
		measured()
		appended(results)
	case 2: // the answer and what it called, then the usage
		appended(append(slices.Clone(said), results...))
		measured("through", held)
	case 3: // a stream
		s.untold = carried
		measured("final", false)
		s.untold = 0
		appended(said)
		measured("final", true)
		appended(results)
	default: // no word where the prompt ended
		appended(append(slices.Clone(said), results...))
		measured()
	}
}

// compact has the conversation summarized.
func (s *simulated) compact() {
	s.t.Helper()
	kept := s.IntN(min(len(s.items), 3) + 1)
	for _, it := range s.items[len(s.items)-kept:] {
		if it.kind == "reasoning" || it.gone {
			return
		}
	}
	summary := told{"summary", s.some(2000), s.turn, false}
	s.items = append(slices.Clone(s.items[len(s.items)-kept:]), summary)
	s.unseen = 0
	s.call("ctx/session/compacted", map[string]any{"id": "s", "kept": kept, "summary": summary.tokens})
}

// restore saves the session and restores it from its ledger.
func (s *simulated) restore() {
	s.t.Helper()
	var saved struct{ Ledger json.RawMessage }
	if err := json.Unmarshal(s.ask("ctx/session/save", map[string]any{"id": "s"}), &saved); err != nil {
		s.t.Fatal(err)
	}
	s.ask("ctx/session/close", map[string]any{"id": "s"})
	s.call("ctx/session/restore", map[string]any{"ledger": saved.Ledger})
}

// prune removes the oldest items, or cuts the result of a tool.
func (s *simulated) prune() {
	s.t.Helper()
	for i, it := range s.items {
		if it.gone {
			continue
		}
		if s.once(2) && it.kind != "reasoning" {
			s.items[i].gone = true
			s.update(map[string]any{"removeFirst": 1})
			return
		}
		break
	}
	for i, it := range s.items {
		if it.kind == "toolResults" && !it.gone && s.once(2) {
			s.items[i].tokens = 10
			s.update(map[string]any{"replace": []any{map[string]any{"index": i, "item": map[string]any{"kind": it.kind, "tokens": 10}}}})
			return
		}
	}
}

// joined begins with a conversation that the session was not informed of: its first request is measured, and the part
// that the fixed rows do not explain is never itemized.
func (s *simulated) joined() {
	s.t.Helper()
	s.unseen, s.untold = s.some(200_000), s.some(800)
	s.call("ctx/session/usage", map[string]any{
		"id": "s", "provider": "ctx", "request": "joined",
		"usage": map[string]any{"in": s.prompt(), "out": s.untold, "reasoning": 0},
	})
	said := told{"assistant", s.untold, s.turn, false}
	s.untold, s.unfolded, s.items = 0, true, []told{said}
	s.update(map[string]any{"append": listed(s.items)})
}

// run plays one session from its beginning to its end.
func (s *simulated) run() {
	s.t.Helper()
	s.reasoning = [...]string{"never", "turn", "always"}[s.IntN(3)]
	s.explicit = s.once(2)
	s.ask("ctx/session/open", map[string]any{"id": "s", "limits": map[string]any{"window": 10_000_000}, "reasoning": s.reasoning})
	s.system, s.tools, s.memory = s.some(4000), s.some(8000), s.some(1000)
	s.update(map[string]any{"system": s.system, "tools": s.tools, "memory": s.memory})
	if s.once(5) {
		s.joined()
	}
	for range 1 + s.IntN(6) {
		s.speak()
		for range s.IntN(4) {
			s.request(false)
			if s.once(12) {
				s.restore()
			}
		}
		if s.once(8) { // the user interrupts
			said, _ := s.answer(true)
			s.items = append(s.items, said...)
			s.update(map[string]any{"append": listed(said)})
		} else {
			s.request(true)
		}
		if s.explicit {
			s.close()
			for i := range s.attached {
				s.attached[i].expected = s.attached[i].last
			}
			s.update(map[string]any{"turn": "end"})
		}
		switch s.IntN(10) {
		case 0:
			s.compact()
		case 1:
			s.restore()
		case 2:
			s.prune()
		}
	}
}

// TestASimulatedHostIsShownTheTruth plays random sessions of a host that sends everything, in every order, and compares
// each Reading with the sum of what would be sent. CTX_SIMULATED sets their number.
func TestASimulatedHostIsShownTheTruth(t *testing.T) {
	sessions := 300
	if testing.Short() {
		sessions = 60
	}
	if n, err := strconv.Atoi(os.Getenv("CTX_SIMULATED")); err == nil {
		sessions = n
	}
	seed := rand.Uint64()
	if n, err := strconv.ParseUint(os.Getenv("CTX_SEED"), 10, 64); err == nil {
		seed = n
	}
	t.Logf("seed %d (CTX_SEED), %d sessions (CTX_SIMULATED)", seed, sessions)
	calls := 0
	for i := range sessions {
		s := &simulated{Rand: rand.New(rand.NewPCG(seed, uint64(i))), t: t, core: New()}
		s.run()
		calls += len(s.calls)
	}
	t.Logf("a host that tells everything, each row against its own sums: %d calls of %d sessions, off by 0 tokens", calls, sessions)
}
