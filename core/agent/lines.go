// Copyright The ctx-lsp authors. MIT licence.

//go:build !wasm

package agent

import "github.com/ctx-lsp/ctx-lsp/internal/json"

// Lines is how a transcript of an agent is read whose records are told anew, in neutral ones, before an engine sees
// them. The readers of lines are no part of the module: seventeen of them would not fit into it. They stand in the
// files whose names end in _lines.
type Lines struct {
	Agent     string
	Recognise func(json.Value) bool // nil where only the place tells
	Read      func() Reader
}

var lined = [...]Lines{
	{Pi, isPi, func() Reader { return newPi(Pi) }},
	{OMP, nil, func() Reader { return newPi(OMP) }},
	{Prime, nil, func() Reader { return newPi(Prime) }},
	{OpenClaw, nil, func() Reader { return newPi(OpenClaw) }},
	{DSH, isDSH, func() Reader { return &dsh{} }},
	{KimiCode, isKimiCode, func() Reader { return &kimi{id: KimiCode} }},
	{KimiCLI, isKimiCLI, func() Reader { return &kimi{id: KimiCLI} }},
	{Droid, isDroid, func() Reader { return &droid{} }},
	{Grok, isGrok, func() Reader { return &grok{} }},
	{Vibe, isVibe, func() Reader { return &vibe{} }},
	{Kiro, isKiro, func() Reader { return &kiroCLI{} }},
	{Cursor, isCursor, func() Reader { return &cursorTexts{} }},
	{Continue, isContinue, func() Reader { return &continued{} }},
}

// ReadLines makes a reader of an agent's lines; nil for an agent whose records an engine reads as they are.
func ReadLines(agent string) Reader {
	for _, l := range lined {
		if l.Agent == agent {
			return l.Read()
		}
	}
	return nil
}

// RecogniseLines names the agent that wrote a record, whether an engine reads it as it is or not; "" when it could be
// anybody's.
func RecogniseLines(record json.Value) string {
	if found := Recognise(record); found != "" || record.Kind() != json.Object {
		return found
	}
	for _, l := range lined {
		if l.Recognise != nil && l.Recognise(record) {
			return l.Agent
		}
	}
	return ""
}
