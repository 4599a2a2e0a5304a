// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"regexp"
	"strings"
)

// The manual page and docs/commands.md say what the help says, in other clothes: both are made of the commands' help
// texts, which this file reads.

// A helpBlock is a part of a help text between empty lines.
type helpBlock struct {
	kind  blockKind
	title string     // the line above, like "Flags"; empty if there is none
	lines []string   // of prose and examples, without their indentation
	terms []helpTerm // of a list
}

type blockKind int

const (
	ofProse blockKind = iota
	ofExamples
	ofTerms
)

// A helpTerm is a flag or a field, and what is said of it.
type helpTerm struct{ name, text string }

// helpBlocks divides a help text into blocks.
func helpBlocks(usage string) []helpBlock {
	var blocks []helpBlock
	for part := range strings.SplitSeq(strings.Trim(usage, "\n"), "\n\n") {
		lines := strings.Split(strings.Trim(part, "\n"), "\n")
		title := ""
		if len(lines) > 1 && strings.HasSuffix(lines[0], ":") && !strings.HasPrefix(lines[0], " ") && strings.HasPrefix(lines[1], "  ") {
			title, lines = strings.TrimSuffix(lines[0], ":"), lines[1:]
		}
		b := helpBlock{title: title}
		switch {
		case !strings.HasPrefix(lines[0], "  "):
			b.lines = lines
		case strings.HasPrefix(lines[0], "  --"), strings.HasPrefix(lines[0], "  {") && termEnd.MatchString(lines[0]):
			b.kind, b.terms = ofTerms, helpTerms(lines)
		default:
			b.kind = ofExamples
			for _, line := range lines {
				b.lines = append(b.lines, strings.TrimPrefix(line, "  "))
			}
		}
		blocks = append(blocks, b)
	}
	return blocks
}

// termEnd is what stands between a flag and its text: two spaces, or one where the flag reaches the text's column.
var termEnd = regexp.MustCompile(`^  (--\S+ [A-Z]+|--\S+|\{[A-Za-z0-9]+\}) +`)

// helpTerms reads a list: a line that is indented further goes on with the text above.
func helpTerms(lines []string) []helpTerm {
	var terms []helpTerm
	for _, line := range lines {
		if strings.HasPrefix(line, "   ") && len(terms) > 0 {
			terms[len(terms)-1].text += " " + strings.TrimSpace(line)
			continue
		}
		at := termEnd.FindString(line)
		if at == "" {
			terms = append(terms, helpTerm{name: strings.TrimSpace(line)})
			continue
		}
		terms = append(terms, helpTerm{strings.TrimSpace(at), strings.TrimSpace(line[len(at):])})
	}
	return terms
}

// exitCodes are what every command ends with, where its help says nothing else.
var exitCodes = []helpTerm{
	{"0", "Done."},
	{"1", "It could not be done; a sentence on standard error says why."},
	{"2", "The command line was wrong."},
	{"3", "Done, and the context is over the budget that was asked about."},
}
