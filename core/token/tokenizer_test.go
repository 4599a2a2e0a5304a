// Copyright The ctx-lsp authors. MIT licence.

package token_test

import "testing"

func TestControlStringsAreTextUnlessAskedFor(t *testing.T) {
	counting := open(t, "o200k_base")
	text := "a<|endoftext|>b<|endofprompt|>"
	if n := counting.CountString(text); n < 10 {
		t.Errorf("as text: %d tokens", n)
	}
	counting.AllowSpecial(true)
	if n := counting.CountString(text); n != 4 {
		t.Errorf("as control strings: %d tokens, want 4", n)
	}
	if ends := counting.Boundaries([]byte(text), nil); len(ends) != 4 || ends[1] != 14 {
		t.Errorf("ends %v", ends)
	}
	counting.AllowSpecial(false)
	if n := counting.CountString(text); n < 10 {
		t.Errorf("as text again: %d tokens", n)
	}
}

// TestReservedControlStringsAreOneToken checks the first and the last number that an encoding reserves.
func TestReservedControlStringsAreOneToken(t *testing.T) {
	counting := open(t, "o200k_harmony")
	counting.AllowSpecial(true)
	for text, want := range map[string]bool{
		"<|reserved_199999|>": false, "<|reserved_200000|>": true, "<|reserved_201087|>": true, "<|reserved_201088|>": false, "<|call|>": true,
	} {
		if n := counting.CountString(text); (n == 1) != want {
			t.Errorf("%s: %d tokens", text, n)
		}
	}
}

func TestBrokenTextCountsAsTheWebReadsIt(t *testing.T) {
	counting := open(t, "o200k_base")
	for broken, fixed := range map[string]string{
		"a\xffb":                 "a\ufffdb",
		"\xe4\xb8":               "\ufffd",
		"\xe4\xb8\xe4\xb8":       "\ufffd\ufffd",
		"\xed\xa0\x80":           "\ufffd\ufffd\ufffd",
		"\xf0\x9f\x98 x\xc0\x80": "\ufffd x\ufffd\ufffd",
		"中\xf4\x90\x80\x80":      "中\ufffd\ufffd\ufffd\ufffd",
	} {
		if got, want := counting.CountString(broken), counting.CountString(fixed); got != want {
			t.Errorf("%q: %d, want %d", broken, got, want)
		}
	}
}

func TestCountingDoesNotAllocate(t *testing.T) {
	for _, encoding := range published {
		counting := open(t, encoding)
		for name, text := range hostile() {
			text = text[:min(len(text), 200_000)]
			counting.Count(text)
			if n := testing.AllocsPerRun(2, func() { counting.Forget(); counting.Count(text) }); n > 0 {
				t.Errorf("%s of %s: %v allocations", encoding, name, n)
			}
		}
	}
}
