// Copyright The ctx-lsp authors. MIT licence.

package core

import "testing"

func TestAPhraseIsSaidInEnglishOrByItsID(t *testing.T) {
	const p Phrase = "without:{0}: {1} fits, {0} does not"
	if got := p.Say(false, "a{1}", "b"); got != "a{1}: b fits, a{1} does not" {
		t.Errorf("%q: what stands in a phrase is no form", got)
	}
	if got := p.Say(true, "a", Phrase("two:2").Say(true)); got != "\x0ewithout\x1fa\x1f\x0etwo\x0f\x0f" {
		t.Errorf("%q", got)
	}
	if got := Unmarked("\x0ea\x1f\nb\x0f"); got != "a\nb" {
		t.Errorf("%q: a text of somebody else could end a phrase", got)
	}
}
