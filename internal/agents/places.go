// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// named names a session without an id after its directory, and reports whether its workspace is known too.
func named(s *transcript.Session) bool {
	if s.ID == "" {
		s.ID = filepath.Base(filepath.Dir(s.Path))
	}
	return s.Workspace != ""
}

// KnownWorkspace returns the directory in which a session was started, if that is known before it is read.
func (c *Candidate) KnownWorkspace() string {
	if c.Session != nil {
		return c.Session.Workspace
	}
	return c.Workspace
}

// Modified returns when the session last changed.
func (c *Candidate) Modified() time.Time {
	if c.Session != nil {
		return c.Session.Modified
	}
	if !c.changed.IsZero() {
		return c.changed
	}
	return c.Info.ModTime()
}

// Root is a location where an agent keeps sessions.
type Root struct {
	Agent string // as core/agent names it
	Name  string // the name that its makers use
	Path  string // a directory or a database
	// From is the environment variable that moved the root, empty for the agent's default location.
	From string
	// Readable is false for agents with known sessions that are not read.
	Readable bool
	List     lister
	// Within are patterns of the directories with sessions, for a root that also contains other files.
	Within []string
	Cache  string // the directory that listings are cached in
}

// inHome returns the Roots of an agent that keeps its sessions below its own directory. Their paths are relative to it.
func inHome(roots ...Root) func(dirs.Environment, string, string) []Root {
	return func(e dirs.Environment, home, from string) []Root {
		found := slices.Clone(roots)
		for i := range found {
			found[i].Path, found[i].From = e.Join(home, found[i].Path), from
		}
		return found
	}
}

// Exists reports whether the root exists.
func (r Root) Exists() bool {
	_, err := os.Stat(r.Path)
	return err == nil
}

// A lister lists the sessions of a root, if possible without opening them.
type lister func(root Root, see func(Candidate)) error

// A Candidate is a file that may be a session.
type Candidate struct {
	Agent  string
	Path   string
	Kind   transcript.Form
	Info   os.FileInfo
	ID     string // the session's id, if the path contains it
	Parent string // for a sub-agent, its parent's id
	Alone  bool   // the path shows that it is not a sub-agent
	// Workspace is known from the location, for agents that do not write it into the session. ProjectHash is its
	// SHA-256, for agents that store only that.
	Workspace, ProjectHash string
	// Mirror marks a copy that an agent writes of sessions that it keeps elsewhere.
	Mirror bool
	// changed is when it last changed, if the time of its file does not show that.
	changed time.Time
	// Session is set if the listing already contains everything.
	Session *transcript.Session
}

// entries returns the entries of a directory. An unreadable directory is treated as empty, unless it is the root
// itself.
func entries(folder string) []os.DirEntry {
	list, _ := os.ReadDir(folder)
	return list
}

// isFolder follows links, which ReadDir does not do.
func isFolder(parent string, entry os.DirEntry) bool {
	if entry.Type()&os.ModeSymlink == 0 {
		return entry.IsDir()
	}
	info, err := os.Stat(filepath.Join(parent, entry.Name()))
	return err == nil && info.IsDir()
}

// candidateAt returns a candidate for a directory entry, if that is a file.
func candidateAt(agent, folder string, entry os.DirEntry, kind transcript.Form) (Candidate, bool) {
	if !strings.HasSuffix(folder, string(filepath.Separator)) {
		folder += string(filepath.Separator)
	}
	path := folder + entry.Name() // joining a hundred thousand paths is slow
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return Candidate{}, false
	}
	return Candidate{Agent: agent, Path: path, Info: info, Kind: kind}, true
}

// listOne lists a root that is a single document.
func listOne(root Root, see func(Candidate)) error {
	info, err := os.Stat(root.Path)
	if err == nil && info.Mode().IsRegular() {
		see(Candidate{Agent: root.Agent, Path: root.Path, Info: info, Kind: transcript.Document})
	}
	return err
}

// eachFolder calls see for every directory in a directory. It returns an error if the outer one cannot be read.
func eachFolder(parent string, see func(path, name string)) error {
	list, err := os.ReadDir(parent)
	if err != nil {
		return err
	}
	for _, entry := range list {
		if isFolder(parent, entry) {
			see(filepath.Join(parent, entry.Name()), entry.Name())
		}
	}
	return nil
}

// seeFile calls see with a candidate if its file exists.
func seeFile(c Candidate, see func(Candidate)) bool {
	info, err := os.Stat(c.Path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	c.Info = info
	see(c)
	return true
}

// listNothing is the lister of a location that shows no session yet.
func listNothing(Root, func(Candidate)) error { return nil }
