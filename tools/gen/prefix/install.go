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

// pin is a version of an agent that is measured.
type pin struct {
	Agent   string `json:"agent"`
	Version string `json:"version"`
	Package string `json:"package"` // of npm
	Program string `json:"program"` // in the package
	// Install has npm bring what the package depends on; the others bring it along.
	Install bool `json:"install,omitempty"`
	// Released is the day of the version, for an agent whose transcripts name none.
	Released string `json:"released,omitempty"`
	// ContextRecorded says that the transcript has what the agent puts before the person's word.
	ContextRecorded bool `json:"contextRecorded,omitempty"`
}

func (p *pin) String() string { return p.Agent + "@" + p.Version }

// published is what npm says of a package: the digest that pins its content.
type published struct{ Integrity string }

// install brings the package into the folder and returns where it lies, and its digest. What was brought before is
// taken as it is.
func (p *pin) install(cache string) (folder string, of published, err error) {
	folder = filepath.Join(cache, p.Agent+"-"+p.Version)
	name := p.Package + "@" + p.Version
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
