// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// subjectWidth is the maximum length of a commit subject, in characters.
const subjectWidth = 72

// subjectForm matches "package: imperative". Several packages are separated by commas.
var subjectForm = regexp.MustCompile(`^[a-z0-9._/-]+(?:, [a-z0-9._/-]+)*: ([\pL\pN_-]+)`)

// fromGit matches subjects that git or GitHub wrote.
var fromGit = regexp.MustCompile(`^(?:Merge |Revert "|Reapply "|fixup! |squash! |amend! )`)

// notVerbs are words that often start a subject that states an observation.
var notVerbs = strings.Fields("a an the this that these those what who whose where when why how which no not nothing nobody of in on at by for from with all each every it they there is are was were")

// inflected matches "added", "adding" and "adds", and imperatives are its exceptions.
var (
	inflected   = regexp.MustCompile(`(?:ed|ing|[^aisu]s)$`)
	imperatives = strings.Fields("bed embed feed need proceed seed speed succeed exceed shed wed bring ping ring sing spring string swing")
)

// checkSubject returns what is wrong with a commit subject; "" if nothing is.
func checkSubject(subject string) string {
	if fromGit.MatchString(subject) {
		return ""
	}
	form := subjectForm.FindStringSubmatch(subject)
	switch {
	case form == nil:
		return `is not "package: imperative", such as "terminal: align the numbers of the legend"`
	case utf8.RuneCountInString(subject) > subjectWidth:
		return fmt.Sprintf("has %d characters; %d are the most", utf8.RuneCountInString(subject), subjectWidth)
	case unicode.IsUpper([]rune(form[1])[0]):
		return "continues with a capital after the colon"
	case strings.HasSuffix(subject, "."):
		return "ends with a full stop"
	case slices.Contains(notVerbs, form[1]), inflected.MatchString(form[1]) && !slices.Contains(imperatives, form[1]):
		return fmt.Sprintf("begins with %q, which is not an imperative: it should complete \"this commit will …\"", form[1])
	}
	return ""
}

// runCommits checks the subjects of a range of commits, or of the message in the file after --message.
func runCommits(args []string) ([]finding, error) {
	switch {
	case len(args) == 2 && args[0] == "--message":
		text, err := os.ReadFile(args[1])
		if err != nil {
			return nil, err
		}
		return checkMessage(string(text)), nil
	case len(args) == 1 && !strings.HasPrefix(args[0], "-"):
		out, err := exec.Command("git", "log", "--format=%h %s", args[0], "--").Output()
		if err != nil {
			return nil, fmt.Errorf("git cannot list the commits of %s: %w", args[0], err)
		}
		return checkLog(out), nil
	}
	return nil, fmt.Errorf("expected a range of commits, such as main..HEAD, or --message FILE")
}

// checkMessage checks the subject of a message that git is about to use. Git ignores empty lines and comments before
// it; an empty message ends the commit without a check.
func checkMessage(text string) []finding {
	for i, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if wrong := checkSubject(line); wrong != "" {
			return []finding{{"commit message", i + 1, "the subject " + wrong}}
		}
		return nil
	}
	return nil
}

// checkLog checks lines of a short hash and a subject.
func checkLog(log []byte) (findings []finding) {
	for _, line := range bytes.Split(bytes.TrimSpace(log), []byte("\n")) {
		hash, subject, _ := strings.Cut(string(line), " ")
		if hash == "" {
			continue
		}
		if wrong := checkSubject(subject); wrong != "" {
			findings = append(findings, finding{"commit " + hash, 1, fmt.Sprintf("%q %s", subject, wrong)})
		}
	}
	return findings
}
