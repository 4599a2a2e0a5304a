// Copyright The ctx-lsp authors. MIT licence.

package promptfile

import (
	"sort"

	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// MaxDocuments is the maximum number of documents in a set.
const MaxDocuments = 2000

// MaxDepth is the maximum depth of imports that agents follow.
const MaxDepth = 5

// A Set holds documents that may import one another.
type Set struct {
	documents []*Document
}

// Find returns the document with this ID, or nil.
func (s *Set) Find(id string) *Document {
	for _, d := range s.documents {
		if d.ID == id {
			return d
		}
	}
	return nil
}

// Put adds a document, or replaces the one with the same ID.
func (s *Set) Put(d *Document) {
	for i := range s.documents {
		if s.documents[i].ID == d.ID {
			s.documents[i] = d
			return
		}
	}
	s.documents = append(s.documents, d)
}

// Remove removes a document, and reports whether it was in the set.
func (s *Set) Remove(id string) bool {
	for i, d := range s.documents {
		if d.ID == id {
			s.documents = append(s.documents[:i], s.documents[i+1:]...)
			return true
		}
	}
	return false
}

// Len returns the number of documents.
func (s *Set) Len() int { return len(s.documents) }

// A Budget limits the tokens of a file including its imports; 0 means no limit.
type Budget struct {
	Always int64 // limit for files that are always loaded
	Loaded int64 // limit for other files
}

// A View contains everything that can be shown about a document.
type View struct {
	Document *Document
	Load     Load
	Tokens   int64 // tokens of the file itself
	Listed   int64 // tokens of the description that is in the context before the file is loaded
	Sections []Section
	Imports  []ImportView
	Imported int64 // tokens of all imported files, each counted once
	Files    int   // number of imported files
	Exact    bool
	Findings []Finding
}

// An ImportView is an import and the tokens it adds.
type ImportView struct {
	Import
	ID      string
	Problem string // a Problem, or circular or repeated
	Tokens  int64  // tokens of the imported file
	All     int64  // tokens including the files that it imports
}

// Severity is the severity of a Finding, numbered as in the language server protocol.
type Severity int

// The severities of findings.
const (
	Error       Severity = 1
	Warning     Severity = 2
	Information Severity = 3
)

// A Finding is a remark about a range of a document.
type Finding struct {
	From, To int
	Severity Severity
	Code     string
	Message  phrase.Text
	// Other is a second range, in this or another document, that the finding refers to.
	Other        string
	OtherFrom    int
	OtherTo      int
	OtherMessage phrase.Text
}

// A visit is a file reached by following imports.
type visit struct {
	document *Document
	at       int // index of the root's import through which the file was reached
}

// A walk follows the imports of a document.
type walk struct {
	set     *Set
	root    *Document
	path    []*Document // the documents from the root to the current one
	visited []visit     // each file once, the root first
	tooDeep string      // path of the first file nested too deeply to be followed
}

// View returns everything that can be shown about a document. others are the IDs of documents that are loaded together
// with it. Findings refer to their phrases by ID, so that callers can translate them.
func (s *Set) View(d *Document, budget Budget, others []string, findings bool) View {
	v := View{Document: d, Load: loadOf(d.Kind, d.Path, &d.front), Exact: d.counter.Exact()}
	total := d.weight()
	v.Tokens = d.counter.Tokens(total)
	if v.Load.Listed != "" {
		v.Listed = d.counter.Tokens(d.counter.Weigh([]byte(v.Load.Listed)))
	}
	var imports []Import
	v.Sections, imports = d.outline()
	w := &walk{set: s, root: d, path: []*Document{d}, visited: []visit{{d, -1}}}
	for i, each := range imports {
		v.Imports = append(v.Imports, w.follow(each, i))
	}
	for _, visited := range w.visited[1:] {
		v.Imported += visited.document.counter.Tokens(visited.document.weight())
	}
	v.Files = len(w.visited) - 1
	if findings {
		v.Findings = w.findings(&v, budget, others)
	}
	return v
}

// link returns the host's result for a target.
func (d *Document) link(target string) (Link, bool) {
	at := sort.Search(len(d.links), func(i int) bool { return d.links[i].Target >= target })
	if at == len(d.links) || d.links[at].Target != target {
		return Link{}, false
	}
	return d.links[at], true
}

// follow follows one import of the root, and everything that it imports.
func (w *walk) follow(each Import, at int) ImportView {
	view := ImportView{Import: each}
	link, known := w.root.link(each.Target)
	view.ID, view.Problem = link.ID, string(link.Problem)
	if !known || link.Problem != Found {
		return view
	}
	d := w.set.Find(link.ID)
	switch {
	case d == nil:
		return view
	case d == w.root:
		view.Problem = "circular"
		return view
	}
	view.Tokens = d.counter.Tokens(d.weight())
	if w.seen(d) {
		view.Problem = "repeated"
		return view
	}
	before := len(w.visited)
	circular := w.descend(d, at)
	for _, visited := range w.visited[before:] {
		view.All += visited.document.counter.Tokens(visited.document.weight())
	}
	if circular {
		view.Problem = "circular"
	}
	return view
}

func (w *walk) seen(d *Document) bool {
	for _, v := range w.visited {
		if v.document == d {
			return true
		}
	}
	return false
}

// descend visits a document and its imports, and reports whether one of them leads back to a file on the path.
func (w *walk) descend(d *Document, at int) (circular bool) {
	w.visited = append(w.visited, visit{d, at})
	w.path = append(w.path, d)
	_, imports := d.outline()
	for _, each := range imports {
		link, known := d.link(each.Target)
		if !known || link.Problem != Found {
			continue
		}
		next := w.set.Find(link.ID)
		switch {
		case next == nil:
		case w.onPath(next):
			circular = true
		case w.seen(next):
		case len(w.path) > MaxDepth:
			if w.tooDeep == "" {
				w.tooDeep = next.Path
			}
		default:
			circular = w.descend(next, at) || circular
		}
	}
	w.path = w.path[:len(w.path)-1]
	return circular
}

func (w *walk) onPath(d *Document) bool {
	for _, p := range w.path {
		if p == d {
			return true
		}
	}
	return false
}
