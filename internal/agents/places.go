// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// named names a session that is still without an id after its folder, and says whether its directory is known too.
func named(s *transcript.Session) bool {
	if s.ID == "" {
		s.ID = filepath.Base(filepath.Dir(s.Path))
	}
	return s.Workspace != ""
}

// KnownWorkspace is where a session was started, if that is known before it is read.
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

// Root is a place where an agent keeps sessions.
type Root struct {
	Agent string // as core/agent names it
	Name  string // as its makers name it
	Path  string // a folder or a database
	// From is the environment variable that moved the root, empty for the
	// agent's default place.
	From string
	// Readable is false for agents whose sessions are known but not read.
	Readable bool
	List     lister
	// Within lists patterns of the folders of a root that keeps much else, for a check of what is in it.
	Within []string
	Cache  string // the folder in which listings are kept
}

// Exists says whether the agent has kept anything there.
func (r Root) Exists() bool {
	_, err := os.Stat(r.Path)
	return err == nil
}

// A lister lists the sessions of a root, if possible without opening any of
// them.
type lister func(root Root, see func(Candidate)) error

// A Candidate is a file that may be a session.
type Candidate struct {
	Agent  string
	Path   string
	Kind   transcript.Form
	Info   os.FileInfo
	ID     string // the session's id where the path tells it
	Parent string // for a sub-agent, its parent's id
	Alone  bool   // the path tells that it is no sub-agent
	// workspace is known from the place, for agents that do not write it into the
	// session. projectHash is its SHA-256, for agents that keep only that.
	Workspace, ProjectHash string
	// mirror marks what an agent writes beside sessions that it keeps elsewhere.
	Mirror bool
	// changed is when it last changed, if the time of its file does not show that.
	changed time.Time
	// session is set where the listing has told everything already.
	Session *transcript.Session
}

// entries lists the names in a folder. That a folder cannot be read is a
// problem only where the folder is the root itself.
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

// candidateAt makes a candidate of a directory entry, if that is a file.
func candidateAt(agent, folder string, entry os.DirEntry, kind transcript.Form) (Candidate, bool) {
	if !strings.HasSuffix(folder, string(filepath.Separator)) {
		folder += string(filepath.Separator)
	}
	path := folder + entry.Name() // joining a hundred thousand paths takes long
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

// eachFolder calls see for every folder in a folder. That the first cannot be read is an error.
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

// seeFile makes a candidate of a file, if it is there.
func seeFile(c Candidate, see func(Candidate)) bool {
	info, err := os.Stat(c.Path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	c.Info = info
	see(c)
	return true
}

// listNothing stands for a place that tells of no session yet.
func listNothing(Root, func(Candidate)) error { return nil }
