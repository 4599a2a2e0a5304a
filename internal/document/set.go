// Copyright The ctx-lsp authors. MIT licence.

// Package document provides LSP features for open prompt files: code lenses, inlay hints, hovers, links and
// diagnostics.
//
// core/promptfile counts and checks the files, in whichever engine runs. This package stores the editor's texts, finds
// the imported files on disk, and converts byte offsets to positions of the protocol.
package document

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/core/promptfile"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/settingsfile"
)

// A Host contains what a Set needs from the daemon.
type Host struct {
	// Call calls the engine. Its error is an [*api.Error] of the kind [api.Internal] if the engine crashed.
	Call client.Call
	// Scope distinguishes this client's documents from those of others in the engine.
	Scope    string
	Encoding func() promptfile.Encoding
	Settings func() Settings
	Places   func() Places
	// Counting returns the model and window to count an agent's file for; "" means any agent.
	Counting func(agent string) Counting
	// Written returns the host that explains agents' settings near a path; nil without one.
	Written func(path string) *settingsfile.Host
	// Agent returns the agent whose loading rules apply to a file that several agents read.
	Agent func() string
	// Complain writes a message to the client's log.
	Complain func(sentence string)
	// Now is the clock; time.Now if nil.
	Now func() time.Time
}

const (
	// overlayMost is the maximum size of a document to be stored although it is not a prompt file, in case a prompt
	// file imports it.
	overlayMost = 1 << 20
	// lookAgain is how long the state of imported files is not checked again.
	lookAgain = time.Second
	// restAtFirst is how long a document is withheld from the engine after it crashed the engine. The time doubles with
	// each further crash.
	restAtFirst = time.Minute
	restAtMost  = 24 * time.Hour
)

// A Set contains the open documents of one client, and the files that they import.
type Set struct {
	host Host

	mu      sync.Mutex           // held while a document is processed; guards the fields below
	texts   map[string]*text     // open in the editor, by URI
	files   map[string]*file     // read from disk because something imports them, by URI
	bytes   int64                // size of all files
	parts   int                  // number of parts in all files
	refused map[string]fileState // imported files that were not read, by URI
	full    bool                 // the client was notified that there are too many files
	looked  time.Time            // time of the last check for changes
}

// A Counting holds the model to count a prompt file for ("" if unspecified) and the window of the session it belongs to
// (0 if there is none).
type Counting struct {
	Model string
	Limit int64
}

// A text is an open document with the editor's contents.
type text struct {
	uri     string
	path    string
	kind    promptfile.Kind
	written *settingsfile.Host // explains a file with an agent's settings; nil for any other
	version int
	mapper  *promptfile.Mapper
	targets []string // the targets of its imports, to detect changes
	with    []string // the URIs of the files loaded together with it
	model   Counting
	many    bool   // the client was notified that it imports too many files
	broken  string // why the engine does not have it; "" if it does

	// A document that crashed the engine is not opened again at once, because it would crash the new engine as well.
	rest  time.Duration
	until time.Time
}

// NewSet returns a Set without documents.
func NewSet(host Host) *Set {
	if host.Now == nil {
		host.Now = time.Now
	}
	return &Set{host: host, texts: map[string]*text{}, files: map[string]*file{}, refused: map[string]fileState{}}
}

// Open adds a document that was opened in the editor.
func (s *Set) Open(ctx context.Context, uri string, version int, body string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	path, ok := Path(uri)
	if !ok {
		path = uri
	}
	t := &text{uri: uri, path: path, kind: promptfile.KindOf(path), version: version}
	if t.kind == promptfile.None && s.host.Written != nil {
		if h := s.host.Written(path); h != nil && h.IsPlace(path) {
			t.written = h
		}
	}
	if t.kind == promptfile.None && len(body) > overlayMost {
		return
	}
	t.mapper = promptfile.NewMapper([]byte(body), s.host.Encoding())
	s.texts[uri] = t
	if t.kind != promptfile.None || s.files[uri] != nil {
		s.give(ctx, t)
	}
}

// give opens a text in the engine and resolves its imports.
func (s *Set) give(ctx context.Context, t *text) {
	if s.host.Now().Before(t.until) {
		return
	}
	t.model = s.host.Counting(t.kind.Reader())
	t.broken = ""
	view, err := s.host.Call.DocumentOpen(ctx, &api.DocumentOpenParams{
		ID: t.uri, Scope: s.host.Scope, Path: s.host.Places().Name(t.path), Text: api.Body(t.mapper.Text()),
		Model: t.model.Model, Limit: known(t.model.Limit), Agent: s.host.Agent(), Show: viewOnly(),
	}).Read()
	if err != nil {
		s.failed(t, err)
		return
	}
	s.resolve(ctx, t, view, true)
}

func (s *Set) failed(t *text, err error) {
	retry := ""
	if broke(err) {
		t.rest = min(max(restAtFirst, 2*t.rest), restAtMost)
		t.until = s.host.Now().Add(t.rest)
		retry = "; it is retried in " + t.rest.String()
	}
	if t.broken == "" {
		s.host.Complain(s.host.Places().Name(t.path) + " cannot be counted: " + err.Error() + retry)
	}
	t.broken = err.Error()
}

// A Change is one edit of the protocol. Without a range it replaces the whole text.
type Change struct {
	Range *Range `json:"range"`
	Text  string `json:"text"`
}

// Change applies edits to a document. It returns an error for a version older than the current one, because its
// positions refer to a text that no longer exists.
func (s *Set) Change(ctx context.Context, uri string, version *int, changes []Change) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.texts[uri]
	if t == nil {
		return nil // the document was too large or never opened
	}
	if version != nil {
		if *version < t.version {
			return fmt.Errorf("a change of version %d of %s was ignored: it already has version %d", *version, s.host.Places().Name(t.path), t.version)
		}
		t.version = *version
	}
	var edits []api.DocumentChange
	for _, each := range changes {
		if each.Range == nil {
			t.mapper = promptfile.NewMapper([]byte(each.Text), s.host.Encoding())
			edits = append(edits, api.DocumentChange{Text: api.Body(each.Text)})
			continue
		}
		from, to := t.mapper.Offset(each.Range.Start), t.mapper.Offset(each.Range.End)
		if to < from {
			from, to = to, from
		}
		t.mapper.Edit(from, to, []byte(each.Text))
		edits = append(edits, api.DocumentChange{From: optional(from), To: optional(to), Text: api.Body(each.Text)})
	}
	if t.kind == promptfile.None && s.files[uri] == nil {
		return nil
	}
	if t.broken != "" {
		s.give(ctx, t)
		return nil
	}
	view, err := s.host.Call.DocumentChange(ctx, &api.DocumentChangeParams{ID: uri, Scope: s.host.Scope, Changes: edits, Show: viewOnly()}).Read()
	if broke(err) {
		s.failed(t, err)
		return nil
	}
	if err != nil {
		s.give(ctx, t) // the engine may have lost the document, so open it with the editor's text
		return nil
	}
	s.resolve(ctx, t, view, false)
	return nil
}

// Close removes a document. If another document imports it, its file on disk is used again.
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

// CloseAll removes all documents.
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
	s.bytes, s.parts = 0, 0
}

func (s *Set) forget(ctx context.Context, uri string) {
	// Errors are ignored: if the engine does not have the document, there is nothing to close.
	_, _ = s.host.Call.DocumentClose(ctx, &api.DocumentParams{ID: uri, Scope: s.host.Scope}).JSON()
}

// Reopen opens all documents in the engine again, because the engine was replaced or the model has changed.
func (s *Set) Reopen(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.afresh(ctx, func() { s.giveAll(ctx) })
}

// giveAll opens every prompt file in the engine.
func (s *Set) giveAll(ctx context.Context) {
	for _, t := range s.texts {
		if t.kind != promptfile.None {
			s.give(ctx, t)
		}
	}
}

// Recount opens the prompt files again if the model to count for has changed, and reports whether it has.
func (s *Set) Recount(ctx context.Context) (changed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.texts {
		if t.kind != promptfile.None && t.model != s.host.Counting(t.kind.Reader()) {
			changed = true
		}
	}
	if changed {
		s.afresh(ctx, func() { s.giveAll(ctx) })
	}
	return changed
}

// refresh reads files that have changed on disk again, and reports whether there were any.
func (s *Set) refresh(ctx context.Context) bool {
	if time.Since(s.looked) < lookAgain {
		return false
	}
	s.looked = time.Now()
	if !s.changedOnDisk() {
		return false
	}
	s.afresh(ctx, func() {
		for _, t := range s.texts {
			if t.kind == promptfile.None || t.broken != "" {
				continue
			}
			view, err := s.view(ctx, t.uri, viewOnly())
			if err == nil {
				s.resolve(ctx, t, view, true)
			} else if broke(err) {
				s.failed(t, err)
			}
		}
	})
	return true
}

// changedOnDisk reports whether a file has changed since it was read, or a missing one has appeared.
func (s *Set) changedOnDisk() bool {
	r := s.host.Places().reach()
	defer r.close()
	for uri, f := range s.files {
		if s.texts[uri] == nil && r.state(f.path) != f.state {
			return true
		}
	}
	for _, t := range s.texts {
		for _, target := range t.targets[:min(len(t.targets), maxTargets)] {
			result := r.find(target, t.path)
			uri := URI(result.path)
			if result.problem != "" || s.files[uri] != nil || uri == t.uri {
				continue
			}
			if before, ok := s.refused[uri]; !ok || before != r.state(result.path) {
				return true
			}
		}
	}
	return false
}

// FilesChanged checks for changes on disk at once, and reports whether an imported file has changed.
func (s *Set) FilesChanged(ctx context.Context) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.looked = time.Time{}
	return s.refresh(ctx)
}

// Imported reports whether another open document imports this one.
func (s *Set) Imported(uri string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.files[uri] != nil
}

// PromptFiles lists the URIs of the open prompt files, in order.
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

// Shown lists the URIs of the open documents with any features: prompt files, and files with agents' settings.
func (s *Set) Shown() []string {
	uris := s.PromptFiles()
	return append(uris, s.Written()...)
}

// Written lists the URIs of the open files with agents' settings, in order.
func (s *Set) Written() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var uris []string
	for uri, t := range s.texts {
		if t.written != nil {
			uris = append(uris, uri)
		}
	}
	slices.SortFunc(uris, strings.Compare)
	return uris
}

// Text returns the text of an open document. It returns false for one that is not open, or too large to be kept.
func (s *Set) Text(uri string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.texts[uri]; t != nil {
		return string(t.mapper.Text()), true
	}
	return "", false
}

// Version returns the version of an open document, 0 if it is not open.
func (s *Set) Version(uri string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.texts[uri]; t != nil {
		return t.version
	}
	return 0
}

func (s *Set) view(ctx context.Context, uri string, what *api.ShowOptions) (*api.DocumentView, error) {
	return s.host.Call.DocumentView(ctx, &api.DocumentViewParams{ID: uri, Scope: s.host.Scope, Show: what}).Read()
}

// look returns a document and its view, which every feature starts from. Both are nil for a document that is not a
// prompt file or that the engine cannot open.
func (s *Set) look(ctx context.Context, uri string, what *api.ShowOptions) (*text, *api.DocumentView) {
	t := s.texts[uri]
	if t == nil || t.kind == promptfile.None {
		return nil, nil
	}
	s.refresh(ctx)
	for range 2 {
		if s.host.Now().Before(t.until) {
			return nil, nil
		}
		view, err := s.view(ctx, uri, what)
		if err == nil {
			return t, view
		}
		if broke(err) {
			s.failed(t, err)
			return nil, nil
		}
		s.give(ctx, t)
	}
	return nil, nil
}
