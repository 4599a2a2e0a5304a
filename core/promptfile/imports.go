// Copyright The ctx-lsp authors. MIT licence.

package promptfile

import "strings"

// imports adds marks for the imports in a line. Only outline knows whether the line is in a code block.
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

// atPaths adds marks for @path at the beginning of a line or after a space, except inside `code`.
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

// references adds marks for #file:path and for the paths in links.
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

// linkToFile reports whether the target of a link is a relative path with an extension, rather than an address or a
// heading of this file.
func linkToFile(target []byte) bool {
	for i, c := range target {
		if c == ':' && i > 1 {
			return false // a scheme; drive names have only one letter
		}
	}
	return len(target) > 0 && target[0] != '#' && target[0] != '/' && hasExtension(string(target))
}

// codeEnd returns the offset after the `code` that begins at i, or after its opening backquotes if the line does not
// close it.
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

// pathEnd returns the end of the path that begins at i: before an unescaped space, and without trailing punctuation.
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

// targetOf returns the path that an import refers to, without a heading.
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
			break // a heading in the file
		}
		out = append(out, path[i])
	}
	return string(out)
}

// meantAsFile reports whether a target that was not found looks like a file rather than a user name or a package.
func meantAsFile(target string) bool {
	if strings.HasPrefix(target, "./") || strings.HasPrefix(target, "../") || strings.HasPrefix(target, "~/") || strings.HasPrefix(target, "/") {
		return true
	}
	return hasExtension(target)
}

// hasExtension reports whether the target ends in a dot and a short extension of letters and digits.
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
