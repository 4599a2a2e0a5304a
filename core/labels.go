// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// MaxLabels bounds the distinct names that a session remembers for its items;
// the last of them are kept for names without a subject, so that the tool at
// least is named when there are more.
const (
	MaxLabels     = 4096
	labelsForTool = 256
)

const (
	maxTool    = 200 // bytes of a tool's name or another label
	maxSubject = 120 // bytes of what it was about
)

// SubjectKind is the kind of thing that an item's name names.
type SubjectKind uint8

// The things that have names.
const (
	OfNothing SubjectKind = iota // a label alone, or no name at all
	OfTool                       // a tool, and nothing that it was about
	OfFile                       // a file or a folder
	OfCommand                    // a command, by its program and the plain words behind it
	OfURL
	OfServer // a tool of an MCP server
	OfAgent
	OfSkill
	OfOthers // more things of one tool than have names
	whats
)

var whatNames = []string{"", "tool", "file", "command", "url", "mcp", "agent", "skill", "others"}

func (w SubjectKind) String() string { return whatNames[w] }

// SubjectKindOf finds a SubjectKind by its name.
func SubjectKindOf(name string) (SubjectKind, bool) {
	for w, n := range whatNames {
		if n == name {
			return SubjectKind(w), true
		}
	}
	return 0, false
}

// Subject is the thing that an item is about. Adapters make it from the arguments of a
// tool's call: names, never a text that was said.
type Subject struct {
	What SubjectKind
	// Holder is what the name belongs to, such as an MCP server; the tool
	// where it is empty.
	Holder string
	// Name is the path, the command, the address, the server's tool.
	Name string
}

// label is a name as it is remembered.
type label struct {
	what    SubjectKind
	tool    Text // the tool, the server or another label
	subject string
	shown   Text // as lists show it
}

// text is the name as lists show it, of paths the last element alone where
// they are hidden.
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
	root      string // the folder that paths are relative to
	hidePaths bool
}

// hide has paths shown by their last element alone, or whole again.
func (l *labels) hide(paths bool) {
	if l.hidePaths == paths {
		return
	}
	l.hidePaths = paths
	for i := range l.list {
		l.list[i].shown = l.list[i].text(paths)
	}
}

// of is the name of an item, 0 for none.
func (l *labels) of(it *Item) uint16 {
	name := label{what: it.About.What, tool: it.Label, subject: it.About.Name}
	if name.tool.Empty() {
		name.tool = Named(it.Name)
	}
	if it.About.Holder != "" {
		name.tool = Named(it.About.Holder)
	}
	switch name.what {
	case OfFile:
		name.subject = cutPath(l.fromRoot(name.subject))
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

// ServerTool divides the full name of an MCP server's tool, as most agents
// write it: mcp__server__tool.
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
		kind += "\x01" // a tool of the same name is another label
	}
	return hash(kind + l.tool.String() + "\x00" + l.subject)
}

// add adds a name at the end, even one that is there already: a ledger counts
// on positions.
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
		codec.Below(c, "what", &name.what, whats)
		c.Texts("tool", &name.tool)
		c.Names("subject", &name.subject)
		if c.Restoring() && !c.Damaged() {
			l.add(name)
		}
	}
}

// rootedIn notes the folder of the session; the first that is named stays, for
// an agent that goes elsewhere must not give its files other names.
func (l *labels) rootedIn(folder string) {
	if l.root == "" {
		l.root = folder
	}
}

// fromRoot is a path as a person in the session's folder would write it. That
// of a person's own folder begins with ~.
func (l *labels) fromRoot(path string) string {
	for len(path) > 2 && path[0] == '.' && (path[1] == '/' || path[1] == '\\') {
		path = path[2:]
	}
	if rest, ok := below(path, l.root); ok {
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

// below is a path without the folder that it lies in.
func below(path, folder string) (rest string, ok bool) {
	for len(folder) > 1 && (folder[len(folder)-1] == '/' || folder[len(folder)-1] == '\\') {
		folder = folder[:len(folder)-1]
	}
	n := len(folder)
	if n < 2 || len(path) < n || path[:n] != folder {
		return "", false
	}
	if len(path) == n {
		return ".", true
	}
	if path[n] != '/' && path[n] != '\\' {
		return "", false
	}
	return path[n+1:], true
}

// cutPath shortens a path from its beginning: its end says which file it is.
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
		if path[i]&0xc0 != 0x80 { // where a letter begins
			return "…" + path[i:]
		}
	}
	return ""
}

// withoutFolders is a subject without what tells where it lies: of a path the
// last element, of an address the host, of a command its words likewise.
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
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' || path[i] == '\\' {
			return path[i+1:]
		}
	}
	return path
}
