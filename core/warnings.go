// Copyright The ctx-lsp authors. MIT licence.

package core

const warningsKept = 16

// warnings are sentences for the person who asks why a number is odd. Equal
// ones are told once, with how often.
type warnings struct {
	list         []string
	times        []int64
	dropped      int64
	records      int64 // skipped
	bytes        int64
	skippedForms reasons
}

func (w *warnings) add(sentence string) {
	if len(sentence) > 500 {
		sentence = sentence[:500]
	}
	for i, known := range w.list {
		if known == sentence {
			w.times[i]++
			return
		}
	}
	if len(w.list) >= warningsKept {
		w.dropped++
		return
	}
	w.list = append(w.list, sentence)
	w.times = append(w.times, 1)
}

func (w *warnings) skipped(e Skipped) {
	w.records++
	w.bytes += e.Bytes
	w.skippedForms.add(e.Reason, 1)
}

func (w *warnings) sentences(out []string) []string {
	for i, sentence := range w.list {
		if n := w.times[i]; n > 1 {
			sentence += " (" + itoa(n) + " times)"
		}
		out = append(out, sentence)
	}
	for _, r := range w.skippedForms {
		noun := " records were"
		if r.tokens == 1 {
			noun = " record was"
		}
		out = append(out, itoa(r.tokens)+noun+" skipped: "+r.why+".")
	}
	if w.dropped > 0 {
		out = append(out, itoa(w.dropped)+" further warnings were dropped.")
	}
	return out
}
