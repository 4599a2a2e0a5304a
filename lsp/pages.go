// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"os"
	"path/filepath"

	"github.com/ctx-lsp/ctx-lsp/internal/document"
)

// Pages are the results of a client's commands. An editor that opens documents on request shows a page as one; others
// get a message of one line.

// showPage shows a page without waiting for the editor, so that the command is answered in the meantime.
func (c *connection) showPage(name, page, brief string) {
	c.mu.Lock()
	opens := c.client.showDocument && c.server.options.State != nil // without a state directory, no files are written
	c.mu.Unlock()
	message := func() { c.notify("window/showMessage", map[string]any{"type": messageInfo, "message": brief}) }
	if !opens {
		message()
		return
	}
	go func() {
		defer c.survive("showing a page")
		uri, err := c.keepPage(name, page)
		var shown struct {
			Success bool `json:"success"`
		}
		if err == nil {
			err = c.sendRequest(c.ctx, "window/showDocument", map[string]any{"uri": uri, "takeFocus": true}, &shown)
		}
		if err != nil || !shown.Success {
			c.log.Debug("a page is shown as a message", "page", name, "error", err)
			message()
		}
	}()
}

// keepPage writes a page to a directory that only this user can read, and that is removed when the connection ends. A
// page replaces an earlier one with the same name, so that the editor keeps one buffer for each.
func (c *connection) keepPage(name, page string) (uri string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return "", os.ErrClosed
	}
	if c.pages == "" {
		if c.pages, err = os.MkdirTemp("", "ctx-lsp-"); err != nil {
			return "", err
		}
	}
	file := filepath.Join(c.pages, name)
	return document.URI(file), os.WriteFile(file, []byte(page), 0o600)
}

// removePages removes the files of keepPage, and prevents further ones.
func (c *connection) removePages() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
	if c.pages != "" {
		_ = os.RemoveAll(c.pages)
	}
}
