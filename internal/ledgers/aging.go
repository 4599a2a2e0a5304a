// Copyright The ctx-lsp authors. MIT licence.

package ledgers

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// GroupBytes is how much of a ledger's name tells the client it is of.
const GroupBytes = 8

// suspicion is how long a ledger has to look too old before it is removed: a clock that is wrong for once makes all of
// them look so.
const suspicion = 24 * time.Hour

// unsynced is how long a system may keep in memory what was written, rounded up.
const unsynced = time.Minute

// Age removes ledgers that were not touched for a month, what is too much, and what a crash of an earlier version left
// half written. It has those synced that a daemon has written which was killed a moment ago.
func (s *State) Age(now time.Time) {
	entries, err := s.disk.ReadDir(s.dir)
	if err != nil {
		return
	}
	suspected := s.suspected()
	still := map[string]int64{}
	groups := map[string][]ledgerFile{}
	living := map[string]bool{}
	files := 0
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		name := entry.Name()
		age := now.Sub(info.ModTime())
		switch {
		case strings.HasSuffix(name, ".next"):
			if age > time.Hour {
				_ = s.disk.Remove(filepath.Join(s.dir, name))
			}
			continue
		case age > maxAge:
			since := suspected[name]
			if since > 0 && now.Sub(time.UnixMilli(since)) >= suspicion {
				_ = s.disk.Remove(filepath.Join(s.dir, name))
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
				s.wrote(filepath.Join(s.dir, name))
				s.named(s.dir)
			}
			files++
			if file, _, ok := split(name); ok && !s.heldBy(file, living) {
				groups[group] = append(groups[group], ledgerFile{name, info.ModTime()})
			}
		}
	}
	s.suspect(still)
	for _, name := range tooMany(groups, files-maxFiles) {
		_ = s.disk.Remove(filepath.Join(s.dir, name))
	}
}

// heldBy says whether somebody who lives holds a file, and remembers who lives.
func (s *State) heldBy(file string, living map[string]bool) bool {
	_, whose, _ := strings.Cut(file, ".")
	owner, _, _ := strings.Cut(whose, "-")
	lives, known := living[owner]
	if !known {
		held, err := s.Owners.holds(file)
		lives = owner != "" && (held || err != nil)
		living[owner] = lives
	}
	return lives
}

type ledgerFile struct {
	name string
	time time.Time
}

func (f ledgerFile) before(other ledgerFile) bool {
	return cmp.Or(f.time.Compare(other.time), strings.Compare(f.name, other.name)) < 0
}

// tooMany chooses so many files to remove: the oldest of whichever client has most, so that one which opens thousands
// pushes out its own. Of clients that have as many, the one goes first whose oldest is older.
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
			break // what is left is held
		}
		chosen = append(chosen, groups[largest][0].name)
		groups[largest] = groups[largest][1:]
	}
	return chosen
}

// suspected are the ledgers that looked too old before, and since when.
func (s *State) suspected() map[string]int64 {
	since := map[string]int64{}
	if text, err := os.ReadFile(s.suspicions()); err == nil {
		_ = json.Unmarshal(text, &since) // a damaged list suspects nobody
	}
	return since
}

func (s *State) suspect(since map[string]int64) {
	if len(since) == 0 {
		os.Remove(s.suspicions())
		return
	}
	text, _ := json.Marshal(since)                // names and numbers always encode
	_ = os.WriteFile(s.suspicions(), text, 0o600) // where it cannot be written, they stay
}

func (s *State) suspicions() string { return filepath.Join(s.base, "aging.json") }
