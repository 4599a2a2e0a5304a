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

// labeled is a response of Claude Code with the reason that the provider gave for a missed cache, "" without one, and
// with what its usage and that of the response before it show: the tokens that were in the cache and were not read.
type labeled struct {
	reason string
	lost   int64
}

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
	unexplained, wrong := 0, 0
	for id, r := range responses {
		if guess, claimed := inferred[id]; claimed && r.reason == "" {
			unexplained++
			if guess.Written > r.lost {
				wrong++
			}
			t.Logf("without a recorded reason: %s, %s, %d tokens; by the usage, %d were lost", id, guess.Cause, guess.Written, r.lost)
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
	t.Logf("%-28s %4d recorded, %4d broke the cache, cause right %4d, tokens within 2%% %4d", "all", labels, known, right, near)
	others := len(responses) - labels
	t.Logf("of %d responses without a recorded reason, %d are called a break (%.2f%%): in %d the reads show a loss as large, in %d they do not",
		others, unexplained, 100*float64(unexplained)/float64(max(others, 1)), unexplained-wrong, wrong)
	if wrong*500 > others {
		t.Errorf("%d breaks are claimed in requests without one; promised are 2 in 1,000", wrong)
	}
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
	last, cached := "", int64(0)
	for lines := bufio.NewReaderSize(f, 1<<20); ; {
		line, err := lines.ReadBytes('\n')
		if bytes.Contains(line, []byte(`"cache_read_input_tokens"`)) {
			var r struct {
				Message struct {
					ID    string
					Usage struct {
						Read  int64 `json:"cache_read_input_tokens"`
						Wrote int64 `json:"cache_creation_input_tokens"`
					}
					Diagnostics *struct {
						Reason *struct{ Type string } `json:"cache_miss_reason"`
					}
				}
			}
			m := &r.Message
			if json.Unmarshal(line, &r) == nil && m.ID != "" && m.ID != last {
				if bytes.Contains(line, []byte(`"diagnostics"`)) {
					l := labeled{lost: min(cached-m.Usage.Read, m.Usage.Wrote)}
					if d := m.Diagnostics; d != nil && d.Reason != nil {
						l.reason = d.Reason.Type
					}
					into[m.ID] = l
				}
				last, cached = m.ID, m.Usage.Read+m.Usage.Wrote
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
