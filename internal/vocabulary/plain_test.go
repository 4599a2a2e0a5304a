// Copyright The ctx-lsp authors. MIT licence.

package vocabulary

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/ctx-lsp/ctx-lsp/core/token"
)

// plainTiles counts by the rules in docs/tokens.md, one step after another and each over the whole text. It neither
// splits the text nor uses caches or keys like the real implementation, which is compared with it.
type plainTiles struct {
	tiles  *Tiles
	pieces map[string]bool
}

func newPlainTiles(t *Tiles) *plainTiles {
	p := &plainTiles{tiles: t, pieces: map[string]bool{}}
	for _, piece := range t.Pieces {
		p.pieces[piece] = true
	}
	return p
}

// A plainRun is a sequence of characters of one kind.
type plainRun struct {
	class string // word, stray, digit, punct, hard or space
	text  []rune
}

// composed returns a text in form C. golang.org/x/text may move a mark after U+11046 past the preceding character to an
// earlier one, which neither Unicode's rules nor other libraries do. So each piece that nothing before it can change is
// composed separately.
func composed(text string) string {
	var whole strings.Builder
	piece := ""
	for _, c := range text { // bytes that are not UTF-8 are U+FFFD
		if norm.NFC.PropertiesString(string(c)).BoundaryBefore() {
			whole.WriteString(norm.NFC.String(piece))
			piece = ""
		}
		piece += string(c)
	}
	return whole.String() + norm.NFC.String(piece)
}

func (p *plainTiles) normal(text string) []rune {
	var kept, out []rune
	for _, c := range composed(text) {
		if c == 0 {
			c = ' '
		}
		if c < 0x20 && c != '\t' && c != '\n' || c >= 0x7F && c < 0xA0 {
			continue
		}
		kept = append(kept, c)
	}
	for _, c := range strings.ReplaceAll(string(kept), "\u0E4D\u0E32", "\u0E33") {
		switch {
		case c >= 0xE000 && c <= 0xF8FF:
			continue
		case p.tiles.FoldQuotes && (c == '‘' || c == '’'):
			c = '\''
		case p.tiles.FoldQuotes && (c == '“' || c == '”'):
			c = '"'
		case c != ' ' && c != 0x3000 && unicode.In(c, unicode.Z):
			c = ' '
		}
		out = append(out, c)
	}
	return out
}

func plainClass(c rune) string {
	if c >= classedEndsAt {
		return "hard"
	}
	switch markClass(c) &^ token.MarkSymbol {
	case token.MarkSpace, token.MarkBlank:
		return "space"
	case token.MarkDigit, token.MarkOtherDigit:
		return "digit"
	case token.MarkPunct:
		return "punct"
	case token.MarkSign, token.MarkSelector, token.MarkDecimal, token.MarkNumber, token.MarkAlone:
		return "hard"
	}
	return "word"
}

func isMark(c rune, class int) bool {
	return c < classedEndsAt && markClass(c)&^token.MarkSymbol == class
}

func isSelector(c rune) bool { return isMark(c, token.MarkSelector) }

// hardKind returns the kind by which the characters in a run of hard characters are grouped.
func hardKind(c rune) string {
	switch {
	case isMark(c, token.MarkSign):
		return "sign"
	case isMark(c, token.MarkDecimal), isMark(c, token.MarkNumber):
		return "number"
	}
	return "letter"
}

func plainRuns(text []rune) (runs []plainRun) {
	for _, c := range text {
		class := plainClass(c)
		if class == "word" && isMark(c, token.MarkStray) && (len(runs) == 0 || runs[len(runs)-1].class != "word") {
			class = "stray"
		}
		if n := len(runs); n > 0 && runs[n-1].class == class {
			last := &runs[n-1]
			if class != "hard" || isSelector(c) || hardKind(c) == hardKind(last.text[0]) {
				last.text = append(last.text, c)
				continue
			}
		}
		runs = append(runs, plainRun{class, []rune{c}})
	}
	return runs
}

// number reports whether a run consists of numbers of a single category.
func (r plainRun) number() bool {
	for _, category := range []*unicode.RangeTable{unicode.Nd, unicode.No} {
		if !slices.ContainsFunc(r.text, func(c rune) bool { return !unicode.Is(category, c) }) {
			return true
		}
	}
	return false
}

func bordered(c rune) bool {
	return c >= 0x80 && c < classedEndsAt && unicode.In(c, unicode.Nd, unicode.No)
}

func signed(c rune) bool {
	return isSelector(c) || isMark(c, token.MarkSign) || c < classedEndsAt && markClass(c)&token.MarkSymbol != 0
}

func (r plainRun) last() rune { return r.text[len(r.text)-1] }

func (r plainRun) takesBegin() bool {
	switch {
	case r.class == "punct":
		return true
	case r.class == "hard" && (signed(r.text[0]) || signed(r.last())):
		return signed(r.text[0])
	}
	return (r.class == "hard" || r.class == "digit") && r.number() && bordered(r.text[0])
}

func (r plainRun) takesEnd() bool {
	switch {
	case r.class == "punct":
		return true
	case r.class == "hard" && (signed(r.text[0]) || signed(r.last())):
		return signed(r.last())
	}
	return (r.class == "hard" || r.class == "digit") && r.number() && bordered(r.last())
}

// borders reports whether no contraction reaches across the run.
func (r plainRun) borders() bool { return r.takesEnd() || r.class != "stray" && signed(r.last()) }

const (
	plainBegin, plainEnd = "\xF8", "\xF9"
	plainShift, plainCap = "\xFA", "\xFB"
)

// stream returns the marked stream. framed is set if the frame of a message ends with a begin mark.
func (p *plainTiles) stream(text []rune, framed bool) string {
	runs := plainRuns(text)
	blankBefore := func(i int) bool {
		if i == 0 {
			return framed
		}
		return runs[i-1].class == "space" && runs[i-1].last() == ' '
	}
	blankBehind := func(i int) bool {
		if i+1 == len(runs) || runs[i+1].class != "space" {
			return false
		}
		behind := string(runs[i+1].text)
		return strings.HasPrefix(behind, " ") && !strings.HasPrefix(behind, "  ")
	}
	opens := func(i int) bool {
		return string(runs[i].text) == "'" && i+1 < len(runs) && (runs[i+1].class == "word" || runs[i+1].class == "stray")
	}
	var out []string
	for i, r := range runs {
		body := string(r.text)
		switch {
		case r.class == "word":
			fused := i > 0 && runs[i-1].class == "stray"
			contracted := i > 0 && slices.Contains(contractions, body) && string(runs[i-1].text) == "'" &&
				(i < 2 || !runs[i-2].borders())
			marks := ""
			if !fused {
				marks, body = p.cased(r.text)
			}
			if !fused && !contracted {
				marks += plainBegin
			}
			out = append(out, marks+body+plainEnd)
		case r.class == "stray":
			end := plainEnd
			if i+1 < len(runs) && runs[i+1].class == "word" {
				end = ""
			}
			out = append(out, plainBegin+body+end)
		default:
			if r.takesBegin() && blankBefore(i) && !opens(i) {
				body = plainBegin + body
			}
			if r.takesEnd() && blankBehind(i) {
				body += plainEnd
			}
			out = append(out, body)
		}
	}
	all := ""
	for i, part := range out {
		if part == " " && i > 0 && strings.HasSuffix(out[i-1], plainEnd) && i+1 < len(out) && begun(out[i+1]) {
			continue
		}
		all += part
	}
	if framed && (len(runs) == 0 || !begun(all) && text[0] != ' ') {
		if len(runs) > 0 && opens(0) {
			return " " + all
		}
		return plainBegin + all
	}
	return all
}

// begun reports whether a begin mark comes first, or directly after the mark of capitals.
func begun(stream string) bool {
	return strings.HasPrefix(stream, plainBegin) || strings.HasPrefix(stream, plainShift+plainBegin) ||
		strings.HasPrefix(stream, plainCap+plainBegin)
}

// cased returns a word in small letters, and the mark for its capitals.
func (p *plainTiles) cased(word []rune) (mark, body string) {
	capital := func(c rune) bool {
		return unicode.In(c, unicode.Lu, unicode.Other_Uppercase) && c != capitalTheta || newCapitals[c] != 0
	}
	lower := func(c rune) rune {
		if c == 0x130 {
			return c
		}
		return smallLetter(c)
	}
	small := func() string {
		var out []rune
		for _, c := range word {
			out = append(out, lower(c))
		}
		return string(out)
	}
	head, capitals, tail, letters := word[0], 0, false, true
	for i, c := range word {
		if capital(c) {
			capitals++
			tail = tail || i > 0 && c != 0x130
		}
		isLetter := unicode.In(c, unicode.L, unicode.M) || isNewCased(c) || c == kannadaMark
		isCased := capital(c) || unicode.In(c, unicode.Ll, unicode.Other_Lowercase) || isNewCased(c)
		if isCased && !capital(c) || isLetter && (!capital(c) || smallLetter(c) == c) {
			letters = false
		}
	}
	dotted := slices.Contains(word, 0x130)
	switch {
	case slices.Contains(word, 0x1E9E):
	case dotted && head != 0x130 && capital(head) && !tail:
		return plainShift, small()
	case dotted:
	case p.tiles.CapsMin > 0 && len(word) >= p.tiles.CapsMin && capitals > 0 && letters:
		return plainCap, small()
	case capital(head) && lower(head) != head && !tail:
		return plainShift, small()
	}
	return "", string(word)
}

// tokens returns the smallest number of pieces that make up the stream.
func (p *plainTiles) tokens(stream string) int64 {
	best := make([]int64, len(stream)+1)
	for end := 1; end <= len(stream); end++ {
		best[end] = best[end-1] + 1
		for begin := max(0, end-longestPiece); begin < end; begin++ {
			if p.pieces[stream[begin:end]] {
				best[end] = min(best[end], best[begin]+1)
			}
		}
	}
	return best[len(stream)]
}

// count returns the tokens of text inside a prompt.
func (p *plainTiles) count(text string) int64 { return p.tokens(p.stream(p.normal(text), false)) }

// message returns the tokens of text as a message.
func (p *plainTiles) message(text string) int64 {
	total := int64(p.tiles.Overhead)
	if !p.tiles.LineTail {
		return total + p.tokens(p.stream(p.normal(strings.TrimRight(text, " \t\n\r\f\v")), p.tiles.OpenFrame))
	}
	normal := p.normal(text)
	bare := []rune(strings.TrimRight(string(normal), "\n"))
	if n := len(normal) - len(bare); n > 0 {
		total += p.tokens(strings.Repeat("\n", n+2)) - 1
	}
	if p.tiles.OpenFrame && strings.HasPrefix(text, " ") && len(bare) > 0 && bare[0] == ' ' && (len(bare) == 1 || bare[1] != ' ') {
		bare = bare[1:]
	}
	return total + p.tokens(p.stream(bare, p.tiles.OpenFrame))
}
