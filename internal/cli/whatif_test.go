// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"encoding/json"
	"path/filepath"
	"testing"
)

// TestWhatIfOtherWindow checks that a hypothetical window gets the threshold of the agent's rule, although the session
// sent larger prompts, or compacted smaller ones, in its own window.
func TestWhatIfOtherWindow(t *testing.T) {
	for _, test := range []struct {
		file, window string
		line         int64
	}{
		{"claude-code/turns.jsonl", "60k", 27_000},
		{"claude-code/turns.jsonl", "100k", 67_000},
		{"codex/rollout.jsonl", "100k", 94_736},
	} {
		path, err := filepath.Abs("../../testdata/sessions/" + test.file)
		if err != nil {
			t.Fatal(err)
		}
		code, out, errs := runWith(t, "", "whatif", "--json", "--window="+test.window, path)
		var answer whatIfAnswer
		if err = json.Unmarshal([]byte(out), &answer); code != exitOK || err != nil {
			t.Fatalf("%s: exit code %d, %v: %s", test.file, code, err, errs)
		}
		if answer.Settings.Threshold == nil || *answer.Settings.Threshold != test.line {
			t.Errorf("%s in a window of %s: want a threshold of %d in %s", test.file, test.window, test.line, out[:min(len(out), 300)])
		}
	}
}
