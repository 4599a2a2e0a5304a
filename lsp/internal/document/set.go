// Copyright The ctx-lsp authors. MIT licence.

// Package document makes LSP features of open prompt files: code lenses, inlay hints, hovers, links and diagnostics.
//
// core/promptfile counts and judges, on whichever engine runs; this package keeps the texts of the editor, finds on
// disk what the files import, and turns bytes into the positions of the protocol.
package document

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/promptfile"
)

// Host is what a Set needs from the daemon.
type Host struct {
	// Call asks the engine and returns the result.
	Call func(ctx context.Context, method string, params []byte) ([]byte, error)
	// Name tells this client's documents from those of others in the engine.
	Name     string
	Encoding func() Encoding
	Settings func() Settings
	Places   func() Places
	// Model is what is counted for in a file that an agent reads ("" for any), "" where nobody says.
	Model func(agent string) string
	// Agent is whose way of reading counts where several agents read a file.
	Agent func() string
	// Complain writes a sentence into the client's log.
	Complain func(sentence string)
}

const (
	// overlayMost is the longest text kept of a document that is no prompt file, in case one imports it.
	overlayMost = 1 << 20
	// lookAgain is how long the state of imported files is trusted.
	lookAgain = time.Second
	// maxFiles bounds what one client's documents may import.
	maxFiles = 1000
)

// A Set is the open documents of one client, and what they import.
type Set struct {
	host Host

	mu     sync.Mutex       // held while a document is worked on; guards the fields below
	texts  map[string]*text // open in the editor, by URI
	files  map[string]*file // read from disk because something imports them, by URI
	looked time.Time        // when files were last looked at
}

// A text is a document as the editor has it.
type text struct {
	uri     string
	path    string
	kind    promptfile.Kind
	version int
	mapper  *Mapper
	targets []string // of its imports, to see when they change
	with    []string // URIs of what is loaded together with it
	model   string
	broken  string // why the engine does not have it, a sentence
}

// A file is one that was read from disk.
type file struct {
	path  string
	state fileState
}

// NewSet returns a Set without documents.
func NewSet(host Host) *Set {
	return &Set{host: host, texts: map[string]*text{}, files: map[string]*file{}}
}

// Open takes a document that the editor has opened.
func (s *Set) Open(ctx context.Context, uri string, version int, body string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	path, ok := Path(uri)
	if !ok {
		path = uri
	}
	t := &text{uri: uri, path: path, kind: promptfile.KindOf(path), version: version}
	if t.kind == promptfile.None && len(body) > overlayMost {
		return
	}
	t.mapper = NewMapper([]byte(body), s.host.Encoding())
	s.texts[uri] = t
	if t.kind != promptfile.None || s.files[uri] != nil {
		s.give(ctx, t)
	}
}

// give opens a text in the engine and finds what it imports.
func (s *Set) give(ctx context.Context, t *text) {
	t.model = s.host.Model(t.kind.Reader())
	t.broken = ""
	view, err := s.ask(ctx, "ctx/document/open", openParams{
		ID: t.uri, Set: s.host.Name, Path: s.host.Places().Name(t.path), Text: string(t.mapper.Text()),
		Model: t.model, Agent: s.host.Agent(), Show: &show{View: true},
	})
	if err != nil {
		s.failed(t, err)
		return
	}
	s.resolve(ctx, t, view, true)
}

func (s *Set) failed(t *text, err error) {
	if t.broken == "" {
		s.host.Complain(s.host.Places().Name(t.path) + " cannot be counted: " + err.Error())
	}
	t.broken = err.Error()
}

// A Change is one edit of the protocol. Without a range it is the whole text.
type Change struct {
	Range *Range `json:"range"`
	Text  string `json:"text"`
}

// Change takes the edits of a document. A version that goes back is refused: its places count in a text that is gone.
func (s *Set) Change(ctx context.Context, uri string, version *int, changes []Change) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.texts[uri]
	if t == nil {
		return nil // it was too large, or never opened
	}
	if version != nil {
		if *version < t.version {
			return fmt.Errorf("a change of version %d of %s was ignored: version %d is here already", *version, s.host.Places().Name(t.path), t.version)
		}
		t.version = *version
	}
	var edits []change
	for _, each := range changes {
		if each.Range == nil {
			t.mapper = NewMapper([]byte(each.Text), s.host.Encoding())
			edits = append(edits, change{Text: each.Text})
			continue
		}
		from, to := t.mapper.Offset(each.Range.Start), t.mapper.Offset(each.Range.End)
		if to < from {
			from, to = to, from
		}
		t.mapper.Edit(from, to, []byte(each.Text))
		edits = append(edits, change{From: &from, To: &to, Text: each.Text})
	}
	if t.kind == promptfile.None && s.files[uri] == nil {
		return nil
	}
	if t.broken != "" {
		s.give(ctx, t)
		return nil
	}
	view, err := s.ask(ctx, "ctx/document/change", changeParams{ID: uri, Set: s.host.Name, Changes: edits, Show: &show{View: true}})
	if err != nil {
		s.give(ctx, t) // the engine may have lost it; what the editor has is the truth
		return nil
	}
	s.resolve(ctx, t, view, false)
	return nil
}

// Close forgets a document. If another imports it, what is on disk counts again.
func (s *Set) Close(ctx context.Context, uri string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.texts[uri]
	if t == nil {
		return
	}
	delete(s.texts, uri)
	if f := s.files[uri]; f != nil {
		f.state = fileState{}
		s.looked = time.Time{}
		s.refresh(ctx)
		return
	}
	if t.kind != promptfile.None {
		s.forget(ctx, uri)
	}
}

// CloseAll forgets every document.
func (s *Set) CloseAll(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for uri, t := range s.texts {
		if t.kind != promptfile.None {
			s.forget(ctx, uri)
		}
	}
	for uri := range s.files {
		if s.texts[uri] == nil || s.texts[uri].kind == promptfile.None {
			s.forget(ctx, uri)
		}
	}
	clear(s.texts)
	clear(s.files)
}

func (s *Set) forget(ctx context.Context, uri string) {
	// A document that the engine does not have needs no forgetting.
	_, _ = s.host.Call(ctx, "ctx/document/close", encode(viewParams{ID: uri, Set: s.host.Name}))
}

// Reopen gives everything to the engine again, after it was replaced, or counts for another model.
func (s *Set) Reopen(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.files)
	for _, t := range s.texts {
		if t.kind != promptfile.None {
			s.give(ctx, t)
		}
	}
}

// Recount counts for another model where that has changed.
func (s *Set) Recount(ctx context.Context) (changed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.texts {
		if t.kind != promptfile.None && t.model != s.host.Model(t.kind.Reader()) {
			changed = true
		}
	}
	if changed {
		clear(s.files)
		for _, t := range s.texts {
			if t.kind != promptfile.None {
				s.give(ctx, t)
			}
		}
	}
	return changed
}

// resolve finds what a text imports, unless that is what it imported before.
func (s *Set) resolve(ctx context.Context, t *text, view *View, always bool) {
	var targets []string
	for _, each := range view.Imports {
		if !slices.Contains(targets, each.Target) {
			targets = append(targets, each.Target)
		}
	}
	if !always && slices.Equal(targets, t.targets) {
		return
	}
	t.targets = targets
	seen := map[string]bool{t.uri: true}
	s.link(ctx, t.uri, t.path, view, t, seen, 0)
	if always && view.Load.When == "always" {
		t.with = s.companions(ctx, t, view)
	}
}

// link finds the targets of one document and of what they import, and tells the engine.
func (s *Set) link(ctx context.Context, uri, path string, view *View, root *text, seen map[string]bool, depth int) {
	if len(view.Imports) == 0 {
		return
	}
	places := s.host.Places()
	var links []link
	for _, each := range view.Imports {
		if slices.ContainsFunc(links, func(l link) bool { return l.Target == each.Target }) {
			continue
		}
		there := places.find(each.Target, path)
		l := link{Target: each.Target, Problem: there.problem}
		if there.problem == "" {
			l.ID = URI(there.path)
			if !seen[l.ID] && depth <= promptfile.MaxDepth {
				seen[l.ID] = true
				l.Problem = s.load(ctx, l.ID, there.path, view, root, seen, depth+1)
			}
			if l.Problem != "" {
				l.ID = ""
			}
		}
		links = append(links, l)
	}
	// A refusal means that the engine has lost the document; the next change gives it again.
	_, _ = s.host.Call(ctx, "ctx/document/change", encode(changeParams{ID: uri, Set: s.host.Name, Imports: links, Show: &show{}}))
}

// load opens a file in the engine that something imports, and what that imports in turn.
func (s *Set) load(ctx context.Context, uri, path string, importer *View, root *text, seen map[string]bool, depth int) (problem string) {
	var body []byte
	if open := s.texts[uri]; open != nil {
		body = open.mapper.Text()
		s.files[uri] = &file{path: path}
		if open.kind != promptfile.None {
			view, err := s.view(ctx, uri, &show{View: true})
			if err == nil {
				s.link(ctx, uri, path, view, root, seen, depth)
				return ""
			}
		}
	} else {
		var state fileState
		body, state, problem = s.host.Places().read(path)
		if problem != "" {
			return problem
		}
		if len(s.files) >= maxFiles {
			return "tooLarge"
		}
		s.files[uri] = &file{path: path, state: state}
	}
	view, err := s.ask(ctx, "ctx/document/open", openParams{
		ID: uri, Set: s.host.Name, Path: s.host.Places().Name(path), Text: string(body), Model: root.modelFor(importer), Agent: importer.Agent,
		Show: &show{View: true},
	})
	if err != nil {
		return "unreadable"
	}
	s.link(ctx, uri, path, view, root, seen, depth)
	return ""
}

// modelFor is what an imported file is counted for: the same as what imports it.
func (t *text) modelFor(importer *View) string {
	if t.model != "" {
		return t.model
	}
	return importer.Model
}

// companions opens what is loaded together with a text, and returns their URIs.
func (s *Set) companions(ctx context.Context, t *text, view *View) []string {
	var with []string
	for _, path := range s.host.Places().companions(t.kind.Reader()) {
		uri := URI(path)
		if uri == t.uri || real(path) == real(t.path) {
			continue
		}
		if open := s.texts[uri]; open == nil || open.kind == promptfile.None {
			if s.load(ctx, uri, path, view, t, map[string]bool{uri: true}, promptfile.MaxDepth+1) != "" {
				continue
			}
		}
		if other, err := s.view(ctx, uri, &show{View: true}); err == nil && other.Load.When == "always" {
			with = append(with, uri)
		}
	}
	return with
}

// refresh reads files again that have changed on disk, and says whether there were any.
func (s *Set) refresh(ctx context.Context) bool {
	if time.Since(s.looked) < lookAgain {
		return false
	}
	s.looked = time.Now()
	changed := false
	for uri, f := range s.files {
		if s.texts[uri] == nil && s.host.Places().state(f.path) != f.state {
			changed = true
		}
	}
	for _, t := range s.texts {
		for _, target := range t.targets {
			there := s.host.Places().find(target, t.path)
			if there.problem == "" && s.files[URI(there.path)] == nil && URI(there.path) != t.uri {
				changed = true // it has appeared
			}
		}
	}
	if changed {
		clear(s.files)
		for _, t := range s.texts {
			if t.kind == promptfile.None || t.broken != "" {
				continue
			}
			if view, err := s.view(ctx, t.uri, &show{View: true}); err == nil {
				s.resolve(ctx, t, view, true)
			}
		}
	}
	return changed
}

// FilesChanged is told that something has changed on disk.
func (s *Set) FilesChanged(ctx context.Context) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.looked = time.Time{}
	return s.refresh(ctx)
}

// Imported says whether another open document imports this one.
func (s *Set) Imported(uri string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.files[uri] != nil
}

// PromptFiles are the URIs of the open prompt files, in order.
func (s *Set) PromptFiles() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var uris []string
	for uri, t := range s.texts {
		if t.kind != promptfile.None {
			uris = append(uris, uri)
		}
	}
	slices.SortFunc(uris, strings.Compare)
	return uris
}

// Version is the version of an open document.
func (s *Set) Version(uri string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.texts[uri]; t != nil {
		return t.version
	}
	return 0
}

func (s *Set) view(ctx context.Context, uri string, what *show) (*View, error) {
	return s.ask(ctx, "ctx/document/view", viewParams{ID: uri, Set: s.host.Name, Show: what})
}

// ask makes a call that answers a view.
func (s *Set) ask(ctx context.Context, method string, params any) (*View, error) {
	result, err := s.host.Call(ctx, method, encode(params))
	if err != nil {
		return nil, err
	}
	var view View
	if err := json.Unmarshal(result, &view); err != nil {
		return nil, err
	}
	return &view, nil
}

// look is the beginning of every feature: the document, and its view. Both are nil for what is no prompt file.
func (s *Set) look(ctx context.Context, uri string, what *show) (*text, *View) {
	t := s.texts[uri]
	if t == nil || t.kind == promptfile.None {
		return nil, nil
	}
	s.refresh(ctx)
	view, err := s.view(ctx, uri, what)
	if err != nil {
		s.give(ctx, t)
		if view, err = s.view(ctx, uri, what); err != nil {
			return nil, nil
		}
	}
	return t, view
}
