// Copyright The ctx-lsp authors. MIT licence.

package textfiles

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// ignoreRules are the lines of one .gitignore file.
type ignoreRules struct {
	folder string // the folder that contains the file
	rules  []ignoreRule
	size   int64 // the size of the file
}

type ignoreRule struct {
	line    string
	made    bool  // the pattern was parsed
	pattern *glob // matches a path below the folder, with slashes; nil if the line is not a pattern
	folders bool  // only folders match
	keep    bool  // the line starts with "!": a matching path is not ignored after all
}

// Limits on .gitignore files, because a repository may be untrusted.
const (
	maxIgnoreFile  = 1 << 20 // bytes
	maxIgnoreAll   = 4 << 20 // bytes of all files that apply to one folder
	maxIgnoreRules = 5000
	maxIgnoreLine  = 4096 // no path is longer than this
)

// readIgnore reads a directory's .gitignore, nil if it has none. problem is a message about a file that is ignored, or
// applied only in part. Like git, it ignores a symbolic link.
func readIgnore(folder string, room int64) (rules *ignoreRules, problem string) {
	path := filepath.Join(folder, ".gitignore")
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return nil, ""
	case !info.Mode().IsRegular():
		return nil, path + " is ignored: it is not a regular file"
	case info.Size() > maxIgnoreFile || info.Size() > room:
		return nil, fmt.Sprintf("%s is ignored: a .gitignore may have at most %d MB, and all of them together %d MB", path, maxIgnoreFile>>20, maxIgnoreAll>>20)
	}
	in, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // the file may have become a pipe
	if err != nil {
		return nil, path + " is ignored: it cannot be read"
	}
	defer in.Close()
	if info, err = in.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, path + " is ignored: it is not a regular file"
	}
	file, err := io.ReadAll(io.LimitReader(in, maxIgnoreFile))
	if err != nil {
		return nil, path + " is ignored: it cannot be read"
	}
	rules = &ignoreRules{folder: folder, size: int64(len(file))}
	for line := range strings.Lines(strings.TrimPrefix(string(file), "\ufeff")) {
		line = withoutSpaces(strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"))
		if line == "" || line[0] == '#' {
			continue
		}
		if len(rules.rules) == maxIgnoreRules || len(line) > maxIgnoreLine {
			problem = fmt.Sprintf("%s is applied only in part: at most %d patterns of %d bytes are used", path, maxIgnoreRules, maxIgnoreLine)
			continue
		}
		rule := ignoreRule{}
		if line[0] == '!' {
			rule.keep, line = true, line[1:]
		}
		if trimmed := strings.TrimSuffix(line, "/"); trimmed != line {
			rule.folders, line = true, trimmed
		}
		rule.line = line
		rules.rules = append(rules.rules, rule)
	}
	return rules, problem
}

// withoutSpaces removes trailing spaces, except an escaped one. A line ends at a zero byte.
func withoutSpaces(line string) string {
	line, _, _ = strings.Cut(line, "\x00")
	end := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			continue
		case '\\':
			i++
		}
		end = min(i+1, len(line))
	}
	return line[:end]
}

// matches reports whether a path matches the rule. The pattern is parsed when it is first needed.
func (r *ignoreRule) matches(path string, folder bool) bool {
	if r.folders && !folder {
		return false
	}
	if !r.made {
		r.pattern, r.made = newGlob(r.line), true
	}
	return r.pattern != nil && r.pattern.matches(path)
}

// ignored reports whether a path is ignored. The last line that matches decides, and the file of the innermost
// directory comes last.
func ignored(files []*ignoreRules, path string, folder bool) bool {
	for i := len(files) - 1; i >= 0; i-- {
		below, err := filepath.Rel(files[i].folder, path)
		if err != nil {
			continue
		}
		below = filepath.ToSlash(below)
		rules := files[i].rules
		for j := len(rules) - 1; j >= 0; j-- {
			if rules[j].matches(below, folder) {
				return !rules[j].keep
			}
		}
	}
	return false
}

// A Walk visits the files below a directory.
type Walk struct {
	File    func(path string) error
	Problem func(sentence string) // called for a .gitignore that is ignored or applied only in part
	Links   bool                  // visit links to files too; their readers decide how far links may lead
}

// Below visits the files below a directory in order. It leaves out files ignored by a .gitignore, in the directory or
// above it in its repository, and the directory .git. Symbolic links are not followed.
//
// Git could list the files too, but it is not used, because a repository can choose programs that git runs (such as
// core.fsmonitor).
func (w Walk) Below(folder string) error {
	absolute, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	var files []*ignoreRules
	for _, above := range FoldersAbove(absolute) {
		files = w.obey(above, files)
	}
	return w.folder(absolute, folder, files)
}

// obey adds a directory's .gitignore to those of the directories above.
func (w Walk) obey(folder string, files []*ignoreRules) []*ignoreRules {
	room := int64(maxIgnoreAll)
	for _, each := range files {
		room -= each.size
	}
	rules, problem := readIgnore(folder, room)
	if problem != "" {
		w.Problem(problem)
	}
	if rules == nil {
		return files
	}
	return append(files[:len(files):len(files)], rules)
}

// FoldersAbove returns the directories from a repository's root to the parent of a directory inside it, the outermost
// first. It returns nil outside a repository.
func FoldersAbove(folder string) []string {
	var above []string
	for at := folder; ; at = filepath.Dir(at) {
		if at != folder {
			above = append([]string{at}, above...)
		}
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return above
		}
		if at == filepath.Dir(at) {
			return nil
		}
	}
}

func (w Walk) folder(absolute, shown string, files []*ignoreRules) error {
	entries, err := os.ReadDir(absolute)
	if err != nil {
		return err
	}
	files = w.obey(absolute, files)
	for _, e := range entries {
		path := filepath.Join(absolute, e.Name())
		if e.Name() == ".git" || ignored(files, path, e.IsDir()) {
			continue
		}
		name := filepath.Join(shown, e.Name())
		switch {
		case e.IsDir():
			err = w.folder(path, name, files)
		case e.Type().IsRegular(), w.Links && e.Type()&os.ModeSymlink != 0:
			err = w.File(name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
