// Copyright The ctx-lsp authors. MIT licence.

package terminal

import "strings"

// tmuxStyles maps color codes to tmux styles.
var tmuxStyles = map[string]string{
	"0": "default", "1": "bold", "2": "dim", "30": "fg=black", "31": "fg=red", "32": "fg=green", "33": "fg=yellow",
	"34": "fg=blue", "35": "fg=magenta", "36": "fg=cyan", "37": "fg=white", "90": "fg=brightblack",
}

// Tmux converts the colors of a line to the syntax of tmux's status line: #[fg=red]. A "#" in the text itself is
// doubled, because tmux would otherwise run or expand it.
func Tmux(line string) string {
	line = strings.ReplaceAll(line, "#", "##")
	var b strings.Builder
	for {
		before, rest, more := strings.Cut(line, "\x1b[")
		b.WriteString(before)
		if !more {
			return b.String()
		}
		code, after, ended := strings.Cut(rest, "m")
		if !ended {
			return b.String()
		}
		line = after
		if style := tmuxStyle(code); style != "" {
			b.WriteString("#[" + style + "]")
		}
	}
}

func tmuxStyle(code string) string {
	if rgb, is := strings.CutPrefix(code, "38;2;"); is {
		hex := "fg=#"
		for _, part := range strings.Split(rgb, ";") {
			n := 0
			for _, c := range part {
				n = n*10 + int(c-'0')
			}
			hex += string("0123456789abcdef"[n>>4&15]) + string("0123456789abcdef"[n&15])
		}
		return hex
	}
	var styles []string
	for _, part := range strings.Split(code, ";") {
		if style := tmuxStyles[part]; style != "" {
			styles = append(styles, style)
		}
	}
	return strings.Join(styles, ",")
}
