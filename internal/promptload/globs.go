// Copyright The ctx-lsp authors. MIT licence.

package promptload

import (
	"regexp"
	"strings"
)

// maxGlob is the maximum length of a pattern in a settings file.
const maxGlob = 1000

// Glob compiles a path pattern in the syntax of agents' settings: * is part of a name, ** any directories, ? one
// character, [ab] one of these characters, {a,b} one of these texts. It returns nil if the pattern is invalid.
func Glob(pattern string) *regexp.Regexp {
	if len(pattern) > maxGlob {
		return nil
	}
	var out strings.Builder
	out.WriteString(`^`)
	braces := 0
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case strings.HasPrefix(pattern[i:], "**/"):
			out.WriteString(`(?:.*/)?`)
			i += 2
		case strings.HasPrefix(pattern[i:], "**"):
			out.WriteString(`.*`)
			i++
		case c == '*':
			out.WriteString(`[^/]*`)
		case c == '?':
			out.WriteString(`[^/]`)
		case c == '[' && strings.IndexByte(pattern[i:], ']') > 1:
			end := i + strings.IndexByte(pattern[i:], ']')
			set, not := pattern[i+1:end], ""
			if set[0] == '!' { // regular expressions have the other form, ^
				set, not = set[1:], "^"
			}
			out.WriteString("[" + not + strings.NewReplacer(`\`, `\\`, `[`, `\[`).Replace(set) + "]")
			i = end
		case c == '{' && strings.IndexByte(pattern[i:], '}') > 0:
			out.WriteString(`(?:`)
			braces++
		case c == '}' && braces > 0:
			out.WriteByte(')')
			braces--
		case c == ',' && braces > 0:
			out.WriteByte('|')
		default:
			out.WriteString(regexp.QuoteMeta(string(c)))
		}
	}
	out.WriteString(strings.Repeat(")", braces) + `$`)
	glob, err := regexp.Compile(out.String())
	if err != nil {
		return nil
	}
	return glob
}

// isGlob reports whether a path of a settings file is a pattern.
func isGlob(path string) bool { return strings.ContainsAny(path, "*?[{") }

// matching returns the files in a directory that match a pattern, in order. The search starts at the directory before
// the first special character, and stops when the limit of Listing is reached. complete is false if not all files were
// checked.
func (l *Loader) matching(f *Folder, pattern string) (list []string, complete bool) {
	glob := Glob(pattern)
	if f == nil || glob == nil {
		return nil, false
	}
	dir, rest := ".", pattern
	if fixed := strings.LastIndexByte(pattern[:strings.IndexAny(pattern, "*?[{")], '/'); fixed > 0 {
		dir, rest = pattern[:fixed], pattern[fixed+1:]
	}
	deep := maxFolderDepth
	if !strings.Contains(pattern, "**") {
		deep = strings.Count(rest, "/")
	}
	var walk func(dir string, depth int) bool
	walk = func(dir string, depth int) bool {
		for _, entry := range l.Names(f, dir) {
			if l.Listing--; l.Listing < 0 {
				return false
			}
			path := strings.TrimPrefix(dir+"/"+entry.Name(), "./")
			switch {
			case !entry.IsDir():
				if glob.MatchString(path) {
					list = append(list, path)
				}
			case entry.Name() == ".git" || entry.Name() == "node_modules":
			case depth < deep && !walk(path, depth+1):
				return false
			case depth == deep && strings.Contains(pattern, "**"):
				complete = false
			}
		}
		return true
	}
	complete = true
	if !walk(dir, 0) {
		complete = false
	}
	return list, complete
}
