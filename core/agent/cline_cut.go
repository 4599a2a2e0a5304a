// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"slices"
	"strconv"
)

// clineResult is the longest string of a result that Cline sends whole, in UTF-16 units. Its record keeps all strings
// whole. Read from the shipped program, version 3.0.65: MessageBuilder, maxToolResultChars.
const clineResult = 8_000

// cutResult replaces the middle of text[start:] with a marker, like Cline for a longer string of a result. An escaped
// text is the inside of a JSON string.
func cutResult(text []byte, start int, escaped bool) []byte {
	if len(text)-start <= clineResult {
		return text
	}
	_, units := walkUnits(text[start:], len(text), escaped)
	if units <= clineResult {
		return text
	}
	var marker string
	half, removed := 0, units-clineResult
	for range 2 { // the marker contains how much it replaces
		marker = "...[truncated " + strconv.Itoa(removed) + " chars]..."
		half = (clineResult - len(marker) - len("\n\n\n\n")) / 2
		removed = units - 2*half
	}
	gap := "\n\n"
	if escaped {
		gap = `\n\n`
	}
	from, _ := walkUnits(text[start:], half, escaped)
	to, _ := walkUnits(text[start:], units-half, escaped)
	return slices.Replace(text, start+from, start+to, []byte(gap+marker+gap)...)
}

// walkUnits returns the offset after at most n UTF-16 units of a text, and the number of units before it.
func walkUnits(text []byte, n int, escaped bool) (at, units int) {
	for at < len(text) && units < n {
		units++
		switch char := text[at]; {
		case escaped && char == '\\' && at+1 < len(text) && text[at+1] == 'u':
			at += 6
		case escaped && char == '\\':
			at += 2
		case char < 0xC0:
			at++
		case char < 0xE0:
			at += 2
		case char < 0xF0:
			at += 3
		default:
			at += 4
			units++
		}
	}
	return min(at, len(text)), units
}
