// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// checkSupply checks the files that determine which third-party code runs: workflows, and lock files of npm and PyPI.
func checkSupply(file, text string) []finding {
	switch {
	case strings.HasPrefix(filepath.ToSlash(file), ".github/workflows/"):
		return checkWorkflow(file, text)
	case filepath.Base(file) == "package-lock.json":
		return checkLock(file, text)
	case filepath.Base(file) == "requirements.txt":
		return checkRequirements(file, text)
	}
	return nil
}

var (
	uses     = regexp.MustCompile(`^\s*-?\s*uses:\s*(\S+)`)
	byCommit = regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40}$`)
	job      = regexp.MustCompile(`^  [\w-]+:\s*$`)
)

// checkWorkflow checks that each action is pinned to a commit, because tags can be moved; that the workflow has no
// permissions and each job declares its own; and that no step can find the token used to check out the repository.
func checkWorkflow(file, text string) []finding {
	var findings []finding
	add := func(line int, what string) { findings = append(findings, finding{file, line + 1, what}) }
	lines := strings.Split(text, "\n")
	if !slices.Contains(lines, "permissions: {}") {
		add(0, "the workflow has permissions of its own; write `permissions: {}` and let each job ask for what it needs")
	}
	inJobs := false
	for i, line := range lines {
		inJobs = inJobs && (line == "" || line[0] == ' ' || line[0] == '#') || line == "jobs:"
		if inJobs && job.MatchString(line) && !within(lines[i+1:], "    permissions:") && !within(lines[i+1:], "    permissions: {}") {
			add(i, "the job does not say which permissions it needs")
		}
		action := uses.FindStringSubmatch(line)
		if action == nil {
			continue
		}
		if !byCommit.MatchString(action[1]) {
			add(i, "the action "+action[1]+" is not named by its full commit")
		}
		if strings.HasPrefix(action[1], "actions/checkout@") && !within(lines[i+1:min(i+4, len(lines))], "          persist-credentials: false") {
			add(i, "the checkout leaves its token behind; write `persist-credentials: false`")
		}
	}
	return findings
}

// within reports whether a job contains a line.
func within(lines []string, wanted string) bool {
	for _, line := range lines {
		if job.MatchString(line) {
			return false
		}
		if line == wanted {
			return true
		}
	}
	return false
}

// checkLock checks that every npm package has a checksum, and that none contains the host it came from.
func checkLock(file, text string) []finding {
	var lock struct {
		Packages map[string]struct {
			Resolved, Integrity string
			Link, Optional      bool
			OS                  []string
		}
	}
	if err := json.Unmarshal([]byte(text), &lock); err != nil {
		return []finding{{file, 1, "it is not a lock file: " + err.Error()}}
	}
	var findings []finding
	for name, each := range lock.Packages {
		switch {
		case name == "" || each.Link:
		case each.Resolved != "":
			findings = append(findings, finding{file, 1, name + " names the host it came from; `npm install --package-lock-only --omit-lockfile-registry-resolved` leaves it out"})
		case each.Integrity == "" && each.Optional && len(each.OS) > 0:
			// A program for another system, which no workflow here installs.
		case each.Integrity == "":
			findings = append(findings, finding{file, 1, name + " has no checksum"})
		}
	}
	slices.SortFunc(findings, func(a, b finding) int { return strings.Compare(a.what, b.what) })
	return findings
}

var pinned = regexp.MustCompile(`^[A-Za-z0-9._-]+(\[[\w,-]+\])?==\S+ `)

// checkRequirements checks that every PyPI package has a version and checksums, and that no line contains a host.
func checkRequirements(file, text string) []finding {
	var findings []finding
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		switch {
		case line == "" || line[0] == '#' || strings.HasPrefix(line, "    --hash=sha256:"):
		case !pinned.MatchString(line):
			findings = append(findings, finding{file, i + 1, "the line does not name one version of a package"})
		case !strings.HasSuffix(line, `\`) || !strings.HasPrefix(lines[min(i+1, len(lines)-1)], "    --hash=sha256:"):
			findings = append(findings, finding{file, i + 1, "the package has no checksum"})
		}
	}
	return findings
}
