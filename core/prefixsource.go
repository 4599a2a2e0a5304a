// Copyright The ctx-lsp authors. MIT licence.

package core

// TokensFrom returns a source's size of a kind of row, in tokens of the model in use; 0 if the source gives none. If
// two sources give the same row, the more reliable one shows how far the other is off.
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
