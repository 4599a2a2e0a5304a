// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"encoding/json"
	"errors"
	"strings"
)

// request is the content of a request to a model, in the same form for all providers.
type request struct {
	system  string
	context string // the text that the agent puts before the user's first message
	tools   []tool
}

// tool is the definition of a tool as an agent sends it.
type tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
	// Format is the grammar of a tool with text instead of parameters as its input.
	Format json.RawMessage `json:"format,omitempty"`
}

// content is the text of a message. In JSON it is a string, a list of parts, or an object with such a list.
type content string

func (c *content) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) == nil {
		*c = content(text)
		return nil
	}
	var parts []struct{ Text string }
	if json.Unmarshal(b, &parts) != nil {
		var one struct{ Parts []struct{ Text string } }
		if err := json.Unmarshal(b, &one); err != nil {
			return err
		}
		parts = one.Parts
	}
	for _, p := range parts {
		*c += content(p.Text)
	}
	return nil
}

type message struct {
	Role    string
	Content content
	Parts   []struct{ Text string }
}

// word is the user's message in each run.
const word = "Say hello."

// withoutWord returns what an agent puts before the user's message. Some put the message in quotes.
func withoutWord(text string) string {
	text = strings.TrimSpace(text)
	return strings.TrimSuffix(strings.TrimSuffix(text, `"`+word+`"`), word)
}

// readRequest parses the body of a request to a provider.
func readRequest(body []byte) (request, error) {
	var raw struct {
		Messages          []message
		Contents          []message
		SystemInstruction content `json:"systemInstruction"`
		Instructions      string  // the system prompt of a request for a response
		Input             []message
		Tools             []struct {
			tool
			Type                 string
			Function             *tool
			FunctionDeclarations []struct {
				tool
				Schema json.RawMessage `json:"parametersJsonSchema"`
			} `json:"functionDeclarations"`
		}
	}
	if err := json.Unmarshal(body, &raw); err != nil {
		return request{}, err
	}
	q := request{system: string(raw.SystemInstruction) + raw.Instructions}
	for _, m := range raw.Input { // developer or user: both follow the instructions, or start with them
		if q.system == "" && m.Role == "developer" {
			q.system = string(m.Content)
			continue
		}
		q.context += withoutWord(string(m.Content))
	}
	for _, m := range append(raw.Messages, raw.Contents...) {
		text := string(m.Content)
		for _, p := range m.Parts {
			text += p.Text
		}
		switch {
		case m.Role == "system" || m.Role == "developer":
			q.system += text
		case m.Role == "user":
			q.context += withoutWord(text)
		}
	}
	for _, t := range raw.Tools {
		switch {
		case t.Function != nil:
			q.tools = append(q.tools, *t.Function)
		case len(t.FunctionDeclarations) > 0:
			for _, d := range t.FunctionDeclarations {
				if len(d.Schema) > 0 {
					d.Parameters = d.Schema
				}
				q.tools = append(q.tools, d.tool)
			}
		case t.Name != "" || t.Type != "":
			if t.Name == "" {
				t.Name = t.Type // one of the provider's own tools
			}
			q.tools = append(q.tools, t.tool)
		}
	}
	if q.system == "" && len(q.tools) > 0 {
		return q, errors.New("a request with tools has no system prompt that is known here")
	}
	return q, nil
}
