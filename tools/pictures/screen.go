// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"

	"github.com/mattn/go-runewidth"
)

// The size of a cell, in pixels.
const (
	cellWide, cellHigh = 8.4, 16.3 // fits 14 points; a full block is as high as a line
	margin             = 14
)

// palette contains the first sixteen colors of a dark terminal.
var palette = [16]string{
	"#484f58", "#ff7b72", "#3fb950", "#d29922", "#58a6ff", "#bc8cff", "#39c5cf", "#b1bac4",
	"#6e7681", "#ffa198", "#56d364", "#e3b341", "#79c0ff", "#d2a8ff", "#56d4dd", "#f0f6fc",
}

const ink, ground = "#d1d7e0", "#0d1117"

// A pen is the style of characters.
type pen struct {
	color     string
	bold, dim bool
}

// drawScreen returns a screen as SVG. Each run of characters is placed at its column, so that no font can shift it.
func drawScreen(screen string, columns int, title string) string {
	lines := strings.Split(strings.TrimRight(screen, "\n"), "\n")
	wide, high := float64(columns)*cellWide+2*margin, float64(len(lines))*cellHigh+2*margin
	w := &strings.Builder{}
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" role="img">`+"\n", wide, high, wide, high)
	fmt.Fprintf(w, "<title>%s</title>\n", html.EscapeString(title))
	fmt.Fprintf(w, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", ground)
	fmt.Fprintf(w, `<g font-family="'DejaVu Sans Mono','Menlo','Consolas',monospace" font-size="14" fill="%s">`+"\n", ink)
	p := pen{}
	for i, line := range lines {
		drawLine(w, &p, line, margin+float64(i)*cellHigh+13)
	}
	w.WriteString("</g>\n</svg>\n")
	return w.String()
}

// drawLine draws one line; the pen keeps its state for the next.
func drawLine(w *strings.Builder, p *pen, line string, y float64) {
	column := 0
	for line != "" {
		if rest, is := strings.CutPrefix(line, "\x1b["); is {
			order, after, _ := strings.Cut(rest, "m")
			p.set(order)
			line = after
			continue
		}
		end := strings.IndexByte(line, '\x1b')
		if end < 0 {
			end = len(line)
		}
		run := strings.Map(func(r rune) rune {
			if r < ' ' {
				return -1
			}
			return r
		}, line[:max(end, 1)])
		line = line[max(end, 1):]
		for _, words := range apart.FindAllStringIndex(run, -1) {
			from := column + runewidth.StringWidth(run[:words[0]])
			text := run[words[0]:words[1]]
			fmt.Fprintf(w, `<text x="%.1f" y="%.1f" textLength="%.1f" lengthAdjust="spacingAndGlyphs"%s>%s</text>`+"\n",
				margin+float64(from)*cellWide, y, float64(runewidth.StringWidth(text))*cellWide, p.attributes(), html.EscapeString(text))
		}
		column += runewidth.StringWidth(run)
	}
}

// apart finds the texts separated by two spaces or more, which SVG would collapse.
var apart = regexp.MustCompile(`[^ ]+( [^ ]+)*`)

func (p *pen) attributes() string {
	text := ""
	if p.color != "" {
		text += ` fill="` + p.color + `"`
	}
	if p.bold {
		text += ` font-weight="bold"`
	}
	if p.dim {
		text += ` opacity="0.6"`
	}
	return text
}

// set applies a "select graphic rendition" sequence.
func (p *pen) set(order string) {
	numbers := strings.Split(order, ";")
	for i := 0; i < len(numbers); i++ {
		n, _ := strconv.Atoi(numbers[i]) // an empty number is 0
		switch {
		case n == 0:
			*p = pen{}
		case n == 1:
			p.bold = true
		case n == 2:
			p.dim = true
		case n == 22:
			p.bold, p.dim = false, false
		case n >= 30 && n <= 37:
			p.color = palette[n-30]
		case n >= 90 && n <= 97:
			p.color = palette[n-90+8]
		case n == 39:
			p.color = ""
		case n == 38 && i+2 < len(numbers) && numbers[i+1] == "5":
			at, _ := strconv.Atoi(numbers[i+2])
			p.color, i = indexed(at), i+2
		case n == 38 && i+4 < len(numbers) && numbers[i+1] == "2":
			var rgb [3]int
			for j := range rgb {
				rgb[j], _ = strconv.Atoi(numbers[i+2+j])
			}
			p.color, i = fmt.Sprintf("#%02x%02x%02x", rgb[0], rgb[1], rgb[2]), i+4
		}
	}
}

// indexed returns a color of the 256-color palette.
func indexed(n int) string {
	switch {
	case n < 16:
		return palette[max(n, 0)]
	case n >= 232:
		grey := 8 + 10*(n-232)
		return fmt.Sprintf("#%02x%02x%02x", grey, grey, grey)
	}
	level := func(n int) int {
		if n == 0 {
			return 0
		}
		return 55 + 40*n
	}
	n -= 16
	return fmt.Sprintf("#%02x%02x%02x", level(n/36), level(n/6%6), level(n%6))
}
