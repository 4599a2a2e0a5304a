// Copyright The ctx-lsp authors. MIT licence.

package redact

import (
	"cmp"
	"strings"
)

// A lines contains the facts that earlier lines state about one: the names in the first row of its table, and the
// name of the value that follows.
type lines struct {
	header []string // nil outside a table
	named  string   // from a line like "- name: DB_PASSWORD"
	block  string   // from a line like "password: |" or `variable "db_password" {`
	left   int      // how many lines the block may have until its value
	headed string   // the name in a heading whose text has not begun
}

// all returns the secrets that next finds in a line, which may be one of JSON that contains several with the escape \n.
func (l *lines) all(line string) (found []span) {
	for from := 0; from < len(line); {
		to, after := len(line), len(line)
		if n := strings.Index(line[from:], `\n`); n >= 0 {
			to, after = from+n, from+n+2
		}
		for _, s := range l.next(line[from:to]) {
			found = append(found, span{from + s.from, from + s.to})
		}
		from = after
	}
	return found
}

// next returns the secrets in a line whose names are in other cells of its row, in the table's first row, or in the
// line before.
func (l *lines) next(line string) (found []span) {
	if of := l.underHeading(line); of.from < of.to {
		return []span{of}
	}
	if cells := cellsOf(line); len(cells) > 1 {
		names := make([]string, len(cells))
		for i, c := range cells {
			names[i] = bare(line[c.from:c.to])
		}
		for i, c := range cells {
			of := valueIn(line, c)
			if of.from >= of.to {
				continue
			}
			text := line[of.from:of.to]
			if i > 0 && isName(names[i-1]) && isSecret(joined(names[i-1]), text, false) || l.header != nil && i < len(l.header) && isName(l.header[i]) && isSecret(joined(l.header[i]), text, false) {
				found = append(found, of)
			}
		}
		if l.header == nil {
			l.header = names
		}
		l.named = ""
		return found
	}
	if l.left > 0 {
		found = l.inBlock(line)
	}
	if m := beginsBlock(line); m != nil {
		l.block, l.left = cmp.Or(m[1], m[2]), 1
		if m[2] != "" {
			l.left = 6 // a description and a type may come first
		}
	}
	if ruled := strings.TrimSpace(line); l.header != nil && ruled != "" && strings.Trim(ruled, "-+=:|─━═┼╪╋├┤┝┥╞╡ ") == "" {
		return nil // a line under the first row
	}
	l.header = nil
	text := strings.TrimLeft(strings.TrimSpace(line), "-{ \t\\\"")
	key, value, is := strings.Cut(text, ":")
	if !is {
		l.named = ""
		return found
	}
	switch key = strings.Trim(key, "\\\"' "); {
	case key == "name" || key == "key" || key == "Name" || key == "Key" || key == "ParameterKey":
		l.named = bare(strings.TrimRight(value, ", \r\n"))
		return found
	case l.named != "" && (key == "value" || key == "Value" || key == "ParameterValue"):
		of, quoted := valueAt(line, strings.Index(line, key)+strings.Index(line[strings.Index(line, key):], ":")+1)
		if of.from < of.to && isName(l.named) && isSecret(l.named, line[of.from:of.to], quoted) {
			found = append(found, of)
		}
	}
	l.named = ""
	return found
}

// underHeading returns the secret in the first line of the text under a heading that names one, which may be in a
// fence. A heading is a title, or a line that is bold or ends in a colon.
func (l *lines) underHeading(line string) (of span) {
	text := strings.TrimSpace(line)
	if l.headed != "" {
		if text == "" || strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~") {
			return of
		}
		at := valueIn(line, span{0, len(line)})
		value := line[at.from:at.to]
		spoken := namesPassword(l.headed) && likeSpoken(value)
		if !strings.ContainsAny(value, " \t") && isSecret(l.headed, value, false) && (spoken || strong(value) && classes(value).upper || hasNoOrder(value)) {
			of = at
		}
		l.headed = ""
	}
	if text == "" || text[0] != '#' && text[len(text)-1] != ':' && !strings.HasSuffix(text, "：") && !strings.HasSuffix(text, "**") {
		return of
	}
	name := strings.Join(strings.Fields(strings.Trim(text, "#*`_:： ")), "_")
	if all := words(name); len(name) <= longestName && (anyOf(all, passwords) || anyOf(all, secrets) || keyed(all)) {
		l.headed = name
	}
	return of
}

// blockBegins matches a name whose value is in a following line: of YAML, where it has more lines, or of HCL.
var blockBegins = compiled(`^[\s-]*["']?([\w.-]+)["']?:\s*[|>][+-]?\d?\s*$|^\s*(?:variable|output|resource\s+"\w+")\s+"([\w-]+)"\s*\{\s*$`)

// beginsBlock returns the names in the first line of a block, nil if a line is none.
func beginsBlock(line string) []string {
	end := strings.TrimRight(line, " \t\r\n")
	if n := len(end); n == 0 || strings.IndexByte("|>{", end[n-1]) < 0 && (n < 2 || strings.IndexByte("|>", end[n-2]) < 0) {
		return nil
	}
	return blockBegins().FindStringSubmatch(line)
}

// blockValue matches the value in a block of HCL.
var blockValue = compiled(`^\s*(?:default|value)\s*=\s*"([^"\n]+)"`)

// inBlock returns the secret of a line that belongs to a block.
func (l *lines) inBlock(line string) (found []span) {
	of := span{0, len(line)}
	if m := blockValue().FindStringSubmatchIndex(line); m != nil {
		of, l.left = span{m[2], m[3]}, 1
	} else if l.left > 1 {
		l.left--
		return nil
	}
	l.left--
	if of = valueIn(line, of); of.from < of.to && isSecret(l.block, line[of.from:of.to], false) {
		return []span{of}
	}
	return nil
}

// cellsOf returns the cells of a row of a table, which are between vertical lines.
func cellsOf(line string) (cells []span) {
	trimmed := strings.TrimSpace(line)
	bar := "|"
	switch {
	case strings.HasPrefix(trimmed, "|"), strings.Count(line, " | ") > 0:
	case strings.Contains(line, "<td"):
		return elementsOf(line)
	case strings.Contains(line, "│"):
		bar = "│"
	case strings.Contains(line, "┃"):
		bar = "┃"
	default:
		return nil
	}
	for at := 0; ; {
		n := strings.Index(line[at:], bar)
		end := len(line)
		if n >= 0 {
			end = at + n
		}
		if strings.TrimSpace(line[at:end]) != "" || len(cells) > 0 && n >= 0 {
			cells = append(cells, span{at, end})
		}
		if n < 0 {
			return cells
		}
		at = end + len(bar)
	}
}

// elementsOf returns the texts between the tags of a row in HTML.
func elementsOf(line string) (cells []span) {
	for at := 0; ; {
		open := strings.IndexByte(line[at:], '>')
		if open < 0 {
			return cells
		}
		at += open + 1
		end := len(line)
		if n := strings.IndexByte(line[at:], '<'); n >= 0 {
			end = at + n
		}
		if strings.TrimSpace(line[at:end]) != "" {
			cells = append(cells, span{at, end})
		}
		at = end
	}
}

// bare returns the text of a cell without white space and emphasis.
func bare(cell string) string { return strings.Trim(cell, " \t\r\n*`\"'_:：\\") }

// valueIn returns the place of a cell's text without white space and emphasis.
func valueIn(line string, c span) span {
	for c.from < c.to && strings.IndexByte(" \t\r\n*`\"'", line[c.from]) >= 0 {
		c.from++
	}
	for c.to > c.from && strings.IndexByte(" \t\r\n*`\"'", line[c.to-1]) >= 0 {
		c.to--
	}
	return c
}

// joined returns a name of several words as one of a program: "API key" as API_key.
func joined(name string) string { return strings.ReplaceAll(name, " ", "_") }

// isName reports whether a cell may be a name: a few words. A last word PASS is the result of a test.
func isName(name string) bool {
	all := strings.Fields(name)
	return len(all) > 0 && len(all) <= 4 && len(name) <= longestName && !strings.EqualFold(all[len(all)-1], "pass")
}
