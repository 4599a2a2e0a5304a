// Copyright The ctx-lsp authors. MIT licence.

package terminal

import "strings"

// leastColumns is the minimum width of wrapped text; narrower text is hard to read.
const leastColumns = 24

// WrapHelp breaks the long lines of a help text at spaces. Continuation lines start at the second column, or at the
// line's indentation if that would leave too little space.
func WrapHelp(text string, columns int) string {
	columns = max(columns, leastColumns)
	lines := strings.Split(text, "\n")
	var out []string
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if prose(line) { // a paragraph is refilled
			long := false
			paragraph := []string{}
			for ; i < len(lines) && prose(lines[i]); i++ {
				long = long || len([]rune(lines[i])) > columns
				paragraph = append(paragraph, lines[i])
			}
			i--
			if !long {
				out = append(out, paragraph...)
				continue
			}
			line = strings.Join(paragraph, " ")
		}
		if len([]rune(line)) <= columns {
			out = append(out, line)
			continue
		}
		indent := len(line) - len(strings.TrimLeft(line, " "))
		hang := indent + 2
		if indent == 0 {
			hang = 0
		}
		if gap := strings.Index(line[indent:], "  "); gap > 0 {
			column := indent + gap + len(line[indent+gap:]) - len(strings.TrimLeft(line[indent+gap:], " "))
			if runes := len([]rune(line[:column])); runes <= columns/2 {
				hang = runes
			} else {
				// The second column starts on the next line.
				out = append(out, strings.TrimRight(line[:indent+gap], " "))
				line, hang = strings.Repeat(" ", indent+4)+line[column:], indent+4
			}
		}
		out = append(out, broken(line, columns, hang)...)
	}
	return strings.Join(out, "\n")
}

// prose reports whether a line belongs to a paragraph.
func prose(line string) bool {
	return line != "" && line[0] != ' ' && !strings.Contains(line, "  ")
}

// broken breaks a line into several; those after the first are indented by hang.
func broken(line string, columns, hang int) []string {
	var out []string
	rest := []rune(line)
	for len(rest) > columns {
		at := columns
		for at > hang && rest[at] != ' ' {
			at--
		}
		if at <= hang { // a word longer than the line, such as an address
			if at = columns; columns-hang < 8 {
				break
			}
			for at < len(rest) && rest[at] != ' ' {
				at++
			}
		}
		out = append(out, strings.TrimRight(string(rest[:at]), " "))
		rest = []rune(strings.TrimLeft(string(rest[at:]), " "))
		if len(rest) == 0 {
			return out
		}
		rest = append([]rune(strings.Repeat(" ", hang)), rest...)
	}
	return append(out, string(rest))
}
