// Copyright The ctx-lsp authors. MIT licence.

package claudecode

import (
	"hash/fnv"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/promptload"
)

// When a file has changed that Claude Code had read as a whole, or written, the next request shows the changes, with
// eight lines around each.

const (
	aroundChange = 8    // lines before and after a change
	maxCompared  = 2000 // changed lines in a row that are compared one by one
	maxSnippet   = 8192 // bytes of one file's changes that are shown
)

// keep remembers the state of a file when the agent read it, if it has not changed since.
func (f *Files) keep(l *promptload.Loader, w promptload.WantedFile) {
	at := f.place(l, w.Path)
	f.forget(at.whole())
	if info := at.stat(); info != nil && info.Mode().IsRegular() && unchanged(info, w.At) {
		f.remember(l, at)
	}
}

// writes records that the agent itself changes a file, once the user allows it.
func (f *Files) writes(l *promptload.Loader, w promptload.WantedFile) {
	at := f.place(l, w.Path)
	f.forget(at.whole())
	if at.in != nil && len(f.kept) < maxKeptFiles && !w.At.IsZero() {
		f.kept = append(f.kept, &keptFile{path: at.whole(), writes: w.At})
	}
}

func (f *Files) forget(path string) {
	f.kept = slices.DeleteFunc(f.kept, func(k *keptFile) bool { return k.path == path })
}

func (f *Files) remember(l *promptload.Loader, at place) {
	info := at.stat()
	text, ok := at.text(l)
	if info == nil || !ok {
		return
	}
	if len(f.kept) >= maxKeptFiles {
		f.kept = f.kept[1:]
	}
	f.kept = append(f.kept, &keptFile{path: at.whole(), time: info.ModTime(), lines: sums(strings.Split(text, "\n"))})
}

// look adds the changes of a file since the agent knew it.
func (k *keptFile) look(f *Files, l *promptload.Loader, out *promptload.Found) {
	at := f.place(l, k.path)
	info := at.stat()
	if info == nil || info.ModTime().Equal(k.time) {
		return
	}
	if !k.writes.IsZero() && info.ModTime().Before(k.writes) {
		return // the user has not allowed it yet
	}
	text, ok := at.text(l)
	if !ok {
		return
	}
	lines := strings.Split(text, "\n")
	now := sums(lines)
	if k.writes.IsZero() {
		if shown := changes(k.lines, now, lines); shown != "" {
			out.Texts = append(out.Texts, promptload.Unrecorded{Kind: "documents", Path: k.path, Text: shown, Around: aroundChanged})
		}
	}
	*k = keptFile{path: k.path, time: info.ModTime(), lines: now}
}

// sums returns a number for each line.
func sums(lines []string) []uint64 {
	out := make([]uint64, len(lines))
	for i, line := range lines {
		h := fnv.New64a()
		_, _ = h.Write([]byte(line)) // hashing cannot fail
		out[i] = h.Sum64()
	}
	return out
}

// changes returns the changed parts of a file, each with the lines around it and their numbers. a and b are its old and
// new lines as numbers, and lines are the texts of b.
func changes(a, b []uint64, lines []string) string {
	fresh := changed(a, b)
	var out []string
	for i := 0; i < len(fresh); i++ {
		if !fresh[i] {
			continue
		}
		from, to := max(i-aroundChange, 0), i
		for last := i; last < len(fresh) && last <= to+2*aroundChange; last++ {
			if fresh[last] {
				to = last
			}
		}
		i = to
		out = append(out, lined(lines, from+1, min(to+aroundChange, len(lines))))
	}
	shown := strings.Join(out, "\n...\n")
	if len(shown) > maxSnippet {
		shown = shown[:maxSnippet]
		if end := strings.LastIndexByte(shown, '\n'); end > 0 {
			shown = shown[:end]
		}
	}
	return shown
}

// changed marks the positions of b, before and after each of its lines, where it differs from a: at a new line, or at
// the position of removed lines.
func changed(a, b []uint64) []bool {
	marks := make([]bool, len(b)+1)
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	a, b = a[head:len(a)-tail], b[head:len(b)-tail]
	if len(a) > maxCompared || len(b) > maxCompared {
		for i := range b {
			marks[head+i] = true
		}
		marks[head] = true
		return marks
	}
	// common[i][j] is how many lines a[i:] and b[j:] have in common, in order.
	common := make([][]uint16, len(a)+1)
	for i := range common {
		common[i] = make([]uint16, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			i, j = i+1, j+1
		case j < len(b) && (i == len(a) || common[i][j+1] >= common[i+1][j]):
			marks[head+j] = true
			j++
		default:
			marks[head+j] = true // a line was removed here
			i++
		}
	}
	return marks
}
