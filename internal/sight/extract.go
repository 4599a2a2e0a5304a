// Copyright The ctx-lsp authors. MIT licence.

package sight

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/conversation"
)

// Files opens the files of a workspace.
type Files interface {
	// Resolve returns the absolute path of a file that is named in a folder, with links followed. It returns "" for a
	// file that may not be read.
	Resolve(folder, path string) string
	// Read returns a file's content; false if it cannot be read.
	Read(path string) (string, bool)
}

// An extractor turns items into steps on files, and into texts.
type extractor struct {
	s      *Session
	folder string // the shell's folder, as far as its commands show it
}

func (x *extractor) add(path string, st step) {
	if path = x.s.files.Resolve(x.folder, path); path != "" {
		x.s.steps[path] = append(x.s.steps[path], x.s.comparableStep(st))
	}
}

func (x *extractor) text(t text) {
	if t.text != "" {
		t.text = x.s.comparable(t.text)
		x.s.texts = append(x.s.texts, t)
	}
}

func (x *extractor) item(i int) {
	it := &x.s.c.Items[i]
	by := origin{item: int32(i)}
	switch it.Kind {
	case core.ToolResults:
		shown := it.Text
		if it.Former != nil {
			by.past, shown = true, it.Former.Text
		}
		x.result(i, by, shown)
	case core.User, core.Memory, core.Documents:
		if it.About.What == core.OfFile && it.About.Name != "" {
			if !strings.HasSuffix(it.About.Name, it.Text) { // otherwise it only names the file
				x.file(it.About.Name, by, it.Text, 0, false)
			}
			return
		}
		x.text(text{by: by, text: it.Text})
	case core.Assistant, core.Summary:
		x.text(text{by: by, text: it.Text})
	}
}

// result reads a result with its call.
func (x *extractor) result(i int, by origin, shown string) {
	it := &x.s.c.Items[i]
	shown, cut := unwrapped(shown)
	if x.s.words {
		shown = spacedNumber().ReplaceAllString(shown, "$1\t")
	}
	if it.Call < 0 {
		x.text(text{by: by, text: body(shown)})
		return
	}
	call := &x.s.c.Items[it.Call]
	wrote := origin{item: int32(it.Call), wrote: true}
	failed := it.Failed || it.Refused()
	if all := queriesIn(shown); all != nil {
		if x.queries(call, all, by, wrote) {
			return
		}
		failed = failed || len(all) == 1 && all[0].failed()
	}
	arguments := call.Arguments()
	path := pathOf(call, arguments)
	doing := "" // with a file, in the words of an editor with several commands
	if path != "" && slices.Contains(editorCommands, arguments["command"]) {
		doing = arguments["command"]
	} else if command := commandOf(call); command != "" {
		x.shell(command, arguments, by, wrote, body(shown), failed)
		return
	}
	switch {
	case patchIn(call, arguments) != "":
		if !failed {
			x.patch(patchIn(call, arguments), wrote)
		}
	case failed:
		x.text(text{by: by, text: shown})
	case x.edits(path, arguments, wrote):
		// Some agents print the lines around the change.
		for _, b := range numberedBlocks(linesOf(shown), true) {
			x.add(path, step{by: origin{item: by.item, loose: true, past: by.past}, block: b})
		}
	case path != "" && (call.Edits() || doing == "create") && contentOf(arguments) != nil:
		x.add(path, step{by: wrote, text: *contentOf(arguments), number: 1, eof: true})
	case isSearch(call.Tool):
		x.search(path, by, linesOf(shown), true)
	case path != "" && (call.Reads() != "" || isRead(call.Tool) || doing == "view"):
		start, limited := rangeOf(arguments, x.s.c.Agent)
		x.file(path, by, shown, start, limited || cut)
	default:
		x.text(text{by: by, text: body(shown)})
	}
}

// editorCommands are what the editors of OpenHands and of Anthropic's own tool do, as their argument command.
var editorCommands = []string{"view", "create", "str_replace", "insert", "undo_edit"}

var pathArguments = []string{"file_path", "path", "filePath", "absolute_path", "target_file", "filename", "file", "AbsolutePath", "TargetFile"}

func pathOf(call *conversation.Item, arguments map[string]string) string {
	for _, name := range pathArguments {
		if path := strings.TrimSpace(arguments[name]); path != "" {
			return path
		}
	}
	if call.About.What == core.OfFile {
		return call.About.Name
	}
	return ""
}

func contentOf(arguments map[string]string) *string {
	for _, name := range []string{"content", "contents", "file_text", "text", "CodeContent"} {
		if content, ok := arguments[name]; ok {
			return &content
		}
	}
	return nil
}

func isSearch(tool string) bool {
	tool = strings.ToLower(tool)
	return strings.Contains(tool, "grep") || strings.Contains(tool, "search_file") || strings.Contains(tool, "ripgrep") || tool == "rg"
}

func isRead(tool string) bool {
	tool = strings.ToLower(tool)
	return strings.Contains(tool, "read") || tool == "view" || tool == "view_file" || strings.Contains(tool, "open_file")
}

// rangeOf returns the first line that a read asks for, 0 if it does not say, and whether it asks for a part.
func rangeOf(arguments map[string]string, id string) (start int, limited bool) {
	number := func(names ...string) (int, bool) {
		for _, name := range names {
			if n, err := strconv.ParseFloat(strings.TrimSpace(arguments[name]), 64); err == nil {
				return int(n), true
			}
		}
		return 0, false
	}
	if n, ok := number("start_line", "startLine", "StartLine", "line_start", "line_offset"); ok {
		start, limited = n, true
	} else if n, ok := number("offset"); ok {
		start, limited = n, n > 1
		if e, known := agent.Find(id); known && e.OffsetsFromZero {
			start++
		}
	}
	if _, ok := number("limit", "n_lines", "end_line", "endLine", "EndLine", "line_end"); ok {
		limited = true
	}
	if arguments["view_range"] != "" {
		var lines []int
		if json.Unmarshal([]byte(arguments["view_range"]), &lines) == nil && len(lines) == 2 {
			start, limited = lines[0], true
		}
	}
	return max(start, 0), limited
}

// marks are lines that reading tools add when they end before the file, or at its end.
var (
	cutMarks = []string{"[Showing lines", "(Showing lines", "[File content truncated", "(File has more lines", "[Truncated", "IMPORTANT: The file content has been truncated", "(Output capped", "... [", "[Use offset"}
	endMarks = []string{"(End of file", "(end of file"}
	// moreLines is such a line of Pi.
	moreLines = regexp.MustCompile(`^\[\d+ more lines in file\b`)
)

// file reads the text of a file: numbered lines, or the text itself.
func (x *extractor) file(path string, by origin, shown string, start int, limited bool) {
	cut, ended := limited, false
	if at := strings.Index(shown, "--- FILE CONTENT (truncated) ---\n"); at >= 0 {
		cut = true
		if of, ok := statusLines(shown[:at]); ok {
			start = of
		}
		shown = shown[at+len("--- FILE CONTENT (truncated) ---\n"):]
	}
	if at := strings.Index(shown, "<content>\n"); at >= 0 && at < 600 {
		shown = shown[at+len("<content>\n"):]
		if end := strings.LastIndex(shown, "\n</content>"); end >= 0 {
			shown = shown[:end]
		}
	}
	lines := linesOf(shown)
	tail := len(lines)
	for at := len(lines) - 1; at >= max(0, len(lines)-6); at-- {
		switch {
		case startsWithAny(lines[at], cutMarks), moreLines.MatchString(lines[at]):
			cut, tail = true, at
		case startsWithAny(lines[at], endMarks):
			ended, tail = true, at
		}
	}
	if tail < len(lines) {
		lines = lines[:tail]
		if tail > 0 && lines[tail-1] == "" {
			lines = lines[:tail-1]
		}
	}
	eof := ended || !cut
	if blocks := numberedBlocks(lines, true); blocks != nil && counts(blocks, start) {
		for i, b := range blocks {
			if b.eof = eof && i == len(blocks)-1; b.eof {
				b.lines = withoutLastEmpty(b.lines)
			}
			x.add(path, step{by: by, block: b})
		}
		return
	}
	x.add(path, step{by: by, block: block{start: max(start, 1), lines: lines, eof: eof}})
}

// counts reports whether numbers before lines are those of a tool: they begin where the read begins, and count on.
func counts(blocks []block, start int) bool {
	return len(blocks) <= 3 && (start > 0 && blocks[0].start == start || start <= 1 && blocks[0].start == 1 || len(blocks[0].lines) > 1)
}

// withoutLastEmpty removes the empty line after the end of the last line, which some tools number.
func withoutLastEmpty(lines []string) []string {
	if n := len(lines); n > 1 && lines[n-1] == "" {
		return lines[:n-1]
	}
	return lines
}

// statusLines reads "Status: Showing lines 1-2000 of 3000 total lines."
func statusLines(head string) (start int, ok bool) {
	_, rest, found := strings.Cut(head, "Showing lines ")
	if !found {
		return 0, false
	}
	number, _, _ := strings.Cut(rest, "-")
	start, err := strconv.Atoi(number)
	return start, err == nil
}

func startsWithAny(line string, starts []string) bool {
	for _, start := range starts {
		if strings.HasPrefix(line, start) {
			return true
		}
	}
	return false
}

var editNames = [][2]string{{"old_string", "new_string"}, {"oldString", "newString"}, {"old_str", "new_str"}, {"oldText", "newText"}, {"old_text", "new_text"}, {"search", "replace"}}

// edits reads replacements of text; false if there is none.
func (x *extractor) edits(path string, arguments map[string]string, by origin) bool {
	if path == "" {
		return false
	}
	if changes := conflicts(arguments["patch"]); changes != nil {
		for _, c := range changes {
			x.replacement(path, c, by)
		}
		return true
	}
	all := arguments["replace_all"] == "true" || arguments["replaceAll"] == "true" || arguments["allow_multiple"] == "true"
	for _, names := range editNames {
		old, some := arguments[names[0]]
		if !some {
			continue
		}
		x.replacement(path, change{old: old, new: arguments[names[1]], all: all}, by)
		return true
	}
	var list []map[string]any
	if json.Unmarshal([]byte(arguments["edits"]), &list) != nil || len(list) == 0 {
		return false
	}
	for _, each := range list {
		for _, names := range editNames {
			if old, some := each[names[0]].(string); some {
				text, _ := each[names[1]].(string)
				all, _ := each["replace_all"].(bool)
				x.replacement(path, change{old: old, new: text, all: all}, by)
			}
		}
	}
	return true
}

func (x *extractor) replacement(path string, c change, by origin) {
	if c.old == "" { // it makes the file
		x.add(path, step{by: by, text: c.new, number: 1, eof: true})
		return
	}
	x.add(path, step{by: by, edit: &c})
}

// search reads the lines that a search printed: path:12:text, 12:text below a path, and context with - for :.
func (x *extractor) search(path string, by origin, lines []string, loose bool) {
	by.loose = loose
	heading := path
	var b block
	of := ""
	flush := func() {
		if of != "" && len(b.lines) > 0 {
			x.add(of, step{by: by, block: b})
		}
		b, of = block{}, ""
	}
	for _, line := range lines {
		file, number, rest, ok := searchLine(line)
		switch {
		case !ok:
			flush()
			if name := strings.TrimSuffix(strings.TrimPrefix(line, "File: "), ":"); name != "" && name != line || isPath(line) {
				heading = name
			}
			continue
		case file == "":
			file = heading
		}
		if file != of || number != b.start+len(b.lines) {
			flush()
			of, b.start = file, number
		}
		b.lines = append(b.lines, rest)
	}
	flush()
}

func isPath(line string) bool {
	return line != "" && strings.ContainsAny(line, "./") && !strings.ContainsAny(line, " \t:")
}

// searchLine splits a line of a search.
func searchLine(line string) (file string, number int, rest string, ok bool) {
	if digits, by := leadingNumber(strings.TrimPrefix(strings.TrimPrefix(strings.TrimLeft(line, " "), "Line "), "L")); by != "" {
		number, _ = strconv.Atoi(digits)
		_, rest, _ = strings.Cut(line, digits+by)
		if strings.HasPrefix(strings.TrimLeft(line, " "), "L") {
			rest = strings.TrimPrefix(rest, " ")
		}
		return "", number, rest, number > 0
	}
	for at := 1; at < len(line) && line[at] != ' ' && line[at] != '\t'; at++ {
		if line[at] != ':' && line[at] != '-' {
			continue
		}
		if digits, by := leadingNumber(line[at+1:]); by == string(line[at]) {
			number, _ = strconv.Atoi(digits)
			return line[:at], number, line[at+1+len(digits)+1:], number > 0
		}
	}
	return "", 0, "", false
}

// leadingNumber returns the digits at the beginning of a text and the : or - after them.
func leadingNumber(text string) (digits, by string) {
	at := 0
	for at < len(text) && at < 8 && text[at] >= '0' && text[at] <= '9' {
		at++
	}
	if at == 0 || at == len(text) || text[at] != ':' && text[at] != '-' {
		return "", ""
	}
	return text[:at], text[at : at+1]
}
