// Copyright The ctx-lsp authors. MIT licence.

// Package redact prepares texts of a conversation for another reader: a terminal, another agent, or a file. Control
// characters become visible, and possible secrets are removed. It recognizes secrets by the formats of vendors' keys,
// and by assignments with a name or a value that suggests a secret. It cannot recognize all of them.
//
// Only texts from outside go through it, not the hashes, ids and counts of this program.
package redact

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

// Mark replaces a secret.
const Mark = "[secret removed]"

// A Redactor prepares the texts of one result.
type Redactor struct {
	Unredacted bool // secrets stay, because the user asked for them; control characters never stay
	Struck     int  // the number of secrets removed so far
}

// Text returns a text of several lines without secrets and with visible control characters.
func (r *Redactor) Text(text string) string { return Clean(r.Strike(text)) }

// Line is Text on one line: line breaks become visible too.
func (r *Redactor) Line(text string) string { return terminal.Sentence(r.Strike(text)) }

// Count returns how many secrets were removed from texts that have been through a Redactor.
func Count(texts ...string) (struck int) {
	for _, text := range texts {
		struck += strings.Count(text, Mark)
	}
	return struck
}

// Note returns a message with the number of secrets removed, "" if there were none.
func Note(struck int) string {
	switch struck {
	case 0:
		return ""
	case 1:
		return "1 value that looks like a secret was removed."
	}
	return fmt.Sprintf("%d values that look like secrets were removed.", struck)
}

// Clean makes control characters visible, except for line breaks and tabs.
func Clean(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i, line := range lines {
		cells := strings.Split(line, "\t")
		for k, cell := range cells {
			cells[k] = terminal.Sentence(cell)
		}
		lines[i] = strings.Join(cells, "\t")
	}
	return strings.Join(lines, "\n")
}

// A span is a part of a text.
type span struct{ from, to int }

// Strike replaces the secrets in a text, and leaves control characters as they are.
func (r *Redactor) Strike(text string) string {
	if r.Unredacted || text == "" {
		return text
	}
	found := privateKeys(text)
	small := lowered(text)
	rules := rulesFor(small)
	var before lines
	for at := 0; at < len(text); {
		end := at + lineEnd(text[at:])
		line, small := plainOf(text[at:end]), small[at:end]
		if line.at != nil {
			small = lowered(line.text)
		}
		for _, s := range append(rules.secretsIn(line.text, small), before.all(line.text)...) {
			s = line.span(s)
			found = append(found, span{s.from + at, s.to + at})
		}
		at = end
	}
	if len(found) == 0 {
		return text
	}
	slices.SortFunc(found, func(a, b span) int { return cmp.Or(a.from-b.from, b.to-a.to) })
	var out strings.Builder
	done := 0
	for i := 0; i < len(found); {
		s := found[i]
		for i++; i < len(found) && found[i].from < s.to; i++ {
			s.to = max(s.to, found[i].to)
		}
		out.WriteString(text[done:s.from])
		out.WriteString(Mark)
		done = s.to
		r.Struck++
	}
	out.WriteString(text[done:])
	return out.String()
}

// longestLine is how much of a line is searched at once.
const longestLine = 64 << 10

// lineEnd returns the end of a text's first line. A line that is too long ends at a space, if there is one.
func lineEnd(text string) int {
	end := strings.IndexByte(text[:min(len(text), longestLine)], '\n') + 1
	if end == 0 && len(text) > longestLine {
		end = strings.LastIndexByte(text[:longestLine], ' ') + 1
	}
	if end == 0 {
		end = min(len(text), longestLine)
	}
	return end
}

// secretsIn returns the secrets in a line; they may overlap. small is the line in lower case.
func (r *rules) secretsIn(line, small string) (found []span) {
	for at := 0; at < len(line); {
		if !inShape(line[at]) {
			at++
			continue
		}
		end := at
		for end < len(line) && inShape(line[end]) {
			end++
		}
		if end-at >= shortestShape {
			found = append(found, shapesIn(line, at, end)...)
		}
		at = end
	}
	for _, frame := range r.framed {
		if !strings.Contains(small, frame.with) {
			continue
		}
		for _, at := range frame.pattern().FindAllStringSubmatchIndex(line, -1) {
			for group := 2; group < len(at); group += 2 {
				if at[group] >= 0 && at[group] < at[group+1] && !placeholder(line[at[group]:at[group+1]]) && (frame.check == nil || frame.check(line[at[group]:at[group+1]])) {
					found = append(found, span{at[group], at[group+1]})
				}
			}
		}
	}
	found = append(found, inAddresses(line)...)
	found = append(found, inElements(line, small)...)
	found = append(found, r.inCommands(line, small)...)
	found = append(found, r.inLanguages(line, small)...)
	found = append(found, r.inNear(line, small)...)
	return append(found, assigned(line)...)
}

// element matches an element of XML that has the name and the value of a setting as attributes.
var element = compiled(`(?i)\b(?:name|key)=\\?["']([\w.:-]+)\\?["']\s+value=\\?["']([^"'\n\\]+)`)

// inElements returns the secrets in such elements.
func inElements(line, small string) (found []span) {
	if !strings.Contains(small, " value=") {
		return nil
	}
	for _, at := range element().FindAllStringSubmatchIndex(line, -1) {
		if isSecret(line[at[2]:at[3]], line[at[4]:at[5]], true) {
			found = append(found, span{at[4], at[5]})
		}
	}
	return found
}

// keyedAddress matches an address with a key in place of a user, such as the DSN of an error tracker.
var keyedAddress = compiled(`://([A-Za-z0-9_-]{12,})(?::[^\s/@"'<>]*)?@`)

// inAddresses returns the keys of addresses.
func inAddresses(line string) (found []span) {
	if !strings.Contains(line, "://") {
		return nil
	}
	for _, at := range keyedAddress().FindAllStringSubmatchIndex(line, -1) {
		key := line[at[2]:at[3]]
		if kinds := classes(key); likeKey(key) && (len(key) >= 20 || kinds.upper && kinds.lower) { // not the name of a user
			found = append(found, span{at[2], at[3]})
		}
	}
	return found
}

// shapesIn returns the keys in a part of a line. Each starts at the start of a word.
func shapesIn(line string, from, to int) (found []span) {
	for at := from; at+shortestShape <= to; at++ {
		if !inWord(line[at]) || at > 0 && inWord(line[at-1]) && !escaped(line, at) {
			continue
		}
		for _, s := range shaped()[line[at]] {
			if !strings.HasPrefix(line[at:to], s.prefix) {
				continue
			}
			rest := at + len(s.prefix)
			if in := s.rest().FindStringIndex(line[rest:min(to, rest+longestShape)]); in != nil && (s.check == nil || s.check(line[rest:rest+in[1]])) {
				found = append(found, span{at, rest + in[1]})
				at = rest + in[1] - 1
				break
			}
		}
	}
	return found
}

// inShape reports whether a byte may be in a vendor's key.
func inShape(b byte) bool { return inWord(b) || strings.IndexByte("-._~+/=:", b) >= 0 }

// escaped reports whether a JSON escape such as \n, \r or \t comes before an offset.
func escaped(line string, at int) bool {
	return at > 1 && line[at-2] == '\\' && strings.IndexByte("nrt", line[at-1]) >= 0
}

// inWord reports whether a byte is part of a word, so that a key cannot start after it.
func inWord(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '_'
}
