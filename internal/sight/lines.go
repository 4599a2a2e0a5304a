// Copyright The ctx-lsp authors. MIT licence.

package sight

import (
	"slices"
	"strings"
)

// linesOf splits a text into lines without their ends. A text that ends with a line end has no empty line after it.
func linesOf(text string) []string {
	if text == "" {
		return nil
	}
	lines := make([]string, 0, strings.Count(text, "\n")+1)
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		lines = append(lines, strings.TrimSuffix(line, "\r"))
	}
	return lines
}

// blank reports whether a line has only whitespace. Such a line follows its neighbors.
func blank(line string) bool { return strings.TrimSpace(line) == "" }

// hasBlank reports whether any of some lines is blank. Otherwise a blank line at their place has been replaced.
func hasBlank(lines []string) bool { return slices.ContainsFunc(lines, blank) }

// separators are written by tools between a line's number and its text: Claude Code, nl and cat -n, rg and grep,
// OpenCode, editors.
var separators = []string{"→", "\t", ":", "|", " | "}

// numberOf returns the number before a line, the separator and the rest; ok is false without a number.
func numberOf(line string) (number int, by, rest string, ok bool) {
	at := 0
	for at < len(line) && at < 8 && line[at] == ' ' {
		at++
	}
	first := at
	for ; at < len(line) && at-first < 8 && line[at] >= '0' && line[at] <= '9'; at++ {
		number = number*10 + int(line[at]-'0')
	}
	if at == first || number == 0 {
		return 0, "", "", false
	}
	for _, by := range separators {
		if rest, ok := strings.CutPrefix(line[at:], by); ok {
			return number, by, rest, true
		}
	}
	return 0, "", "", false
}

// A block is consecutive lines of a file as a tool printed them.
type block struct {
	start int // the number of its first line; 0 if unknown
	lines []string
	eof   bool // its last line is the file's last
	// trimmed is set if the agent may have removed whitespace at the beginning of the first line.
	trimmed bool
}

// numberedBlocks returns the blocks of lines that carry numbers. A line without a number ends a block, and a line that
// does not count on begins another one. It returns nil if fewer than half of the lines carry numbers with the same
// separator. With spaced, a space after each colon belongs to the number.
func numberedBlocks(lines []string, spaced bool) []block {
	var blocks []block
	found, next, separator := 0, 0, ""
	for _, line := range lines {
		number, by, rest, ok := numberOf(line)
		if !ok || separator != "" && by != separator {
			next = 0
			continue
		}
		separator = by
		found++
		if next == 0 || number != next {
			blocks = append(blocks, block{start: number})
		}
		b := &blocks[len(blocks)-1]
		b.lines = append(b.lines, rest)
		next = number + 1
	}
	if found*2 < len(lines) {
		return nil
	}
	if separator == ":" && spaced && allSpaced(blocks) {
		for _, b := range blocks {
			for i := range b.lines {
				b.lines[i] = strings.TrimPrefix(b.lines[i], " ")
			}
		}
	}
	return blocks
}

// allSpaced reports whether each line that is not empty begins with a space.
func allSpaced(blocks []block) bool {
	for _, b := range blocks {
		for _, line := range b.lines {
			if line != "" && line[0] != ' ' {
				return false
			}
		}
	}
	return true
}
