// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/document"
)

// commandNames returns the commands that a client can execute. An editor that only speaks LSP ignores their results, so
// the daemon shows those itself; our own front ends, which send ctx/watch, display them on their own.

func commandNames() []string { return []string{document.BreakdownCommand} }

// executeCommand returns the breakdown in Markdown.
func (c *connection) executeCommand(r *request) ([]byte, *api.Error) {
	var p struct {
		Command   string            `json:"command"`
		Arguments []json.RawMessage `json:"arguments"`
	}
	if err := r.decode(&p); err != nil {
		return nil, err
	}
	if p.Command != document.BreakdownCommand {
		return nil, api.Invalid("command", "names an unknown command "+strconv.Quote(p.Command)+"; known are "+strings.Join(commandNames(), ", ")+".")
	}
	c.documents.mu.Lock()
	uri := c.documents.last
	c.documents.mu.Unlock()
	if len(p.Arguments) > 1 || len(p.Arguments) == 1 && json.Unmarshal(p.Arguments[0], &uri) != nil || uri == "" {
		return nil, api.Invalid("arguments", "must contain one argument, the URI of an open document.")
	}
	text, phrase := c.documents.set.Breakdown(r.ctx, uri)
	if text == "" {
		return nil, &api.Error{Kind: api.RequestFailed, Message: "There is no open prompt file " + uri + "."}
	}
	if c.plain() {
		path, _ := document.Path(uri)
		c.showPage(filepath.Base(path)+" in tokens.md", text, c.documents.set.Brief(r.ctx, uri))
	}
	if phrase != nil {
		return answer(breakdown{text, phrase})
	}
	return answer(text)
}

// breakdown is the result for a client that translates.
type breakdown struct {
	Text   string      `json:"text"`
	Phrase *api.Phrase `json:"phrase"`
}

// plain reports whether the client has used only LSP: it has sent neither ctx/watch nor ctx/unwatch.
func (c *connection) plain() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.unwatched && (c.watching == nil || c.watching.unasked)
}
