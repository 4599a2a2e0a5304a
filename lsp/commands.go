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

// An editor that only speaks LSP runs a server's commands and shows nothing of their answers. So the daemon shows such
// an editor's person what it answers; a face of ours, which asks for ctx/watch, does that itself.

func commandNames() []string { return []string{document.BreakdownCommand} }

// executeCommand answers with the breakdown in Markdown.
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

// breakdown is the answer to a client that translates.
type breakdown struct {
	Text   string      `json:"text"`
	Phrase *api.Phrase `json:"phrase"`
}

// plain says that nothing but LSP is known of the client: it has neither asked for ctx/watch nor ended one.
func (c *connection) plain() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.unwatched && (c.watching == nil || c.watching.unasked)
}
