// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// fits answers ctx/session/fits.
func (c *Core) fits(v json.Value) *Error {
	e, err := c.sessionOf(v)
	if err != nil {
		return err
	}
	var p fitsParams
	if err := c.fillFitsParams(v, &p); err != nil {
		return err
	}
	if !p.Parts.Exists() {
		return invalid("parts", "is missing: it has the texts, or their tokens.")
	}
	c.counter = e.session.Meter()
	parts, err := c.readParts("parts", p.Parts)
	if err != nil {
		return err
	}
	fit := e.session.Fit(parts)
	if !p.Phrases {
		inEnglish(&fit.Text)
	}
	writeFitsAnswer(&c.out, fit)
	return nil
}
