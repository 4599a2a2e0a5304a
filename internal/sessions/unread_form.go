// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// sideEndings are endings of files that programs put next to sessions, or that contain one in a form that is read.
var sideEndings = []string{
	"", ".json", ".jsonl", ".zst", ".zstd", ".gz", ".bak", ".old", ".orig", ".tmp", ".temp", ".part", ".swp", ".lock", ".pid", ".log",
	".txt", ".md", ".html", ".csv", ".db-wal", ".db-shm", ".db-journal", ".sqlite-wal", ".sqlite-shm", ".sqlite-journal",
}

// mostForms is how many entries of a directory are checked.
const mostForms = 20_000

// folderForms caches the names in a directory that may be sessions in an unknown form, with the directory's time.
type folderForms struct {
	modified time.Time
	names    []string
}

// markOlderThanForm compares a session with newer files that are named like a session of its agent, except for an
// unknown ending. A file next to a session with the same name belongs to that session.
func (f *Finder) markOlderThanForm(s *transcript.Session) {
	if s.Form != transcript.Lines && s.Form != transcript.Document && s.Form != transcript.Compressed {
		return
	}
	for _, folder := range newestFolders(s.Path) {
		for _, name := range f.unknownForms(folder, shapeOf(stem(s.Path))) {
			info, err := os.Lstat(filepath.Join(folder, name))
			if err == nil && info.Mode().IsRegular() && info.Size() > 0 && time.Since(info.ModTime()) >= agents.Settled {
				markOlder(s, s.Agent, info.ModTime())
			}
		}
	}
}

// unknownForms lists the names in a directory that have a shape and an unknown ending. The list is cached until the
// directory changes.
func (f *Finder) unknownForms(folder, shape string) (names []string) {
	info, err := os.Stat(folder)
	if err != nil || !strings.ContainsAny(shape, "0") {
		return nil // only a name with an id shows its owner
	}
	key := folder + "\x00" + shape
	f.headsMu.Lock()
	known, ok := f.forms[key]
	f.headsMu.Unlock()
	if ok && known.modified.Equal(info.ModTime()) {
		return known.names
	}
	list, err := os.ReadDir(folder)
	if err != nil || len(list) > mostForms {
		return nil // the search reports that
	}
	read := map[string]bool{}
	for _, entry := range list {
		if name := entry.Name(); strings.Contains(name, ".json") {
			read[stem(name)] = true
		}
	}
	for _, entry := range list {
		name := entry.Name()
		of, ending, _ := strings.Cut(name, ".")
		if !entry.Type().IsRegular() || read[of] || shapeOf(of) != shape || strings.Contains(ending, ".") {
			continue
		}
		if !slices.Contains(sideEndings, strings.ToLower(filepath.Ext(name))) {
			names = append(names, name)
		}
	}
	f.headsMu.Lock()
	f.forms[key] = folderForms{info.ModTime(), names}
	f.headsMu.Unlock()
	return names
}

// stem returns a file's name up to its first dot.
func stem(path string) string {
	name, _, _ := strings.Cut(filepath.Base(path), ".")
	return name
}

// shapeOf returns a name with its numbers and ids replaced: each part with a digit becomes 0.
func shapeOf(name string) string {
	parts := strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '_' })
	hexadecimal := func(part string) bool { return strings.Trim(part, "0123456789abcdefABCDEFT") == "" }
	for i, part := range parts {
		if strings.ContainsAny(part, "0123456789") || len(part) >= 4 && hexadecimal(part) {
			parts[i] = "0"
		}
	}
	return strings.Join(parts, "-")
}

// newestFolders returns the directory of a session, and if that is one of a date, also the one of the newest date.
func newestFolders(path string) []string {
	folder := filepath.Dir(path)
	folders := []string{folder}
	top, depth := folder, 0
	for isNumber(filepath.Base(top)) && depth < 3 {
		top, depth = filepath.Dir(top), depth+1
	}
	newest := top
	for range depth {
		list, err := os.ReadDir(newest)
		if err != nil {
			return folders
		}
		last := ""
		for _, entry := range list {
			if entry.IsDir() && isNumber(entry.Name()) {
				last = entry.Name() // entries are sorted
			}
		}
		newest = filepath.Join(newest, last)
	}
	if newest != folder {
		folders = append(folders, newest)
	}
	return folders
}

func isNumber(name string) bool { return name != "" && strings.Trim(name, "0123456789") == "" }
