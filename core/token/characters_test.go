// Copyright The ctx-lsp authors. MIT licence.

package token_test

import (
	"strings"
	"testing"
)

// An overlong encoding is invalid UTF-8 and must not be taken for the character, even if that has been seen before.
func TestOverlongCharactersAreBroken(t *testing.T) {
	for _, encoding := range published {
		counting := open(t, encoding)
		counting.CountString("qzxéxkqqzé")
		for n := range 10 {
			broken := strings.Repeat("\xE0\x83\xA9", n) // é in three bytes
			if got, want := counting.CountString(broken), counting.CountString(strings.Repeat("\ufffd", 3*n)); got != want {
				t.Errorf("%s of %q: %d, want %d", encoding, broken, got, want)
			}
		}
	}
}

// Some merges join the last byte of a character with the ASCII character after it.
func TestCharactersAreTakenApartBeforeASCII(t *testing.T) {
	if got := open(t, "o200k_base").CountString("⭕\n\n"); got != 3 {
		t.Errorf("%d tokens, want 3", got)
	}
}
