// Copyright The ctx-lsp authors. MIT licence.

package document

import (
	"context"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// explained describes the setting at an offset; it returns nil for any other text.
func (s *Set) explained(ctx context.Context, t *text, offset int) *Hover {
	for _, each := range t.written.Explain(ctx, t.path, t.mapper.Text()).Hovers {
		if offset < each.At.From || offset > each.At.To {
			continue
		}
		where := t.mapper.Range(each.At.From, each.At.To)
		h := &Hover{Range: &where, Phrase: s.phrase(each.Text)}
		// Plain text, because names and values come from the file, which may be untrusted.
		h.Contents.Kind, h.Contents.Value = "plaintext", each.Text.String()
		return h
	}
	return nil
}

// wrong returns the problems of a file with an agent's settings.
func (s *Set) wrong(ctx context.Context, t *text) []Diagnostic {
	diagnostics := []Diagnostic{}
	for _, f := range t.written.Explain(ctx, t.path, t.mapper.Text()).Findings {
		diagnostics = append(diagnostics, Diagnostic{
			Range: t.mapper.Range(f.At.From, f.At.To), Severity: f.Severity, Code: f.Code, Source: "ctx",
			Message: f.Message.String(), Phrase: s.phrase(f.Message),
		})
	}
	return diagnostics
}

// phrase returns the phrase of a text for a client that translates; nil for other clients, and for a text without one.
func (s *Set) phrase(text phrase.Text) *api.Phrase {
	if !s.host.Settings().Phrases || !text.IsPhrase() {
		return nil
	}
	return api.PhraseOf(text)
}
