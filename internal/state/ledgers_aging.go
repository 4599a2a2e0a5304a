// Copyright The ctx-lsp authors. MIT licence.

package state

import (
	"cmp"
	"encoding/json"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// GroupBytes is the number of bytes in a ledger's name that identify its client.
const GroupBytes = 8

// suspicion is how long a ledger must look too old before it is removed, because one wrong clock makes all of them look
// old.
const suspicion = 24 * time.Hour

// unsynced is how long an operating system may keep written bytes only in memory, rounded up.
const unsynced = time.Minute

// Age removes ledgers that were not used for a month, and the oldest ones if there are too many. It also syncs what a
// recently killed daemon wrote.
func (s *Ledgers) Age(now time.Time) {
	suspected := s.suspected()
	still := map[string]int64{}
	groups := map[string][]ledgerFile{}
	living := map[string]bool{}
	files := 0
	used := map[string]bool{} // owners
	for path, info := range s.allFiles() {
		name := filepath.Base(path)
		age := now.Sub(info.ModTime())
		switch {
		case age > maxAge:
			since := suspected[name]
			if since > 0 && now.Sub(time.UnixMilli(since)) >= suspicion {
				_ = s.disk.Remove(path)
				continue
			}
			if since == 0 || since > now.UnixMilli() {
				since = now.UnixMilli()
			}
			still[name] = since
		}
		if strings.HasSuffix(name, ".json") {
			group := name[:min(len(name), 2*GroupBytes)]
			if age > -unsynced && age < unsynced {
				s.wrote(path)
				s.named(filepath.Dir(path))
			}
			files++
			at, _, _ := s.endAt(strings.TrimSuffix(name, suffix))
			used[filepath.Base(at)] = true
			if file, _, ok := split(name); ok && !s.heldBy(file, living) {
				groups[group] = append(groups[group], ledgerFile{path, info.ModTime()})
			}
		}
	}
	s.suspect(still)
	s.cleanEnds(used)
	for _, path := range tooMany(groups, files-maxFiles) {
		_ = s.disk.Remove(path)
	}
}

// allFiles returns the regular files in the folders of the ledgers, by their paths.
func (s *Ledgers) allFiles() iter.Seq2[string, fs.FileInfo] {
	return func(yield func(string, fs.FileInfo) bool) {
		folders, _ := s.disk.ReadDir(s.dir) // a folder that cannot be read stays as it is
		for _, folder := range folders {
			if !folder.IsDir() {
				continue
			}
			at := filepath.Join(s.dir, folder.Name())
			entries, _ := s.disk.ReadDir(at) // like above
			for _, entry := range entries {
				info, err := entry.Info()
				if err == nil && info.Mode().IsRegular() && !yield(filepath.Join(at, entry.Name()), info) {
					return
				}
			}
		}
	}
}

// heldBy reports whether a running daemon holds a file. It caches in living which daemons are running.
func (s *Ledgers) heldBy(file string, living map[string]bool) bool {
	owner := ownerOf(file)
	lives, known := living[owner]
	if !known {
		held, err := s.Owners.holds(file)
		lives = owner != "" && (held || err != nil)
		living[owner] = lives
	}
	return lives
}

type ledgerFile struct {
	path string
	time time.Time
}

func (f ledgerFile) before(other ledgerFile) bool {
	return cmp.Or(f.time.Compare(other.time), strings.Compare(f.path, other.path)) < 0
}

// tooMany selects extra files to remove: each time the oldest file of the client with the most files, so that a client
// that opens thousands of sessions displaces only its own. Among clients with equally many, the one with the oldest
// file loses it.
func tooMany(groups map[string][]ledgerFile, extra int) []string {
	for _, files := range groups {
		slices.SortFunc(files, func(a, b ledgerFile) int { return a.time.Compare(b.time) })
	}
	var chosen []string
	for ; extra > 0; extra-- {
		largest := ""
		for group, files := range groups {
			n, most := len(files), len(groups[largest])
			if n > most || n == most && n > 0 && files[0].before(groups[largest][0]) {
				largest = group
			}
		}
		if largest == "" {
			break // all other files are held
		}
		chosen = append(chosen, groups[largest][0].path)
		groups[largest] = groups[largest][1:]
	}
	return chosen
}

// suspected returns the ledgers that already looked too old, each with the time at which it was first noticed.
func (s *Ledgers) suspected() map[string]int64 {
	since := map[string]int64{}
	if text, err := os.ReadFile(s.suspicions()); err == nil {
		_ = json.Unmarshal(text, &since) // if the list is damaged, nothing is suspected
	}
	return since
}

func (s *Ledgers) suspect(since map[string]int64) {
	if len(since) == 0 {
		os.Remove(s.suspicions())
		return
	}
	text, _ := json.Marshal(since)                // names and numbers can always be encoded
	_ = os.WriteFile(s.suspicions(), text, 0o600) // if the list cannot be written, nothing is removed
}

func (s *Ledgers) suspicions() string { return filepath.Join(s.base, "aging.json") }
