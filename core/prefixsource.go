// Copyright The ctx-lsp authors. MIT licence.

package core

// TokensFrom is what a source says of a kind of row of the fixed part, in tokens of
// the model in use, and 0 where it says nothing. Where two sources name the
// same row, the stronger one shows how far the weaker is off.
func (s *Session) TokensFrom(source PrefixSource, kind Kind) (tokens int64) {
	density := s.resolved.Meter.Density()
	for i := range s.prefix.parts {
		part := &s.prefix.parts[i]
		switch {
		case part.source != source || part.kind != kind:
		case part.density > 0 && part.density != density:
			tokens += mulDiv(part.tokens, density, part.density)
		default:
			tokens += part.tokens
		}
	}
	return tokens
}
