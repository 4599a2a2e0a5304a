// Copyright The ctx-lsp authors. MIT licence.

package promptfile

import "strings"

// Headings, targets, globs and other texts of a workspace become part of Markdown that an editor shows. An editor would
// load images from any server and turn any words into links, so these texts are escaped.

// most is the maximum number of characters of such a text that are shown.
const most = 400

// escape makes a text safe inside a line of Markdown: it escapes every character that may have a meaning in its
// position, and removes invisible ones. It leaves other characters unescaped, because many editors show the
// backslashes.
func escape(text string) string {
	var b strings.Builder
	n, space := 0, false
	before := ' ' // the previous character, a space at the beginning
	for i, r := range text {
		if n++; n > most {
			b.WriteString("…")
			break
		}
		switch {
		case r == ' ' || r == '\n' || r == '\r' || r == '\t':
			if !space {
				b.WriteByte(' ')
			}
			space, before = true, ' '
			continue
		case unseen(r):
			continue
		case r < 0x80 && means(r, before, text[i+1:]):
			b.WriteByte('\\')
		}
		space, before = false, r
		b.WriteRune(r)
	}
	return b.String()
}

// means reports whether a character may have a meaning in Markdown between the character before and the text behind it.
func means(r, before rune, after string) bool {
	switch r {
	case '\\', '`', '*', '_', '[', ']', '|', '<', '>', '~', '$', '&', ':', '@', '=':
		return true
	case '.', ')':
		// Both end the number of a list item, and a dot can be part of an address.
		return before >= '0' && before <= '9' || r == '.' && after != "" && after[0] != ' '
	case '#', '+', '-':
		return before == ' ' || before == r
	}
	return false
}

// unseen reports whether a character is invisible or changes how others are shown: controls, and marks that change the
// direction of writing.
func unseen(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0, r == 0xad, r == 0x61c, r == 0xfeff, r == 0xfffd:
		return true
	case r >= 0x200b && r <= 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r >= 0xe0000 && r <= 0xe0fff:
		return true
	}
	return false
}

// code puts a text between backticks, one more than its longest run of backticks.
func code(text string) string {
	var b strings.Builder
	n := 0
	for _, r := range text {
		if unseen(r) && r != '\n' && r != '\r' && r != '\t' {
			continue
		}
		if n++; n > most {
			b.WriteString("…")
			break
		}
		switch {
		case r < 0x20:
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	text = b.String()
	longest, run := 0, 0
	for i := range len(text) {
		if run++; text[i] != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	if strings.Trim(text, " ") == "" {
		return "` `"
	}
	if text[0] == '`' || text[len(text)-1] == '`' || text[0] == ' ' {
		text = " " + text + " "
	}
	return fence + text + fence
}

// plain converts our own Markdown to plain text: it removes the marks and unescapes characters.
func plain(markdown string) string {
	var b strings.Builder
	fence := 0 // length of the fence around the current code, 0 outside code
	for i := 0; i < len(markdown); i++ {
		rest := markdown[i:]
		switch {
		case rest[0] == '`':
			run := len(rest) - len(strings.TrimLeft(rest, "`"))
			switch fence {
			case 0:
				fence = run
			case run:
				fence = 0
			default:
				b.WriteString(rest[:run])
			}
			i += run - 1
		case rest[0] == '\\' && len(rest) > 1 && fence == 0:
			b.WriteByte(rest[1])
			i++
		case fence > 0:
			b.WriteByte(rest[0])
		case strings.HasPrefix(rest, "**"):
			i++
		default:
			b.WriteByte(rest[0])
		}
	}
	return b.String()
}

// label makes a text safe where Markdown is not shown, but icons such as $(name) may be.
func label(text string) string {
	text = strings.Map(func(r rune) rune {
		if unseen(r) {
			return -1
		}
		return r
	}, text)
	return strings.ReplaceAll(text, "$(", "$ (")
}
