// Copyright The ctx-lsp authors. MIT licence.

package core

// FineShare prints hundredths of a percent with a decimal below ten, where a
// prompt file's share lies: 0.62% is 0.6%, and next to nothing is <0.1%.
func FineShare(hundredths int64) string {
	if hundredths < 0 || hundredths >= 995 {
		return Percent(hundredths)
	}
	if hundredths < 5 {
		return "<0.1%"
	}
	return string(appendTenths(nil, (hundredths+5)/10)) + "%"
}

// Share is part of whole in hundredths of a percent, rounded half up.
func Share(part, whole int64) int64 { return hundredths(part, whole) }
