// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"context"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/sqlite"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

const (
	// unreadMargin is how much newer than a session unread data has to be, because an agent writes several files at a
	// time.
	unreadMargin = time.Minute
	// mostUnnamed is how many files without a workspace one search keeps to check their records.
	mostUnnamed = 16
)

// markOutdated sets Unread of the newest session of each agent in each workspace, if an agent has since written there
// in a form that is not read. The sessions are those found, newest first; unnamed are files whose beginning does not
// show where they belong.
func (f *Finder) markOutdated(ctx context.Context, found, unnamed []transcript.Session) {
	type front struct{ agent, workspace string }
	seen := map[front]bool{}
	stores := sync.OnceValue(f.storeRoots)
	for i := range found {
		s := &found[i]
		newest := !seen[front{"", s.Workspace}]
		if s.Parent != "" || seen[front{s.Agent, s.Workspace}] || f.isUnknown(s, unnamed) {
			continue
		}
		if s.Workspace != "" {
			for _, root := range stores() {
				if newest || root.Agent == s.Agent {
					markOlderThanStore(ctx, s, root)
				}
			}
		}
		if !seen[front{s.Agent, ""}] || agents.Of(*s).ProjectFolder != nil {
			f.markOlderThanFile(s, unnamed)
			f.markOlderThanForm(s)
		}
		seen[front{s.Agent, s.Workspace}], seen[front{"", s.Workspace}], seen[front{s.Agent, ""}] = true, true, true
	}
}

// storeRoots lists the databases to check for newer tables.
func (f *Finder) storeRoots() (roots []agents.Root) {
	for _, root := range agents.Roots(f.places()) {
		if a := agents.ByID(root.Agent); a != nil && a.SessionTables != nil && isDatabaseName(root.Path) {
			roots = append(roots, root)
		}
	}
	return roots
}

// markOlderThanStore compares a session with tables of a database that are not read.
func markOlderThanStore(ctx context.Context, s *transcript.Session, root agents.Root) {
	changed, _, err := sqlite.Time(root.Path)
	if err != nil || !changed.After(s.Modified.Add(unreadMargin)) {
		return
	}
	unread, _ := agents.ByID(root.Agent).UnreadOf(ctx, root.Path) // the search reports an error
	if unread.OneProject && s.Path != root.Path {
		return // only its own sessions show which project it is
	}
	markOlder(s, root.Agent, unread.Since(s.Workspace))
}

// markOlderThanFile compares a session with files in its agent's location whose records are unknown.
func (f *Finder) markOlderThanFile(s *transcript.Session, unnamed []transcript.Session) {
	for i := range unnamed {
		u := &unnamed[i]
		if u.Agent != s.Agent || !u.Modified.After(s.Modified.Add(unreadMargin)) || u.Modified.Before(s.Unread) {
			continue
		}
		if agents.Of(*s).ProjectFolder != nil && filepath.Dir(u.Path) != filepath.Dir(s.Path) {
			continue
		}
		if f.isUnknown(u, unnamed) {
			markOlder(s, u.Agent, u.Modified)
		}
	}
}

// An unknownFile is the state of a file when its records were checked, and whether all of them were unknown.
type unknownFile struct {
	modified time.Time
	size     int64
	unknown  bool
}

// isUnknown reports whether a session is one of the files without a workspace, and its records are unknown.
func (f *Finder) isUnknown(s *transcript.Session, unnamed []transcript.Session) bool {
	if !slices.ContainsFunc(unnamed, func(u transcript.Session) bool { return u.Path == s.Path }) || time.Since(s.Modified) < agents.Settled {
		return false // it may still be being written
	}
	f.headsMu.Lock()
	known, ok := f.unknown[s.Path]
	f.headsMu.Unlock()
	if ok && known.size == s.Size && known.modified.Equal(s.Modified) {
		return known.unknown
	}
	known = unknownFile{s.Modified, s.Size, unknownRecords(s)}
	f.headsMu.Lock()
	f.unknown[s.Path] = known
	f.headsMu.Unlock()
	return known.unknown
}

func markOlder(s *transcript.Session, by string, at time.Time) {
	if at.After(s.Modified.Add(unreadMargin)) && at.After(s.Unread) {
		s.Unread, s.UnreadBy = at, by
	}
}

// unknownRecords reports whether a file has complete records, all of them unknown.
func unknownRecords(s *transcript.Session) bool {
	text, all, err := transcript.Beginning(s, transcript.LongRead)
	if err != nil {
		return false // the search reports that
	}
	if recognise(*s) != "" {
		return false
	}
	if s.Form == transcript.Document {
		v, err := json.Parse(text)
		return all && err == nil && !knows(agent.New(s.Agent), v)
	}
	reader, unread := agent.New(s.Agent), 0
	var doc json.Document
	for n := 0; len(text) > 0 && n < transcript.HeadLines; n++ {
		line := transcript.FirstLine(text)
		if len(line) == len(text) && !all {
			break // the record is incomplete
		}
		text = text[min(len(line)+1, len(text)):]
		if line = transcript.TrimSpace(line); len(line) == 0 {
			continue
		}
		if v, err := doc.Parse(line); err == nil && knows(reader, v) {
			return false
		}
		unread++
	}
	return unread > 0
}

// knows reports whether a reader knows the type of a record.
func knows(reader agent.Reader, record json.Value) bool {
	if reader == nil {
		return true
	}
	known := true
	reader.Record(record, func(e core.Event) {
		if skipped, ok := e.(core.Skipped); ok && skipped.Unknown {
			known = false
		}
	})
	return known
}

// mayBeUnread reports whether a session's records have to be checked before it is considered read, because its
// beginning does not show where it belongs.
func mayBeUnread(s *transcript.Session) bool {
	return s.Workspace == "" && s.Parent == "" && s.Size > 0 && slices.Contains([]transcript.Form{transcript.Lines, transcript.Compressed, transcript.Document}, s.Form)
}
