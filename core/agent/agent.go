// Copyright The ctx-lsp authors. MIT licence.

// Package agent knows coding agents: it translates the records of their
// transcripts into events, and has their compaction rules and window tables
// as dated data.
//
// A reader translates and computes nothing. It remembers only what the
// translation needs: which request a line belongs to, which tool a result
// answers, where an item stands. A record of an unknown type or version is
// reported as skipped, and everything else is kept. What a reader remembers
// is bounded, whatever the transcript says.
//
// Adding an agent is one file: its entry, its reader, its rules.
package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// The agents whose transcripts are read, by the ids that appear in readings.
const (
	ClaudeCode   = "claude-code"
	Codex        = "codex"
	OpenCode     = "opencode"
	Kilo         = "kilo"
	GeminiCLI    = "gemini-cli"
	QwenCode     = "qwen-code"
	CopilotCLI   = "copilot-cli"
	MiniSWEAgent = "mini-swe-agent"
)

// Reader translates the records of one transcript, in their order.
type Reader interface {
	// Record gives the events of one record. What the events point to is
	// valid only until emit returns.
	Record(record json.Value, emit func(core.Event))
}

// entry is what the package knows of an agent whose transcripts it reads.
type entry struct {
	id        string
	recognise func(json.Value) bool
	reader    func() Reader
}

// entries are asked in this order: the stricter tests come first.
func entries() []entry {
	return []entry{
		codexEntry(),
		copilotCLIEntry(),
		qwenCodeEntry(),
		claudeCodeEntry(),
		openCodeEntry(),
		miniSWEAgentEntry(),
		rooCodeEntry(),
		kiloCodeEntry(),
		clineEntry(),
		geminiCLIEntry(),
	}
}

// Recognise names the agent that wrote a record, judged by its content
// alone; "" when it could be anybody's.
func Recognise(record json.Value) string {
	if record.Kind() != json.Object {
		return ""
	}
	for _, e := range entries() {
		if e.recognise(record) {
			return e.id
		}
	}
	return ""
}

// New is a reader for an agent's transcripts, nil for an agent that leaves
// none that can be read.
func New(agent string) Reader {
	if agent == Kilo {
		return &openCode{id: Kilo} // a fork that kept the format
	}
	for _, e := range entries() {
		if e.id == agent {
			return e.reader()
		}
	}
	return nil
}

// Readable lists the agents that New has a reader for.
func Readable() []string {
	var ids []string
	for _, e := range entries() {
		ids = append(ids, e.id)
	}
	return append(ids, Kilo)
}
