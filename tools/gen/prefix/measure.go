// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/token"
	"github.com/ctx-lsp/ctx-lsp/internal/assets"
)

// measured is the size of what one version of an agent sends to one family of models, in o200k tokens.
type measured struct {
	Agent     string `json:"agent"`
	Version   string `json:"version"`
	Source    string `json:"source"`              // the package and its version, or the repository and its commit
	Integrity string `json:"integrity,omitempty"` // the digest that npm reports
	Model     string `json:"model"`               // the pattern of the family
	Asked     string `json:"asked"`               // the model that represents the family
	System    int64  `json:"system"`
	// Context is the text that the agent puts before the user's first message.
	Context int64 `json:"context,omitempty"`
	// Types and JSON are the total sizes of all tools, in the two forms in which providers present them to a model.
	Types int64            `json:"types"`
	JSON  int64            `json:"json"`
	Tools map[string]int64 `json:"tools"` // the size of each tool as JSON, by name
}

// counter returns a function that counts o200k tokens.
func counter() (func([]byte) int64, error) {
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

// measure counts the parts of a request.
func measure(p pin, of digest, f family, q request, count func([]byte) int64) (measured, error) {
	m := measured{
		Agent: p.Agent, Version: p.Version, Source: p.source(), Integrity: of.Integrity,
		Model: f.pattern, Asked: f.asked, System: count([]byte(q.system)), Context: count([]byte(q.context)), Tools: map[string]int64{},
	}
	for _, t := range q.tools {
		text, err := json.Marshal(t)
		if err != nil {
			return m, err
		}
		m.Tools[t.Name] = count(text)
		m.JSON += count(append(text, '\n'))
	}
	all, err := json.Marshal(q.tools)
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
	count, err := counter()
	if err != nil {
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
		request, of, err := requestsOf(&p, cache, clone)
		if err != nil {
			return err
		}
		var rows []measured
		for _, f := range families(p.Agent) {
			q, err := request(f)
			if err != nil {
				return fmt.Errorf("%v: %w", &p, err)
			}
			row, err := measure(p, of, f, q, count)
			if err != nil {
				return fmt.Errorf("%v: %w", &p, err)
			}
			fmt.Printf("%v %s: system %d, context %d, %d tools %d (as JSON %d)\n", &p, f.pattern, row.System, row.Context, len(row.Tools), row.Types, row.JSON)
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

// requestsOf returns a function that returns the request of a version to a family of models, by running the agent or by
// reading its sources.
func requestsOf(p *pin, cache, clone string) (func(family) (request, error), digest, error) {
	if p.Repository != "" {
		s := &sources{clone, p.Commit}
		return func(f family) (request, error) { return readRooCode(s, f) }, digest{}, nil
	}
	folder, of, err := p.install(cache)
	if err != nil {
		return nil, of, err
	}
	node, err := p.node(cache)
	return func(f family) (request, error) {
		return run(start{p.Agent, node, filepath.Join(folder, p.Program), f.asked})
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
