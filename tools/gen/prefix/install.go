// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// pin is one version of an agent, which is measured.
type pin struct {
	Agent   string `json:"agent"`
	Version string `json:"version"`
	Package string `json:"package,omitempty"` // its name at npm
	Program string `json:"program,omitempty"` // the path of the program in the package
	// Repository is the one at GitHub whose sources are read, for an agent that is not at npm, and Commit that of the
	// version.
	Repository string `json:"repository,omitempty"`
	Commit     string `json:"commit,omitempty"`
	// Published is the version of the package, where it is not the agent's.
	Published string `json:"published,omitempty"`
	// Node is a package of npm that contains the Node.js to run it with, where that of the machine may be too old.
	Node string `json:"node,omitempty"`
	// Install is true for a package whose dependencies npm has to install. The other packages contain theirs.
	Install bool `json:"install,omitempty"`
	// Released is the day on which the version appeared, for an agent whose transcripts name no version.
	Released string `json:"released,omitempty"`
	// NoTable says why its sizes are not in the table. They are there for comparison.
	NoTable string `json:"noTable,omitempty"`
	// ContextRecorded says that the transcript contains the text that the agent puts before the person's first message.
	ContextRecorded bool `json:"contextRecorded,omitempty"`
}

func (p *pin) String() string { return p.Agent + "@" + p.Version }

// published is the version of the package at npm.
func (p *pin) published() string {
	if p.Published != "" {
		return p.Published
	}
	return p.Version
}

// node installs the Node.js that runs it, unless it is there already, and returns its path.
func (p *pin) node(cache string) (program string, err error) {
	if p.Node == "" {
		return "node", nil
	}
	folder := filepath.Join(cache, filepath.Base(p.Node))
	name, _, _ := strings.Cut(p.Node, "@")
	program = filepath.Join(folder, "node_modules", name, "bin", "node")
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	_, err = npm(folder, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--prefix", ".", p.Node)
	return program, err
}

// source names where the sizes come from.
func (p *pin) source() string {
	if p.Repository != "" {
		return "github " + p.Repository + "@" + p.Commit
	}
	return "npm " + p.Package + "@" + p.published()
}

// digest is what npm says about a package: the digest of its content.
type digest struct{ Integrity string }

// install installs the package below the cache, unless it is there already. It returns the folder of the package and
// its digest.
func (p *pin) install(cache string) (folder string, of digest, err error) {
	folder = filepath.Join(cache, p.Agent+"-"+p.Version)
	name := p.Package + "@" + p.published()
	out, err := npm(cache, "view", name, "dist.integrity", "--json")
	if err != nil {
		return "", of, err
	}
	if err := json.Unmarshal(out, &of.Integrity); err != nil {
		return "", of, fmt.Errorf("npm says no digest of %s: %w", name, err)
	}
	inside := filepath.Join(folder, "node_modules", filepath.FromSlash(p.Package))
	if !p.Install {
		inside = filepath.Join(folder, "package")
	}
	if _, err := os.Stat(filepath.Join(inside, p.Program)); err == nil {
		return inside, of, nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", of, err
	}
	if p.Install {
		_, err = npm(folder, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--prefix", ".", name)
		return inside, of, err
	}
	if out, err = npm(folder, "pack", name, "--json"); err != nil {
		return "", of, err
	}
	archives, err := filepath.Glob(filepath.Join(folder, "*.tgz"))
	if err != nil || len(archives) != 1 {
		return "", of, fmt.Errorf("npm packed %d archives of %s: %s", len(archives), name, out)
	}
	if out, err := exec.Command("tar", "xzf", archives[0], "-C", folder).CombinedOutput(); err != nil {
		return "", of, fmt.Errorf("%s could not be unpacked: %w: %s", archives[0], err, out)
	}
	return inside, of, os.Remove(archives[0])
}

// npm runs npm in a folder and returns what it prints.
func npm(folder string, args ...string) ([]byte, error) {
	c := exec.Command("npm", args...)
	c.Dir = folder
	var errs strings.Builder
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("npm %s: %w: %s", strings.Join(args, " "), err, errs.String())
	}
	return out, nil
}
