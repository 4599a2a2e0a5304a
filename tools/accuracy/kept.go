// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// kept contains the strings that readers look for in sessions, which stay.
type kept struct {
	literals map[string]bool // the strings in the readers' sources
	words    *regexp.Regexp  // those that may be a part of a text
}

var (
	name = regexp.MustCompile(`^[A-Za-z_$<][\w$.:>/-]{0,60}$`)
	// path matches a path with a separator, or a file name. A string with spaces or other unusual characters is a text.
	path = regexp.MustCompile(`^([A-Za-z]:)?[\w.@~\\/+=-]{0,200}$`)
	// dated matches a time.
	dated = regexp.MustCompile(`^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$`)
	// id matches an id made by a program.
	id = regexp.MustCompile(`^[\w.:@|-]*\d[\w.:@|-]*$`)
	// ticket matches the number of a ticket in a tracker.
	ticket = regexp.MustCompile(`^[A-Z]+-\d+$`)
	// idKey matches keys of ids.
	idKey = regexp.MustCompile(`(^|[a-z_])(id|ID|Id|UUID|Uuid|uuid)$`)
	// product matches the name of a product as it occurs in texts.
	product = regexp.MustCompile(`^[A-Z]\w+ [A-Z]\w+$`)
	// tool matches the name of a tool as agents and MCP write it.
	tool = regexp.MustCompile(`^(mcp__[\w-]+|[A-Z][A-Za-z]+)$`)
)

// structural are keys with names of the agent, the provider or the format as values.
var structural = setOf(`type subtype role model modelID model_provider model_slug model_name resolvedModel providerID
provider priority status version cli_version agentVersion agent_version name tool toolName tool_name status stop_reason stopReason finish
finish_reason native_finish_reason operation effort reasoning_effort service_tier kind level permissionMode hookEvent
userType phase trigger originator source format trajectory_format media_type mime mode variant entrypoint limit_id
approval_policy multi_agent_version namespace speed inference_geo object reason outcome`)

// names are keys of lists with names of tools.
var names = setOf(`addedNames removedNames names tools addedTools deferredTools matches`)

// places matches keys of paths.
var places = regexp.MustCompile(`(?i)(path|paths|file|files|filename|filenames|cwd|directory|dir|root|roots|workspace_roots)$`)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(words) {
		set[word] = true
	}
	return set
}

// stays reports whether a string stays as the value of a key.
func (m *maker) stays(key, text string) bool {
	switch {
	case dated.MatchString(text), len(text) <= 64 && !hasLetter(text):
		return true
	case structural[key]:
		return name.MatchString(text) || dated.MatchString(text) || strings.Trim(text, "0123456789.") == ""
	case names[key]:
		return tool.MatchString(text)
	case idKey.MatchString(key):
		return len(text) <= 100 && id.MatchString(text) && !ticket.MatchString(text)
	}
	return places.MatchString(key) && path.MatchString(text) && strings.ContainsAny(text, `/\.`) && m.inside(text)
}

var (
	// homeless matches a path in a home directory that names nothing but an agent's directory there.
	homeless = regexp.MustCompile(`^([A-Za-z]:)?[/\\](Users|home)[/\\][\w.-]+([/\\](\.[\w.-]+|AppData)([/\\].*)?)?$`)
	// folders matches the values that name a session's directory.
	folders = regexp.MustCompile(`"(?:cwd|directory|root|working_dir)": ?"([^"]+)"`)
)

// inside reports whether a path is in the session's directory, or outside all home directories. A user's other
// directories are treated as texts.
func (m *maker) inside(text string) bool {
	if !homes.MatchString(text) || homeless.MatchString(text) {
		return true
	}
	for _, folder := range m.folders {
		if rest, ok := strings.CutPrefix(text, folder); ok && (rest == "" || strings.ContainsAny(rest[:1], `/\`)) {
			return true
		}
	}
	return false
}

// foldersOf returns the directories of a session.
func foldersOf(session []byte) []string {
	var all []string
	for _, found := range folders.FindAllSubmatch(session, -1) {
		all = append(all, strings.ReplaceAll(string(found[1]), `\\`, `\`))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// keptBy returns the strings in the sources of readers.
func keptBy(folders ...string) (*kept, error) {
	k := &kept{literals: map[string]bool{}}
	var words []string
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				literal, ok := n.(*ast.BasicLit)
				if !ok || literal.Kind != token.STRING {
					return true
				}
				if text, err := strconv.Unquote(literal.Value); err == nil && utf8.ValidString(text) && len(text) < 200 {
					k.literals[text] = true
					if len(text) >= 10 && strings.ContainsAny(text, " <[:\n") && !strings.HasPrefix(text, "https:") && !product.MatchString(text) {
						words = append(words, text)
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(words, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	words = slices.Compact(words)
	tags := map[string]bool{}
	for i := range words {
		for _, tag := range anyTag.FindAllStringSubmatch(words[i], -1) {
			tags[tag[1]] = true
		}
		word := words[i]
		words[i] = regexp.QuoteMeta(word)
		switch { // what follows is a version, a model or a window
		case strings.HasSuffix(word, " v"):
			words = append(words, words[i]+`\d+(?:\.\d+)+,?`)
		case strings.HasSuffix(word, "_budget>"):
			words = append(words, words[i]+`\d+<`)
		case strings.HasSuffix(word, " model: "):
			words = append(words, words[i]+`[\w.-]+/[\w.-]+`)
		}
	}
	for tag := range tags {
		words = append(words, `</?`+tag+`>`)
	}
	slices.SortStableFunc(words, func(a, b string) int { return len(b) - len(a) })
	var err error
	k.words, err = regexp.Compile(strings.Join(words, "|"))
	return k, err
}

var anyTag = regexp.MustCompile(`</?([a-z][a-z_-]{2,30})>`)

var (
	homes   = regexp.MustCompile(`[/\\](?:Users|home)[/\\]+([A-Za-z0-9._-]+)`)
	mangled = regexp.MustCompile(`-(?:Users|home)-([A-Za-z0-9._]+)`)
)

// usersIn returns the user names in the paths of a session.
func usersIn(session []byte) []string {
	var users []string
	for _, form := range []*regexp.Regexp{homes, mangled} {
		for _, found := range form.FindAllSubmatch(session, -1) {
			users = append(users, string(found[1]))
		}
	}
	slices.SortFunc(users, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	return slices.Compact(users)
}

// stand are replacements for user names, by length.
var stand = strings.Fields("u me dev user owner author someone engineer developer programmer")

// withoutUsers replaces user names in paths with others of the same length.
func (m *maker) withoutUsers(text string) string {
	for _, user := range m.users {
		for at := 0; ; {
			i := strings.Index(text[at:], user)
			if i < 0 {
				break
			}
			i += at
			end := i + len(user)
			at = end
			if i > 0 && isWord(text[i-1]) || end < len(text) && isWord(text[end]) {
				continue
			}
			other := strings.Repeat("user", len(user)/4+1)[:len(user)]
			if len(user) <= len(stand) {
				other = stand[len(user)-1]
			}
			text = text[:i] + other + text[end:]
		}
	}
	return text
}

func isWord(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_'
}
