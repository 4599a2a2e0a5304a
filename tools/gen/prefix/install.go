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

// pin is one version of an agent to be measured.
type pin struct {
	Agent   string `json:"agent"`
	Version string `json:"version"`
	Package string `json:"package,omitempty"` // the package's name at npm
	Program string `json:"program,omitempty"` // the program's path in the package
	// Repository is the GitHub repository with the sources to read, for an agent that is not at npm; Commit is the
	// version's commit.
	Repository string `json:"repository,omitempty"`
	Commit     string `json:"commit,omitempty"`
	// Published is the version of the package, if it differs from the agent's.
	Published string `json:"published,omitempty"`
	// Node is an npm package that contains Node.js for the agent, if the machine's own may be too old.
	Node string `json:"node,omitempty"`
	// Install means that npm must install the package's dependencies. The other packages contain theirs.
	Install bool `json:"install,omitempty"`
	// Released is the day on which the version appeared, for an agent without a version in its transcripts.
	Released string `json:"released,omitempty"`
	// NoTable is the reason why its sizes are not in the table, but only in sizes.json for comparison.
	NoTable string `json:"noTable,omitempty"`
	// ContextRecorded means that the transcript contains the text that the agent puts before the user's first message.
	ContextRecorded bool `json:"contextRecorded,omitempty"`
	// SystemRecorded means that the transcript contains the system prompt.
	SystemRecorded bool `json:"systemRecorded,omitempty"`
}

func (p *pin) String() string { return p.Agent + "@" + p.Version }

// published returns the version of the package at npm.
func (p *pin) published() string {
	if p.Published != "" {
		return p.Published
	}
	return p.Version
}

// node returns the path of the Node.js for the agent, and installs it if necessary.
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

// source returns the origin of the sizes.
func (p *pin) source() string {
	if p.Repository != "" {
		return "github " + p.Repository + "@" + p.Commit
	}
	return "npm " + p.Package + "@" + p.published()
}

// digest is the digest of a package's content, from npm.
type digest struct{ Integrity string }

// install installs the package below the cache, unless it is already there. It returns the directory of the package and
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

// npm runs npm in a directory and returns its output.
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
