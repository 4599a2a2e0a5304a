// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// ignoreRules are the lines of one .gitignore file.
type ignoreRules struct {
	folder string // that the file is in
	rules  []ignoreRule
}

type ignoreRule struct {
	pattern *regexp.Regexp // of a path below the folder, with slashes
	folders bool           // only folders match
	keep    bool           // the line begins with "!": what matches is not ignored after all
}

// readIgnore reads a folder's .gitignore, nil when it has none.
func readIgnore(folder string) *ignoreRules {
	file, err := os.ReadFile(filepath.Join(folder, ".gitignore"))
	if err != nil {
		return nil
	}
	rules := &ignoreRules{folder: folder}
	for line := range strings.Lines(string(file)) {
		line = strings.TrimRight(line, "\r\n")
		for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
			line = line[:len(line)-1]
		}
		if line == "" || line[0] == '#' {
			continue
		}
		rule := ignoreRule{}
		if line[0] == '!' {
			rule.keep, line = true, line[1:]
		}
		if trimmed := strings.TrimSuffix(line, "/"); trimmed != line {
			rule.folders, line = true, trimmed
		}
		if rule.pattern = ignorePattern(line); rule.pattern != nil {
			rules.rules = append(rules.rules, rule)
		}
	}
	return rules
}

// ignorePattern is a line's pattern as a regular expression, nil if it is none.
func ignorePattern(line string) *regexp.Regexp {
	anchored := strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	var b strings.Builder
	b.WriteString("^")
	if !anchored {
		b.WriteString("(?:.*/)?")
	}
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case strings.HasPrefix(line[i:], "**/") && (i == 0 || line[i-1] == '/'):
			b.WriteString("(?:.*/)?")
			i += 2
		case line[i:] == "**" && i > 0 && line[i-1] == '/':
			b.WriteString(".+")
			i++
		case c == '*':
			for i+1 < len(line) && line[i+1] == '*' {
				i++
			}
			b.WriteString("[^/]*")
		case c == '?':
			b.WriteString("[^/]")
		case c == '[':
			end := strings.IndexByte(line[min(i+2, len(line)):], ']')
			if end < 0 {
				return nil
			}
			set := line[i+1 : i+2+end]
			if set[0] == '!' {
				set = "^" + set[1:]
			}
			b.WriteString("[" + strings.NewReplacer(`\`, `\\`, "[", `\[`).Replace(set) + "]")
			i += 2 + end
		case c == '\\' && i+1 < len(line):
			i++
			b.WriteString(regexp.QuoteMeta(line[i : i+1]))
		default:
			end := i + 1
			for end < len(line) && !strings.ContainsRune(`*?[\`, rune(line[end])) && !strings.HasPrefix(line[end:], "**/") {
				end++
			}
			b.WriteString(regexp.QuoteMeta(line[i:end]))
			i = end - 1
		}
	}
	b.WriteString("$")
	pattern, err := regexp.Compile(b.String())
	if err != nil {
		return nil
	}
	return pattern
}

// ignored tells whether the files, of which the innermost folder's comes last, leave a path out. The last line that
// matches decides.
func ignored(files []*ignoreRules, path string, folder bool) bool {
	for i := len(files) - 1; i >= 0; i-- {
		below, err := filepath.Rel(files[i].folder, path)
		if err != nil {
			continue
		}
		below = filepath.ToSlash(below)
		rules := files[i].rules
		for j := len(rules) - 1; j >= 0; j-- {
			if (folder || !rules[j].folders) && rules[j].pattern.MatchString(below) {
				return !rules[j].keep
			}
		}
	}
	return false
}

// walkFiles hands over the files below a folder in order, without those that .gitignore files leave out, of the
// folder's repository too, and without .git itself. Symbolic links are not followed.
func walkFiles(folder string, file func(path string) error) error {
	absolute, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	var files []*ignoreRules
	for _, above := range foldersAbove(absolute) {
		if rules := readIgnore(above); rules != nil {
			files = append(files, rules)
		}
	}
	return walkFolder(absolute, folder, files, file)
}

// foldersAbove lists the folders between a repository's top and a folder inside it, the outermost first.
func foldersAbove(folder string) []string {
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

func walkFolder(absolute, shown string, files []*ignoreRules, file func(path string) error) error {
	entries, err := os.ReadDir(absolute)
	if err != nil {
		return err
	}
	if rules := readIgnore(absolute); rules != nil {
		files = append(files[:len(files):len(files)], rules)
	}
	for _, e := range entries {
		path := filepath.Join(absolute, e.Name())
		if e.Name() == ".git" || ignored(files, path, e.IsDir()) {
			continue
		}
		name := filepath.Join(shown, e.Name())
		switch {
		case e.IsDir():
			err = walkFolder(path, name, files, file)
		case e.Type().IsRegular():
			err = file(name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
