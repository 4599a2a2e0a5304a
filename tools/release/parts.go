// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A part is a third-party component of what we publish: a Go module, an npm package, or data.
type part struct {
	kind     string // "golang" or "npm", as in package URLs, or "data"
	name     string
	version  string
	in       string // what contains it: "ctx-lsp", "ctx-lsp and ctx-lsp-fleet" or "the extension of VS Code"
	licence  string // an SPDX identifier
	texts    []text
	download string
}

// A text is a file with a license or notices.
type text struct{ name, body string }

// platforms are the platforms of a release's programs. A module may be part of only some of them.
var platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

// parts returns all parts in a fixed order.
func parts() ([]part, error) {
	all, goVersion, err := modules()
	if err != nil {
		return nil, err
	}
	module, err := linked(goVersion)
	if err != nil {
		return nil, err
	}
	all = append(all, module...)
	packages, err := bundled("extensions/vscode")
	if err != nil {
		return nil, err
	}
	all = append(all, packages...)
	notice, err := os.ReadFile("wasm/js/NOTICE")
	if err != nil {
		return nil, err
	}
	all = append(all, part{
		kind: "data", name: "tiktoken vocabularies", in: "everything", licence: "MIT",
		texts: []text{{"NOTICE", string(notice)}}, download: "https://github.com/openai/tiktoken",
	})
	for _, p := range all {
		if p.licence == "" {
			return nil, fmt.Errorf("the licence of %s %s is none that this program knows; read it, and add its words to licences.go", p.name, p.version)
		}
	}
	return all, nil
}

// programs are the programs of a release, each with the directory of its Go module.
var programs = []struct{ name, module, main string }{
	{"ctx-lsp", ".", "./cmd/ctx-lsp"},
	{"ctx-lsp-fleet", "fleet", "./ctx-lsp-fleet"},
}

// modules returns the Go modules of the programs on every platform, and Go's standard library with its version.
func modules() (all []part, goVersion string, err error) {
	type module struct {
		Path, Version, Dir string
		Main               bool
		Replace            *module
	}
	found := map[string]module{}
	holders := map[string][]string{} // the programs that contain a module, by its path and version
	for _, program := range programs {
		for _, platform := range platforms {
			goos, goarch, _ := strings.Cut(platform, "/")
			list := exec.Command("go", "list", "-C", program.module, "-deps", "-json=Module", program.main) //nolint:gosec // a fixed list
			list.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
			list.Stderr = os.Stderr
			out, err := list.Output()
			if err != nil {
				return nil, "", fmt.Errorf("go list for %s: %w", platform, err)
			}
			for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
				var entry struct{ Module *module }
				if err := decoder.Decode(&entry); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					return nil, "", err
				}
				if m := entry.Module; m != nil && !m.Main {
					key := m.Path + "@" + m.Version
					found[key] = *m
					if !slices.Contains(holders[key], program.name) {
						holders[key] = append(holders[key], program.name)
					}
				}
			}
		}
	}
	root, err := exec.Command("go", "env", "GOROOT", "GOVERSION").Output()
	if err != nil {
		return nil, "", err
	}
	goroot, goVersion, _ := strings.Cut(strings.TrimSpace(string(root)), "\n")
	goVersion = strings.TrimPrefix(goVersion, "go")
	found["std"] = module{Path: "std", Version: goVersion, Dir: goroot}

	for key, m := range found {
		texts, err := terms(m.Dir)
		if err != nil {
			return nil, "", err
		}
		p := part{
			kind: "golang", name: m.Path, version: m.Version, in: strings.Join(holders[key], " and "), texts: texts, licence: licence(texts),
			download: "https://pkg.go.dev/" + m.Path + "@" + m.Version,
		}
		if m.Path == "std" {
			p.in, p.download = "the programs and the module", "https://go.dev/dl/go"+p.version+".src.tar.gz"
		}
		all = append(all, p)
	}
	slices.SortFunc(all, byName)
	return all, goVersion, nil
}

// bundled returns the npm packages included in a directory's package: those that are not only for development.
func bundled(folder string) ([]part, error) {
	file, err := os.ReadFile(filepath.Join(folder, "package-lock.json"))
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct {
			Version, License string
			Dev              bool
		}
	}
	if err := json.Unmarshal(file, &lock); err != nil {
		return nil, err
	}
	var all []part
	for place, p := range lock.Packages {
		_, name, isPackage := strings.Cut(place, "node_modules/")
		if !isPackage || p.Dev {
			continue
		}
		if i := strings.LastIndex(name, "node_modules/"); i >= 0 {
			name = name[i+len("node_modules/"):]
		}
		texts, err := terms(filepath.Join(folder, place))
		if err != nil {
			return nil, fmt.Errorf("%w (`npm ci` in %s brings it)", err, folder)
		}
		all = append(all, part{
			kind: "npm", name: name, version: p.Version, licence: p.License, in: "the extension of VS Code", texts: texts,
			download: "https://www.npmjs.com/package/" + name + "/v/" + p.Version,
		})
	}
	slices.SortFunc(all, byName)
	return all, nil
}

func byName(a, b part) int { return strings.Compare(a.name+"@"+a.version, b.name+"@"+b.version) }

var ofTerms = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents|copyright|third[-_]?party)`)

// terms returns the license files at the root of a module or package.
func terms(folder string) ([]text, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var texts []text
	for _, e := range entries {
		if !e.Type().IsRegular() || !ofTerms.MatchString(e.Name()) || strings.HasSuffix(e.Name(), ".go") {
			continue
		}
		body, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			return nil, err
		}
		texts = append(texts, text{e.Name(), strings.ReplaceAll(string(body), "\r\n", "\n")})
	}
	return texts, nil
}
