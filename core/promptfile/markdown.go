// Copyright The ctx-lsp authors. MIT licence.

package promptfile

import "strings"

// Texts of a workspace, such as headings, targets and globs, become part of Markdown that an editor draws. An editor
// would load images from any server and turn any words into links, so these texts are escaped.

// most is how many characters of such a text are shown.
const most = 400

// escape makes a text safe inside a line of Markdown: it escapes every character that may have a meaning where it
// stands, and leaves out those that a person would not see. Others stay as they are, because many editors show the
// backslashes.
func escape(text string) string {
	var b strings.Builder
	n, space := 0, false
	before := ' ' // the character in front, a space at the beginning
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

// means says whether a character may have a meaning in Markdown between the one in front and the text behind it.
func means(r, before rune, behind string) bool {
	switch r {
	case '\\', '`', '*', '_', '[', ']', '|', '<', '>', '~', '$', '&', ':', '@', '=':
		return true
	case '.', ')':
		// It ends the number of a list, and a dot holds an address together.
		return before >= '0' && before <= '9' || r == '.' && behind != "" && behind[0] != ' '
	case '#', '+', '-':
		return before == ' ' || before == r
	}
	return false
}

// unseen says whether a character changes how others are shown, or is not shown itself: controls, and what turns the
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

// code puts a text between backticks, more of them than it holds itself.
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

// plain is Markdown of ours for a client that shows none: its marks go, and what was escaped stands for itself.
func plain(markdown string) string {
	var b strings.Builder
	fence := 0 // of the code that is being read
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

// label makes a text safe in a place that shows no Markdown, but may show icons as $(name).
func label(text string) string {
	text = strings.Map(func(r rune) rune {
		if unseen(r) {
			return -1
		}
		return r
	}, text)
	return strings.ReplaceAll(text, "$(", "$ (")
}
