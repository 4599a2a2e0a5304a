// Copyright The ctx-lsp authors. MIT licence.

package conversation

import (
	"cmp"
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
)

// files returns the files that were changed, followed by those that were only read, each list starting with the most
// recently touched one.
func files(ctx context.Context, c *Conversation) []File {
	type touch struct {
		File
		last int // number of touches before the last one
	}
	touched := map[string]*touch{}
	touches := 0
	note := func(path string, changes bool) {
		path = relative(strings.TrimSpace(path), c.Workspace)
		if path == "" || path == "." || strings.ContainsAny(path, "\n*$") {
			return
		}
		f := touched[path]
		if f == nil {
			f = &touch{File: File{Path: path}}
			touched[path] = f
		}
		if changes {
			f.Changes++
		} else {
			f.Reads++
		}
		f.last = touches
		touches++
	}
	failed := failedCalls(c)
	for i, it := range c.items(ctx) {
		if !it.Dropped && !failed[i] {
			for _, path := range changed(it) {
				note(path, true)
			}
			if path := read(it); path != "" {
				note(path, false)
			}
		}
	}
	newest := slices.SortedFunc(maps.Values(touched), func(a, b *touch) int { return cmp.Compare(b.last, a.last) })
	list := []File{}
	for _, edited := range []bool{true, false} {
		for _, f := range newest {
			if (f.Changes > 0) == edited {
				list = append(list, f.File)
			}
		}
	}
	return list
}

// failedCalls returns the calls, by their indexes in Items, that did nothing according to their results.
func failedCalls(c *Conversation) map[int]bool {
	failed := map[int]bool{}
	for i := range c.Items {
		if it := &c.Items[i]; it.Kind == core.ToolResults && it.Call >= 0 && (it.Failed || it.Refused()) {
			if c.Items[it.Call].Command() == "" { // a command may have changed something before it failed
				failed[it.Call] = true
			}
		}
	}
	return failed
}

// changed returns the files that a call changes.
func changed(it *Item) []string {
	if it.Kind == core.Assistant {
		return written(FencedCommand(it.Text))
	}
	if it.Kind != core.ToolCalls {
		return nil
	}
	if paths := patched(it); len(paths) > 0 {
		return paths
	}
	if command := it.Command(); command != "" {
		return written(command)
	}
	if it.About.What == core.OfFile && edits(it) {
		return []string{it.About.Name}
	}
	return nil
}

// read returns the file that a call reads with the agent's own tool, or "" if it reads none.
func read(it *Item) string {
	if it.Kind != core.ToolCalls || it.About.What != core.OfFile || edits(it) || it.Command() != "" {
		return ""
	}
	name := strings.ToLower(it.Tool)
	for _, word := range []string{"read", "view", "open", "cat", "edit"} {
		if strings.Contains(name, word) && !strings.Contains(name, "thread") {
			return it.About.Name
		}
	}
	return ""
}

// edits reports whether a tool changes the file that it names.
func edits(it *Item) bool {
	switch it.Arguments()["command"] {
	case "view", "undo_edit":
		return false
	case "create", "str_replace", "insert":
		return true
	}
	name := strings.ToLower(it.Tool)
	for _, word := range []string{"edit", "write", "replace", "patch", "insert", "create", "delete", "rename", "move", "diff"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

var patchLine = regexp.MustCompile(`(?m)^\*\*\* (?:Update File|Add File|Delete File|Move to): (.+)$`)

// patched returns all files of a patch, in whichever argument it is.
func patched(it *Item) []string {
	if !strings.Contains(it.Text, "*** ") {
		return nil
	}
	text := it.Text
	for _, value := range it.Arguments() {
		text += "\n" + value
	}
	var paths []string
	for _, m := range patchLine.FindAllStringSubmatch(text, -1) {
		if path := strings.TrimSpace(m[1]); !slices.Contains(paths, path) && !strings.Contains(path, `\n`) {
			paths = append(paths, path)
		}
	}
	return paths
}

var (
	redirected = regexp.MustCompile(`(?:^|[^0-9>&=-])>{1,2}\s*(["']?)([\w./~@+-]+)`)
	teed       = regexp.MustCompile(`\btee\s+(?:-a\s+)?(["']?)([\w./~@+-]+)`)
	replaced   = regexp.MustCompile(`\bsed\s+(?:-\w+\s+)*-i\S*\s+(?:-\w+\s+)*(?:'[^']*'|"[^"]*"|\S+)\s+([\w./~@+-]+)`)
	quoted     = regexp.MustCompile(`(?s)<<-?\s*["']?(\w+)["']?.*?\n`)
)

// written returns the files that a command line visibly writes to: the targets of > and tee, and files that sed changes
// in place. Files that a program writes by itself are unknown.
func written(command string) []string {
	if command == "" {
		return nil
	}
	command = withoutDocuments(command)
	var paths []string
	add := func(path string) {
		if strings.HasPrefix(path, "/dev/") || strings.HasPrefix(path, "/tmp/") || !strings.ContainsAny(path, "./") || slices.Contains(paths, path) {
			return
		}
		paths = append(paths, path)
	}
	for _, m := range redirected.FindAllStringSubmatch(command, -1) {
		add(m[2])
	}
	for _, m := range teed.FindAllStringSubmatch(command, -1) {
		add(m[2])
	}
	for _, m := range replaced.FindAllStringSubmatch(command, -1) {
		add(m[1])
	}
	return paths
}

// withoutDocuments removes the bodies of here-documents from a command line, because they are not commands.
func withoutDocuments(command string) string {
	var kept strings.Builder
	for {
		m := quoted.FindStringSubmatchIndex(command)
		if m == nil {
			break
		}
		word := command[m[2]:m[3]]
		line := strings.IndexByte(command[m[0]:], '\n') + m[0] + 1
		kept.WriteString(command[:line])
		end := regexp.MustCompile(`(?m)^\s*` + regexp.QuoteMeta(word) + `\s*$`).FindStringIndex(command[line:])
		if end == nil {
			return kept.String()
		}
		command = command[line+end[1]:]
	}
	kept.WriteString(command)
	return kept.String()
}
