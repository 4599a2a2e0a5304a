// Copyright The ctx-lsp authors. MIT licence.

// Package randomhost is a program with a conversation in which everything goes wrong that goes wrong at hosts, for
// tests.
package randomhost

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A Host knows what it sends, and so how long each prompt is; it computes nothing else, and shares no code with the
// session it reports to. Its texts are words of one token.
type Host struct {
	*rand.Rand
	more    *rand.Rand // for what a first series of hosts does not do; nil for those
	core    Caller
	twin    Caller        // restores each saved ledger
	restart func() Caller // starts the program anew
	shape   shape
	Trouble string
	Past    []string // its calls

	exact     bool   // its model has a public vocabulary
	density   int64  // tokens of a hundred words
	reasoning string // never, turn or always
	stored    bool   // usages are in the messages
	called    bool   // usages are passed by calls
	arrays    bool   // it sends its whole conversation, otherwise what is new
	before    bool   // it sends it before each request
	after     bool   // it sends it after each response

	thinks bool // its messages contain its reasoning

	fixed    int64 // system prompt and tools, which the session is not told
	first    int64 // the texts of the first prompt that was reported
	entries  []*hostEntry
	made     int
	owed     *hostUsage // a usage that comes late
	late     *hostStep  // its response
	appended int        // entries that the session was told, if it appends

	measured map[*hostPiece]int64 // the pieces of the last reported prompt and its response
	reported bool                 // a usage was reported since the last compaction
	seen     bool                 // a usage was reported

	small [2]int64 // changes that no length can show, before and since the last usage of a conversation that was shown
	shown bool     // the conversation was sent since the last usage

	unsure     int64 // by how much the last prompt changes with the model
	wasCut     int64 // tokens of a response that no usage shows
	switched   bool  // another model answered before
	switchedAt int   // after this many entries
	remodel    bool  // another tokenizer counts since the last usage

	reading reading
	Marked  int   // numbers that were marked, whose range contained the truth
	Worst   int64 // the worst error beyond the tolerance
	Failure string
	Broken  bool // a call or a ledger was refused, or a restored session differed
}

// reading is the part of a Reading that the host compares.
type reading struct {
	Used         int64
	Range        struct{ Low, High int64 }
	Display      struct{ Mark string }
	Assumed      int64
	LastRequest  *struct{ In, Carry int64 }
	Leaving, New struct{ Tokens int64 }
}

// hostEntry is a user message, a summary or a response.
type hostEntry struct {
	id      string
	user    *hostPiece
	summary bool
	step    *hostStep
}

// hostStep is a response, with the results of its calls.
type hostStep struct {
	text    *hostPiece
	thought *hostPiece // counted by the provider, not in the conversation
	calls   []*hostCall
	usage   *hostUsage // as stored in its message
	told    *hostUsage
	visible bool // its thought is in its message
	cut     bool // its stream broke off before its usage was known
}

// hostCall is a call and its result, if it has one.
type hostCall struct {
	id, name     string
	args, result *hostPiece
	state        string // pending, running, completed or error
	cleared      bool   // a placeholder is sent instead of its result
}

// hostPiece is a text.
type hostPiece struct{ text string }

// hostUsage is a usage as the provider reports it, without its shape.
type hostUsage struct{ in, out, reasoning int64 }

// Words are tokens of every vocabulary with a space before them.
var Words = strings.Fields("time people way water day part number sound work place year thing name sentence line group")

// piece makes a text of some words.
func (h *Host) piece(most int) *hostPiece {
	n := 1 + h.IntN(12)
	if h.IntN(3) > 0 {
		n = 1 + h.IntN(most)
	}
	var text strings.Builder
	for range n {
		text.WriteString(" " + Words[h.IntN(len(Words))])
	}
	return &hostPiece{text.String()}
}

// size returns what a text costs.
func (h *Host) size(p *hostPiece) int64 {
	return (int64(strings.Count(p.text, " "))*h.density + 50) / 100
}

// placeholder is sent instead of a cleared result.
var placeholder = &hostPiece{" " + strings.Join(Words[:7], " ")}

// pieces calls f for everything that a request sent now contains.
func (h *Host) pieces(f func(p *hostPiece, tokens int64)) {
	turn := 0
	for i, e := range h.entries {
		if e.user != nil && !e.summary {
			turn = i
		}
	}
	for i, e := range h.entries {
		if e.user != nil {
			f(e.user, h.size(e.user)+4)
			continue
		}
		s := e.step
		if s.thought != nil && (h.reasoning == "always" || h.reasoning == "turn" && i > turn) {
			f(s.thought, h.size(s.thought))
		}
		if s.text != nil {
			f(s.text, h.size(s.text)+3)
		}
		for _, c := range s.calls {
			f(c.args, h.size(c.args)+14)
			switch {
			case c.cleared:
				f(c.result, h.size(placeholder)+9)
			case c.state == "completed" || c.state == "error":
				f(c.result, h.size(c.result)+9)
			}
		}
	}
}

// prompt returns the length of a request sent now.
func (h *Host) prompt() int64 {
	sum := h.fixed
	h.pieces(func(_ *hostPiece, tokens int64) { sum += tokens })
	return sum
}

// told records that a prompt and its response were reported, not what followed them.
func (h *Host) told(s *hostStep) {
	all := h.entries
	for i, e := range all {
		if s != nil && e.step == s {
			h.entries = all[:i+1]
		}
	}
	h.measured = map[*hostPiece]int64{}
	h.pieces(func(p *hostPiece, tokens int64) { h.measured[p] = tokens })
	if s != nil {
		for _, c := range s.calls { // results are not in it
			delete(h.measured, c.result)
		}
	}
	if !h.seen {
		h.first = h.prompt() - h.fixed
	}
	h.entries = all
	h.seen, h.reported = true, true
	h.unsure, h.remodel, h.wasCut = 0, false, 0
	if s != nil && s.cut {
		if h.wasCut = 40 + h.size(s.text)/50; !h.exact {
			h.wasCut += h.size(s.text) / 2
		}
	}
	if h.shown {
		h.small, h.shown = [2]int64{h.small[1], 0}, false
	}
}

// tolerance returns how far a prediction may be off: the error of the tokenizer, for texts that no usage contains.
func (h *Host) tolerance() int64 {
	sum, pieces := int64(0), int64(0)
	now := map[*hostPiece]bool{}
	h.pieces(func(p *hostPiece, tokens int64) {
		now[p] = true
		if d := distanceOf(tokens, h.measured[p]); d > 0 {
			sum, pieces = sum+d, pieces+1
		}
	})
	for p, tokens := range h.measured {
		if !now[p] {
			sum, pieces = sum+tokens, pieces+1
		}
	}
	least := 6 + h.small[0] + h.small[1] + h.unsure + h.wasCut
	if !h.before {
		least += 18 // the end of a prompt is found by its length
	}
	if !h.reported { // what was thought before a compaction is in no item
		for _, e := range h.entries {
			if e.step != nil && e.step.thought != nil {
				least += h.size(e.step.thought)
			}
		}
	}
	if h.exact {
		return least + pieces*14 + sum/50
	}
	if !h.reported { // without a vocabulary the first prompt's text hides the fixed context, by the error of its estimate
		least += h.first / 8
	}
	return least + pieces*30 + sum*6/10
}

func distanceOf(a, b int64) int64 { return max(a-b, b-a) }

// ask sends something to the session, and compares the session with one restored from its ledger.
func (h *Host) ask(method string, params map[string]any) int64 {
	params["id"] = "host"
	text, _ := json.Marshal(params)
	if h.Past = append(h.Past, method+" "+string(text)); params["messages"] != nil || params["append"] != nil {
		h.Past[len(h.Past)-1] = method + h.described()
	}
	var answer struct {
		Result reading
		Error  json.RawMessage
	}
	if err := json.Unmarshal(h.core.Call(method, text), &answer); err != nil || answer.Error != nil {
		h.fail("%s is refused: %v %s", method, err, answer.Error)
	}
	h.restore(h.twin)
	ours, theirs := h.core.Call("ctx/session/reading", []byte(`{"id":"host"}`)), h.twin.Call("ctx/session/reading", []byte(`{"id":"host"}`))
	if ours := string(ours); ours != string(theirs) {
		h.fail("restored, it reads %s instead of %s", partUnlike(string(theirs), ours), partUnlike(ours, string(theirs)))
	}
	h.twin.Call("ctx/session/close", []byte(`{"id":"host"}`))
	h.reading = answer.Result
	if r := &h.reading; r.LastRequest != nil && h.more != nil {
		if r.Used != r.LastRequest.In-r.Leaving.Tokens+r.LastRequest.Carry+r.New.Tokens+r.Assumed {
			h.fail("the terms do not add up to %d: %d - %d + %d + %d + %d", r.Used, r.LastRequest.In, r.Leaving.Tokens, r.LastRequest.Carry, r.New.Tokens, r.Assumed)
		}
		if r.Assumed != 0 && !h.switched {
			h.fail("%d of %d tokens are assumed, without a reason", r.Assumed, r.Used)
		}
	}
	return answer.Result.Used
}

// described returns the conversation in short: the tokens of its texts, and of its usages.
func (h *Host) described() string {
	var out strings.Builder
	for i, e := range h.entries {
		switch {
		case i == h.appended && i > 0:
			out.WriteString(" |")
		}
		switch {
		case e.summary:
			fmt.Fprintf(&out, " S%d", h.size(e.user))
		case e.user != nil:
			fmt.Fprintf(&out, " U%d", h.size(e.user))
		default:
			out.WriteString(" A")
			if e.step.text != nil {
				fmt.Fprintf(&out, "%d", h.size(e.step.text))
			}
			if e.step.thought != nil {
				fmt.Fprintf(&out, "(T%d)", h.size(e.step.thought))
			}
			for _, c := range e.step.calls {
				fmt.Fprintf(&out, " c%d:%s", h.size(c.args), c.state)
				if c.done() {
					fmt.Fprintf(&out, ":%d", h.size(&hostPiece{c.sent()}))
				}
			}
			if u := e.step.usage; u != nil {
				fmt.Fprintf(&out, " {%d %d}", u.in, u.out)
			}
		}
	}
	return out.String()
}

// partUnlike returns the part of a that is not as in b.
func partUnlike(a, b string) string {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	return a[max(i-60, 0):min(i+60, len(a))]
}

// restore opens the session in another core.
func (h *Host) restore(to Caller) {
	var saved struct {
		Result struct{ Ledger json.RawMessage }
	}
	if err := json.Unmarshal(h.core.Call("ctx/session/save", []byte(`{"id":"host"}`)), &saved); err != nil {
		h.fail("save: %v", err)
	}
	answer := to.Call("ctx/session/restore", []byte(`{"id":"host","key":"secret","ledger":`+string(saved.Result.Ledger)+`}`))
	if strings.HasPrefix(string(answer), `{"error"`) {
		h.fail("its ledger is refused: %s", answer)
	}
}

// failed ends a conversation.
type failed struct{}

func (h *Host) fail(format string, args ...any) {
	h.Broken = true
	if h.Failure == "" {
		h.Failure = fmt.Sprintf(format, args...)
	}
	panic(failed{})
}

// check compares the session's number with the prompt of a request sent now.
func (h *Host) check(used int64, when string) {
	if !h.seen {
		return
	}
	want, may := h.prompt(), h.tolerance()
	h.Past[len(h.Past)-1] += fmt.Sprintf(" -> %d (%d±%d)", used, want, may)
	if h.owed != nil && h.reasoning != "never" {
		may += h.owed.reasoning
	}
	r := &h.reading
	if h.remodel && r.Display.Mark == "" {
		h.Failure = fmt.Sprintf("%s: another tokenizer counts, and %d has no mark", when, used)
	}
	if off := distanceOf(used, want); off > may && r.Display.Mark != "" && r.Range.Low <= want && want <= r.Range.High {
		h.Marked++
	} else if off > may {
		h.Worst = max(h.Worst, off)
		if h.Failure == "" {
			h.Failure = fmt.Sprintf("%s: used is %d, and truly %d; %d may be off", when, used, want, may)
			h.Past = append(h.Past, "// "+h.Failure)
		}
	}
}

// show sends the conversation.
func (h *Host) show(when string) {
	h.shown = true
	if h.arrays {
		used := h.ask("ctx/session/messages", map[string]any{"messages": h.shape.array(h.entries)})
		h.appended = len(h.entries)
		h.check(used, when)
		return
	}
	if h.appended < len(h.entries) {
		fresh := h.shape.array(h.entries[h.appended:])
		h.appended = len(h.entries)
		h.check(h.ask("ctx/session/update", map[string]any{"append": fresh}), when)
	}
}

// usage reports a usage by a call.
func (h *Host) usage(u *hostUsage) int64 {
	return h.ask("ctx/session/usage", map[string]any{"usage": h.shape.usage(u)})
}

// hasMore is has for the troubles of the later series.
func (h *Host) hasMore(trouble string) bool {
	return h.more != nil && (h.Trouble == trouble || h.Trouble == "everything" && h.more.IntN(4) == 0)
}

func (h *Host) one(in int) bool { return h.IntN(in) == 0 }

// id makes an identifier.
func (h *Host) id(prefix string) string {
	h.made++
	return fmt.Sprintf("%s_%d", prefix, h.made)
}

// has reports whether a conversation has a kind of trouble; in some it has all of them.
func (h *Host) has(trouble string) bool {
	return h.Trouble == trouble || h.Trouble == "everything" && h.one(3)
}

// Converse has a conversation of some turns.
func (h *Host) Converse() {
	defer func() {
		if r := recover(); r != nil && r != (failed{}) {
			panic(r)
		}
	}()
	h.ask("ctx/session/open", map[string]any{
		"model": h.model(), "limits": map[string]any{"window": 1_000_000}, "reasoning": h.reasoning, "key": "secret",
	})
	for turn := range 4 + h.IntN(4) {
		if turn > 1 {
			h.between()
		}
		h.entries = append(h.entries, &hostEntry{id: h.id("msg"), user: h.piece(3000)})
		for steps := 1 + h.IntN(3); steps > 0; steps-- {
			h.request(steps > 1)
		}
		h.settle()
	}
}

func (h *Host) model() string {
	if h.exact {
		return "gpt-4o"
	}
	return "claude-sonnet-4-5"
}

// switchModel continues with another model, which may have another tokenizer.
func (h *Host) switchModel() {
	h.switched = true
	if h.settle(); !h.called {
		h.show("before a change of model") // its usage is in the conversation
	}
	if h.more.IntN(3) == 0 { // of the same family
		name := "gpt-5"
		if !h.exact {
			name = "claude-opus-4-5"
		}
		h.ask("ctx/session/update", map[string]any{"model": name})
		return
	}
	h.switchedAt = len(h.entries)
	before, density := h.prompt(), h.density
	if h.exact, h.density = !h.exact, 100; !h.exact {
		h.density = 100 + h.more.Int64N(40) // as the tables of tokenizers have it
	}
	h.fixed = h.fixed * h.density / density
	h.unsure += distanceOf(before, h.prompt()) + max(before, h.prompt())/2 // a table knows the difference, roughly
	h.remodel = h.seen
	h.ask("ctx/session/update", map[string]any{"model": h.model()})
}

// request sends a request and receives its response.
func (h *Host) request(calls bool) {
	early := h.arrays && h.called && !h.stored && h.Trouble == "usage early"
	if h.arrays && (h.exact || h.before) && h.has("prune") { // otherwise no length shows what was in a prompt
		h.prune()
	}
	if h.before && !early || !h.arrays || !h.seen {
		h.show("before a request")
	}
	in := h.prompt()
	if h.has("retry") || h.has("abort") {
		for range 1 + h.IntN(2) {
			discarded := &hostUsage{in: in, out: 1 + h.Int64N(1500)}
			if h.Trouble == "abort" {
				discarded.out = 1 + h.Int64N(8)
			}
			h.settle()
			h.usage(discarded)
			h.told(nil)
			if h.arrays && h.before && h.one(2) {
				h.ask("ctx/session/messages", map[string]any{"messages": h.shape.array(h.entries)}) // no sign of what stays
			}
		}
	}
	s := h.respond(calls)
	h.deliver(in, s)
	if !calls && h.has("regenerate") && h.owed == nil {
		for range 1 + h.IntN(2) {
			shown := h.one(2)
			if shown && (h.arrays || h.appended == len(h.entries)) {
				h.show("a response that is generated again")
			}
			if !h.arrays && h.appended == len(h.entries) {
				return // its items have no numbers for the host
			}
			h.entries = h.entries[:len(h.entries)-1]
			if h.arrays && h.before && h.one(2) {
				if shown {
					h.show("before a response is generated again")
				} else {
					h.ask("ctx/session/messages", map[string]any{"messages": h.shape.array(h.entries)}) // no sign of what stays
				}
			}
			s = h.respond(calls)
			h.deliver(in, s)
		}
	}
	h.work(s)
	if h.after && h.arrays {
		h.show("after a response")
	}
}

// respond makes a response.
func (h *Host) respond(calls bool) *hostStep {
	s := &hostStep{}
	if !calls || h.one(2) {
		s.text = h.piece(1200)
	}
	if h.reasoning != "" && h.one(2) {
		if s.thought, s.visible = h.piece(900), h.thinks; h.shape.name == ".NET" && h.stored {
			s.thought = nil // the usage in its messages has no field for it
		}
	}
	if !calls && h.hasMore("cut") {
		s.cut, s.thought = true, nil
	}
	if calls {
		for range 1 + h.IntN(3) {
			s.calls = append(s.calls, &hostCall{id: h.id("call"), name: "read", args: h.piece(60), result: h.piece(3000), state: "pending"})
		}
	}
	h.entries = append(h.entries, &hostEntry{id: h.id("msg"), step: s})
	return s
}

// deliver reports a response's usage, now or later.
func (h *Host) deliver(in int64, s *hostStep) {
	u := &hostUsage{in: in}
	if s.text != nil {
		u.out += h.size(s.text)
	}
	for _, c := range s.calls {
		u.out += h.size(c.args) + 10
	}
	if s.thought != nil {
		u.reasoning = h.size(s.thought)
		u.out += u.reasoning
	}
	if s.cut {
		u.out = 1 + h.more.Int64N(8)
	}
	if s.told = u; h.stored {
		s.usage = u
	}
	if !h.called {
		h.told(s)
		return
	}
	h.settle()
	if h.owed, h.late = u, s; h.Trouble == "usage late" && h.arrays && h.before {
		return
	}
	h.settle()
	if h.Trouble == "usage twice" && h.one(2) {
		h.usage(u)
	}
}

// settle reports a usage that is late.
func (h *Host) settle() {
	if h.owed == nil {
		return
	}
	u, s := h.owed, h.late
	h.owed = nil
	used := h.usage(u)
	h.Past[len(h.Past)-1] += fmt.Sprintf(" -> %d", used)
	h.told(s)
	if len(s.calls) == 0 && !s.cut && len(h.entries) > 0 && h.entries[len(h.entries)-1].step == s {
		h.check(used, "after a usage")
	}
}

// work runs the calls of a response.
func (h *Host) work(s *hostStep) {
	if len(s.calls) == 0 {
		return
	}
	watch := h.arrays && (h.shape.states || h.more != nil) && (h.Trouble == "tools in flight" || h.Trouble == "everything")
	for _, i := range h.Perm(len(s.calls)) {
		if s.calls[i].state = "running"; watch && h.one(2) {
			h.ask("ctx/session/messages", map[string]any{"messages": h.shape.array(h.entries)})
		}
	}
	for n, i := range h.Perm(len(s.calls)) {
		if s.calls[i].state = "completed"; h.one(8) {
			s.calls[i].state = "error"
		}
		if watch && n < len(s.calls)-1 && h.one(2) {
			h.ask("ctx/session/messages", map[string]any{"messages": h.shape.array(h.entries)})
		}
	}
	if h.Trouble == "usage twice" && h.called && h.one(3) {
		h.show("after tools")
		h.usage(s.told)
	}
}

// between does what happens between two turns.
func (h *Host) between() {
	if h.hasMore("model") && h.more.IntN(2) == 0 {
		h.switchModel()
	}
	if h.more != nil && (h.Trouble == "restart" || h.Trouble == "everything") && h.more.IntN(3) == 0 {
		h.settle()
		if h.arrays && h.more.IntN(2) == 0 {
			h.show("before a restart")
			h.arrays = false
		} else if !h.arrays && h.more.IntN(2) == 0 {
			h.arrays = true
		}
		h.continueElsewhere()
	}
	if !h.arrays {
		return
	}
	if h.has("rewind") && h.one(2) {
		users := []int{}
		for i, e := range h.entries {
			if e.user != nil && !e.summary && i > 0 {
				users = append(users, i)
			}
		}
		if len(users) > 1 {
			h.entries = h.entries[:users[1+h.IntN(len(users)-1)]]
			if len(h.entries) < h.switchedAt {
				h.unsure += h.prompt() / 2 // another tokenizer measured that prompt, or the present one did before
				h.remodel = false
			}
		}
	}
	if (h.exact || h.before) && h.has("edit") && h.one(2) {
		for _, e := range h.entries {
			if e.step != nil && len(e.step.calls) > 0 && h.one(2) {
				c := e.step.calls[h.IntN(len(e.step.calls))]
				before := h.size(c.result)
				c.result = h.piece(2000)
				if d := distanceOf(h.size(c.result), before); d < 60 {
					h.small[1], h.shown = h.small[1]+d, false
				}
			}
		}
	}
	if (h.exact || h.before) && h.has("compaction") && len(h.entries) > 6 && h.one(2) {
		h.settle()
		keep := h.IntN(2)
		from := len(h.entries)
		for ; keep > 0 && from > 0; keep-- {
			for from--; from > 0 && h.entries[from].user == nil; from-- {
			}
		}
		h.entries = append([]*hostEntry{{id: h.id("msg"), user: h.piece(400), summary: true}}, h.entries[from:]...)
		h.reported, h.measured = false, map[*hostPiece]int64{}
	}
	if h.Trouble == "restart" && h.one(2) {
		h.continueElsewhere()
	}
}

// prune clears results.
func (h *Host) prune() {
	for i, e := range h.entries {
		if e.step == nil || i >= len(h.entries)-1 {
			continue
		}
		for _, c := range e.step.calls {
			if h.one(4) && !c.cleared {
				c.cleared = true
				if d := distanceOf(h.size(c.result), h.size(placeholder)); d < 60 {
					h.small[1], h.shown = h.small[1]+d, false
				}
			}
		}
	}
}

// restart continues in another process.
func (h *Host) continueElsewhere() {
	next := h.restart()
	h.restore(next)
	h.core = next
	h.Past = append(h.Past, "// restored")
}

// Caller is a core.
type Caller interface {
	Call(method string, params []byte) []byte
}

// First makes a host of the first series, with the habits of a seed: it changes no model and shows no reasoning.
func First(seed uint64, core, twin Caller, restart func() Caller) *Host {
	r := rand.New(rand.NewPCG(seed, 64))
	all := shapes()
	h := &Host{Rand: r, core: core, twin: twin, restart: restart, measured: map[*hostPiece]int64{}}
	h.shape, h.Trouble = all[r.IntN(len(all))], troubles[r.IntN(len(troubles))]
	h.exact, h.density = true, 100
	if h.one(3) {
		h.exact, h.density = false, 80+r.Int64N(60)
	}
	h.reasoning = []string{"never", "turn", "always"}[r.IntN(3)]
	h.arrays = !h.one(6)
	switch how := r.IntN(3); {
	case !h.shape.stores || how == 0:
		h.called = true
	case how == 1:
		h.stored = true
	default:
		h.stored, h.called = true, true
	}
	h.before, h.after = !h.one(4), h.one(2)
	h.after = h.after || !h.before || !h.called
	h.fixed = r.Int64N(8000)
	return h
}

// New makes a host with the habits of a seed.
func New(seed uint64, core, twin Caller, restart func() Caller) *Host {
	h := First(seed, core, twin, restart)
	h.more = rand.New(rand.NewPCG(seed, 65))
	if h.more.IntN(6) == 0 {
		h.Trouble = laterTroubles[h.more.IntN(len(laterTroubles))]
	}
	h.thinks = h.more.IntN(2) == 0
	if h.shape.attaches && h.more.IntN(2) == 0 {
		h.stored, h.called = true, h.more.IntN(2) == 0
		h.after = h.after || !h.called
	}
	return h
}

var (
	troubles = []string{
		"nothing", "retry", "abort", "regenerate", "prune", "edit", "tools in flight", "rewind", "compaction",
		"usage late", "usage early", "usage twice", "restart", "everything",
	}
	laterTroubles = []string{"model", "cut"}
)

// Troubles lists what may go wrong.
func Troubles() []string { return append(slices.Clone(troubles), laterTroubles...) }

// Shape returns the form of its messages.
func (h *Host) Shape() string { return h.shape.name }

// Shapes lists the forms of messages.
func Shapes() (names []string) {
	for _, s := range shapes() {
		names = append(names, s.name)
	}
	return names
}

// Habits describes a host.
func (h *Host) Habits() string {
	return fmt.Sprintf("exact %v, density %d, reasoning %s, shown %v, stored %v, called %v, arrays %v, before %v, after %v, fixed %d",
		h.exact, h.density, h.reasoning, h.thinks, h.stored, h.called, h.arrays, h.before, h.after, h.fixed)
}
