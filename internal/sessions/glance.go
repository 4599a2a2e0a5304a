// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/sqlite"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// A glance records when each directory and database with sessions had changed at the time of a search. A new session
// changes its directory or its database, so checking these few shows whether a hundred thousand files need to be
// searched again. It does not detect a session that is continued after a long time.
type glance struct {
	before    time.Time // later changes may have been missed
	folders   map[string]time.Time
	databases map[string]transcript.State
}

// glanceAt records the directories of the candidates found by a search that began then, and their parents up to the
// location.
func glanceAt(began time.Time, roots []agents.Root, piles []pile) *glance {
	g := &glance{before: began.Add(-agents.Settled), folders: map[string]time.Time{}, databases: map[string]transcript.State{}}
	for i, root := range roots {
		g.folder(root.Path)
		last := ""
		for _, piece := range piles[i].pieces {
			for at := range piece {
				c := &piece[at]
				if c.Path == root.Path { // a database
					g.database(c.Path)
				} else if folder := c.Path[:max(strings.LastIndexByte(c.Path, filepath.Separator), 0)]; folder != last {
					for last = folder; len(folder) > len(root.Path) && g.folder(folder); {
						folder = filepath.Dir(folder)
					}
				}
			}
		}
	}
	return g
}

// folder adds a directory, and reports whether it is new.
func (g *glance) folder(path string) bool {
	if _, known := g.folders[path]; known {
		return false
	}
	if g.folders[path] = changedAt(path); g.folders[path].After(g.before) {
		g.folders[path] = g.before
	}
	return true
}

func (g *glance) database(path string) {
	if _, known := g.databases[path]; !known {
		modified, size, _ := sqlite.Time(path)
		if modified.After(g.before) {
			modified = g.before
		}
		g.databases[path] = transcript.State{Size: size, Modified: modified}
	}
}

// changedAt returns the time when a directory last changed; zero if it is missing.
func changedAt(path string) time.Time {
	if info, err := os.Stat(path); err == nil {
		return info.ModTime()
	}
	return time.Time{}
}

// changed reports whether any of the directories and databases has changed since.
func (g *glance) changed() bool {
	for path, before := range g.folders {
		if !changedAt(path).Equal(before) {
			return true
		}
	}
	for path, before := range g.databases {
		if modified, size, _ := sqlite.Time(path); size != before.Size || !modified.Equal(before.Modified) {
			return true
		}
	}
	return false
}

// newestFolders returns the most recently changed directories, at most most.
func (g *glance) newestFolders(most int) []string {
	folders := make([]string, 0, len(g.folders))
	for path, changed := range g.folders {
		if !changed.IsZero() {
			folders = append(folders, path)
		}
	}
	slices.SortFunc(folders, func(a, b string) int {
		return cmp.Or(g.folders[b].Compare(g.folders[a]), cmp.Compare(a, b))
	})
	return folders[:min(most, len(folders))]
}

// Changed reports whether the results of the last search may be outdated.
func (f *Finder) Changed() bool {
	g := f.glanced.Load()
	return g == nil || g.changed()
}

// NewestFolders returns the most recently changed directories of the last search, at most most.
func (f *Finder) NewestFolders(most int) []string {
	if g := f.glanced.Load(); g != nil {
		return g.newestFolders(most)
	}
	return nil
}
