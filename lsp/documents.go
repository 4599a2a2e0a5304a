// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/core/promptfile"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/document"
	"github.com/ctx-lsp/ctx-lsp/internal/focus"
	ownjson "github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/settingsfile"
)

// pushAfter is how long typing has to pause before diagnostics are sent to a client that does not pull them.
const pushAfter = 150 * time.Millisecond

// documents holds the text documents that one client has open.
type documents struct {
	conn *connection
	set  *document.Set

	mu     sync.Mutex // guards the fields below
	last   string     // the document that the client mentioned last
	timer  *time.Timer
	due    map[string]bool                 // the documents whose diagnostics are due
	direct map[api.DocumentParams]struct{} // documents opened with ctx/document/open
}

func newDocuments(c *connection) *documents {
	d := &documents{conn: c, due: map[string]bool{}, direct: map[api.DocumentParams]struct{}{}}
	d.set = document.NewSet(document.Host{
		Scope:    c.scope + " documents",
		Call:     c.server.callForDocuments,
		Now:      c.server.options.Now,
		Encoding: func() promptfile.Encoding { return c.about().encoding },
		Settings: func() document.Settings { return c.currentSettings().PromptFiles },
		Places: func() document.Places {
			return document.Places{Folders: c.about().folders, Home: c.server.options.Home}
		},
		Counting: c.countingFor,
		Agent:    func() string { return c.currentSettings().Agent },
		Written:  c.written,
		Complain: func(sentence string) { c.logMessage(messageWarning, sentence) },
	})
	return d
}

func (c *connection) currentSettings() Settings {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.settings
}

// countingFor returns the model to count an agent's prompt files with: the user's choice, otherwise the model of the
// agent's current session here. If the session uses that model, its window is included. It returns an empty Counting
// without either.
func (c *connection) countingFor(agent string) document.Counting {
	chosen := c.currentSettings().Model
	sum, some := c.sessionFor(agent)
	switch {
	case !some && chosen == "":
		return document.Counting{}
	case chosen != "" && (!some || sum.model != chosen):
		return document.Counting{Model: chosen}
	}
	return document.Counting{Model: sum.model, Limit: sum.limit}
}

// written returns the context for explaining agent settings in a file at path, or nil if no sessions are watched.
func (c *connection) written(path string) *settingsfile.Host {
	if c.server.options.Source == nil {
		return nil
	}
	h := &settingsfile.Host{
		Environment: c.server.options.Source.Environment(), Scope: c.scope + " settings",
		Call:    c.server.callForDocuments,
		Running: c.running,
	}
	for _, folder := range c.about().folders {
		if rel, err := filepath.Rel(folder, path); h.Workspace == "" || err == nil && filepath.IsLocal(rel) {
			h.Workspace = folder
		}
	}
	return h
}

// running returns the data of an agent's session here that explains the agent's settings, or nil without a session.
func (c *connection) running(agent string) *settingsfile.Running {
	s, sum := c.sessionOf(agent)
	if s == nil {
		return nil
	}
	reading, _ := s.snapshot()
	var of struct {
		AgentVersion string
		MCPServers   []settingsfile.Server
	}
	if json.Unmarshal(reading, &of) != nil {
		return nil
	}
	return &settingsfile.Running{Model: sum.model, Version: of.AgentVersion, Limit: sum.limit, Servers: of.MCPServers}
}

// sessionFor returns the summary of the session that an agent's prompt files belong to, and whether there is one.
func (c *connection) sessionFor(agent string) (summary, bool) {
	s, sum := c.sessionOf(agent)
	return sum, s != nil
}

// sessionOf returns the session that an agent's prompt files belong to and its summary: the focused session, or the one
// that package focus picks in the client's folders. It returns nil if there is none. An empty agent means any.
func (c *connection) sessionOf(agent string) (*session, summary) {
	fits := func(s *session, sum summary) bool {
		return sum.model != "" && !sum.child && (agent == "" || sum.agent == agent)
	}
	front := focus.Front{}
	c.mu.Lock()
	focused := c.focused
	c.mu.Unlock()
	if focused != nil {
		if _, sum := focused.snapshot(); fits(focused, sum) {
			return focused, sum
		}
	}
	var found []*session
	var sums []summary
	var choices []focus.Session
	for _, s := range c.server.all(c.sees) {
		if _, sum := s.snapshot(); fits(s, sum) {
			found, sums = append(found, s), append(sums, sum)
			choices = append(choices, focus.Session{ID: s.key, Dir: s.dir(sum), Live: sum.live, Newest: s.newest()})
		}
	}
	for _, folder := range c.about().folders {
		front.Workspace = folder
		if chosen, some := focus.Choose(front, choices); some && chosen.Shown == focus.Workspace {
			return found[chosen.Index], sums[chosen.Index]
		}
	}
	return nil, summary{}
}

// showAgain has the client refresh everything shown in documents. A client that does not pull diagnostics is sent them.
func (d *documents) showAgain() {
	cl := d.conn.about()
	for _, each := range []struct {
		can    bool
		method string
	}{{cl.refreshLenses, "workspace/codeLens/refresh"}, {cl.refreshHints, "workspace/inlayHint/refresh"}, {cl.refreshProblems && cl.pullsProblems, "workspace/diagnostic/refresh"}} {
		if each.can {
			go func() {
				defer d.conn.survive(each.method)
				_ = d.conn.sendRequest(context.Background(), each.method, nil, nil) // a refusal is logged
			}()
		}
	}
	for _, uri := range d.set.Shown() {
		d.push(uri)
	}
}

// push sends a document's diagnostics after a pause, unless the client pulls them itself.
func (d *documents) push(uri string) {
	if d.conn.about().pullsProblems {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.due[uri] = true
	if d.timer == nil {
		d.timer = time.AfterFunc(pushAfter, d.pushDue)
		return
	}
	d.timer.Reset(pushAfter)
}

func (d *documents) pushDue() {
	defer d.conn.survive("sending diagnostics")
	d.mu.Lock()
	due := d.due
	d.due = map[string]bool{}
	d.mu.Unlock()
	for uri := range due {
		d.conn.server.lanes.Run(documentLane(d.conn, nil), d.conn.number, func() {
			defer d.conn.survive("sending diagnostics")
			version := d.set.Version(uri)
			if version == 0 && !slices.Contains(d.set.Shown(), uri) {
				return // the document was closed in the meantime
			}
			d.conn.notify("textDocument/publishDiagnostics", map[string]any{
				"uri": uri, "version": version, "diagnostics": d.set.Diagnostics(context.Background(), uri),
			})
		})
	}
}

func (d *documents) settingsChanged() {
	d.set.Recount(context.Background())
	d.showAgain()
}

// modelsChanged recounts the documents for the model of the session that is active now.
func (d *documents) modelsChanged() {
	if d.set.Recount(context.Background()) || len(d.set.Written()) > 0 {
		d.showAgain()
	}
}

func (d *documents) filesChanged() {
	if d.set.FilesChanged(context.Background()) || len(d.set.Written()) > 0 {
		d.showAgain()
	}
}

// reopen passes all documents to an engine that replaced another.
func (d *documents) reopen() {
	d.set.Reopen(context.Background())
	d.showAgain()
}

func (d *documents) closeAll() {
	d.mu.Lock()
	direct := d.direct
	d.direct = nil
	d.mu.Unlock()
	d.set.CloseAll(context.Background())
	for opened := range direct {
		_, _ = client.Call(d.conn.server.callRaw).DocumentClose(noRequest, &opened).JSON() // it may be closed already
	}
}

// textDocument contains the parameters that requests about documents share.
type textDocument struct {
	TextDocument struct {
		URI        string `json:"uri"`
		Version    *int   `json:"version"`
		LanguageID string `json:"languageId"`
		Text       string `json:"text"`
	} `json:"textDocument"`
	Position       document.Position `json:"position"`
	Range          document.Range    `json:"range"`
	ContentChanges []document.Change `json:"contentChanges"`
	PreviousResult string            `json:"previousResultId"`
}

// about reads the document parameters of a request, and makes the document the last one mentioned.
func (d *documents) about(r *request) (textDocument, *api.Error) {
	p, err := documentParams(r)
	if err == nil {
		d.mu.Lock()
		d.last = p.TextDocument.URI
		d.mu.Unlock()
	}
	return p, err
}

func documentParams(r *request) (textDocument, *api.Error) {
	var p textDocument
	if err := r.decode(&p); err != nil {
		return p, err
	}
	if p.TextDocument.URI == "" {
		return p, api.Invalid("textDocument.uri", "is missing: it names the document.")
	}
	return p, nil
}

func (c *connection) didOpen(r *request) ([]byte, *api.Error) {
	p, err := c.documents.about(r)
	if err != nil {
		return nil, err
	}
	var version int
	if p.TextDocument.Version != nil {
		version = *p.TextDocument.Version
	}
	c.noteEditor(p.TextDocument.URI)
	c.documents.set.Open(r.ctx, p.TextDocument.URI, version, p.TextDocument.Text)
	c.documents.edited(p.TextDocument.URI)
	return nil, nil
}

// edited updates everything affected by an edit, in the document itself and in those that import it.
func (d *documents) edited(uri string) {
	if d.set.Imported(uri) {
		d.showAgain()
	} else if slices.Contains(d.set.Shown(), uri) {
		d.push(uri)
	}
}

func (c *connection) didChange(r *request) ([]byte, *api.Error) {
	p, err := c.documents.about(r)
	if err != nil {
		return nil, err
	}
	if fault := c.documents.set.Change(r.ctx, p.TextDocument.URI, p.TextDocument.Version, p.ContentChanges); fault != nil {
		c.logMessage(messageWarning, strings.ToUpper(fault.Error()[:1])+fault.Error()[1:]+".")
		return nil, nil
	}
	c.documents.edited(p.TextDocument.URI)
	return nil, nil
}

func (c *connection) didClose(r *request) ([]byte, *api.Error) {
	p, err := documentParams(r)
	if err != nil {
		return nil, err
	}
	uri := p.TextDocument.URI
	shown := slices.Contains(c.documents.set.Shown(), uri)
	imported := c.documents.set.Imported(uri)
	c.documents.set.Close(r.ctx, uri)
	if shown && !c.about().pullsProblems {
		c.notify("textDocument/publishDiagnostics", map[string]any{"uri": uri, "diagnostics": []any{}})
	}
	if imported {
		c.documents.showAgain()
	}
	return nil, nil
}

func (c *connection) didSave(r *request) ([]byte, *api.Error) {
	c.documents.filesChanged()
	return nil, nil
}

func (c *connection) didChangeWatchedFiles(r *request) ([]byte, *api.Error) {
	c.documents.filesChanged()
	return nil, nil
}

func (c *connection) codeLens(r *request) ([]byte, *api.Error) {
	p, err := c.documents.about(r)
	if err != nil {
		return nil, err
	}
	uri := p.TextDocument.URI
	lenses := c.documents.set.Lenses(r.ctx, uri)
	if lens := c.sightLens(r, uri); lens != nil {
		lenses = append([]document.Lens{*lens}, lenses...)
	}
	return answer(lenses)
}

func (c *connection) inlayHint(r *request) ([]byte, *api.Error) {
	p, err := c.documents.about(r)
	if err != nil {
		return nil, err
	}
	hints := c.documents.set.Hints(r.ctx, p.TextDocument.URI, p.Range)
	if c.about().resolvesHints {
		for i := range hints {
			hints[i] = hints[i].WithoutTooltip()
		}
	}
	return answer(hints)
}

// resolveInlayHint adds the tooltip to a hint. A client that can resolve hints gets the tooltip only when it is shown.
func (c *connection) resolveInlayHint(r *request) ([]byte, *api.Error) {
	var hint document.Hint
	if err := r.decode(&hint); err != nil {
		return nil, err
	}
	return answer(hint.WithTooltip())
}

func (c *connection) hover(r *request) ([]byte, *api.Error) {
	p, err := c.documents.about(r)
	if err != nil {
		return nil, err
	}
	hover := c.documents.set.Hover(r.ctx, p.TextDocument.URI, p.Position, c.about().markdownHover)
	if hover == nil {
		return nil, nil
	}
	return answer(hover)
}

func (c *connection) documentLink(r *request) ([]byte, *api.Error) {
	p, err := c.documents.about(r)
	if err != nil {
		return nil, err
	}
	return answer(c.documents.set.Links(r.ctx, p.TextDocument.URI))
}

// diagnostic answers a client that pulls diagnostics. The result is "unchanged" if nothing has changed since the last
// one.
func (c *connection) diagnostic(r *request) ([]byte, *api.Error) {
	p, err := documentParams(r)
	if err != nil {
		return nil, err
	}
	diagnostics := c.documents.set.Diagnostics(r.ctx, p.TextDocument.URI)
	body, err := answer(diagnostics)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(body)
	id := hex.EncodeToString(sum[:])
	if id == p.PreviousResult {
		return answer(map[string]any{"kind": "unchanged", "resultId": id})
	}
	return answer(map[string]any{"kind": "full", "resultId": id, "items": diagnostics})
}

// documentCall passes a call under ctx/document to the engine, in the scope of the client that made it.
func (c *connection) documentCall(r *request) ([]byte, *api.Error) {
	var w ownjson.Writer
	w.BeginObject()
	w.StringField(`,"scope":`, c.scope)
	for _, m := range r.fields {
		w.Key(m.Name)
		w.Raw(m.Value)
	}
	w.EndObject()
	return c.server.call(r.ctx, r.method, w.Buf)
}

func (c *connection) openDocumentCall(r *request) ([]byte, *api.Error) {
	result, err := c.documentCall(r)
	if err == nil {
		c.documents.mu.Lock()
		if c.documents.direct != nil {
			c.documents.direct[c.documentOf(r)] = struct{}{}
		}
		c.documents.mu.Unlock()
	}
	return result, err
}

func (c *connection) closeDocumentCall(r *request) ([]byte, *api.Error) {
	c.documents.mu.Lock()
	delete(c.documents.direct, c.documentOf(r))
	c.documents.mu.Unlock()
	return c.documentCall(r)
}

// documentOf returns the engine's name for the document of a call.
func (c *connection) documentOf(r *request) api.DocumentParams {
	return api.DocumentParams{ID: r.fields.Text("id"), Set: r.fields.Text("set"), Scope: c.scope}
}
