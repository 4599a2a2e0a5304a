// Copyright The ctx-lsp authors. MIT licence.

//go:build generator

// Command models generates core/model/table_data.go and conflicts.md from public model registries, which it fetches as
// npm packages of pinned versions.
//
//	GOFLAGS=-tags=generator mk/tool.sh gen/models            fetch, merge, write
//	GOFLAGS=-tags=generator mk/tool.sh gen/models -check     the same, but only compare with what is committed
//	… -sources DIR                                   keep the packages there, and use them when they are
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	directory := flag.String("sources", "", "directory for the packages (default: a temporary one)")
	check := flag.Bool("check", false, "write nothing; fail when the committed table differs from its sources")
	root := flag.String("root", ".", "directory of the repository")
	flag.Parse()
	if err := generate(*root, *directory, *check); err != nil {
		fmt.Fprintln(os.Stderr, "models:", err)
		os.Exit(1)
	}
}

func generate(root, directory string, check bool) error {
	home, tool := filepath.Join(root, "core", "model"), filepath.Join(root, "tools", "gen", "models")
	if directory == "" {
		made, err := os.MkdirTemp("", "ctx-models-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(made)
		directory = made
	}
	sources, err := readSources(filepath.Join(tool, "sources.json"))
	if err != nil {
		return err
	}
	if err := fetch(sources, directory); err != nil {
		return err
	}
	records, err := extract(filepath.Join(tool, "extract.mjs"), directory)
	if err != nil {
		return err
	}
	overrides, err := readOverrides(filepath.Join(home, "overrides.json"))
	if err != nil {
		return err
	}
	merged := merge(records, sources, overrides)
	blob, err := encode(merged.models)
	if err != nil {
		return err
	}
	report := merged.report(sources)
	fmt.Printf("%d records of %d sources: %d models, %d limits of single providers, %d conflicts, %d bytes (%d compressed)\n",
		len(records), len(sources), len(merged.models), merged.variants(), len(merged.conflicts), len(blob), deflated(blob))
	for _, unused := range overrides.unused() {
		return fmt.Errorf("override %q matches no model: remove it from overrides.json", unused)
	}
	table, conflicts := filepath.Join(home, "table_data.go"), filepath.Join(home, "conflicts.md")
	if check {
		if err := same(table, constant(blob)); err != nil {
			return err
		}
		return same(conflicts, report)
	}
	if err := os.WriteFile(table, constant(blob), 0o644); err != nil {
		return err
	}
	return os.WriteFile(conflicts, report, 0o644)
}

func same(path string, want []byte) error {
	have, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if !bytes.Equal(have, want) {
		return fmt.Errorf("%s differs from what its sources give: run `make models` and review the change", path)
	}
	return nil
}
