// Copyright The ctx-lsp authors. MIT licence.

package conversation

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// A name is a word that says which thing is meant, and not only what sort of thing.
// It is compiled when it is needed, because its tables take a tenth of a millisecond of every start.
var word = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[\pL\pN_$#@~./:\\-]+`) })

// shortestWord is how long a plain word is that may serve as a name where a text has no better ones.
const shortestWord = 7

// mostText is how much of a text is searched for names: beyond it only the size of a thing matters.
const mostText = 64 << 10

// A set has names as they were written, by their lower case.
type set map[string]string

func (s set) add(name string) { s[strings.ToLower(name)] = name }

// namesOf are the names in a text: paths, identifiers, numbers of some length. plain are its long words.
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

// isName is true of a word with a capital, a digit, an underscore, a dot or a slash inside it, as identifiers, files
// and versions have them, and plain words have not.
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

// lastElement is the last element of a path.
func lastElement(path string) string {
	return path[strings.LastIndexAny(path, `/\`)+1:]
}

// speaksOf is a text in which names are looked up.
type speaksOf struct {
	text  string // in lower case, with single blanks
	names set
}

func newSpeaksOf(text string) *speaksOf {
	s := &speaksOf{text: flat(text)}
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

// has says whether the text has a name: whole, or of a path the last element.
func (s *speaksOf) has(name string) bool {
	name = strings.ToLower(name)
	if s.names[name] != "" {
		return true
	}
	last := lastElement(name)
	return last != name && len(last) >= 4 && s.names[last] != ""
}

// flat is a text in lower case and with single blanks, in which another one can be found however it is wrapped.
func flat(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }
