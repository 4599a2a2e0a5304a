// Copyright The ctx-lsp authors. MIT licence.

package document

import (
	"encoding/json"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// A View is a prompt file as core/promptfile sees it. Places are in bytes, except in what is drawn.
type View struct{ api.DocumentView }

// These are the parameters of the methods under ctx/document.
type (
	openParams struct {
		ID    string `json:"id"`
		Set   string `json:"set"`
		Path  string `json:"path"`
		Text  string `json:"text"`
		Model string `json:"model,omitempty"`
		Limit int64  `json:"limit,omitempty"`
		Agent string `json:"agent,omitempty"`
		Show  *show  `json:"show"`
	}
	changeParams struct {
		ID      string   `json:"id"`
		Set     string   `json:"set"`
		Changes []change `json:"changes,omitempty"`
		Imports []link   `json:"imports,omitempty"`
		Model   *string  `json:"model,omitempty"`
		Show    *show    `json:"show"`
	}
	viewParams struct {
		ID   string `json:"id"`
		Set  string `json:"set"`
		Show *show  `json:"show,omitempty"`
	}
	change struct {
		From *int   `json:"from,omitempty"`
		To   *int   `json:"to,omitempty"`
		Text string `json:"text"`
	}
	link struct {
		Target  string `json:"target"`
		ID      string `json:"id,omitempty"`
		Problem string `json:"problem,omitempty"`
	}
	show struct {
		View     bool            `json:"view"`
		Sections bool            `json:"sections"`
		From     int             `json:"from,omitempty"`
		To       *int            `json:"to,omitempty"`
		Findings bool            `json:"findings"`
		Budget   *api.FileBudget `json:"budget,omitempty"`
		With     []string        `json:"with,omitempty"`
		Draw     []api.DrawnPart `json:"draw,omitempty"`
		Units    api.TextUnits   `json:"units,omitempty"`
		Plain    bool            `json:"plain,omitempty"`
		Phrases  bool            `json:"phrases,omitempty"`
	}
)

func encode(params any) []byte {
	body, err := json.Marshal(params)
	if err != nil {
		panic(err) // these types can always be encoded
	}
	return body
}
