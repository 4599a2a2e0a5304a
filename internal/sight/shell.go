// Copyright The ctx-lsp authors. MIT licence.

package sight

import (
	"path"
	"strconv"
	"strings"
)

// An output is what a pipeline prints.
type output struct {
	kind  outputKind
	path  string
	start int  // number of the first line; 0 if unknown
	most  int  // at most so many lines; -1 for any number
	eof   bool // it reaches the end of the file, if it is not cut
	text  string
	// trimmed is set if it begins what was printed, whose whitespace an agent may remove.
	trimmed bool
}

type outputKind uint8

const (
	printsOther    outputKind = iota // something else, or nothing that is known
	printsNothing                    // nothing
	printsText                       // a known text
	printsLines                      // consecutive lines of a file
	printsNumbered                   // the same with numbers
	printsMatches                    // a search with numbers
	printsDiff                       // a diff whose newer side is on disk
)

// shell reads a command and its output.
func (x *extractor) shell(command string, arguments map[string]string, by, wrote origin, printed string, failed bool) {
	folder := x.folder
	for _, name := range []string{"workdir", "cwd", "directory", "dir_path"} {
		if dir := arguments[name]; dir != "" {
			x.folder = x.inFolder(dir)
		}
	}
	defer func() { x.folder = folder }()
	list, ok := parse(command)
	if !ok {
		x.unparsed(command, by, wrote, printed)
		return
	}
	failed = failed || len(list) == 1 && strings.Contains(printed, ": command not found")
	var outputs []output
	for _, pipe := range list {
		if words := pipe[0].words; len(words) >= 1 && words[0] == "cd" {
			if len(words) == 2 {
				x.folder = x.inFolder(words[1])
			}
			continue
		}
		x.written(pipe, wrote, failed)
		if out := outputOf(pipe); out.kind != printsNothing {
			if out.path != "" {
				out.path = x.absolute(out.path)
			}
			outputs = append(outputs, out)
		}
	}
	if !x.distribute(outputs, by, printed) {
		x.unparsed(command, by, origin{}, printed)
	}
}

// inFolder returns a folder that is named in the current one.
func (x *extractor) inFolder(dir string) string {
	if dir == "" || dir[0] == '~' {
		return x.folder
	}
	return x.absolute(dir)
}

func (x *extractor) absolute(name string) string {
	if path.IsAbs(name) || x.folder == "" {
		return name
	}
	return path.Join(x.folder, name)
}

// unparsed takes the output as a text of the files that the command names.
func (x *extractor) unparsed(command string, by, wrote origin, printed string) {
	var named []string
	for _, word := range strings.FieldsFunc(command, func(r rune) bool { return strings.ContainsRune(" \t\n'\"`;|&<>()=,", r) }) {
		if !strings.ContainsAny(word, "./") || strings.HasPrefix(word, "-") {
			continue
		}
		if at := strings.LastIndexByte(word, ':'); at > 0 { // git's revision:path
			word = word[at+1:]
		}
		if found := x.s.files.Resolve(x.folder, word); found != "" && len(named) < 20 {
			named = append(named, found)
			if _, ok := x.s.steps[found]; !ok {
				x.s.steps[found] = nil
			}
		}
	}
	x.text(text{by: by, text: printed, paths: named})
	if len(named) > 0 {
		x.text(text{by: by, text: printed})
	}
	if wrote.wrote {
		x.text(text{by: wrote, text: command})
	}
}

// written notes the files that a command writes with a here-document.
func (x *extractor) written(pipe pipeline, wrote origin, failed bool) {
	last := pipe[len(pipe)-1]
	target, appends := last.writes, last.appends
	if len(last.words) > 1 && last.words[0] == "tee" {
		target = last.words[len(last.words)-1]
		appends = last.words[1] == "-a"
	}
	if !pipe[0].hasBody || failed {
		return
	}
	switch {
	case pipe[0].words == nil:
	case pipe[0].words[0] == "apply_patch":
		x.patch(pipe[0].input, wrote)
	case pipe[0].words[0] == "cat" && target != "" && !appends:
		x.add(target, step{by: wrote, text: pipe[0].input, number: 1, eof: true})
	case pipe[0].words[0] == "cat" && target != "":
		x.add(target, step{by: wrote, edit: &change{new: pipe[0].input, lines: true}})
	default:
		x.text(text{by: wrote, text: pipe[0].input})
	}
}

// distribute gives each output its lines of what was printed; false if it is not clear which they are.
func (x *extractor) distribute(outputs []output, by origin, printed string) bool {
	if len(outputs) == 0 {
		return true
	}
	outputs[0].trimmed = true
	head, tail, cut := parts(printed)
	if cut && len(outputs) > 1 {
		return false
	}
	if cut {
		return x.one(outputs[0], by, linesOf(head), true) && x.end(outputs[0], by, linesOf(tail))
	}
	lines := linesOf(printed)
	if len(outputs) == 1 {
		return x.one(outputs[0], by, lines, false)
	}
	var from int
	type piece struct{ from, to int }
	pieces := make([]piece, len(outputs))
	for i, out := range outputs {
		to := -1
		switch {
		case out.kind == printsText:
			want := linesOf(out.text)
			if from+len(want) > len(lines) {
				return false
			}
			for n, line := range want {
				if strings.TrimRight(lines[from+n], " ") != strings.TrimRight(line, " ") {
					return false
				}
			}
			to = from + len(want)
		case i == len(outputs)-1:
			to = len(lines)
			if out.most >= 0 && to-from > out.most {
				return false
			}
		case outputs[i+1].kind == printsText && strings.TrimSpace(outputs[i+1].text) != "":
			next := linesOf(outputs[i+1].text)
			for n := from; n < len(lines) && to < 0; n++ {
				for _, line := range next { // the first line of the text that is not blank
					if !blank(line) {
						if strings.TrimSpace(lines[n]) == strings.TrimSpace(line) {
							to = n
						}
						break
					}
				}
			}
			for _, line := range next {
				if !blank(line) {
					break
				}
				to--
			}
		case out.most >= 0:
			to = from + out.most
		}
		if to < from || to > len(lines) {
			return false
		}
		pieces[i] = piece{from, to}
		from = to
	}
	for i, out := range outputs {
		if out.kind == printsOther && !onlyLast(outputs, i) {
			return false
		}
	}
	for i, out := range outputs {
		x.one(out, by, lines[pieces[i].from:pieces[i].to], false)
	}
	return true
}

// onlyLast reports whether an unknown output ends at a known text or at the end.
func onlyLast(outputs []output, i int) bool {
	return i == len(outputs)-1 || outputs[i+1].kind == printsText && strings.TrimSpace(outputs[i+1].text) != ""
}

// one reads the lines of one output.
func (x *extractor) one(out output, by origin, lines []string, cut bool) bool {
	if out.most >= 0 && len(lines) > out.most && out.kind != printsMatches && out.kind != printsDiff {
		lines = lines[:out.most] // an agent's words follow
	}
	switch out.kind {
	case printsOther:
		return false
	case printsText, printsNothing:
	case printsLines:
		x.add(out.path, step{by: by, block: block{start: out.start, lines: nonNil(lines), eof: out.eof && !cut, trimmed: out.trimmed}})
	case printsNumbered:
		blocks := numberedBlocks(lines, false)
		for i, b := range blocks {
			b.eof = out.eof && !cut && i == len(blocks)-1
			x.add(out.path, step{by: by, block: b})
		}
	case printsMatches:
		x.search(out.path, by, lines, false)
	case printsDiff:
		x.diff(lines, by)
	}
	return true
}

// end reads the lines after the place where an output was cut.
func (x *extractor) end(out output, by origin, lines []string) bool {
	if out.kind == printsLines {
		out.start, out.trimmed = 0, false
	}
	return x.one(out, by, lines, false)
}

func nonNil(lines []string) []string {
	if lines == nil {
		return []string{}
	}
	return lines
}

// outputOf returns what a pipeline prints.
func outputOf(pipe pipeline) output {
	first := pipe[0]
	if pipe[len(pipe)-1].writes != "" {
		return output{kind: printsNothing}
	}
	out := outputOfFirst(first)
	for _, stage := range pipe[1:] {
		out = filter(out, stage.words)
	}
	return out
}

func outputOfFirst(c simple) output {
	if len(c.words) == 0 {
		return output{kind: printsNothing}
	}
	switch words := c.words; words[0] {
	case "cd", "export", "set", "true", ":", "mkdir", "touch", "rm", "cp", "mv", "sleep", "chmod", "pushd", "popd":
		return output{kind: printsNothing}
	case "echo", "printf":
		text, ok := echoed(words)
		if !ok {
			return output{kind: printsOther, most: -1}
		}
		return output{kind: printsText, text: text, most: -1}
	case "rg", "grep", "egrep", "ag":
		return searched(words)
	case "git":
		return ofGit(words)
	}
	return filter(output{kind: printsOther, most: -1}, c.words)
}

func echoed(words []string) (string, bool) {
	if words[0] == "printf" {
		if len(words) != 2 || strings.Contains(words[1], "%") {
			return "", false
		}
		return strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(words[1]), true
	}
	words = words[1:]
	if len(words) > 0 && strings.HasPrefix(words[0], "-") && len(words[0]) == 2 {
		return "", false
	}
	return strings.Join(words, " ") + "\n", true
}

func searched(words []string) output {
	numbers, context := false, false
	var plain []string
	for i := 1; i < len(words); i++ {
		w := words[i]
		switch {
		case w == "-e" || w == "-g" || w == "-t" || w == "--glob" || w == "-m" || w == "--max-count" || w == "-f" || w == "-T":
			i++
			if w == "-e" {
				plain = append(plain, "")
			}
		case w == "-A" || w == "-B" || w == "-C" || w == "--context":
			context = true
			i++
		case strings.HasPrefix(w, "--"):
			numbers = numbers || w == "--line-number"
		case strings.HasPrefix(w, "-") && len(w) > 1:
			if strings.ContainsAny(w, "lcoqLhZ0") {
				return output{kind: printsOther, most: -1}
			}
			numbers = numbers || strings.Contains(w, "n")
		default:
			plain = append(plain, w)
		}
	}
	_ = context
	if !numbers || len(plain) == 0 {
		return output{kind: printsOther, most: -1}
	}
	out := output{kind: printsMatches, most: -1}
	if len(plain) == 2 {
		out.path = plain[1]
	}
	return out
}

func ofGit(words []string) output {
	i := 1
	for i+1 < len(words) && words[i] == "-C" {
		return output{kind: printsOther, most: -1}
	}
	if i >= len(words) || words[i] == "-c" || words[i] != "--no-pager" && strings.HasPrefix(words[i], "-") {
		return output{kind: printsOther, most: -1}
	}
	if words[i] == "--no-pager" && i+1 < len(words) {
		i++
	}
	switch words[i] {
	case "diff":
		paths := false
		for _, w := range words[i+1:] {
			switch {
			case w == "--":
				paths = true
			case strings.HasPrefix(w, "-U"), w == "--no-color", w == "--patch", w == "-p":
			case strings.HasPrefix(w, "-"), !paths && !strings.ContainsAny(w, "./"), strings.Contains(w, ".."):
				return output{kind: printsOther, most: -1}
			}
		}
		return output{kind: printsDiff, most: -1}
	case "add", "commit", "checkout", "stash":
		return output{kind: printsOther, most: -1}
	}
	return output{kind: printsOther, most: -1}
}

var (
	sedRange = onFirstUse(`^(\d+)(?:,(\d+|\$))?p$`)
	awkRange = onFirstUse(`^NR\s*>=\s*(\d+)\s*&&\s*NR\s*<=\s*(\d+)\s*(?:\{\s*print(?: \$0)?;?\s*\})?$`)
)

// filter returns what a command prints of its input, or of the file that it names.
func filter(in output, words []string) output {
	other := output{kind: printsOther, most: -1}
	if len(words) == 0 {
		return other
	}
	options, plain := optionsOf(words)
	input := func(n int) (output, bool) { // the input, or the file after n other words
		switch {
		case len(plain) == n && in.kind != printsOther:
			return in, true
		case len(plain) == n+1 && in.kind == printsOther:
			return output{kind: printsLines, path: plain[n], start: 1, most: -1, eof: true}, true
		}
		return other, false
	}
	switch words[0] {
	case "cat", "bat", "batcat":
		out, ok := input(0)
		if !ok || options["-A"] != "" || options["-v"] != "" {
			return other
		}
		if options["-n"] != "" && out.kind == printsLines {
			out.kind = printsNumbered
		}
		return out
	case "nl":
		out, ok := input(0)
		if !ok || out.kind != printsLines || out.start != 1 {
			return other
		}
		out.kind = printsNumbered
		return out
	case "head":
		out, ok := input(0)
		if !ok {
			return other
		}
		if options["-c"] != "" {
			out.most, out.eof = -1, false
			return out
		}
		n, ok := countOf(options, 10)
		if !ok || n < 0 {
			return other
		}
		if out.most < 0 || out.most > n {
			out.most, out.eof = n, false
		}
		return out
	case "tail":
		out, ok := input(0)
		if !ok || options["-c"] != "" || options["-f"] != "" {
			return other
		}
		if from, plus := strings.CutPrefix(options["-n"], "+"); plus {
			n, err := strconv.Atoi(from)
			if err != nil || out.kind != printsLines || out.start == 0 || n < 1 {
				return other
			}
			out.start += n - 1
			if out.most >= 0 {
				out.most = max(0, out.most-n+1)
			}
			return out
		}
		n, ok := countOf(options, 10)
		if !ok || n < 0 {
			return other
		}
		if out.kind == printsLines {
			out.start = 0
		}
		out.most = n
		return out
	case "sed":
		if options["-n"] == "" || options["-i"] != "" || len(plain) == 0 {
			return other
		}
		m := sedRange().FindStringSubmatch(strings.TrimSpace(plain[0]))
		out, ok := input(1)
		if m == nil || !ok {
			return other
		}
		return cutLines(out, m[1], m[2])
	case "awk":
		if len(plain) == 0 {
			return other
		}
		m := awkRange().FindStringSubmatch(strings.TrimSpace(plain[0]))
		out, ok := input(1)
		if m == nil || !ok {
			return other
		}
		return cutLines(out, m[1], m[2])
	case "tee":
		return in
	case "wc", "true":
		return other
	}
	return other
}

// cutLines returns the lines from one number to another of an output.
func cutLines(out output, first, last string) output {
	from, err := strconv.Atoi(first)
	if err != nil || from < 1 || out.kind == printsMatches || out.kind == printsDiff || out.kind == printsText {
		return output{kind: printsOther, most: -1}
	}
	if out.kind == printsLines && out.start > 0 {
		out.start += from - 1
	}
	if last == "$" {
		if out.most >= 0 {
			out.most = max(0, out.most-from+1)
		}
		return out
	}
	to := from
	if last != "" {
		if to, err = strconv.Atoi(last); err != nil || to < from {
			return output{kind: printsOther, most: -1}
		}
	}
	out.most, out.eof = to-from+1, false
	return out
}

// optionsOf splits the words of head, tail, sed, cat and nl into options with their values, and the rest.
func optionsOf(words []string) (options map[string]string, plain []string) {
	options = map[string]string{}
	valued := map[string]string{"head": "nc", "tail": "nc", "nl": "bwsvnfh"}[words[0]]
	for i := 1; i < len(words); i++ {
		w := words[i]
		switch {
		case w == "-" || len(w) < 2 || w[0] != '-':
			plain = append(plain, w)
		case w[1] >= '0' && w[1] <= '9' && (words[0] == "head" || words[0] == "tail"):
			options["-n"] = w[1:]
		case strings.HasPrefix(w, "--lines="):
			options["-n"] = strings.TrimPrefix(w, "--lines=")
		case w[1] == '-':
			options[w] = "yes"
		case strings.IndexByte(valued, w[1]) >= 0:
			if value := w[2:]; value != "" {
				options[w[:2]] = value
			} else if i++; i < len(words) {
				options[w[:2]] = words[i]
			}
		default:
			for _, c := range w[1:] {
				options["-"+string(c)] = "yes"
			}
		}
	}
	return options, plain
}

func countOf(options map[string]string, usual int) (int, bool) {
	if options["-n"] == "" {
		return usual, true
	}
	n, err := strconv.Atoi(options["-n"])
	return n, err == nil
}
