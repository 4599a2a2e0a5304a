// Copyright The ctx-lsp authors. MIT licence.

package redact

import "strings"

var (
	keyBegins = compiled(`-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-[0-9]`)
	keyEnds   = compiled(`-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|Private-MAC: [0-9a-f]+`)
	keyHeader = compiled(`^[A-Za-z][A-Za-z-]*: `)
)

// longestKey is the maximum length of a private key; a key that was cut off has no end.
const longestKey = 16 << 10

// privateKeys returns the private keys in a text, which have several lines. If the text was cut off, the last key ends
// with the text, or with the last line that can belong to it.
func privateKeys(text string) (found []span) {
	if !strings.Contains(text, "PRIVATE KEY") && !strings.Contains(text, "PuTTY-User") {
		return nil
	}
	for at := 0; ; {
		begin := keyBegins().FindStringIndex(text[at:])
		if begin == nil {
			return found
		}
		rest := text[at+begin[1]:]
		rest = rest[:min(len(rest), longestKey)]
		length := 0
		if end := keyEnds().FindStringIndex(rest); end != nil {
			length = end[1]
		} else {
			length = unfinished(rest)
		}
		found = append(found, span{at + begin[0], at + begin[1] + length})
		at += begin[1] + length
	}
}

// unfinished returns the length of a key's body that was cut off: its headers, empty lines, and lines of base64. The
// lines may end with the escape \n, as in JSON.
func unfinished(body string) int {
	length, data := 0, false
	for at := 0; at < len(body); {
		end, next := len(body), len(body)
		if n := strings.IndexByte(body[at:], '\n'); n >= 0 {
			end, next = at+n, at+n+1
		}
		if n := strings.Index(body[at:end], `\n`); n >= 0 {
			end, next = at+n, at+n+2
		}
		line := strings.Trim(body[at:end], " \t\r\"\\")
		switch {
		case line == "":
		case !data && keyHeader().MatchString(line):
			length = end
		case isBase64(line) && (len(line) > 40 || !isWord(line)):
			length, data = end, true
		default:
			return length
		}
		at = next
	}
	return length
}

// isBase64 reports whether a line consists of characters of base64.
func isBase64(line string) bool {
	for i := 0; i < len(line); i++ {
		if c := line[i]; !lower(c) && !upper(c) && !digit(c) && c != '+' && c != '/' && c != '=' {
			return false
		}
	}
	return true
}

// isWord reports whether a line may be a word of a text: letters of one case, after a first one of any.
func isWord(line string) bool {
	kinds := classes(line[1:])
	return !kinds.digit && !kinds.other && !(kinds.lower && kinds.upper)
}
