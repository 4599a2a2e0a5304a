// Copyright The ctx-lsp authors. MIT licence.

package document

import (
	"context"
	"fmt"
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/core/promptfile"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
)

// broke reports whether a call failed because the engine crashed.
func broke(err error) bool { return client.Refused(err, api.Internal) }

const (
	// maxFiles and maxBytes limit what the documents of one client may import. With more, the engine would reach its
	// memory limit, and everything in it would have to be counted again.
	maxFiles = 1000
	maxBytes = 16 << 20
	// maxParts is the total number of headings, imports and fences that imported files may have: two bytes of a heading
	// take hundreds in the engine.
	maxParts = 100_000
	// maxTargets is the maximum number of imports of a document that are resolved.
	maxTargets = maxLookups
)

// A file is an imported file that was read from disk.
type file struct {
	path  string
	state fileState
	parts int // upper limit of the headings, imports and fences that the engine stores for it
}

// A pass finds the files imported by one open document, and passes them to the engine.
type pass struct {
	*reach
	set  *Set
	ctx  context.Context
	root *text
	seen map[string]bool // URIs
	err  error           // set if the engine crashed
}

func (s *Set) pass(ctx context.Context, root *text) *pass {
	return &pass{reach: s.host.Places().reach(), set: s, ctx: ctx, root: root, seen: map[string]bool{root.uri: true}}
}

// targets lists the import targets of a view without duplicates.
func targets(view *api.DocumentView) []string {
	var list []string
	seen := make(map[string]bool, len(view.Imports))
	for _, each := range view.Imports {
		if !seen[each.Target] {
			seen[each.Target] = true
			list = append(list, each.Target)
		}
	}
	return list
}

// resolve finds the imports of a text. It does nothing if they are the same as before, unless always is set.
func (s *Set) resolve(ctx context.Context, t *text, view *api.DocumentView, always bool) {
	targets := targets(view)
	if !always && slices.Equal(targets, t.targets) {
		return
	}
	t.targets = targets
	p := s.pass(ctx, t)
	defer p.close()
	p.link(t.uri, t.path, view, 0)
	if always && view.Load.When == "always" {
		t.with = p.with(view)
	}
	if p.err != nil {
		s.failed(t, p.err)
	}
}

// link resolves the imports of one document, and those of the imported files, and sends them to the engine.
func (p *pass) link(uri, path string, view *api.DocumentView, depth int) {
	if len(view.Imports) == 0 || p.err != nil {
		return
	}
	targets := targets(view)
	links := make([]api.ImportTarget, 0, min(len(targets), maxTargets))
	for _, target := range targets[:min(len(targets), maxTargets)] {
		result := p.find(target, path)
		l := api.ImportTarget{Target: target, Problem: api.ImportProblem(result.problem)}
		if result.problem == "" {
			l.ID = URI(result.path)
			if !p.seen[l.ID] && depth <= promptfile.MaxDepth {
				p.seen[l.ID] = true
				l.Problem = api.ImportProblem(p.load(l.ID, result, view, depth+1))
			}
			if l.Problem != "" {
				l.ID = ""
			}
		}
		links = append(links, l)
	}
	if len(targets) > len(links) && !p.root.many {
		p.root.many = true
		p.set.host.Complain(fmt.Sprintf("%s imports %d files; only the first %d are read.", p.set.host.Places().Name(path), len(targets), len(links)))
	}
	if p.err != nil {
		return
	}
	// An error means that the engine no longer has the document; the next change opens it again.
	_, err := p.set.host.Call.DocumentChange(p.ctx, &api.DocumentChangeParams{ID: uri, Scope: p.set.host.Scope, Imports: links, Show: noView()}).JSON()
	p.broke(err)
}

// broke records an error after which the engine is no longer called, and reports whether there was one.
func (p *pass) broke(err error) bool {
	if broke(err) {
		p.err = err
	}
	return p.err != nil
}

// load opens an imported file in the engine, followed by the files that it imports. It returns why the file cannot be
// read, or "".
func (p *pass) load(uri string, result found, importer *api.DocumentView, depth int) (problem string) {
	s := p.set
	if p.err != nil {
		return "unreadable"
	}
	var body []byte
	if open := s.texts[uri]; open != nil {
		body = open.mapper.Text()
		s.remember(uri, &file{path: result.path})
		if open.kind != promptfile.None {
			view, err := s.view(p.ctx, uri, viewOnly())
			if err == nil {
				p.link(uri, result.path, view, depth)
				return ""
			}
			if p.broke(err) {
				return "unreadable"
			}
		}
	} else {
		if s.files[uri] == nil && (len(s.files) >= maxFiles || s.bytes+result.size > maxBytes) {
			s.warnFull(p.root)
			s.refused[uri] = p.state(result.path)
			return "tooLarge"
		}
		var state fileState
		body, state, problem = p.read(result.path)
		if problem != "" {
			s.refused[uri] = p.state(result.path)
			return problem
		}
		parts := min(promptfile.Parts(body), promptfile.MaxParts)
		if s.files[uri] == nil && s.parts+parts > maxParts {
			s.warnFull(p.root)
			s.refused[uri] = state
			return "tooLarge"
		}
		s.remember(uri, &file{path: result.path, state: state, parts: parts})
	}
	view, err := s.host.Call.DocumentOpen(p.ctx, &api.DocumentOpenParams{
		ID: uri, Scope: s.host.Scope, Path: s.host.Places().Name(result.path), Text: api.Body(body),
		Model: p.root.modelFor(importer), Limit: known(p.root.model.Limit), Agent: importer.Agent, Show: viewOnly(),
	}).Read()
	if err != nil {
		p.broke(err)
		return "unreadable"
	}
	p.link(uri, result.path, view, depth)
	return ""
}

// modelFor returns the model to count an imported file for: the one requested for the document, otherwise that of the
// importing file.
func (t *text) modelFor(importer *api.DocumentView) string {
	if t.model.Model != "" {
		return t.model.Model
	}
	return importer.Model
}

// with opens the files that are loaded together with the document, and returns the URIs of those that are always
// loaded.
func (p *pass) with(view *api.DocumentView) []string {
	s := p.set
	own, _ := p.locate(p.root.path)
	var with []string
	for _, path := range p.companions(p.root.kind.Reader()) {
		uri := URI(path)
		result, problem := p.locate(path)
		if uri == p.root.uri || problem != "" || result.same(own) {
			continue
		}
		if open := s.texts[uri]; open == nil || open.kind == promptfile.None {
			p.seen = map[string]bool{uri: true}
			if p.load(uri, p.firstFile([]string{path}), view, promptfile.MaxDepth+1) != "" {
				continue
			}
		}
		if other, err := s.view(p.ctx, uri, viewOnly()); err == nil && other.Load.When == "always" {
			with = append(with, uri)
		} else if p.broke(err) {
			return nil
		}
	}
	return with
}

// remember stores an imported file, replacing its previous state.
func (s *Set) remember(uri string, f *file) {
	if old := s.files[uri]; old != nil {
		s.bytes -= old.state.size
		s.parts -= old.parts
	}
	s.files[uri] = f
	s.bytes += f.state.size
	s.parts += f.parts
}

// warnFull logs once for the client that no more files are read.
func (s *Set) warnFull(t *text) {
	if !s.full {
		s.full = true
		s.host.Complain(fmt.Sprintf("Not all imports of %s are read: all open documents together may import %d files, %d MB, and %d headings and imports in them.", s.host.Places().Name(t.path), maxFiles, maxBytes>>20, maxParts))
	}
}

// afresh clears the imported files, calls do to find them again, and closes those in the engine that are no longer
// imported.
func (s *Set) afresh(ctx context.Context, do func()) {
	before := s.files
	s.files, s.refused, s.bytes, s.parts = map[string]*file{}, map[string]fileState{}, 0, 0
	do()
	for uri := range before {
		if open := s.texts[uri]; s.files[uri] == nil && (open == nil || open.kind == promptfile.None) {
			s.forget(ctx, uri)
		}
	}
}
