// Copyright The ctx-lsp authors. MIT licence.

package json

import "bytes"

// Member returns the value of a member at the top level of an object without reading the other values, for hosts that
// forward a message and need only one member of it. It does not check the text: for invalid JSON the result is
// undefined, but it never panics. Names are compared without decoding escapes.
func Member(object []byte, name string) (value []byte, ok bool) {
	i := SkipSpace(object, 0)
	if i >= len(object) || object[i] != '{' {
		return nil, false
	}
	for i++; ; i++ {
		i = SkipSpace(object, i)
		if i >= len(object) || object[i] != '"' {
			return nil, false
		}
		end := skipString(object, i)
		key := object[i:end]
		i = SkipSpace(object, end)
		if i >= len(object) || object[i] != ':' {
			return nil, false
		}
		start := SkipSpace(object, i+1)
		end = SkipValue(object, start)
		if len(key) >= 2 && string(key[1:len(key)-1]) == name {
			return object[start:end], true
		}
		i = SkipSpace(object, end)
		if i >= len(object) || object[i] != ',' {
			return nil, false
		}
	}
}

// Members calls visit for the members at the top level of an object in order, with the same limits as [Member]. Names
// and values are passed undecoded.
func Members(object []byte, visit func(name, value []byte)) {
	i := SkipSpace(object, 0)
	if i >= len(object) || object[i] != '{' {
		return
	}
	for i++; ; i++ {
		i = SkipSpace(object, i)
		if i >= len(object) || object[i] != '"' {
			return
		}
		end := skipString(object, i)
		name := object[i+1 : max(i+1, end-1)]
		i = SkipSpace(object, end)
		if i >= len(object) || object[i] != ':' {
			return
		}
		start := SkipSpace(object, i+1)
		end = SkipValue(object, start)
		visit(name, object[start:end])
		i = SkipSpace(object, end)
		if i >= len(object) || object[i] != ',' {
			return
		}
	}
}

// SkipSpace returns the position of the first byte at or after i that is not a space.
func SkipSpace(text []byte, i int) int {
	for i < len(text) && isSpace(text[i]) {
		i++
	}
	return i
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// SkipValue returns the position after the value that begins at i.
func SkipValue(text []byte, i int) int {
	for depth := 0; i < len(text); {
		switch c := text[i]; {
		case c == '"':
			i = skipString(text, i)
		case c == '{' || c == '[':
			depth++
			i++
			continue
		case depth == 0 && (c == '}' || c == ']' || c == ',' || c == ':' || isSpace(c)):
			return i
		case c == '}' || c == ']':
			depth--
			i++
		default:
			i++
			continue
		}
		if depth == 0 {
			return i
		}
	}
	return len(text)
}

// skipString returns the position after the string that begins at i, or the length of the text if the string does not
// end.
func skipString(text []byte, i int) int {
	if end := StringEnd(text, i); end >= 0 {
		return end
	}
	return len(text)
}

// StringEnd returns the position after the string that begins at text[start], or -1 if it does not end.
func StringEnd(text []byte, start int) int {
	for i := start + 1; i <= len(text); {
		quote := bytes.IndexByte(text[i:], '"')
		if quote < 0 {
			return -1
		}
		i += quote + 1
		backslashes := 0
		for j := i - 2; j > start && text[j] == '\\'; j-- {
			backslashes++
		}
		if backslashes%2 == 0 {
			return i
		}
	}
	return -1
}

// ContainerEnd returns the end of the object or array at the start of a text, or -1 if it does not end. It checks only
// brackets and quotes. That guarantees that joining values with commas cannot change where each of them ends; Parse
// checks whether they are well-formed.
func ContainerEnd(text []byte) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			end := StringEnd(text, i)
			if end < 0 {
				return -1
			}
			i = end - 1
		case '{', '[':
			depth++
		case '}', ']':
			depth--
			if depth <= 0 {
				return i + 1
			}
		}
	}
	return -1
}
