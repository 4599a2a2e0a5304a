// Copyright The ctx-lsp authors. MIT licence.

package table

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
)

// write runs the sink on lines, and returns its output.
func write(t *testing.T, lines ...string) string {
	t.Helper()
	var out strings.Builder
	if err := Run(strings.NewReader(strings.Join(lines, "\n")+"\n"), &out, Schema); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func lineOf(t *testing.T, l line) string {
	t.Helper()
	text, err := json.Marshal(l)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestRowsComeBackFromTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows.parquet")
	at, predicted := time.Date(2026, 11, 21, 10, 2, 0, 0, time.UTC), int64(15_200)
	lines := []string{lineOf(t, line{File: 1, Open: path})}
	const rows = 300 // more than are split into columns at once
	for n := range int64(rows) {
		text, err := json.Marshal(Row{Time: &at, Agent: "claude-code", Call: n, In: 15_010 + n, Predicted: &predicted, Servers: []Server{{"github", 24, &predicted}}})
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, lineOf(t, line{File: 1, Row: text}))
	}
	if got := write(t, append(lines, lineOf(t, line{File: 1, End: true}))...); got != `{"file":1}`+"\n" {
		t.Fatalf("it answers %s", got)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	back, err := parquet.Read[Row](bytes.NewReader(text), int64(len(text)))
	if err != nil || len(back) != rows || back[299].In != 15_309 || *back[1].Predicted != predicted || !back[1].Time.Equal(at) || back[1].Servers[0].Name != "github" {
		t.Errorf("%d rows come back, %v: %+v", len(back), err, back[max(0, len(back)-1):])
	}
	file, err := parquet.OpenFile(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	if schema, _ := file.Lookup("schema"); schema != Schema {
		t.Errorf("the file's schema is %q", schema)
	}
}

// TestAnErrorBelongsToItsFile checks that several files can be written at the same time, and that an error of one does
// not affect the others.
func TestAnErrorBelongsToItsFile(t *testing.T) {
	folder := t.TempDir()
	good, dropped := filepath.Join(folder, "good"), filepath.Join(folder, "dropped")
	got := write(t,
		lineOf(t, line{File: 1, Open: good}), lineOf(t, line{File: 2, Open: filepath.Join(folder, "none", "x")}), lineOf(t, line{File: 3, Open: dropped}),
		`{"file":1,"row":{"agent":"a"}}`, `{"file":2,"row":{"agent":"a"}}`, `{"file":3,"row":{"agent":"a"}}`,
		`{"file":2,"end":true}`, `{"file":3,"drop":true}`, `{"file":1,"end":true}`,
		lineOf(t, line{File: 4, Open: filepath.Join(folder, "new")}), `{"file":4,"row":{"agent":"a","from_a_later_version":1}}`, `{"file":4,"end":true}`,
	)
	answers := strings.Split(strings.TrimSpace(got), "\n")
	if len(answers) != 4 || !strings.Contains(answers[0], `"file":2,"error"`) || answers[1] != `{"file":3}` || answers[2] != `{"file":1}` ||
		!strings.Contains(answers[3], "from_a_later_version") {
		t.Errorf("it answers\n%s", got)
	}
	if text, err := os.ReadFile(good); err != nil || len(text) == 0 {
		t.Errorf("the good file has %d bytes, %v", len(text), err)
	}
}

func TestAnotherSchemaIsRefused(t *testing.T) {
	err := Run(strings.NewReader(""), &strings.Builder{}, "ctx.request/2")
	if err == nil || !strings.Contains(err.Error(), "ctx.request/2") {
		t.Errorf("the error is %v", err)
	}
	if err := Run(strings.NewReader(fmt.Sprintln(`{"file":1,"end":true}`)), &strings.Builder{}, Schema); err == nil {
		t.Error("a file that was not opened is ended")
	}
}
