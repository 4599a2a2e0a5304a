// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"
)

// TestAMovingPictureShowsEachScreenInTurn checks that viewers without animations show the first screen, and that the
// times of the others follow each other without a gap.
func TestAMovingPictureShowsEachScreenInTurn(t *testing.T) {
	svg := moving([]string{"one", "two", "\x1b[1mthree\x1b[0m"}, 10, 1, "a & b")
	for _, want := range []string{
		`<g id="s0" font-family`, `<g id="s1" class="later"`, `<g id="s2" class="later"`, `.later{visibility:hidden}`, `>one</text>`, `font-weight="bold">three</text>`,
		"@keyframes s1{0%{visibility:hidden}31.25%{visibility:visible}62.50%{visibility:hidden}}",
		"@keyframes s2{0%{visibility:hidden}62.50%{visibility:visible}}",
		"#s2{animation:s2 8s step-end infinite}",
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
