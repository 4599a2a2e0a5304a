// Copyright The ctx-lsp authors. MIT licence.

// Package transcript reads a session on disk as records: lines, compressed lines, documents, sidecars and stores. It
// knows where one record ends and the next begins, but not what a record means.
//
// # Records
//
//   - A JSONL transcript returns its lines in file order. A line that is not JSON, or longer than [MaxRecord], becomes
//     {"skipped":bytes}; one that is too long only because of its pictures loses their ends. Two objects that two
//     writers put on one line are two records. The last line is read as soon as its object is closed, with or without a
//     newline.
//   - A JSON document returns its top-level object with the array "messages" emptied, then each of those messages. When
//     it is rewritten, only the changed parts are returned again; a message with the same id replaces the earlier one.
//   - A row of a database is one object: its table's name under "table", then its columns; JSON in a column "data" is
//     embedded as JSON. A message's row comes before the rows of its parts, and a changed row is returned again.
//
// # Never
//
// No file of an agent is written, locked or created: transcripts are opened for reading, databases with mode=ro in a
// way that creates no -wal and no -shm file (see internal/sqlite).
package transcript

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// SetStart sets the start of a session unless it is already known. The time is a string or a number of milliseconds;
// anything else is ignored.
func SetStart(s *Session, at json.Value) {
	if !s.Started.IsZero() {
		return
	}
	if at.Kind() == json.String {
		s.Started, _ = time.Parse(time.RFC3339Nano, at.String())
	} else if ms, fault := at.Int64(); fault == json.NumberOK && ms > 0 {
		s.Started = time.UnixMilli(ms).UTC()
	}
}

// Owns reports whether a change of the file at path may be a change of the session.
func (s *Session) Owns(path string) bool {
	switch s.Form {
	case Database, Store:
		return strings.HasPrefix(path, s.Path)
	case Task, WithSidecars:
		return filepath.Dir(path) == filepath.Dir(s.Path)
	}
	return path == s.Path
}

// Keep returns the part of the session that may be saved.
func (s *Session) Keep() Kept {
	return Kept{
		ID: s.ID, Agent: s.Agent, Path: s.Path, Key: s.Key, Workspace: s.Workspace, Parent: s.Parent, Version: s.Version,
		Started: s.Started, Modified: s.Modified, Kind: uint8(s.Form), Host: s.Host, HostStore: s.HostStore, HostTitle: s.HostTitle, Checkout: s.Checkout,
	}
}

// Milliseconds converts milliseconds since 1970 to a time; the zero time if they are out of range.
func Milliseconds(n int64) time.Time {
	if n <= 0 || n > 1<<43 {
		return time.Time{}
	}
	return time.UnixMilli(n)
}

// Session is one conversation kept on disk.
type Session struct {
	// ID is the agent's own id of the session. A sub-agent's id is its parent's, a slash, and its own.
	ID    string
	Agent string // the agent's id in core/agent
	// Path is the transcript file, or the database or directory that contains this session among others; Key then
	// identifies it there.
	Path string
	Key  string

	Workspace string // the working directory recorded in the session
	Parent    string // the ID of the session that started this one, "" if none did
	Label     string // the agent's name for the session; for a sub-agent, its kind
	Version   string // the version of the agent that started the session

	// Host is the program that runs the session for its agent, according to that program's own store; "" if none.
	// HostStore is the program's database with its data about the session.
	Host, HostStore string
	HostTitle       string // the host's name for the session; "" if it has none
	// Checkout is where the session works if its host made a checkout of Workspace for it.
	Checkout string

	Started  time.Time // zero if unknown
	Modified time.Time
	Size     int64 // bytes on disk, 0 for a session in a database

	Form Form

	// Unread is the time an agent last wrote in Workspace in a form that is not read. It is set if it is later than
	// Modified and this agent has no newer session there; UnreadBy is that agent.
	Unread   time.Time
	UnreadBy string
}

// A Form is how a session is kept on disk.
type Form uint8

// The forms of sessions.
const (
	Lines        Form = iota // JSONL, one record a line
	Compressed               // JSONL, compressed, complete
	Document                 // one JSON document, rewritten as a whole
	Folder                   // a directory of small JSON files
	Database                 // SQLite
	Task                     // a directory of documents
	Store                    // a database, a log or binary messages that the agent's own reader converts to records
	WithSidecars             // JSONL with small documents next to it
)

// SetText sets an empty target to a string value that is not too long.
func SetText(target *string, v json.Value) {
	if *target == "" && v.Kind() == json.String && v.TextLen() < 4096 {
		*target = v.String()
	}
}
