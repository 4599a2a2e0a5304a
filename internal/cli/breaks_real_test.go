// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/history"
)

// labeled is a response of Claude Code with the reason that the provider gave for a missed cache, "" without one.
type labeled struct{ reason string }

// causesOf are the causes that agree with a recorded reason. A previous prompt that was not found had expired, or went
// another way.
var causesOf = map[string][]string{
	"messages_changed":           {"messages"},
	"system_changed":             {"system"},
	"tools_changed":              {"tools"},
	"model_changed":              {"model"},
	"previous_message_not_found": {"time", "process"},
}

// TestInferredBreaksAreTheRecordedOnes reads the reasons that Claude Code recorded directly from the transcripts, and
// compares them with the breaks that are inferred with these fields hidden. It prints the table of docs/accuracy.md.
func TestInferredBreaksAreTheRecordedOnes(t *testing.T) {
	var folders []string
	for _, name := range []string{"CTX_TRANSCRIPTS", "CTX_SAMPLES", "CTX_FRESH"} {
		if folder := os.Getenv(name); folder != "" {
			folders = append(folders, folder)
		}
	}
	if len(folders) == 0 {
		t.Skip("CTX_TRANSCRIPTS is not set")
	}
	responses := map[string]labeled{}
	for _, folder := range folders {
		filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".jsonl") {
				readReasons(t, path, responses)
			}
			return nil
		})
	}
	recorded, inferred := breaksOf(t, folders, false), breaksOf(t, folders, true)
	unexplained := 0
	for id, r := range responses {
		if _, claimed := inferred[id]; claimed && r.reason == "" {
			unexplained++
			t.Logf("without a recorded reason: %s, %s, %d tokens", id, inferred[id].Cause, inferred[id].Written)
		}
	}
	labels, known, right, near := 0, 0, 0, 0
	for reason, causes := range causesOf {
		found, hits, same, close := 0, 0, 0, 0
		for id, r := range responses {
			if r.reason != reason {
				continue
			}
			truth, broke := recorded[id]
			if !broke || truth.Cause == "compaction" {
				hits++ // the cache was read all the same, or the record names another cause that is certain
				continue
			}
			found++
			guess := inferred[id]
			if slices.Contains(causes, guess.Cause) {
				same++
			}
			if d := guess.Written - truth.Written; d*50 <= truth.Written && -d*50 <= truth.Written {
				close++
			}
		}
		labels, known, right, near = labels+found+hits, known+found, right+same, near+close
		t.Logf("%-28s %4d recorded, %4d broke the cache, cause right %4d, tokens within 2%% %4d", reason, found+hits, found, same, close)
	}
	t.Logf("all: %d recorded, %d broke the cache, cause right %d, tokens within 2%% %d; %d claims in %d responses without a reason",
		labels, known, right, near, unexplained, len(responses)-labels)
	if known == 0 || right*10 < known*9 || near*10 < known*9 {
		t.Errorf("%d of %d causes are inferred as recorded, and %d have the tokens; promised are nine of ten", right, known, near)
	}
}

// readReasons adds the responses of a transcript by their ids.
func readReasons(t *testing.T, path string, into map[string]labeled) {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewReaderSize(f, 1<<20); ; {
		line, err := lines.ReadBytes('\n')
		if bytes.Contains(line, []byte(`"diagnostics"`)) {
			var r struct {
				Message struct {
					ID          string
					Diagnostics *struct {
						Reason *struct{ Type string } `json:"cache_miss_reason"`
					}
				}
			}
			if json.Unmarshal(line, &r) == nil && r.Message.ID != "" {
				l := labeled{}
				if d := r.Message.Diagnostics; d != nil && d.Reason != nil {
					l.reason = d.Reason.Type
				}
				into[r.Message.ID] = l
			}
		}
		if err != nil {
			return
		}
	}
}

// breaksOf returns the breaks of sessions by the ids of their responses.
func breaksOf(t *testing.T, folders []string, inferred bool) map[string]history.Break {
	var out, errs bytes.Buffer
	args := append([]string{"replay", "--breaks", "--json"}, folders...)
	if inferred {
		args = append(args, "--inferred")
	}
	run(context.Background(), testEnvironment(t, &out, &errs), args) // a folder may also contain files without a session
	found := map[string]history.Break{}
	for decoder := json.NewDecoder(&out); decoder.More(); {
		var b history.Break
		if err := decoder.Decode(&b); err != nil {
			t.Fatal(err)
		}
		found[b.Request] = b
	}
	if len(found) == 0 {
		t.Fatalf("no break was found: %s", errs.String())
	}
	return found
}
