// Copyright The ctx-lsp authors. MIT licence.

package document

import "encoding/json"

// A View is what ctx/document answers: a prompt file as core/promptfile sees it, places in bytes.
type View struct {
	ID          string `json:"id"`
	Path        string `json:"path"`
	Kind        string `json:"kind"`
	Title       string `json:"title"`
	Agent       string `json:"agent"`
	Model       string `json:"model"`
	ModelChosen bool   `json:"modelChosen"`
	Load        struct {
		When  string   `json:"when"`
		Globs []string `json:"globs"`
		Why   string   `json:"why"`
	} `json:"load"`
	Tokens   int64     `json:"tokens"`
	Listed   int64     `json:"listed"`
	Imported int64     `json:"imported"`
	Files    int       `json:"files"`
	Total    int64     `json:"total"`
	Limit    *int64    `json:"limit"`
	Sections []Section `json:"sections"`
	Imports  []Import  `json:"imports"`
	Findings []Finding `json:"findings"`
	Display  struct {
		Mark     string `json:"mark"`
		Tokens   string `json:"tokens"`
		Imported string `json:"imported"`
		Total    string `json:"total"`
		Listed   string `json:"listed"`
		Share    string `json:"share"`
		Limit    string `json:"limit"`
	} `json:"display"`
}

// A Section is a heading and what is below it.
type Section struct {
	Title   string `json:"title"`
	Level   int    `json:"level"`
	From    int    `json:"from"`
	To      int    `json:"to"`
	End     int    `json:"end"`
	Own     int64  `json:"own"`
	Tokens  int64  `json:"tokens"`
	Display string `json:"display"`
	OwnText string `json:"ownDisplay"`
}

// An Import is a place that names another file.
type Import struct {
	Target  string `json:"target"`
	From    int    `json:"from"`
	To      int    `json:"to"`
	ID      string `json:"id"`
	Problem string `json:"problem"`
	Tokens  int64  `json:"tokens"`
	All     int64  `json:"all"`
	Display string `json:"display"`
}

// A Finding is something to be said about a place.
type Finding struct {
	From     int    `json:"from"`
	To       int    `json:"to"`
	Severity int    `json:"severity"`
	Code     string `json:"code"`
	Message  string `json:"message"`
	Other    *struct {
		ID      string `json:"id"`
		From    int    `json:"from"`
		To      int    `json:"to"`
		Message string `json:"message"`
	} `json:"other"`
}

// params of the methods under ctx/document.
type (
	openParams struct {
		ID    string `json:"id"`
		Set   string `json:"set"`
		Path  string `json:"path"`
		Text  string `json:"text"`
		Model string `json:"model,omitempty"`
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
		View     bool     `json:"view"`
		Sections bool     `json:"sections"`
		From     int      `json:"from,omitempty"`
		To       *int     `json:"to,omitempty"`
		Findings bool     `json:"findings"`
		Budget   *Budget  `json:"budget,omitempty"`
		With     []string `json:"with,omitempty"`
	}
)

func encode(params any) []byte {
	body, err := json.Marshal(params)
	if err != nil {
		panic(err) // these types always encode
	}
	return body
}
