// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// The platforms' names at npm.
var (
	npmOS  = map[string]string{"linux": "linux", "darwin": "darwin", "windows": "win32"}
	npmCPU = map[string]string{"amd64": "x64", "arm64": "arm64"}
)

// manifest is the package.json of a platform's package. Its fields are in the usual order.
type manifest struct {
	Name            string            `json:"name"`
	Version         string            `json:"version"`
	Description     string            `json:"description"`
	Homepage        string            `json:"homepage"`
	Repository      map[string]string `json:"repository"`
	License         string            `json:"license"`
	PreferUnplugged bool              `json:"preferUnplugged"`
	Engines         map[string]string `json:"engines,omitempty"`
	OS              []string          `json:"os,omitempty"`
	CPU             []string          `json:"cpu,omitempty"`
}

// npmPackages creates @ctx-lsp/cli-OS-CPU for each platform, which contains only the program, and ctx-lsp, which
// installs the right one as an optional dependency. The programs are in FOLDER/OS-ARCH.
func npmPackages(version, folder, notices, out string) error {
	stage, err := os.MkdirTemp("", "ctx-npm-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(stage)
	terms, err := os.ReadFile(notices)
	if err != nil {
		return err
	}
	optional, hashes := map[string]string{}, map[string]string{}
	for _, platform := range platforms {
		goos, goarch, _ := strings.Cut(platform, "/")
		name := "@ctx-lsp/cli-" + npmOS[goos] + "-" + npmCPU[goarch]
		program := "ctx-lsp"
		if goos == "windows" {
			program += ".exe"
		}
		body, err := os.ReadFile(filepath.Join(folder, goos+"-"+goarch, program))
		if err != nil {
			return err
		}
		hashes[name+"/bin/"+program] = fmt.Sprintf("%x", sha256.Sum256(body))
		optional[name] = version
		m := manifest{
			Name: name, Version: version, Description: "The program ctx-lsp for " + platform + "; install the package ctx-lsp",
			Homepage: home + "#readme", Repository: map[string]string{"type": "git", "url": "git+" + home + ".git", "directory": "npm/ctx-lsp"},
			License: "MIT", PreferUnplugged: true, OS: []string{npmOS[goos]}, CPU: []string{npmCPU[goarch]},
		}
		at := filepath.Join(stage, strings.TrimPrefix(name, "@ctx-lsp/"))
		if err := os.MkdirAll(filepath.Join(at, "bin"), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(at, "bin", program), body, 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(at, "THIRD_PARTY_NOTICES.txt"), terms, 0o644); err != nil {
			return err
		}
		readme := "# " + name + "\n\nThe program of [ctx-lsp](https://www.npmjs.com/package/ctx-lsp) for " + platform + ".\n"
		if err := writePackage(at, m, readme, out); err != nil {
			return err
		}
	}
	return chooser(version, optional, hashes, filepath.Join(stage, "ctx-lsp"), out)
}

// chooser creates the package ctx-lsp from the directory npm/ctx-lsp. It contains the hashes of the programs, so that
// no other program can replace them.
func chooser(version string, optional, hashes map[string]string, at, out string) error {
	if err := os.CopyFS(at, os.DirFS("npm/ctx-lsp")); err != nil {
		return err
	}
	if err := os.Chmod(filepath.Join(at, "bin/ctx-lsp"), 0o755); err != nil {
		return err
	}
	file := filepath.Join(at, "package.json")
	body, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var m map[string]any // written with sorted names
	if err := json.Unmarshal(body, &m); err != nil {
		return err
	}
	delete(m, "private")
	m["version"], m["optionalDependencies"], m["programs"] = version, optional, hashes
	return writePackage(at, m, "", out)
}

// writePackage adds the manifest and the license, and lets npm pack the directory into out.
func writePackage(at string, m any, readme, out string) error {
	body, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	files := map[string][]byte{"package.json": append(body, '\n')}
	if readme != "" {
		files["README.md"] = []byte(readme)
	}
	if files["LICENSE"], err = os.ReadFile("LICENSE"); err != nil {
		return err
	}
	for name, body := range files {
		if err := os.WriteFile(filepath.Join(at, name), body, 0o644); err != nil {
			return err
		}
	}
	out, err = filepath.Abs(out)
	if err != nil {
		return err
	}
	pack := exec.Command("npm", "pack", "--ignore-scripts", "--loglevel=error", "--pack-destination", out)
	pack.Dir, pack.Stderr = at, os.Stderr
	if name, err := pack.Output(); err != nil {
		return fmt.Errorf("npm pack: %w: %s", err, name)
	}
	return nil
}
