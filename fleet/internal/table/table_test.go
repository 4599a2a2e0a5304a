// Copyright The ctx-lsp authors. MIT licence.

package table

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
)

func TestRowsComeBackFromTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows.parquet")
	at, predicted := time.Date(2026, 11, 21, 10, 2, 0, 0, time.UTC), int64(15_200)
	var lines strings.Builder
	const rows = 300 // more than are split into columns at once
	for n := range int64(rows) {
		text, err := json.Marshal(Row{Time: &at, Agent: "claude-code", Call: n, In: 15_010 + n, Predicted: &predicted, Servers: []Server{{"github", 24, &predicted}}})
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(text, '\n'))
	}
	if err := Run(strings.NewReader(lines.String()+end+"\n"), path, Schema); err != nil {
		t.Fatal(err)
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

// TestRowsAreInGroups checks that a large file does not have to be in memory as a whole.
func TestRowsAreInGroups(t *testing.T) {
	var out bytes.Buffer
	lines := strings.Repeat(`{"agent":"a"}`+"\n", rowsInGroup+1)
	if err := write(strings.NewReader(lines+end+"\n"), &out); err != nil {
		t.Fatal(err)
	}
	file, err := parquet.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil || file.NumRows() != rowsInGroup+1 || len(file.RowGroups()) != 2 {
		t.Errorf("%d rows in %d groups, %v", file.NumRows(), len(file.RowGroups()), err)
	}
}

func TestAnInputWithoutItsLastLineIsNotCompleted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows.parquet")
	if err := Run(strings.NewReader(`{"agent":"a"}`+"\n"), path, Schema); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parquet.OpenFile(bytes.NewReader(text), int64(len(text))); err == nil {
		t.Error("the file is complete")
	}
}

func TestErrorsOfTheInputAndTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows.parquet")
	for name, run := range map[string]func() error{
		"ctx.request/3":        func() error { return Run(strings.NewReader(""), path, "ctx.request/3") },
		"from_a_later_version": func() error { return Run(strings.NewReader(`{"from_a_later_version":1}`+"\n"), path, Schema) },
		"none": func() error {
			return Run(strings.NewReader(""), filepath.Join(filepath.Dir(path), "none", "x"), Schema)
		},
	} {
		if err := run(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}
