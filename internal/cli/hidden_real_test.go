// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// folders matches a path with directories in a name.
var folders = regexp.MustCompile(`(^|[\s"'=(])(/|~/|\.{1,2}/|[A-Za-z]:\\)?[\w.-]+[/\\][\w.-]+`)

// TestHiddenFoldersAreInNoName reads the sessions under CTX_TRANSCRIPTS with paths hidden, and checks that no name
// contains a directory.
func TestHiddenFoldersAreInNoName(t *testing.T) {
	root := os.Getenv("CTX_TRANSCRIPTS")
	if root == "" {
		t.Skip("CTX_TRANSCRIPTS is not set")
	}
	names, sessions := 0, 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Name() == "MANIFEST.json" || !strings.HasPrefix(filepath.Ext(path), ".json") {
			return err
		}
		var out, errs bytes.Buffer
		env := testEnvironment(t, &out, &errs)
		if code := run(context.Background(), env, []string{"status", "--picture", "--json", "--top=200", "--hide-paths", path}); code != exitOK {
			t.Errorf("%s: exit code %d: %s", path, code, errs.String())
			return nil
		}
		var picture any
		if err := json.Unmarshal(out.Bytes(), &picture); err != nil {
			return err
		}
		sessions++
		eachName(picture, "", func(name string) {
			if names++; folders.MatchString(name) {
				t.Errorf("%s: %q", filepath.Base(path), name)
			}
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d names in %d sessions", names, sessions)
	if names < 10*sessions {
		t.Errorf("only %d names in %d sessions", names, sessions)
	}
}

// eachName visits the values of the JSON keys that contain names.
func eachName(v any, key string, visit func(string)) {
	switch v := v.(type) {
	case map[string]any:
		for k, inner := range v {
			eachName(inner, k, visit)
		}
	case []any:
		for _, inner := range v {
			eachName(inner, key, visit)
		}
	case string:
		if key == "label" || key == "name" || key == "text" {
			visit(v)
		}
	}
}
