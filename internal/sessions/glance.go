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

// A glance is what a search has seen of the folders and databases in which it found sessions: when each changed. A
// session that is new changes its folder or its database, so a look at these few tells whether it is worth to look at
// a hundred thousand files again. It does not tell of a session that goes on after a long time.
type glance struct {
	before    time.Time // what changed after it may not have been seen
	folders   map[string]time.Time
	databases map[string]transcript.State
}

// glanceAt notes the folders of what a search has found that began then, and those above them up to the place.
func glanceAt(began time.Time, roots []agents.Root, piles []pile) *glance {
	g := &glance{before: began.Add(-agents.Settled), folders: map[string]time.Time{}, databases: map[string]transcript.State{}}
	for i, root := range roots {
		g.folder(root.Path)
		last := ""
		for _, piece := range piles[i].pieces {
			for at := range piece {
				c := &piece[at]
				if c.Path == root.Path || c.Kind == transcript.Database {
					g.database(c.Path)
					continue
				}
				folder := c.Path[:max(strings.LastIndexByte(c.Path, filepath.Separator), 0)]
				if folder == last {
					continue
				}
				for last = folder; len(folder) > len(root.Path) && g.folder(folder); {
					folder = filepath.Dir(folder)
				}
			}
		}
	}
	return g
}

// folder notes a folder, and returns whether it is a new one.
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

// changedAt returns the time when a folder last changed, zero if it is missing.
func changedAt(path string) time.Time {
	if info, err := os.Stat(path); err == nil {
		return info.ModTime()
	}
	return time.Time{}
}

// changed says whether anything of it is otherwise now.
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

// newestFolders are the folders that changed last.
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

// Changed says whether what the last search has found may be otherwise now.
func (f *Finder) Changed() bool {
	g := f.glanced.Load()
	return g == nil || g.changed()
}

// NewestFolders are the folders of the last search that changed last.
func (f *Finder) NewestFolders(most int) []string {
	if g := f.glanced.Load(); g != nil {
		return g.newestFolders(most)
	}
	return nil
}
