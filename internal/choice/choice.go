// Copyright The ctx-lsp authors. MIT licence.

// Package choice decides which of several sessions is the one to show. There is one such decision, and every face that
// shows one session asks for it.
//
// In this order: what is in front, by name or by its process; then what is live before what is idle; then the session
// that was started in the most specific folder; then the newest record. Where an agent has changed to since it was
// started says nothing about whose session it is.
package choice

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/source"
)

// A Session is one of those to choose from. Sub-agents are never chosen unless they are named.
type Session struct {
	ID     string
	Dir    string // where it was started, "" where that is not known
	Live   bool
	Child  bool
	Newest int64 // the time of its newest record
}

// A Front is what a person looks at.
type Front struct {
	Named     string // a session by its id
	Held      string // the session that the process in front holds, by proof
	HeldWhy   string // and why that is so, a sentence
	ByProcess bool   // Held is of a process above the asker's, not of a terminal
	File      string // a file or folder in front
	Workspace string
}

// The ways by which a session comes to be shown.
const (
	Named     = "session"   // it was named
	Terminal  = "terminal"  // it works in the terminal in front
	Process   = "process"   // it runs the asker
	File      = "file"      // it was started in a folder that holds the file in front
	Workspace = "workspace" // it was started in the workspace, or above it
	Elsewhere = "elsewhere" // nothing here leads to a session: the newest of all
)

// A Choice is a session and why it is shown.
type Choice struct {
	Index   int
	Shown   string // one of the words above
	Because string // a sentence
}

// Choose picks one; false where there is none to pick from.
func Choose(front Front, sessions []Session) (Choice, bool) {
	for i := range sessions {
		if front.Named != "" && sessions[i].ID == front.Named {
			return Choice{i, Named, "It was asked for by name."}, true
		}
	}
	for i := range sessions {
		if front.Held != "" && sessions[i].ID == front.Held {
			shown := Terminal
			if front.ByProcess {
				shown = Process
			}
			return Choice{i, shown, front.HeldWhy}, true
		}
	}
	place := front.File
	if place == "" {
		place = front.Workspace
	}
	best, matching, live := -1, 0, 0
	var bestCommon int
	for i := range sessions {
		s := &sessions[i]
		if s.Child || place != "" && !belongs(s.Dir, front) {
			continue
		}
		matching++
		if s.Live {
			live++
		}
		common := nearness(s.Dir, front)
		if best < 0 || better(s, common, &sessions[best], bestCommon) {
			best, bestCommon = i, common
		}
	}
	if best < 0 {
		if place == "" {
			return Choice{}, false
		}
		elsewhere, ok := Choose(Front{}, sessions)
		elsewhere.Because = "No session was started here; it is the newest elsewhere."
		return elsewhere, ok
	}
	chosen := &sessions[best]
	c := Choice{Index: best, Shown: Elsewhere}
	switch {
	case front.File != "" && (Within(chosen.Dir, front.File) || Within(front.File, chosen.Dir)):
		c.Shown = File
	case place != "":
		c.Shown = Workspace
	}
	c.Because = because(chosen, c.Shown, matching, live)
	return c, true
}

func because(s *Session, shown string, matching, live int) string {
	where := "on this machine"
	if shown != Elsewhere {
		where = "here"
	}
	switch {
	case matching == 1 && s.Live:
		return fmt.Sprintf("It is the only session %s.", where)
	case matching == 1:
		return fmt.Sprintf("It is the only session %s, and it is idle.", where)
	case live == 1:
		return fmt.Sprintf("It is the only live one of %d sessions %s.", matching, where)
	case live > 1 && shown == Elsewhere:
		return fmt.Sprintf("Of %d live sessions %s it has the newest record.", live, where)
	case live > 1:
		return fmt.Sprintf("Of %d live sessions %s it was started nearest, and then has the newest record.", live, where)
	case shown == Elsewhere:
		return fmt.Sprintf("None of %d sessions %s is live; it has the newest record.", matching, where)
	}
	return fmt.Sprintf("None of %d sessions %s is live; it was started nearest, and then has the newest record.", matching, where)
}

// better orders two sessions of one place: live ones first, then by folder, then by time, then by name, so that the
// choice is the same every time.
func better(s *Session, common int, than *Session, thanCommon int) bool {
	switch {
	case s.Live != than.Live:
		return s.Live
	case common != thanCommon:
		return common > thanCommon
	case s.Newest != than.Newest:
		return s.Newest > than.Newest
	}
	return s.ID < than.ID
}

// belongs says whether a session that was started in dir has to do with what is in front.
func belongs(dir string, front Front) bool {
	if dir == "" {
		return false
	}
	if front.File != "" && (Within(dir, front.File) || Within(front.File, dir)) {
		return true
	}
	return front.Workspace != "" && (Within(front.Workspace, dir) || Within(dir, front.Workspace))
}

// Within says whether path is dir or lies below it, by its own name or with links followed.
func Within(dir, path string) bool {
	if dir == "" || path == "" {
		return false
	}
	for _, d := range names(dir) {
		for _, p := range names(path) {
			if p == d || strings.HasPrefix(p, strings.TrimSuffix(d, "/")+"/") {
				return true
			}
		}
	}
	return false
}

// nearness is how near a session was started to what is in front: in a folder that holds the file, the deeper the
// nearer; else by what its folder has in common with the workspace.
func nearness(dir string, front Front) int {
	switch {
	case front.File != "" && (Within(dir, front.File) || Within(front.File, dir)):
		return 1<<20 + shared(dir, front.File)
	case front.Workspace != "":
		return shared(dir, front.Workspace)
	}
	return 0
}

// shared is how many folders two paths have in common from the root on.
func shared(dir, place string) int {
	most := 0
	for _, d := range names(dir) {
		for _, p := range names(place) {
			a, b := strings.Split(d, "/"), strings.Split(p, "/")
			n := 0
			for n < len(a) && n < len(b) && a[n] == b[n] {
				n++
			}
			most = max(most, n)
		}
	}
	return most
}

// names are the ways to write a path that are compared: as it is, and with links followed.
func names(path string) []string {
	out := []string{plain(path)}
	if !source.Local(path) {
		return out // merely to look at another machine may be to log in
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		if other := plain(real); other != out[0] {
			out = append(out, other)
		}
	}
	return out
}

func plain(path string) string {
	path = filepath.ToSlash(filepath.Clean(path))
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		path = strings.ToLower(path)
	}
	return path
}
