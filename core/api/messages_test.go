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

// A host has a conversation and sends it to two sessions: to one by appending and changing items, to the other as the
// whole array.
type host struct {
	*rand.Rand
	t               *testing.T
	pieces, arrays  *Core
	past            []string
	array           []map[string]any
	told            []*map[string]any // in the order of the first session's items; nil for one that is no longer sent
	requests, fixed int
	calls           int    // the tool calls made so far
	summary         string // the first message, if it is one
}

func (h *host) both(method string, params map[string]any) {
	h.call(h.pieces, method, params)
	h.call(h.arrays, method, params)
}

func (h *host) call(c *Core, method string, params map[string]any) string {
	h.t.Helper()
	params["id"] = "a"
	text, _ := json.Marshal(params)
	which := "pieces"
	if c == h.arrays {
		which = "arrays"
	}
	h.past = append(h.past, which+" "+method+" "+string(text))
	answer := string(c.Call(method, text))
	if strings.Contains(answer, `{"error"`) {
		h.fail("%s", answer)
	}
	return answer
}

func (h *host) fail(format string, args ...any) {
	h.t.Helper()
	h.t.Fatalf(format+"\n%s", append(args, strings.Join(h.past, "\n"))...)
}

// words makes a text. Short texts repeat often.
func (h *host) words() string {
	n := 1 + h.IntN(3)
	if h.IntN(3) == 0 {
		n = 20 + h.IntN(200)
	}
	var out strings.Builder
	for range n {
		out.WriteString([]string{"yes ", "go on ", "the build fails ", "package core "}[h.IntN(4)])
	}
	return out.String()
}

func (h *host) message(role string) map[string]any {
	switch role {
	case "call":
		// Two equal calls could not be told apart after the first one has left an array, and the sizes that their
		// requests have measured differ.
		h.calls++
		return map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{map[string]any{
			"id": "c", "type": "function", "function": map[string]any{
				"name": "bash", "arguments": `{"command":"` + h.words() + strconv.Itoa(h.calls) + `"}`,
			},
		}}}
	case "tool":
		return map[string]any{"role": "tool", "tool_call_id": "c", "content": h.words()}
	}
	return map[string]any{"role": role, "content": h.words()}
}

// add sends new messages to both sessions.
func (h *host) add(change map[string]any, messages ...map[string]any) {
	var list []any
	for _, m := range messages {
		h.array = append(h.array, m)
		h.told = append(h.told, &m)
		list = append(list, m)
	}
	if len(list) > 0 {
		change["append"] = list
	}
	h.call(h.pieces, "ctx/session/update", change)
	if len(change) == 2 && len(list) > 0 && h.IntN(6) == 0 { // id and append: a session may change between both ways
		h.call(h.arrays, "ctx/session/update", map[string]any{"append": list})
		return
	}
	h.tell()
}

func (h *host) tell() {
	if h.array == nil {
		h.array = []map[string]any{}
	}
	h.call(h.arrays, "ctx/session/messages", map[string]any{"messages": h.array})
}

// usage reports the usage of a request with this response.
func (h *host) usage(response map[string]any) {
	written, _ := json.Marshal(response)
	out := len(written) / 5
	size := h.fixed
	for _, m := range h.array {
		text, _ := json.Marshal(m)
		size += len(text) / 5
	}
	h.requests++
	h.both("ctx/session/usage", map[string]any{"request": strconv.Itoa(h.requests), "usage": map[string]any{
		"input_tokens": size, "output_tokens": out, "total_tokens": size + out,
	}})
}

// turn is a turn of the user: some requests with tools, and a response.
func (h *host) turn() {
	h.add(map[string]any{}, h.message("user"))
	for range h.IntN(3) {
		call := h.message("call")
		h.usage(call)
		h.add(map[string]any{}, call, h.message("tool"))
	}
	response := h.message("assistant")
	h.usage(response)
	h.add(map[string]any{}, response)
}

// index returns the index of a message of the array in the first session.
func (h *host) index(i int) int {
	return slices.IndexFunc(h.told, func(m *map[string]any) bool {
		return m != nil && fmt.Sprintf("%p", *m) == fmt.Sprintf("%p", h.array[i])
	})
}

func (h *host) edit() {
	var results []int
	for i, m := range h.array {
		if m["role"] == "tool" {
			results = append(results, i)
		}
	}
	if len(results) == 0 {
		return
	}
	var replace []any
	h.Shuffle(len(results), func(i, j int) { results[i], results[j] = results[j], results[i] })
	for _, i := range results[:min(len(results), 1+h.IntN(3))] {
		at := h.index(i)
		h.array[i] = map[string]any{"role": "tool", "tool_call_id": "c", "content": "[cleared " + strconv.Itoa(h.Int()) + "]"}
		h.told[at] = &h.array[i]
		replace = append(replace, map[string]any{"index": at, "item": h.array[i]})
	}
	h.add(map[string]any{"replace": replace})
}

func (h *host) rewind() {
	if len(h.array) < 2 {
		return
	}
	i := 1 + h.IntN(len(h.array)-1)
	for i > 1 && h.array[i]["role"] != "user" {
		i--
	}
	at := h.index(i)
	for j := i; j < len(h.array); j++ {
		at = min(at, h.index(j))
	}
	if h.index(0) >= at { // the summary stands at the end of the first session
		return
	}
	h.array, h.told = h.array[:i:i], h.told[:at:at]
	// Another message: one with the same text would be the earlier one.
	h.add(map[string]any{"removeFrom": at}, map[string]any{"role": "user", "content": "No, " + strconv.Itoa(h.Int()) + h.words()})
}

func (h *host) slide() {
	if len(h.array) < 4 || h.summary != "" {
		return
	}
	n := 1 + h.IntN(2)
	for i := range n {
		h.told[h.index(i)] = nil
	}
	h.array = slices.Clone(h.array[n:])
	h.add(map[string]any{"removeFirst": n})
}

func (h *host) compact() {
	if len(h.array) < 8 {
		return
	}
	kept := h.IntN(3)
	from := len(h.array) - kept
	h.summary = "Summary " + strconv.Itoa(h.Int()) + strings.Repeat(" the user wants the build to pass", 10)
	summary := map[string]any{"role": "user", "content": h.summary}
	h.call(h.pieces, "ctx/session/compacted", map[string]any{"summary": h.summary, "kept": kept})
	h.told = append(slices.Clone(h.told[len(h.told)-kept:]), &summary)
	h.array = append([]map[string]any{summary}, h.array[from:]...)
	h.call(h.arrays, "ctx/session/messages", map[string]any{"messages": h.array, "compacted": true})
}

func (h *host) restart() {
	for _, c := range []*Core{h.pieces, h.arrays} {
		ledger := strings.TrimSuffix(strings.TrimPrefix(h.call(c, "ctx/session/save", map[string]any{}), `{"result":`), "}")
		h.call(c, "ctx/session/close", map[string]any{})
		if answer := c.Call("ctx/session/restore", []byte(`{"key":"secret",`+ledger[1:])); strings.Contains(string(answer), `{"error"`) {
			h.fail("%s", answer)
		}
		h.past = append(h.past, "restored")
	}
}

// compare reports whether both sessions have the same Reading.
func (h *host) compare() bool {
	h.t.Helper()
	read := func(c *Core) (r struct {
		Result struct {
			Used       int64
			Range      struct{ Low, High int64 }
			Basis      string
			Compaction struct{ Level string }
			Breakdown  []struct {
				Kind   string
				Tokens int64
			}
		}
	},
	) {
		if err := json.Unmarshal([]byte(h.call(c, "ctx/session/reading", map[string]any{})), &r); err != nil {
			h.fail("%v", err)
		}
		return r
	}
	one, other := read(h.pieces), read(h.arrays)
	if h.summary != "" { // the rows name it in another place
		one.Result.Breakdown, other.Result.Breakdown = nil, nil
	}
	if fmt.Sprint(one) == fmt.Sprint(other) {
		return true
	}
	h.t.Logf("appended %v\narray    %v", one, other)
	return false
}

// onceUnlike are conversations, by seed and number of rounds, that had other numbers as arrays. In the first six, a
// prompt had the length of the one before, because it had lost about as much as it got, and was taken for it. In the
// last one, edits made before a rewind to before all measured prompts counted for later prompts.
var onceUnlike = map[uint64]int{
	2229990321193365572: 265, 11196120677050294158: 72, 9505037391940190064: 165,
	15457947684148081106: 156, 2561847476910681487: 117, 8751189962284691414: 220,
	16122617521093576829: 66,
}

// TestTheArrayIsWorthWhatWasAppended checks that random conversations have the same numbers when sent in both ways.
func TestTheArrayIsWorthWhatWasAppended(t *testing.T) {
	seed, rounds := rand.Uint64(), 300
	if given, err := strconv.ParseUint(os.Getenv("CTX_SEED"), 10, 64); err == nil {
		seed = given
	}
	t.Logf("CTX_SEED=%d", seed)
	if testing.Short() {
		rounds = 60
	}
	sendBothWays(t, seed, rounds)
}

// TestArraysOnceUnlike checks conversations that had other numbers as arrays.
func TestArraysOnceUnlike(t *testing.T) {
	for seed, rounds := range onceUnlike {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) { sendBothWays(t, seed, rounds) })
	}
}

// TestAUsageOfAnotherRequestIsAnother checks that a usage with another ID is not the last one reported again, though it
// has the same numbers: its prompt lost as much as it got.
func TestAUsageOfAnotherRequestIsAnother(t *testing.T) {
	h := &host{t: t, pieces: New(), arrays: New()}
	h.both("ctx/session/open", map[string]any{"limits": map[string]any{"window": 100_000}})
	for request := range 3 {
		user := map[string]any{"role": "user", "content": strings.Repeat("go on ", 9) + strconv.Itoa(request)}
		response := map[string]any{"role": "assistant", "content": "I go on, and say so " + strconv.Itoa(request)}
		change := map[string]any{"append": []any{user}}
		if request > 0 {
			change["removeFirst"], h.array = 2, nil
		}
		h.call(h.pieces, "ctx/session/update", change)
		h.array = append(h.array, user)
		h.tell()
		h.both("ctx/session/usage", map[string]any{"request": strconv.Itoa(request), "usage": map[string]any{
			"input_tokens": 1000, "output_tokens": 10, "total_tokens": 1010,
		}})
		h.call(h.pieces, "ctx/session/update", map[string]any{"append": []any{response}})
		h.array = append(h.array, response)
		h.tell()
		for _, c := range []*Core{h.pieces, h.arrays} {
			if answer := h.call(c, "ctx/session/reading", map[string]any{}); !strings.Contains(answer, `"used":1010,"range":{"low":1010,"high":1010}`) {
				h.fail("after request %d: %s", request, answer)
			}
		}
	}
}

// sendBothWays sends random conversations in both ways, and compares their numbers after each step.
func sendBothWays(t *testing.T, seed uint64, rounds int) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 1))
	for range rounds {
		h := &host{Rand: random, t: t, pieces: New(), arrays: New(), fixed: 1000}
		h.both("ctx/session/open", map[string]any{"limits": map[string]any{"window": 100_000}, "key": "secret"})
		for range 3 + h.IntN(12) {
			switch h.IntN(9) {
			case 0:
				h.edit()
			case 1:
				h.rewind()
			case 2:
				h.slide()
			case 3:
				h.compact()
			case 4:
				h.restart()
			default:
				h.turn()
			}
			same := h.compare()
			if h.tell(); same { // sending the same again changes nothing
				same = h.compare()
			}
			if !same {
				h.fail("the array is worth something else")
			}
		}
	}
}

// TestAnyArrayIsWorthItsMessages sends arrays that share some messages with earlier ones, in any order, before anything
// was measured: each has the same size as in a session that was sent only this array.
func TestAnyArrayIsWorthItsMessages(t *testing.T) {
	seed := rand.Uint64()
	if given, err := strconv.ParseUint(os.Getenv("CTX_SEED"), 10, 64); err == nil {
		seed = given
	}
	t.Logf("CTX_SEED=%d", seed)
	random := rand.New(rand.NewPCG(seed, 2))
	for range 300 {
		h := &host{Rand: random, t: t, pieces: New(), arrays: New()}
		h.call(h.arrays, "ctx/session/open", map[string]any{"reasoning": "turn"})
		for range 6 {
			for range h.IntN(5) {
				m := h.message([]string{"user", "assistant", "call", "tool", "user"}[h.IntN(5)])
				if m["role"] == "assistant" && h.IntN(3) == 0 {
					m["reasoning_content"] = h.words()
				}
				h.array = slices.Insert(h.array, h.IntN(len(h.array)+1), m)
			}
			switch n := len(h.array); {
			case n > 1 && h.IntN(3) == 0:
				h.Shuffle(n, func(i, j int) { h.array[i], h.array[j] = h.array[j], h.array[i] })
			case n > 1 && h.IntN(3) == 0:
				h.array = slices.Delete(h.array, h.IntN(n), n)
			case n > 0 && h.IntN(3) == 0:
				h.array[h.IntN(n)] = h.message("tool")
			}
			h.call(h.arrays, "ctx/session/messages", map[string]any{"messages": append([]map[string]any{}, h.array...), "compacted": false})
			h.pieces = New()
			h.call(h.pieces, "ctx/session/open", map[string]any{"reasoning": "turn"})
			h.call(h.pieces, "ctx/session/update", map[string]any{"append": append([]map[string]any{}, h.array...)})
			if !h.compare() {
				h.fail("the arrays are worth something else")
			}
		}
	}
}

// BenchmarkTheSameArray sends 10,000 messages again and again, with one more each time. Its reference is counting the
// same conversation once.
func BenchmarkTheSameArray(b *testing.B) {
	h := &host{Rand: rand.New(rand.NewPCG(1, 1))}
	var list []string
	for range 10_000 {
		text, _ := json.Marshal(h.message("user"))
		list = append(list, string(text))
	}
	array := strings.Join(list, ",")
	loaded := withVocabularies(b)
	b.Run("again", func(b *testing.B) {
		c := beside(loaded)
		c.Call("ctx/session/open", []byte(`{"id":"a","model":"gpt-5.5"}`))
		c.Call("ctx/session/messages", []byte(`{"id":"a","messages":[`+array+`]}`))
		b.ReportAllocs()
		for i := range b.N {
			c.Call("ctx/session/messages", []byte(`{"id":"a","messages":[`+array+`,{"role":"user","content":"`+strconv.Itoa(i)+`"}]}`))
		}
	})
	b.Run("once", func(b *testing.B) {
		for range b.N {
			c := beside(loaded)
			c.Call("ctx/session/open", []byte(`{"id":"a","model":"gpt-5.5"}`))
			c.Call("ctx/session/update", []byte(`{"id":"a","append":[`+array+`]}`))
		}
	})
}
