package lsp

// documents are the text documents that one client has open.
type documents struct{ conn *connection }

func newDocuments(c *connection) *documents { return &documents{c} }
func (d *documents) settingsChanged()       {}
func (d *documents) filesChanged()          {}
func (d *documents) closeAll()              {}
func none(c *connection, r *request) ([]byte, *wireError) {
	return nil, nil
}
func (c *connection) openDocumentCall(r *request) ([]byte, *wireError)      { return c.forward(r) }
func (c *connection) documentCall(r *request) ([]byte, *wireError)          { return c.forward(r) }
func (c *connection) closeDocumentCall(r *request) ([]byte, *wireError)     { return c.forward(r) }
func (c *connection) didOpen(r *request) ([]byte, *wireError)               { return none(c, r) }
func (c *connection) didChange(r *request) ([]byte, *wireError)             { return none(c, r) }
func (c *connection) didClose(r *request) ([]byte, *wireError)              { return none(c, r) }
func (c *connection) didSave(r *request) ([]byte, *wireError)               { return none(c, r) }
func (c *connection) codeLens(r *request) ([]byte, *wireError)              { return none(c, r) }
func (c *connection) inlayHint(r *request) ([]byte, *wireError)             { return none(c, r) }
func (c *connection) resolveInlayHint(r *request) ([]byte, *wireError)      { return r.params, nil }
func (c *connection) hover(r *request) ([]byte, *wireError)                 { return none(c, r) }
func (c *connection) documentLink(r *request) ([]byte, *wireError)          { return none(c, r) }
func (c *connection) diagnostic(r *request) ([]byte, *wireError)            { return none(c, r) }
func (c *connection) executeCommand(r *request) ([]byte, *wireError)        { return none(c, r) }
func (c *connection) didChangeWatchedFiles(r *request) ([]byte, *wireError) { return none(c, r) }
func commandNames() []string                                                { return []string{"ctx.reading"} }
