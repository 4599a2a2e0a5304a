// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// bookHost is a host that sends other documents with each turn, to a model without a public vocabulary. Its tokenizer
// is independent of the program: each text is as many tokens as its words, times a factor in percent.
type bookHost struct {
	*rand.Rand
	t       *testing.T
	core    *Core
	percent int64
}

func (h *bookHost) call(method string, params map[string]any) (r struct {
	Used      int64
	Range     Span
	Breakdown []struct {
		Kind   string
		Tokens int64
	}
},
) {
	params["id"] = "a"
	text, _ := json.Marshal(params)
	answer := struct {
		Result any
		Error  any
	}{Result: &r}
	if err := json.Unmarshal(h.core.Call(method, text), &answer); err != nil || answer.Error != nil {
		h.t.Fatalf("%s: %v %v", method, err, answer.Error)
	}
	return r
}

// text returns n words and their true size.
func (h *bookHost) text(n int) (string, int64) {
	list := strings.Fields("harbor the ledger of tides and a keeper writes down every lamp that burns along northern shore while ships pass unseen carrying timber salt copper")
	var b strings.Builder
	for range n {
		b.WriteString(list[h.IntN(len(list))])
		b.WriteByte(' ')
	}
	return b.String(), int64(n) * h.percent / 100
}

// TestDocumentsLeaveWithTheirMeasuredSize checks hosts that send thousands of words of documents with each turn. From
// the second turn on, and after a compaction, a prompt is predicted within one percent, and ranges cover it; the first
// one shows how the model's tokens relate to the estimates.
func TestDocumentsLeaveWithTheirMeasuredSize(t *testing.T) {
	for _, model := range []string{"", "claude-sonnet-4-5", "house-model-1"} {
		for _, percent := range []int64{80, 100, 145, 220} {
			for seed := range uint64(3) {
				t.Run(fmt.Sprintf("%s/%d/%d", model, percent, seed), func(t *testing.T) {
					h := &bookHost{Rand: rand.New(rand.NewPCG(seed, uint64(percent))), t: t, core: withVocabularies(t), percent: percent}
					h.run(model)
				})
			}
		}
	}
}

func (h *bookHost) run(model string) {
	open := map[string]any{"limits": map[string]any{"window": 900000}}
	if model != "" {
		open["model"] = model
	}
	h.call("ctx/session/open", open)
	system, inSystem := h.text(1500)
	tools, inTools := h.text(800)
	fixed, conversation := inSystem+inTools, int64(0)
	for turn := range 9 {
		documents, inDocuments := h.text(5000 + h.IntN(3000))
		question, asked := h.text(60)
		r := h.call("ctx/session/update", map[string]any{
			"turn": "start", "system": []any{part{"system", system}}, "tools": []any{part{"tools", tools}},
			"documents": []any{part{"found", documents}}, "append": []any{map[string]any{"kind": "user", "text": question}},
		})
		in := fixed + conversation + asked + inDocuments
		if off := r.Used - in; turn > 0 && (max(off, -off) > in/100 || in < r.Range.Low || in > r.Range.High) {
			h.t.Errorf("turn %d: predicted %d (%d to %d), the prompt is %d", turn, r.Used, r.Range.Low, r.Range.High, in)
		}
		answer, out := h.text(120)
		h.call("ctx/session/usage", map[string]any{"provider": "ctx", "usage": map[string]any{"in": in, "out": out}})
		conversation += asked + out
		h.call("ctx/session/update", map[string]any{"append": []any{map[string]any{"kind": "assistant", "text": answer}}, "turn": "end"})
		r = h.call("ctx/session/update", map[string]any{"documents": []any{}})
		if off := r.Used - fixed - conversation; max(off, -off) > inDocuments/100 {
			h.t.Errorf("turn %d: %d without documents, the prompt would be %d", turn, r.Used, fixed+conversation)
		}
		if turn != 5 {
			continue
		}
		h.call("ctx/session/update", map[string]any{"documents": []any{part{"found", documents}}})
		summary, left := h.text(300)
		r = h.call("ctx/session/compacted", map[string]any{"summary": summary})
		conversation = left
		in = fixed + conversation + inDocuments
		if off := r.Used - in; max(off, -off) > in/50 {
			h.t.Errorf("after the compaction: %d, the prompt would be %d", r.Used, in)
		}
		for _, row := range r.Breakdown {
			if off := row.Tokens - inDocuments; row.Kind == "documents" && max(off, -off) > inDocuments/50 {
				h.t.Errorf("after the compaction: %d tokens of documents, not %d", row.Tokens, inDocuments)
			}
		}
	}
}

// TestDocumentsBesideHiddenContext checks hosts that send other documents with each turn, and a part of the fixed
// context or none: the length of one prompt does not show how many tokens the model makes of a text, so the range
// covers both possibilities. Prompts with larger and with smaller documents show it.
func TestDocumentsBesideHiddenContext(t *testing.T) {
	for _, model := range []string{"claude-sonnet-4-5", "house-model-1"} {
		for _, percent := range []int64{100, 145, 181} {
			for _, hidden := range []int64{0, 1000, 4000} {
				for _, words := range []int{0, 300} {
					t.Run(fmt.Sprintf("%s/%d/%d/%d", model, percent, hidden, words), func(t *testing.T) {
						h := &bookHost{Rand: rand.New(rand.NewPCG(uint64(hidden), uint64(percent))), t: t, core: withVocabularies(t), percent: percent}
						h.runHidden(model, hidden, words)
					})
				}
			}
		}
	}
}

// runHidden has a conversation with fixed context that the host does not send, besides a system prompt of some words.
func (h *bookHost) runHidden(model string, hidden int64, words int) {
	h.call("ctx/session/open", map[string]any{"model": model, "limits": map[string]any{"window": 900000}})
	fixed, conversation := hidden, int64(0)
	if words > 0 {
		system, inSystem := h.text(words)
		h.call("ctx/session/update", map[string]any{"system": []any{part{"system", system}}})
		fixed += inSystem
	}
	for turn, size := range []int{700, 1100, 900, 1500, 500, 1300, 1200, 800} {
		documents, inDocuments := h.text(size)
		question, asked := h.text(40)
		h.call("ctx/session/update", map[string]any{"turn": "start", "documents": []any{part{"found", documents}}})
		r := h.call("ctx/session/update", map[string]any{"append": []any{map[string]any{"kind": "user", "text": question}}})
		in := fixed + conversation + asked + inDocuments
		if off := r.Used - in; turn > 0 && (in < r.Range.Low || in > r.Range.High) || turn > 1 && max(off, -off) > in/33 {
			h.t.Errorf("turn %d: predicted %d (%d to %d), the prompt is %d", turn, r.Used, r.Range.Low, r.Range.High, in)
		}
		answer, out := h.text(60)
		h.call("ctx/session/usage", map[string]any{"provider": "ctx", "usage": map[string]any{"in": in, "out": out}})
		conversation += asked + out
		h.call("ctx/session/update", map[string]any{"append": []any{map[string]any{"kind": "assistant", "text": answer}}, "turn": "end"})
		if turn != 5 {
			continue
		}
		summary, left := h.text(200)
		h.call("ctx/session/compacted", map[string]any{"summary": summary})
		conversation = left
	}
}

type part struct {
	Label string `json:"label"`
	Text  string `json:"text"`
}
