// Copyright The ctx-lsp authors. MIT licence.

// Package focus decides which of several sessions is shown. Every front end that shows one session uses this package.
//
// The order of precedence is: the session in front, by its name or by its process; live sessions before idle ones; the
// session started in the most specific directory; the newest record. A directory that an agent changed to after its
// start is ignored, because it does not show which project the session belongs to.
package focus

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
)

// A Session is a candidate. A sub-agent is chosen only if it is named.
type Session struct {
	ID     string
	Dir    string // the directory in which it was started; "" if unknown
	Live   bool
	Child  bool
	Newest int64 // the time of its newest record
}

// A Front describes what the user has in front: a session, a process, a file or a directory.
type Front struct {
	Named     string // the id of a requested session
	Held      string // the session that the process in front is proved to run
	HeldWhy   string // a sentence with the proof
	ByProcess bool   // the process that runs Held is an ancestor of the caller, not one of a terminal
	File      string // the file or directory in front
	Workspace string

	folder bool // File is the user's directory, because no file is in front
}

// Look returns the Front of a user in a directory, with or without an open file. A directory in a repository means the
// whole repository: an agent started in another of its directories works there too.
func Look(file, folder string) Front {
	front := Front{File: file, Workspace: folder}
	if file == "" {
		front.File, front.folder = folder, true
	}
	if root := Repository(folder); root != "" {
		front.Workspace = root
	}
	return front
}

// Near reports whether a session started in dir belongs to a workspace: one of the two contains the other.
func Near(workspace, dir string) bool { return Within(workspace, dir) || Within(dir, workspace) }

// Repository returns the root of the repository that contains a directory, or "".
func Repository(folder string) string {
	if !dirs.Local(folder) {
		return "" // checking a path on another machine may log in there
	}
	for dir := filepath.Clean(folder); ; {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// The reasons for which a session is shown.
const (
	Named     = "session"   // it was requested by name
	Terminal  = "terminal"  // it works in the terminal in front
	Process   = "process"   // its agent runs the caller
	File      = "file"      // it was started in a directory that contains the file in front
	Workspace = "workspace" // it was started in the workspace, or above it
	Elsewhere = "elsewhere" // nothing here leads to a session, so the newest one on the machine is shown
)

// A Choice is a session and the reason why it is shown.
type Choice struct {
	Index   int
	Shown   string // one of the constants above
	Which   string // the session among the others, as a clause: "the newest of 4 here"; "" if it was named
	Because string // a sentence
}

// Choose picks one session; ok is false if there is none.
func Choose(front Front, sessions []Session) (Choice, bool) {
	for i := range sessions {
		if front.Named != "" && sessions[i].ID == front.Named {
			return Choice{Index: i, Shown: Named, Because: "It was requested by name."}, true
		}
	}
	for i := range sessions {
		if front.Held != "" && sessions[i].ID == front.Held {
			c := Choice{Index: i, Shown: Terminal, Which: "the one in this terminal", Because: front.HeldWhy}
			if front.ByProcess {
				c.Shown, c.Which = Process, "the one that runs this command"
			}
			return c, true
		}
	}
	place := front.File
	if place == "" {
		place = front.Workspace
	}
	best, matching, live := -1, 0, 0
	var bestCommon int
	var newest, newestLive int64
	for i := range sessions {
		s := &sessions[i]
		if s.Child || place != "" && !belongs(s.Dir, front) {
			continue
		}
		matching++
		newest = max(newest, s.Newest)
		if s.Live {
			live++
			newestLive = max(newestLive, s.Newest)
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
		elsewhere.Which = "the newest on this machine; none was started here"
		elsewhere.Because = "No session was started here; this is the newest one on the machine."
		return elsewhere, ok
	}
	chosen := &sessions[best]
	c := Choice{Index: best, Shown: Elsewhere}
	switch {
	case !front.folder && Near(front.File, chosen.Dir):
		c.Shown = File
	case place != "":
		c.Shown = Workspace
	}
	if live > 0 {
		newest = newestLive
	}
	where := "here"
	if c.Shown == Elsewhere || filepath.Dir(place) == filepath.Clean(place) {
		where = "on this machine"
	}
	c.Which = which(where, matching, live, chosen.Newest == newest)
	c.Because = "It is " + c.Which + "."
	return c, true
}

// which returns a clause that distinguishes the chosen session: matching sessions, live of them live.
func which(where string, matching, live int, newest bool) string {
	idle := ""
	if live == 0 {
		idle = ", idle"
	}
	first := "nearest"
	if newest {
		first = "newest"
	}
	switch {
	case matching == 1:
		return "the only session " + where + idle
	case live == 1:
		return fmt.Sprintf("the only live one of %d sessions %s", matching, where)
	case live > 1 && live < matching:
		return fmt.Sprintf("the %s of %d live sessions %s", first, live, where)
	}
	return fmt.Sprintf("the %s of %d %s%s", first, matching, where, idle)
}

// better compares two sessions with the same reason: live ones come first, followed by the nearer directory, the newer
// record and the name, so that the choice is always the same.
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

// belongs reports whether a session started in dir is related to what is in front.
func belongs(dir string, front Front) bool {
	if dir == "" {
		return false
	}
	return Near(front.File, dir) || Near(front.Workspace, dir)
}

// Within reports whether path is dir or is below it, with or without links resolved.
func Within(dir, path string) bool {
	if dir == "" || path == "" {
		return false
	}
	for _, d := range dirs.PathNames(dir) {
		for _, p := range dirs.PathNames(path) {
			if p == d || strings.HasPrefix(p, strings.TrimSuffix(d, "/")+"/") {
				return true
			}
		}
	}
	return false
}

// nearness returns how near a session's start directory is to what is in front. The deeper a directory that contains
// the file, the nearer it is; any other directory is compared by the number of elements it shares with the workspace.
func nearness(dir string, front Front) int {
	switch {
	case Near(front.File, dir):
		return 1<<20 + shared(dir, front.File)
	case front.Workspace != "":
		return shared(dir, front.Workspace)
	}
	return 0
}

// shared returns how many directories two paths have in common, from the root on.
func shared(dir, place string) int {
	most := 0
	for _, d := range dirs.PathNames(dir) {
		for _, p := range dirs.PathNames(place) {
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
