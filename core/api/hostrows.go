// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// maxHostRows is how many rows a host may add to a panel.
const maxHostRows = 200

// readHostRows reads the rows that a host adds to a panel.
func (c *Core) readHostRows(v json.Value, to *[]core.HostRow) *Error {
	switch {
	case v.IsNull():
		return nil
	case v.Kind() != json.Array:
		return invalid("rows", "must be an array, not "+v.Kind().String()+".")
	case v.Len() > maxHostRows:
		return about(LimitExceeded, "rows", "The parameter \"", "\" has more than 200 rows.")
	}
	rows := make([]core.HostRow, 0, v.Len())
	for e := v.Elements(); e.Next(); {
		row := core.NewHostRow()
		if err := c.fillHostRow(e.Value, &row); err != nil {
			return err.within("rows")
		}
		if row.ID == "" {
			return invalid("rows.id", "must not be empty.")
		}
		rows = append(rows, row)
	}
	*to = rows
	return nil
}

// readSentence reads a text for users: a string, or a phrase with its id and args.
func readSentence(f *json.Fields, to *core.Text) *Error {
	sentence, ok := phrase.Read(f.Value)
	if !ok {
		return mustBe(f, "a text, or a phrase with its id and args")
	}
	*to = sentence
	return nil
}

// readSection reads the id of a section of the panel.
func readSection(f *json.Fields, to *string) *Error {
	if err := readString(f, to); err != nil {
		return err
	}
	if !core.IsPanelSection(*to) {
		return wrong(f, "must be a section of the panel, not "+shorten(*to)+".")
	}
	return nil
}

// readTone reads a row's tone.
func readTone(f *json.Fields, to *core.Tone) *Error {
	tones := []string{"plain", "strong", "quiet", "ok", "soon", "now", "over"}
	if err := readWord(f, to, tones, "tone"); err != nil {
		return err
	}
	if *to == "plain" {
		*to = core.Plain
	}
	return nil
}
