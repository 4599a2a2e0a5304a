// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"errors"
	"strings"
	"time"
)

// Session is one conversation kept on disk.
type Session struct {
	// ID is the agent's own id of the session. A sub-agent's is its parent's,
	// a slash, and its own.
	ID    string
	Agent string // as core/agent names it: claude-code, codex, …
	// Path is the transcript file, or the database or folder that holds this
	// session among others; Key then says which one it is.
	Path string
	Key  string

	Workspace string // the working directory, as the session has recorded it
	Parent    string // the ID of the session that started this one, empty for a session of its own
	Label     string // the agent's name for the session; for a sub-agent, its kind
	Version   string // the version of the agent that began the session

	Started  time.Time // zero if the session does not say
	Modified time.Time
	Size     int64 // bytes on disk, 0 for a session in a database

	kind kind
}

// kind is the form in which a session lies on disk.
type kind uint8

const (
	kindLines    kind = iota // JSONL, one record a line
	kindZstd                 // JSONL, compressed, complete
	kindDocument             // one JSON document, rewritten as a whole
	kindTree                 // a folder of small JSON files (OpenCode to 1.1)
	kindDatabase             // SQLite
	kindTask                 // a folder of documents (Cline, Roo Code, Kilo Code to 5)
	kindStore                // whatever package stores tells of
	kindBeside               // JSONL with small documents beside it
)

// Problem is something that could not be read, and why.
type Problem struct {
	Path string
	What string // a sentence
	// Late is true if the path did not answer in time, so that its sessions are missing.
	Late bool
}

// problem is what is wrong with a path. A sentence that begins with the path says it once.
func problem(path string, err error) Problem {
	what := reason(err)
	for _, beginning := range []string{path + ": ", path + " "} {
		if rest, found := strings.CutPrefix(what, beginning); found {
			what = strings.TrimPrefix(rest, "is ")
			if what != rest {
				what = "it is " + what
			}
			break
		}
	}
	return Problem{path, what, errors.Is(err, errLate)}
}

func (p Problem) String() string { return p.Path + ": " + p.What }
