// Copyright The ctx-lsp authors. MIT licence.

//go:build generator

package main

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

type source struct {
	Name    string `json:"name"`
	Label   string `json:"label"` // the name of the source in the table, if not its own
	Package string `json:"package"`
	Version string `json:"version"`
	Date    string `json:"date"` // when this version was published
	Licence string `json:"licence"`
}

func (s source) label() string {
	if s.Label != "" {
		return s.Label
	}
	return s.Name
}

// directory returns the name of the directory in which extract.mjs expects the package.
func (s source) directory() string {
	if s.Name == "cline" {
		return "cline-llms"
	}
	return s.Name
}

func readSources(path string) ([]source, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var file struct{ Sources []source }
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return file.Sources, nil
}

// fetch downloads every package at its pinned version into the directory, unless it is already there. No package is
// installed: only its files are read.
func fetch(sources []source, directory string) error {
	for _, s := range sources {
		home := filepath.Join(directory, s.directory())
		if packageVersion(home) == s.Version {
			continue
		}
		fmt.Fprintf(os.Stderr, "fetching %s %s\n", s.Package, s.Version)
		work, err := os.MkdirTemp(directory, "pack-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(work)
		pack := exec.Command("npm", "pack", "--silent", s.Package+"@"+s.Version)
		pack.Dir = work
		var said bytes.Buffer
		pack.Stderr = &said
		if err := pack.Run(); err != nil {
			return fmt.Errorf("npm pack %s@%s: %w\n%s", s.Package, s.Version, err, said.String())
		}
		tarballs, _ := filepath.Glob(filepath.Join(work, "*.tgz"))
		if len(tarballs) != 1 {
			return fmt.Errorf("npm pack %s@%s left %d files", s.Package, s.Version, len(tarballs))
		}
		if err := os.RemoveAll(home); err != nil {
			return err
		}
		if err := unpack(tarballs[0], home); err != nil {
			return err
		}
	}
	return nil
}

func packageVersion(home string) string {
	text, err := os.ReadFile(filepath.Join(home, "package.json"))
	if err != nil {
		return ""
	}
	var file struct{ Version string }
	_ = json.Unmarshal(text, &file) // a package without a version has the version ""
	return file.Version
}

func unpack(tarball, home string) error {
	file, err := os.Open(tarball)
	if err != nil {
		return err
	}
	defer file.Close()
	plain, err := gzip.NewReader(file)
	if err != nil {
		return err
	}
	for entries := tar.NewReader(plain); ; {
		header, err := entries.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		_, name, ok := strings.Cut(header.Name, "/")
		if !ok || header.Typeflag != tar.TypeReg || !filepath.IsLocal(name) {
			continue
		}
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		out, err := os.Create(path)
		if err != nil {
			return err
		}
		if _, err := io.Copy(out, entries); err != nil {
			out.Close()
			return err
		}
		if err := out.Close(); err != nil {
			return err
		}
	}
}

// A record is one statement of one source about one model at one provider.
type record struct {
	Source     string `json:"source"`
	Provider   string `json:"provider"`
	ID         string `json:"id"`
	Type       string `json:"type"`
	Window     int64  `json:"window"`
	WindowMost int64  `json:"windowMost"`
	Input      int64  `json:"input"`
	Output     int64  `json:"output"`
	Reasoning  bool   `json:"reasoning"`
	Tier       int64  `json:"tier"` // the prompt size at which the price goes up
	Tokenizer  string `json:"tokenizer"`
	Released   string `json:"released"`
}

func extract(script, directory string) ([]record, error) {
	node := exec.Command("node", script, directory)
	var said bytes.Buffer
	node.Stderr = &said
	text, err := node.Output()
	if err != nil {
		return nil, fmt.Errorf("node %s: %w\n%s", script, err, said.String())
	}
	var records []record
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, err
		}
		records = append(records, r)
	}
	return records, lines.Err()
}
