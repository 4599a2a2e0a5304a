// Copyright The ctx-lsp authors. MIT licence.

package textfiles

import (
	"io/fs"
	"path/filepath"
	"strings"
)

// A glob is one pattern of a .gitignore, parsed byte by byte like git does. Matching follows all paths through the
// pattern at the same time, so that no pattern takes long.
type glob struct {
	steps    []globStep
	literal  string // set if the pattern has no special character
	anywhere bool   // the pattern has no slash, and is compared with the last element of a path
}

type globStep struct {
	kind globKind
	byte byte
	set  *[4]uint64 // the bytes of a oneOf step
}

type globKind uint8

const (
	oneByte  globKind = iota
	anyByte           // any byte except a slash
	oneOf             // a byte of a set, which never contains a slash
	anyName           // any bytes except slashes
	anyPath           // any bytes
	anyAbove          // nothing, or any bytes and a slash: **/
)

func (s globStep) takes(c byte) bool {
	switch s.kind {
	case oneByte:
		return c == s.byte
	case anyByte:
		return c != '/'
	case oneOf:
		return c != '/' && s.set[c>>6]>>(c&63)&1 == 1
	}
	return false
}

// newGlob parses a pattern. It returns nil for one that matches nothing.
func newGlob(pattern string) *glob {
	g := &glob{anywhere: !strings.Contains(pattern, "/")}
	pattern = strings.TrimPrefix(pattern, "/")
	if !strings.ContainsAny(pattern, `*?[\`) {
		g.literal = pattern
		return g
	}
	// Git compares the text before the first special character separately, and starts to parse after it.
	begin := strings.IndexAny(pattern, `*?[\`)
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; c {
		case '?':
			g.steps = append(g.steps, globStep{kind: anyByte})
		case '[':
			set, end := globSet(pattern, i)
			if end < 0 {
				return nil
			}
			g.steps = append(g.steps, globStep{kind: oneOf, set: set})
			i = end
		case '*':
			first := i
			for i+1 < len(pattern) && pattern[i+1] == '*' {
				i++
			}
			rest := pattern[i+1:]
			whole := first == begin || pattern[first-1] == '/'
			ends := rest == "" || rest[0] == '/' || strings.HasPrefix(rest, `\/`)
			switch {
			case i == first || !whole || !ends:
				g.steps = append(g.steps, globStep{kind: anyName})
			case rest != "" && rest[0] == '/':
				g.steps = append(g.steps, globStep{kind: anyAbove})
				i++
			default:
				g.steps = append(g.steps, globStep{kind: anyPath})
			}
		case '\\':
			if i++; i == len(pattern) {
				return nil
			}
			g.steps = append(g.steps, globStep{byte: pattern[i]})
		default:
			g.steps = append(g.steps, globStep{byte: c})
		}
	}
	return g
}

// globSet parses a set, which starts at a bracket, and returns the index of its end, or -1 if it does not end.
func globSet(pattern string, at int) (set *[4]uint64, end int) {
	set = &[4]uint64{}
	add := func(from, to byte) {
		for c := int(from); c <= int(to); c++ {
			set[c>>6] |= 1 << (c & 63)
		}
	}
	i := at + 1
	negated := i < len(pattern) && (pattern[i] == '!' || pattern[i] == '^')
	if negated {
		i++
	}
	before := byte(0) // the byte that may start a range
	for first := true; ; first = false {
		if i >= len(pattern) {
			return nil, -1
		}
		c := pattern[i]
		switch {
		case c == ']' && !first:
			if negated {
				for n := range set {
					set[n] = ^set[n]
				}
			}
			return set, i
		case c == '\\':
			if i++; i >= len(pattern) {
				return nil, -1
			}
			before = pattern[i]
			add(before, before)
		case c == '-' && before != 0 && i+1 < len(pattern) && pattern[i+1] != ']':
			i++
			if pattern[i] == '\\' {
				if i++; i >= len(pattern) {
					return nil, -1
				}
			}
			add(before, pattern[i])
			before = 0
		case strings.HasPrefix(pattern[i:], "[:"):
			length := strings.IndexByte(pattern[i+2:], ']')
			if length < 0 {
				return nil, -1
			}
			name, ok := strings.CutSuffix(pattern[i+2:i+2+length], ":")
			if !ok {
				add(c, c)
				before = c
				break
			}
			class, known := globClasses[name]
			if !known {
				return nil, -1
			}
			for c := range byte(128) {
				if class(c) {
					add(c, c)
				}
			}
			i += 2 + length
			before = 0
		default:
			add(c, c)
			before = c
		}
		i++
	}
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLower(c byte) bool  { return c >= 'a' && c <= 'z' }
func isUpper(c byte) bool  { return c >= 'A' && c <= 'Z' }
func isLetter(c byte) bool { return isLower(c) || isUpper(c) }
func isGraph(c byte) bool  { return c > ' ' && c < 0x7f }

// globClasses are the character classes that a set may name.
var globClasses = map[string]func(byte) bool{
	"alnum":  func(c byte) bool { return isLetter(c) || isDigit(c) },
	"alpha":  isLetter,
	"blank":  func(c byte) bool { return c == ' ' || c == '\t' },
	"cntrl":  func(c byte) bool { return c < ' ' || c == 0x7f },
	"digit":  isDigit,
	"graph":  isGraph,
	"lower":  isLower,
	"print":  func(c byte) bool { return isGraph(c) || c == ' ' },
	"punct":  func(c byte) bool { return isGraph(c) && !isLetter(c) && !isDigit(c) },
	"space":  func(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' },
	"upper":  isUpper,
	"xdigit": func(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' },
}

// matches reports whether a path matches the pattern. The path is relative to the directory and has slashes.
func (g *glob) matches(path string) bool {
	if g.anywhere {
		path = path[strings.LastIndexByte(path, '/')+1:]
	}
	if g.steps == nil {
		return path == g.literal
	}
	now, next := make([]bool, len(g.steps)+1), make([]bool, len(g.steps)+1)
	g.reach(now, 0)
	for i := range len(path) {
		c := path[i]
		clear(next)
		alive := false
		for at, here := range now[:len(g.steps)] {
			if !here {
				continue
			}
			switch s := g.steps[at]; s.kind {
			case anyName:
				if c != '/' {
					g.reach(next, at)
					alive = true
				}
			case anyPath:
				g.reach(next, at)
				alive = true
			case anyAbove:
				next[at], alive = true, true // it continues, and may also end after a slash
				if c == '/' {
					g.reach(next, at+1)
				}
			default:
				if s.takes(c) {
					g.reach(next, at+1)
					alive = true
				}
			}
		}
		if !alive {
			return false
		}
		now, next = next, now
	}
	return now[len(g.steps)]
}

// reach marks a step as reached, and the steps after it as long as they may match nothing.
func (g *glob) reach(states []bool, at int) {
	for ; !states[at]; at++ {
		states[at] = true
		if at == len(g.steps) {
			return
		}
		if k := g.steps[at].kind; k != anyName && k != anyPath && k != anyAbove {
			return
		}
	}
}

// Matching returns the files and directories that match a pattern of .gitignore. In it, ** matches any directories.
func Matching(pattern string) (found []string) {
	fixed := pattern[:strings.IndexAny(pattern, "*?[")]
	root := filepath.Dir(fixed + "x")
	g := newGlob(strings.TrimPrefix(filepath.ToSlash(strings.TrimPrefix(pattern, root)), "/"))
	if g == nil {
		return nil
	}
	g.anywhere = false
	_ = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error { // unreadable files are skipped
		below, failed := filepath.Rel(root, path)
		if err != nil || failed != nil || below == "." {
			return nil
		}
		if g.matches(filepath.ToSlash(below)) {
			found = append(found, path)
			if entry.IsDir() {
				return filepath.SkipDir // its callers read the whole directory
			}
		}
		return nil
	})
	return found
}
