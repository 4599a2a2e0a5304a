// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/core/promptfile"
	"github.com/ctx-lsp/ctx-lsp/internal/document"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
	"github.com/ctx-lsp/ctx-lsp/internal/process"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// A phase is the state of a connection in the protocol.
type phase int

const (
	phaseStarting phase = iota // only initialize is accepted
	phaseInitializing
	phaseRunning
	phaseShutDown // only exit is expected
)

// A peer is the client of a connection, as described by initialize.
type peer struct {
	name, version string
	root          string // the first workspace folder, or empty
	folders       []string
	encoding      promptfile.Encoding

	progress         bool // window/workDoneProgress/create
	showDocument     bool // window/showDocument
	configuration    bool // workspace/configuration
	registerSettings bool
	registerFiles    bool
	refreshLenses    bool
	refreshHints     bool
	refreshProblems  bool
	pullsProblems    bool
	markdownHover    bool
	serverStatus     bool
	workspaceFolders bool
	resolvesHints    bool
}

// control handles messages about the connection itself, and messages that the current phase does not accept. It returns
// true if it handled the message.
func (c *connection) control(r *request) bool {
	c.mu.Lock()
	at := c.phase
	c.mu.Unlock()
	reply := func(result []byte, err *api.Error) {
		r.cancel = func() {}
		r.answer(result, err)
	}
	null := []byte("null") // the response to a notification with an id
	switch {
	case r.method == "exit":
		if at == phaseShutDown {
			<-c.saved // the response to shutdown has to be sent first
		}
		reply(null, nil)
		c.end()
	case r.method == "initialize" && at == phaseStarting && !r.notification():
		if err := c.server.admits(r); err != nil {
			reply(nil, err)
			c.end()
		} else {
			result, err := c.initialize(r)
			if err == nil {
				c.stream.Introduced()
			}
			reply(result, err)
		}
	case r.method == "initialize":
		reply(nil, &api.Error{Kind: api.InvalidRequest, Message: "The connection is already initialized."})
	case at == phaseStarting:
		if !r.notification() {
			reply(nil, &api.Error{Kind: api.NotInitialized, Message: "The first request must be initialize."})
		}
	case r.method == wire.EndOfInput:
		c.finishInput()
		c.end()
	case at == phaseShutDown:
		if !r.notification() {
			reply(nil, &api.Error{Kind: api.InvalidRequest, Message: "The server was shut down; it accepts only exit."})
		}
	case r.method == "shutdown":
		c.shutdown(r)
	case r.method == "$/cancelRequest":
		c.cancelRequest(r.fields)
		reply(null, nil)
	case r.method == "$/setTrace":
		c.setTrace(r.fields.Text("value"))
		reply(null, nil)
	case r.method == "initialized":
		if at == phaseInitializing {
			c.setPhase(func(p phase) phase { return max(p, phaseRunning) })
			go c.afterInitialized()
		}
		reply(null, nil)
	default:
		return false
	}
	return true
}

// admits returns an error if a secret is required and the client has not sent it.
func (s *Server) admits(r *request) *api.Error {
	secret := wire.MemberText(r.fields.Get("initializationOptions"), "secret")
	if s.secret == "" || subtle.ConstantTimeCompare([]byte(secret), []byte(s.secret)) == 1 {
		return nil
	}
	return &api.Error{
		Kind: api.RequestFailed, Field: "initializationOptions.secret",
		Message: "This port requires a secret: send the content of " + s.secretAt + " as initializationOptions.secret.",
	}
}

func (c *connection) setPhase(next func(phase) phase) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.phase = next(c.phase)
}

// finishPatience is how long a shutdown waits for earlier requests once the engine runs. Tests use less.
const finishPatience = 5 * time.Second

// shutdown answers once all earlier requests are done and their sessions saved. A request that takes too long is
// answered with an error, so that everything that was read has an answer.
func (c *connection) shutdown(r *request) {
	c.setPhase(func(phase) phase { return phaseShutDown })
	r.ctx, r.cancel = context.WithCancel(context.Background())
	go func() {
		defer c.survive("shutdown")
		c.finish(c.lateAfterStart(r.ctx))
		c.refuseRest()
		c.server.saveOf(c)
		r.answer([]byte("null"), nil)
		close(c.saved)
	}()
}

// lateAfterStart returns a channel that fires when earlier requests are late. While the engine is being compiled, none
// is.
func (c *connection) lateAfterStart(ctx context.Context) <-chan time.Time {
	late := make(chan time.Time, 1)
	started := c.server.warm()
	go func() {
		defer c.survive("waiting for the engine")
		select {
		case <-started:
		case <-ctx.Done():
			return
		}
		select {
		case now := <-time.After(c.server.finishPatience):
			late <- now
		case <-ctx.Done():
		}
	}()
	return late
}

// refuseRest answers the requests that are still waiting.
func (c *connection) refuseRest() {
	c.mu.Lock()
	rest := slices.Collect(maps.Values(c.inflight))
	c.mu.Unlock()
	for _, r := range rest {
		r.answer(nil, &api.Error{Kind: api.Cancelled, Message: "The server was shut down before it could answer."})
	}
}

type initializeParams struct {
	ProcessID  *int `json:"processId"`
	ClientInfo *struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	} `json:"clientInfo"`
	RootURI          string `json:"rootUri"`
	RootPath         string `json:"rootPath"`
	WorkspaceFolders []struct {
		URI string `json:"uri"`
	} `json:"workspaceFolders"`
	Trace                 string          `json:"trace"`
	InitializationOptions json.RawMessage `json:"initializationOptions"`
	Capabilities          struct {
		General struct {
			PositionEncodings []string `json:"positionEncodings"`
		} `json:"general"`
		Window struct {
			WorkDoneProgress bool `json:"workDoneProgress"`
			ShowDocument     struct {
				Support bool `json:"support"`
			} `json:"showDocument"`
		} `json:"window"`
		Workspace struct {
			Configuration          bool        `json:"configuration"`
			WorkspaceFolders       bool        `json:"workspaceFolders"`
			DidChangeConfiguration dynamic     `json:"didChangeConfiguration"`
			DidChangeWatchedFiles  dynamic     `json:"didChangeWatchedFiles"`
			CodeLens               refreshable `json:"codeLens"`
			InlayHint              refreshable `json:"inlayHint"`
			Diagnostics            refreshable `json:"diagnostics"`
		} `json:"workspace"`
		TextDocument struct {
			Hover struct {
				ContentFormat []string `json:"contentFormat"`
			} `json:"hover"`
			Diagnostic any `json:"diagnostic"`
			InlayHint  struct {
				ResolveSupport struct {
					Properties []string `json:"properties"`
				} `json:"resolveSupport"`
			} `json:"inlayHint"`
		} `json:"textDocument"`
		Experimental struct {
			ServerStatus bool `json:"serverStatusNotification"`
		} `json:"experimental"`
	} `json:"capabilities"`
}

type dynamic struct {
	DynamicRegistration bool `json:"dynamicRegistration"`
}

type refreshable struct {
	RefreshSupport bool `json:"refreshSupport"`
}

// initialize answers without waiting for the engine, which starts in the meantime.
func (c *connection) initialize(r *request) ([]byte, *api.Error) {
	var p initializeParams
	if err := r.decode(&p); err != nil {
		return nil, err
	}
	caps := p.Capabilities
	cl := peer{
		encoding:         promptfile.Negotiate(caps.General.PositionEncodings),
		progress:         caps.Window.WorkDoneProgress,
		showDocument:     caps.Window.ShowDocument.Support,
		configuration:    caps.Workspace.Configuration,
		registerSettings: caps.Workspace.DidChangeConfiguration.DynamicRegistration,
		registerFiles:    caps.Workspace.DidChangeWatchedFiles.DynamicRegistration,
		refreshLenses:    caps.Workspace.CodeLens.RefreshSupport,
		refreshHints:     caps.Workspace.InlayHint.RefreshSupport,
		refreshProblems:  caps.Workspace.Diagnostics.RefreshSupport,
		pullsProblems:    caps.TextDocument.Diagnostic != nil,
		serverStatus:     caps.Experimental.ServerStatus,
		workspaceFolders: caps.Workspace.WorkspaceFolders,
		resolvesHints:    slices.Contains(caps.TextDocument.InlayHint.ResolveSupport.Properties, "tooltip"),
	}
	for _, format := range caps.TextDocument.Hover.ContentFormat {
		cl.markdownHover = cl.markdownHover || format == "markdown"
	}
	if p.ClientInfo != nil {
		cl.name, cl.version = p.ClientInfo.Name, p.ClientInfo.Version
	}
	for _, folder := range p.WorkspaceFolders {
		if path, ok := document.Path(folder.URI); ok {
			cl.folders = append(cl.folders, path)
		}
	}
	if path, ok := document.Path(p.RootURI); ok && len(cl.folders) == 0 {
		cl.folders = append(cl.folders, path)
	}
	if p.RootPath != "" && len(cl.folders) == 0 {
		cl.folders = append(cl.folders, p.RootPath)
	}
	if len(cl.folders) > 0 {
		cl.root = cl.folders[0]
	}
	settings, problems := readSettings(c.server.defaults(), p.InitializationOptions)
	c.mu.Lock()
	c.phase = phaseInitializing
	c.client = cl
	c.settings, c.initial = settings, settings
	if p.Trace != "" {
		c.trace = p.Trace
	}
	c.mu.Unlock()
	c.alsoIn(settings.GlobalStorage)
	c.log.Info("a client has connected", "name", cl.name, "version", cl.version, "folders", len(cl.folders))
	for _, problem := range problems {
		c.logMessage(messageWarning, problem)
	}
	if p.ProcessID != nil {
		process.OnEnd(c.ctx, *p.ProcessID, c.clientProcessEnded)
	}
	c.server.warm()
	result, err := json.Marshal(c.capabilities(cl))
	if err != nil {
		return nil, &api.Error{Kind: api.Internal, Message: err.Error()}
	}
	return result, nil
}

func (c *connection) capabilities(cl peer) map[string]any {
	capabilities := map[string]any{
		"positionEncoding":       cl.encoding.String(),
		"textDocumentSync":       map[string]any{"openClose": true, "change": 2, "save": map[string]any{"includeText": false}},
		"codeLensProvider":       map[string]any{"resolveProvider": false},
		"inlayHintProvider":      map[string]any{"resolveProvider": cl.resolvesHints},
		"hoverProvider":          true,
		"documentLinkProvider":   map[string]any{"resolveProvider": false},
		"documentSymbolProvider": false,
		"executeCommandProvider": map[string]any{"commands": commandNames()},
		"workspace":              map[string]any{"workspaceFolders": map[string]any{"supported": true, "changeNotifications": true}},
		"experimental": map[string]any{"ctx": map[string]any{
			"protocol":      3,
			"methods":       methodNames("ctx/"),
			"notifications": notificationNames(),
		}},
	}
	if cl.pullsProblems {
		capabilities["diagnosticProvider"] = map[string]any{"identifier": "ctx", "interFileDependencies": true, "workspaceDiagnostics": false}
	}
	return map[string]any{
		"capabilities": capabilities,
		"serverInfo":   map[string]any{"name": "ctx-lsp", "version": c.server.options.Version},
	}
}

// afterInitialized does what a server may do only after initialized: it registers capabilities and requests settings.
func (c *connection) afterInitialized() {
	defer c.survive("handling initialized")
	cl := c.about()
	ctx, cancel := context.WithTimeout(c.ctx, time.Minute)
	defer cancel()
	started := make(chan struct{})
	go func() { // at once, because the client may be slow to answer the requests below
		defer close(started)
		defer c.survive("showing the start of the engine")
		c.showStart(ctx)
	}()
	var registrations []map[string]any
	if cl.registerSettings {
		registrations = append(registrations, map[string]any{
			"id": "ctx-settings", "method": "workspace/didChangeConfiguration", "registerOptions": map[string]any{"section": "ctx"},
		})
	}
	if cl.registerFiles {
		var watchers []map[string]any
		for _, glob := range document.WatchedGlobs() {
			watchers = append(watchers, map[string]any{"globPattern": glob})
		}
		registrations = append(registrations, map[string]any{
			"id": "ctx-files", "method": "workspace/didChangeWatchedFiles", "registerOptions": map[string]any{"watchers": watchers},
		})
	}
	if len(registrations) > 0 {
		// An error is logged.
		_ = c.sendRequest(ctx, "client/registerCapability", map[string]any{"registrations": registrations}, nil)
	}
	c.pullSettings(ctx)
	time.AfterFunc(c.server.plainAfter, c.watchIfPlain)
	<-started
	c.health("ok", "")
}

// showStart shows progress while the engine is prepared, which takes about a second the first time on a machine, and
// longer on a busy one.
func (c *connection) showStart(ctx context.Context) {
	report, end := c.progress(nil, phrase.Named("ctx-lsp"))
	defer end()
	ready := c.server.warm()
	for {
		select {
		case <-ready:
			return
		case <-ctx.Done():
			return
		case <-time.After(250 * time.Millisecond):
			report(phrase.EngineCompiling.Text(), 0)
		}
	}
}

// about returns the client's description of itself.
func (c *connection) about() peer {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.client
}

// notificationNames lists the notifications that the daemon sends.
func notificationNames() []string {
	var names []string
	for _, n := range api.Notifications {
		names = append(names, n.Name)
	}
	return names
}

// methodNames lists the methods that begin with prefix.
func methodNames(prefix string) []string {
	var names []string
	for _, name := range allMethods {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	return names
}
