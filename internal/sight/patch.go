// Copyright The ctx-lsp authors. MIT licence.

package sight

import (
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/conversation"
)

const patchBegins = "*** Begin Patch"

// patchIn returns the patch among a call's arguments, or in its text, "" if there is none.
func patchIn(call *conversation.Item, arguments map[string]string) string {
	if strings.HasPrefix(strings.TrimSpace(call.Text), patchBegins) {
		return call.Text
	}
	if !strings.Contains(call.Text, patchBegins) {
		return ""
	}
	for _, value := range arguments {
		if at := strings.Index(value, patchBegins); at >= 0 {
			return value[at:]
		}
	}
	return ""
}

// patch reads a patch in the form of apply_patch.
func (x *extractor) patch(patch string, by origin) {
	path := ""
	adds := false
	var added, before, after []string
	flush := func() {
		if path != "" && adds {
			x.add(path, step{by: by, block: block{start: 1, lines: added, eof: true}})
		} else if path != "" && len(before)+len(after) > 0 {
			x.add(path, step{by: by, edit: &change{old: strings.Join(before, "\n"), new: strings.Join(after, "\n"), lines: true}})
		}
		added, before, after = nil, nil, nil
	}
	for _, line := range linesOf(patch) {
		if strings.HasPrefix(line, "*** ") {
			flush()
			verb, name, _ := strings.Cut(strings.TrimPrefix(line, "*** "), ": ")
			switch verb {
			case "Add File":
				path, adds = strings.TrimSpace(name), true
			case "Update File":
				path, adds = strings.TrimSpace(name), false
			case "Move to":
			case "End of File":
			default:
				path = ""
			}
			continue
		}
		switch {
		case strings.HasPrefix(line, "@@"):
			flush()
		case adds:
			added = append(added, strings.TrimPrefix(line, "+"))
		case strings.HasPrefix(line, "+"):
			after = append(after, line[1:])
		case strings.HasPrefix(line, "-"):
			before = append(before, line[1:])
		default:
			line = strings.TrimPrefix(line, " ")
			before, after = append(before, line), append(after, line)
		}
	}
	flush()
}

// diff reads a unified diff, as git prints it: the lines of the newer file with their numbers.
func (x *extractor) diff(lines []string, by origin) {
	path := ""
	var b block
	flush := func() {
		if path != "" && len(b.lines) > 0 {
			x.add(path, step{by: by, block: b})
		}
		b = block{}
	}
	for _, line := range lines {
		switch {
		case strings.HasPrefix(line, "+++ "):
			flush()
			path = strings.TrimPrefix(strings.TrimPrefix(line, "+++ "), "b/")
			if path == "/dev/null" {
				path = ""
			}
		case strings.HasPrefix(line, "@@ "):
			flush()
			b.start = newStart(line)
		case strings.HasPrefix(line, "diff "), strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "index "):
			flush()
		case b.start == 0:
		case strings.HasPrefix(line, "+"), strings.HasPrefix(line, " "):
			b.lines = append(b.lines, line[1:])
		case line == "":
			b.lines = append(b.lines, "")
		case strings.HasPrefix(line, "-"), strings.HasPrefix(line, `\`):
		default:
			flush()
		}
	}
	flush()
}

// newStart returns c of "@@ -a,b +c,d @@", 0 if it has none.
func newStart(line string) int {
	_, rest, ok := strings.Cut(line, " +")
	if !ok {
		return 0
	}
	end := strings.IndexAny(rest, ", ")
	if end < 0 {
		return 0
	}
	n, _ := strconv.Atoi(rest[:end])
	return n
}

// The lines of a patch in the form of git's conflicts, as gptme's model writes it.
const (
	conflictOld = "<<<<<<< ORIGINAL\n"
	conflictMid = "\n=======\n"
	conflictEnd = "\n>>>>>>> UPDATED"
)

// conflicts reads the replacements in such a patch; none for other texts.
func conflicts(patch string) (all []change) {
	for {
		_, rest, ok := strings.Cut(patch, conflictOld)
		if !ok {
			return all
		}
		block, after, ended := strings.Cut(rest, conflictEnd)
		before, updated, split := strings.Cut("\n"+block+"\n", conflictMid)
		if !ended || !split {
			return all
		}
		all = append(all, change{old: strings.TrimPrefix(before, "\n"), new: strings.TrimSuffix(updated, "\n"), lines: true})
		patch = after
	}
}
