// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"encoding/json"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	wire "github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// strange adds a message about a problem.
func (c *checkup) strange(id phrase.ID, args ...phrase.Arg) { c.add(id.Text(args...)) }

// add adds a message, in English and as a phrase.
func (c *checkup) add(sentence phrase.Text) {
	c.Odd = append(c.Odd, sentence.String())
	w := wire.Writer{}
	if sentence.IsPhrase() {
		sentence.Phrase.Write(&w)
	} else {
		w.Null()
	}
	c.Phrases = append(c.Phrases, w.Buf)
}

// warn adds the warnings of a Reading with their phrases.
func (c *checkup) warn(reading json.RawMessage) {
	var r struct{ Warnings []api.Text }
	if json.Unmarshal(reading, &r) != nil {
		return // it has been read already
	}
	for _, warning := range r.Warnings {
		note := json.RawMessage("null")
		if warning.ID != "" {
			note, _ = json.Marshal(map[string]any{"id": warning.ID, "args": warning.Args}) // values of JSON
		}
		c.Odd, c.Phrases = append(c.Odd, warning.Text), append(c.Phrases, note)
	}
}
