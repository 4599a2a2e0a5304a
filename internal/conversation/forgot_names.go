// Copyright The ctx-lsp authors. MIT licence.

package conversation

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// word matches a candidate for a name: a word that identifies a thing and not only its kind. It is compiled on first
// use, because its tables would add a tenth of a millisecond to every start.
var word = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[\pL\pN_$#@~./:\\-]+`) })

// shortestWord is the minimum length of a plain word that may serve as a name if a text has no better ones.
const shortestWord = 7

// mostText is how much of a text is searched for names: beyond it only the size matters.
const mostText = 64 << 10

// A set contains names as they were written, keyed by their lower case.
type set map[string]string

func (s set) add(name string) { s[strings.ToLower(name)] = name }

// namesOf returns the names in a text (paths, identifiers, long numbers), and in plain its long words.
func namesOf(text string) (names, plain set) {
	names, plain = set{}, set{}
	for _, each := range word().FindAllString(text[:min(len(text), mostText)], -1) {
		each = strings.Trim(each, "./:-~\\@#$")
		switch {
		case isName(each):
			names.add(each)
		case len(each) >= shortestWord && isLetters(each):
			plain.add(each)
		}
	}
	return names, plain
}

// isName reports whether a word has a capital, digit, underscore, dot or slash inside it, as in identifiers, file names
// and versions but not in plain words.
func isName(w string) bool {
	if len(w) < 4 || len(w) > 200 {
		return false
	}
	letters, digits := 0, 0
	inner := false
	before := rune(0)
	for _, r := range w {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
		case r == '_', r == '.', r == '/', r == '\\', r == ':', r == '$', r == '#':
			inner = true
		}
		if unicode.IsUpper(r) && unicode.IsLower(before) {
			inner = true
		}
		before = r
	}
	if letters == 0 {
		return digits >= 4 && !strings.Contains(w, "/")
	}
	return inner || digits > 0
}

func isLetters(w string) bool {
	for _, r := range w {
		if !unicode.IsLetter(r) {
			return false
		}
	}
	return true
}

// lastElement returns the last element of a path.
func lastElement(path string) string {
	return path[strings.LastIndexAny(path, `/\`)+1:]
}

// searchedText is a text that is searched for names.
type searchedText struct {
	text  string // lower case, with single spaces
	names set
}

func newSearchedText(text string) *searchedText {
	s := &searchedText{text: flat(text)}
	names, plain := namesOf(text)
	s.names = names
	for _, each := range plain {
		s.names.add(each)
	}
	var last []string
	for _, each := range names {
		last = append(last, lastElement(each))
	}
	for _, each := range last {
		s.names.add(each)
	}
	return s
}

// has reports whether the text contains a name: in full, or the last element of a path.
func (s *searchedText) has(name string) bool {
	name = strings.ToLower(name)
	if s.names[name] != "" {
		return true
	}
	last := lastElement(name)
	return last != name && len(last) >= 4 && s.names[last] != ""
}

// flat returns a text in lower case with single spaces, so that it can be found whatever its line breaks.
func flat(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }
