// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/core/internal/fnv"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// MaxLabels bounds the distinct names that a session remembers for its items. The last labelsForTool of them are kept
// for names without a subject, so that at least the tool is named if there are more.
const (
	MaxLabels     = 4096
	labelsForTool = 256
)

const (
	maxTool    = 200 // bytes of a tool's name or another label
	maxSubject = 120 // bytes of its subject
)

// SubjectKind is the kind of an item's subject.
type SubjectKind uint8

// The kinds of subjects.
const (
	OfNothing SubjectKind = iota // a label alone, or no name at all
	OfTool                       // a tool without a subject
	OfFile                       // a file or a folder
	OfCommand                    // a command: its program and subcommand
	OfURL
	OfServer // a tool of an MCP server
	OfAgent
	OfSkill
	OfOthers // further subjects of a tool, beyond the limit for names
	subjectKinds
)

var whatNames = []string{"", "tool", "file", "command", "url", "mcp", "agent", "skill", "others"}

func (w SubjectKind) String() string { return whatNames[w] }

// SubjectKindOf returns the SubjectKind with a name; ok is false if there is none.
func SubjectKindOf(name string) (SubjectKind, bool) {
	for w, n := range whatNames {
		if n == name {
			return SubjectKind(w), true
		}
	}
	return 0, false
}

// Subject is the subject of an item. Adapters derive it from the arguments of a tool call: names, never the text of a
// message.
type Subject struct {
	What SubjectKind
	// Holder is the owner of the name, such as an MCP server; the tool if it is empty.
	Holder string
	// Name is the path, the command, the address, the server's tool.
	Name string
}

// label is a stored name.
type label struct {
	what    SubjectKind
	tool    Text // the tool, the server or another label
	subject string
	shown   Text // the form in lists
}

// text returns the name as lists show it, with only the last element of paths if hidePaths is set.
func (l *label) text(hidePaths bool) Text {
	tool, subject := l.tool.String(), l.subject
	switch {
	case l.what == OfOthers:
		return phrase.ToolOthers.Text(l.tool.Arg())
	case l.what == OfServer:
		tool = "mcp:" + tool
	case subject == "":
		return l.tool
	case hidePaths:
		subject = withoutFolders(l.what, subject)
	}
	if subject == "" || tool == "" {
		return Named(tool + subject)
	}
	return Named(tool + " " + subject)
}

// labels interns the names that lists of items show.
type labels struct {
	list      []label
	index     map[uint64]uint16
	root      string // the directory that paths are relative to
	hidePaths bool
}

// hide sets whether paths are shown by their last element only.
func (l *labels) hide(paths bool) {
	if l.hidePaths == paths {
		return
	}
	l.hidePaths = paths
	for i := range l.list {
		l.list[i].shown = l.list[i].text(paths)
	}
}

// labelOf returns the number of an item's label, 0 if it has no name.
func (l *labels) labelOf(it *Item) uint16 {
	name := label{what: it.About.What, tool: it.Label, subject: it.About.Name}
	if name.tool.Empty() {
		name.tool = Named(it.Name)
	}
	if it.About.Holder != "" {
		name.tool = Named(it.About.Holder)
	}
	switch name.what {
	case OfFile:
		name.subject = ShownPath(name.subject, l.root)
	case OfNothing:
		name.subject = ""
		if server, tool, ok := ServerTool(it.Name); ok {
			name = label{what: OfServer, tool: Named(server), subject: tool}
		} else if it.Name != "" && name.tool.Name == it.Name {
			name.what = OfTool
		}
	}
	name.tool.Name, name.subject = oneLine(name.tool.Name, maxTool), oneLine(name.subject, maxSubject+4)
	return l.intern(name)
}

// ServerTool splits the full name of an MCP server's tool in the form that most agents use: mcp__server__tool. ok is
// false for other names.
func ServerTool(name string) (server, tool string, ok bool) {
	rest, ok := strings.CutPrefix(name, "mcp__")
	if !ok {
		return "", "", false
	}
	if server, tool, ok = strings.Cut(rest, "__"); !ok {
		server, tool, ok = strings.Cut(rest, ".")
	}
	return server, tool, ok && server != "" && tool != ""
}

func (l *labels) intern(name label) uint16 {
	if name.tool.Empty() && name.subject == "" {
		return 0
	}
	if i, ok := l.index[name.hash()]; ok {
		return i
	}
	if len(l.list) >= MaxLabels-labelsForTool && name.subject != "" {
		return l.intern(label{what: OfOthers, tool: name.tool})
	}
	if len(l.list) >= MaxLabels {
		return 0
	}
	return l.add(name)
}

func (l *label) hash() uint64 {
	kind := string(rune(l.what))
	if l.tool.IsPhrase() {
		kind += "\x01" // a tool with the same name is another label
	}
	return fnv.Hash(kind + l.tool.String() + "\x00" + l.subject)
}

// add appends a name, even one that is there already: a ledger relies on positions.
func (l *labels) add(name label) uint16 {
	if l.index == nil {
		l.index = make(map[uint64]uint16)
	}
	name.shown = name.text(l.hidePaths)
	l.list = append(l.list, name)
	place := uint16(len(l.list))
	l.index[name.hash()] = place
	return place
}

func (l *labels) named(i uint16) *label {
	if i == 0 || int(i) > len(l.list) {
		return &label{}
	}
	return &l.list[i-1]
}

func (l *labels) walk(c *codec.Codec) {
	c.Names("root", &l.root)
	c.Bools("hidePaths", &l.hidePaths)
	n := c.Length("list", len(l.list), MaxLabels)
	for i := 0; i < n && !c.Damaged(); i++ {
		var name label
		if c.Saving() {
			name = l.list[i]
		}
		codec.Below(c, "what", &name.what, subjectKinds)
		c.Texts("tool", &name.tool)
		c.Names("subject", &name.subject)
		if c.Restoring() && !c.Damaged() {
			l.add(name)
		}
	}
}

// rootedIn sets the session's directory. The first one stays: an agent that changes directories must not rename its
// files.
func (l *labels) rootedIn(folder string) {
	if l.root == "" {
		l.root = folder
	}
}

// ShownPath returns a path as a user in the session's directory would write it, and cut if it is long. A path below a
// home directory begins with ~.
func ShownPath(path, root string) string { return cutPath(fromRoot(path, root)) }

func fromRoot(path, root string) string {
	for len(path) > 2 && path[0] == '.' && (path[1] == '/' || path[1] == '\\') {
		path = path[2:]
	}
	if rest, ok := below(path, root); ok {
		return rest
	}
	for _, homes := range []string{"/home/", "/Users/", "C:\\Users\\", "c:\\Users\\"} {
		if len(path) > len(homes) && path[:len(homes)] == homes {
			for i := len(homes); i < len(path); i++ {
				if path[i] == '/' || path[i] == '\\' {
					return "~" + path[i:]
				}
			}
		}
	}
	return path
}

// below returns path relative to folder; ok is false if it is not inside folder.
func below(path, folder string) (rest string, ok bool) {
	for len(folder) > 1 && (folder[len(folder)-1] == '/' || folder[len(folder)-1] == '\\') {
		folder = folder[:len(folder)-1]
	}
	n := len(folder)
	if n < 2 || len(path) < n || path[:n] != folder {
		return "", false
	}
	switch {
	case len(path) == n:
		return ".", true
	case path[n] != '/' && path[n] != '\\':
		return "", false
	case len(path) == n+1:
		return ".", true
	}
	return path[n+1:], true
}

// cutPath shortens a path from its beginning: the end identifies the file.
func cutPath(path string) string {
	if len(path) <= maxSubject {
		return path
	}
	path = path[len(path)-maxSubject:]
	for i := 0; i < len(path); i++ {
		if path[i] == '/' || path[i] == '\\' {
			return "…" + path[i:]
		}
	}
	for i := 0; i < len(path); i++ {
		if path[i]&0xc0 != 0x80 { // start of a character
			return "…" + path[i:]
		}
	}
	return ""
}

// withoutFolders returns a subject without its location: the last element of a path, the host of a URL, a command with
// each word reduced to its last element.
func withoutFolders(what SubjectKind, subject string) string {
	switch what {
	case OfFile:
		return lastElement(subject)
	case OfURL:
		for i := 0; i < len(subject); i++ {
			if subject[i] == '/' {
				return subject[:i]
			}
		}
	case OfCommand:
		out, from := "", 0
		for i := 0; i <= len(subject); i++ {
			if i == len(subject) || subject[i] == ' ' {
				if out != "" {
					out += " "
				}
				out += lastElement(subject[from:i])
				from = i + 1
			}
		}
		return out
	}
	return subject
}

func lastElement(path string) string {
	for len(path) > 1 && (path[len(path)-1] == '/' || path[len(path)-1] == '\\') {
		path = path[:len(path)-1]
	}
	return path[strings.LastIndexAny(path, `/\`)+1:]
}
