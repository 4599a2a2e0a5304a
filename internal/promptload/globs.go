// Copyright The ctx-lsp authors. MIT licence.

package promptload

import (
	"regexp"
	"strings"
)

// maxGlob bounds a pattern of a settings file.
const maxGlob = 1000

// Glob makes a pattern of paths, as the settings of agents have them: * is part of a name, ** any folders, ? one
// character, [ab] one of some, {a,b} one of several. It returns nil if that fails.
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
			if set[0] == '!' || set[0] == '^' {
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

// isGlob says whether a path of a settings file is a pattern.
func isGlob(path string) bool { return strings.ContainsAny(path, "*?[{") }

// matching are the files of a folder that fit a pattern, in order. What stands before the first special character is
// where the search begins, and no more is looked at than listings may have. complete is false if that was not all.
func (l *Loader) matching(f *Folder, pattern string) (list []string, complete bool) {
	glob := Glob(pattern)
	if f == nil || glob == nil {
		return nil, false
	}
	dir := "."
	if fixed := strings.LastIndexByte(pattern[:strings.IndexAny(pattern, "*?[{")], '/'); fixed > 0 {
		dir = pattern[:fixed]
	}
	deep := maxFolderDepth
	if !strings.Contains(pattern, "**") {
		deep = strings.Count(pattern, "/") - strings.Count(dir, "/")
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
