// Copyright The ctx-lsp authors. MIT licence.

package promptfile

import "strings"

// imports marks the files that a line imports. Whether the line stands in a
// code block is known only when the document is put together.
func (b *block) imports(text []byte, from, to int, s syntax) {
	switch s {
	case noImports:
		return
	case atImports:
		b.atPaths(text, from, to)
	case referenced:
		b.references(text, from, to)
	}
}

// atPaths finds @path at the beginning of a line or behind a space, but not
// inside of `code`.
func (b *block) atPaths(text []byte, from, to int) {
	for i := from; i < to; i++ {
		switch text[i] {
		case '`':
			i = codeEnd(text, i, to) - 1
		case '@':
			if i > from && text[i-1] != ' ' && text[i-1] != '\t' || i > 0 && i == from && text[i-1] != '\n' {
				continue
			}
			end := pathEnd(text, i+1, to)
			if end > i+1 && pathStart(text[i+1]) {
				b.marks = append(b.marks, mark{at: int32(i), end: int32(end), kind: markImport, char: '@'})
			}
			i = end - 1
		}
	}
}

// references finds #file:path, and the paths of links.
func (b *block) references(text []byte, from, to int) {
	const word = "#file:"
	for i := from; i < to; i++ {
		switch text[i] {
		case '`':
			i = codeEnd(text, i, to) - 1
		case '#':
			if i+len(word) < to && string(text[i:i+len(word)]) == word {
				end := pathEnd(text, i+len(word), to)
				b.marks = append(b.marks, mark{at: int32(i), end: int32(end), kind: markImport, char: '#'})
				i = end - 1
			}
		case ']':
			if i+2 >= to || text[i+1] != '(' {
				continue
			}
			end := i + 2
			for end < to && text[end] != ')' && text[end] != ' ' && text[end] != '\n' {
				end++
			}
			if end < to && text[end] == ')' && linkToFile(text[i+2:end]) {
				b.marks = append(b.marks, mark{at: int32(i + 1), end: int32(end), kind: markImport, char: '('})
			}
		}
	}
}

// linkToFile tells a link to a file beside this one from a link to the web or
// to a heading of this file.
func linkToFile(target []byte) bool {
	for i, c := range target {
		if c == ':' && i > 1 {
			return false // a scheme; the name of a drive has only one letter
		}
	}
	return len(target) > 0 && target[0] != '#' && target[0] != '/' && hasExtension(string(target))
}

// codeEnd is the offset behind the `code` that begins at i, or behind its
// opening backquotes when the line does not close it.
func codeEnd(text []byte, i, to int) int {
	n := 0
	for i+n < to && text[i+n] == '`' {
		n++
	}
	for j := i + n; j < to; j++ {
		run := 0
		for j+run < to && text[j+run] == '`' {
			run++
		}
		if run == n {
			return j + run
		}
		if run > 0 {
			j += run - 1
		}
	}
	return i + n
}

func pathStart(c byte) bool {
	return letter(c) || c >= '0' && c <= '9' || c == '.' || c == '/' || c == '~' || c == '_' || c == '-' || c >= 0x80
}

// pathEnd is where the path that begins at i ends: before a space, unless
// that is escaped, and without the punctuation of the sentence around it.
func pathEnd(text []byte, i, to int) int {
	end := i
	for end < to {
		c := text[end]
		if c == '\\' && end+1 < to && text[end+1] == ' ' {
			end += 2
			continue
		}
		if c == ' ' || c == '\t' || c == '\n' || c == '\r' {
			break
		}
		end++
	}
	for end > i {
		switch text[end-1] {
		case '.', ',', ';', ':', '!', '?', ')', ']', '}', '"', '\'', '*', '>':
			end--
			continue
		}
		break
	}
	return end
}

// targetOf is the path that an import names.
func targetOf(text []byte, char byte) string {
	path := text
	switch char {
	case '@', '(':
		path = text[1:]
	case '#':
		path = text[len("#file:"):]
	}
	out := make([]byte, 0, len(path))
	for i := 0; i < len(path); i++ {
		if path[i] == '\\' && i+1 < len(path) && path[i+1] == ' ' {
			continue
		}
		if path[i] == '#' && i > 0 {
			break // a heading of the file
		}
		out = append(out, path[i])
	}
	return string(out)
}

// meantAsFile says whether a name without a file was meant as a file, and not
// as the name of a person or a package.
func meantAsFile(target string) bool {
	if strings.HasPrefix(target, "./") || strings.HasPrefix(target, "../") || strings.HasPrefix(target, "~/") || strings.HasPrefix(target, "/") {
		return true
	}
	return hasExtension(target)
}

// hasExtension looks for a short extension of letters behind the last dot.
func hasExtension(target string) bool {
	_, base := split(target)
	for i := len(base) - 1; i > 0; i-- {
		if base[i] == '.' {
			return len(base)-i > 1 && len(base)-i <= 6
		}
		if !letter(base[i]) && !(base[i] >= '0' && base[i] <= '9') {
			return false
		}
	}
	return false
}
