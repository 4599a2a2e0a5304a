// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// frozen contains the sizes of an agent that this program does not run.
type frozen struct {
	Agent, Source, Counted, Note string
	Rows                         []struct {
		Version, Model                         string
		Fixed, System, Tools, Loaded, Optional int64
	}
}

// declared is the size of tools as Google counts them, in thousandths of their size as JSON in o200k, and declaredOwn
// in thousandths of that size in the vocabulary of Google's models. Both reproduce the first prompts of Gemini CLI in
// March 2026, which were measured at 6,272 to 6,343 tokens. Those of OpenCode agree: in one workspace they have 32,500
// tokens with an OpenAI model and 35,200 with a Google model. The same text results in both, if Google counts the
// tools, in addition to the text, at half of their JSON.
const declared, declaredOwn = 380, 470

const tableHead = `// Copyright The ctx-lsp authors. MIT licence.

// Code generated from tools/gen/prefix/*.json by ` + "`make generated`" + `. DO NOT EDIT.

package agent

// builtInTable holds the sizes of system prompts and built-in tools, in tokens.
// The columns are: the agent, its version, the model, the vocabulary of the
// tokens, the fixed part of the system prompt, the rest of it, all tools, the
// tools that are loaded where others are deferred, a tool that only some
// sessions have, what repositories add to the system prompt, a reminder before
// the first message with a list of skills, and the day of the version if
// transcripts name no version.
//
// claude-code: %s.
%s//
// ` + "`mk/tool.sh gen/prefix -measure`" + ` has measured all sizes but the first agent's.
const builtInTable = ` + "`\n"

// table returns the Go file with all sizes.
func table(root string) ([]byte, error) {
	var claude frozen
	if err := read(root, "claude-code.json", &claude); err != nil {
		return nil, err
	}
	var pins []pin
	if err := read(root, "pins.json", &pins); err != nil {
		return nil, err
	}
	sizes, err := readSizes(root)
	if err != nil {
		return nil, err
	}
	var lines, sources strings.Builder
	optional := func(n int64) string {
		if n == 0 {
			return "-"
		}
		return fmt.Sprint(n)
	}
	for _, r := range claude.Rows {
		fmt.Fprintf(&lines, "%s %s %s own %d %d %d %s %s - - -\n", claude.Agent, r.Version, r.Model, r.Fixed, r.System, r.Tools, optional(r.Loaded), optional(r.Optional))
	}
	distinguished := map[string]bool{}
	for _, m := range sizes {
		p := pinOf(pins, m)
		if p == nil {
			return nil, fmt.Errorf("sizes.json has %s %s, which pins.json does not name", m.Agent, m.Version)
		}
		if p.NoTable != "" {
			continue
		}
		if !distinguished[p.String()] {
			fmt.Fprintf(&sources, "// %s: %s.\n", p, m.Source)
			distinguished[p.String()] = true
		}
		since := p.Released
		if since == "" {
			since = "-"
		}
		unit, system := "o200k", m.System
		if m.Tokens != "" {
			unit = "own"
		}
		if p.SystemRecorded {
			system = 0
		}
		fmt.Fprintf(&lines, "%s %s %s %s %d %s %d - - %s %s %s\n", m.Agent, m.Version, m.Model, unit, system, optional(m.context(p)), m.tools(), optional(m.Git), optional(m.reminder()), since)
	}
	head := fmt.Sprintf(tableHead, wrapped(claude.Source), sources.String())
	return []byte(head + lines.String() + "`\n"), nil
}

// wrapped breaks a text into comment lines.
func wrapped(text string) string {
	line, out := len("// claude-code: "), ""
	for _, w := range strings.Fields(text) {
		if line += len(w) + 1; line > 80 {
			out, line = out+"\n// "+w, len(w)+3
			continue
		}
		if out != "" {
			out += " "
		}
		out += w
	}
	return out
}

func pinOf(pins []pin, m measured) *pin {
	for i := range pins {
		if pins[i].Agent == m.Agent && pins[i].Version == m.Version {
			return &pins[i]
		}
	}
	return nil
}

// context returns the size of the text before the user's first message, 0 if transcripts contain that text or it is
// part of the reminder.
func (m *measured) context(p *pin) int64 {
	if p.ContextRecorded || m.Skills > 0 {
		return 0
	}
	return m.Context
}

// reminder returns the size of the reminder before the user's first message, if it lists skills.
func (m *measured) reminder() int64 {
	if m.Skills == 0 {
		return 0
	}
	return m.Skills + m.Listed + m.Context
}

// tools returns the size of all tools, in the form in which the provider presents them to these models.
func (m *measured) tools() int64 {
	switch {
	case m.Tokens == "gemma3":
		return m.JSON * declaredOwn / 1000
	case m.Model == "*gemini":
		return m.JSON * declared / 1000
	case (family{m.Model, m.Asked}).asTypes():
		return m.Types
	}
	return m.JSON
}

func read(root, name string, into any) error {
	text, err := os.ReadFile(filepath.Join(root, folder, name))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func writeTable(root string, check bool) error {
	text, err := table(root)
	if err != nil {
		return err
	}
	path := filepath.Join(root, "core", "agent", "prefix_table.go")
	before, err := os.ReadFile(path)
	switch {
	case err == nil && bytes.Equal(bytes.ReplaceAll(before, []byte("\r\n"), []byte("\n")), text):
		return nil
	case check:
		return errors.New("core/agent/prefix_table.go is not what tools/gen/prefix/*.json say: run make generated")
	}
	return os.WriteFile(path, text, 0o644)
}
