// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A labRun contains the lab's data about a fixture: the agent, and the true sizes of its requests.
type labRun struct {
	Agent, Version, Model string
	Requests              []int64
}

// labFixtures returns the directories of testdata/agents.
func labFixtures(t *testing.T) map[string]labRun {
	t.Helper()
	notes, err := filepath.Glob("../../testdata/agents/*/*/lab.json")
	if err != nil || len(notes) < 13 {
		t.Fatalf("testdata/agents has %d fixtures: %v", len(notes), err)
	}
	found := map[string]labRun{}
	for _, note := range notes {
		text, err := os.ReadFile(note)
		if err != nil {
			t.Fatal(err)
		}
		var run labRun
		if err := json.Unmarshal(text, &run); err != nil || len(run.Requests) < 3 {
			t.Fatalf("%s: %v", note, err)
		}
		folder, err := filepath.Abs(filepath.Dir(note))
		if err != nil {
			t.Fatal(err)
		}
		found[folder] = run
	}
	return found
}

// TestNewestAgentsAreRead replays the lab's recordings of the newest agents: every record is known, and each request
// has the size that the provider counted.
func TestNewestAgentsAreRead(t *testing.T) {
	for folder, lab := range labFixtures(t) {
		var out, errs bytes.Buffer
		env := testEnvironment(t, &out, &errs)
		sessions, _ := filepath.Glob(filepath.Join(folder, "session.*.zst")) // the pattern is well-formed
		if code := run(t.Context(), env, append([]string{"replay", "--steps"}, sessions...)); code != exitOK {
			t.Errorf("%s: exit code %d: %s", folder, code, errs.String())
			continue
		}
		if strings.Contains(errs.String(), "skipped") || strings.Contains(errs.String(), "does not know") {
			t.Errorf("%s: %s", folder, errs.String())
		}
		var actual []int64
		for lines := bufio.NewScanner(&out); lines.Scan(); {
			var step struct {
				Kind              string
				Predicted, Actual int64
			}
			if json.Unmarshal(lines.Bytes(), &step) == nil && step.Actual > 0 {
				actual = append(actual, step.Actual)
			}
		}
		at := 0
		for i, request := range lab.Requests[1:] { // the first request is not predicted
			next := slices.Index(actual[at:], request)
			if next < 0 {
				t.Errorf("%s %s: request %d had %d tokens; replay has %d", lab.Agent, lab.Version, i+2, request, actual)
				break
			}
			at += next + 1
		}
	}
}

// TestTheDocumentNamesTheVersionsOfTheLab compares the table of docs/agents.md with the fixtures.
func TestTheDocumentNamesTheVersionsOfTheLab(t *testing.T) {
	page, err := os.ReadFile("../../docs/agents.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "<!-- lab -->")
	table, _, _ = strings.Cut(table, "<!-- /lab -->")
	lines := strings.Split(strings.TrimSpace(table), "\n")
	if len(lines) != 3 {
		t.Fatalf("docs/agents.md has no table of the lab: %q", table)
	}
	agents, versions := strings.Split(strings.Trim(lines[0], "|"), "|"), strings.Split(strings.Trim(lines[2], "|"), "|")
	fixtures := labFixtures(t)
	if len(agents) != len(fixtures) || len(versions) != len(agents) {
		t.Fatalf("docs/agents.md names %d agents; testdata/agents has %d; run make lab-record", len(agents), len(fixtures))
	}
	for _, run := range fixtures {
		i := slices.IndexFunc(agents, func(cell string) bool { return cell == run.Agent })
		if i < 0 || versions[i] != run.Version {
			t.Errorf("docs/agents.md does not have %s %s; run make lab-record", run.Agent, run.Version)
		}
	}
}
