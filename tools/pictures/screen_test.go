// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"
)

// TestAScreenKeepsItsColumnsAndColours checks that SVG does not change the text: adjacent spaces would collapse, wide
// characters depend on the font, and special characters of XML would end it.
func TestAScreenKeepsItsColumnsAndColours(t *testing.T) {
	svg := drawScreen("\x1b[1mUSED\x1b[0m  \x1b[32m\u56f3\u8868 <a> & b\x1b[39m   \x1b[38;5;208mx\x1b[0m\n\x1b[38;2;1;2;3mnext\n", 40, "a < b")
	for _, want := range []string{
		`<text x="14.0" y="27.0" textLength="33.6" lengthAdjust="spacingAndGlyphs" font-weight="bold">USED</text>`,
		`<text x="64.4" y="27.0" textLength="100.8" lengthAdjust="spacingAndGlyphs" fill="#3fb950">図表 &lt;a&gt; &amp; b</text>`,
		`<text x="190.4" y="27.0" textLength="8.4" lengthAdjust="spacingAndGlyphs" fill="#ff8700">x</text>`,
		`fill="#010203">next</text>`,
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("the picture has no %s:\n%s", want, svg)
		}
	}
	reader := xml.NewDecoder(strings.NewReader(svg))
	for {
		if _, err := reader.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
