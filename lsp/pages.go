// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"os"
	"path/filepath"

	"github.com/ctx-lsp/ctx-lsp/internal/document"
)

// Pages are what the commands of a client answer with. An editor that opens documents on request shows a page as one;
// others are sent a message of one line.

// showPage shows a page, without waiting for the editor: the command that asked for it is answered meanwhile.
func (c *connection) showPage(name, page, brief string) {
	c.mu.Lock()
	opens := c.client.showDocument && c.server.options.State != nil // who keeps no state has nothing written
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
			err = c.ask(c.ctx, "window/showDocument", map[string]any{"uri": uri, "takeFocus": true}, &shown)
		}
		if err != nil || !shown.Success {
			c.log.Debug("a page is shown as a message", "page", name, "error", err)
			message()
		}
	}()
}

// keepPage writes a page into a folder that only this user can read, and that is removed when the connection ends. A
// later page of a name replaces the earlier one, so that the editor shows one buffer of each.
func (c *connection) keepPage(name, page string) (uri string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.gone {
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

// removePages removes what keepPage has written, and has no more written.
func (c *connection) removePages() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gone = true
	if c.pages != "" {
		_ = os.RemoveAll(c.pages)
	}
}
