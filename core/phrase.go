// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/internal/phrase"

type (
	// Phrase is a text of ctx-lsp that front ends translate.
	Phrase = phrase.Phrase
	// Text is a phrase, or a third-party text such as a file name. Only its type distinguishes the two.
	Text = phrase.Text
)

// Named returns a third-party text.
func Named(name string) Text { return phrase.Named(name) }
