// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
)

var update = flag.Bool("update", false, "write the records of the lab's stores")

// TestStoresOfTheLabAreTheirRecords makes the stores of testdata/agents from their rows, and compares their records
// with session.jsonl.zst, which the tests of core read.
func TestStoresOfTheLabAreTheirRecords(t *testing.T) {
	kept, err := filepath.Glob("../../testdata/agents/*/*/store.jsonl.zst")
	if err != nil || len(kept) < 2 && !*update {
		t.Fatalf("there are only %d stores: %v", len(kept), err)
	}
	for _, file := range kept {
		of := filepath.Base(filepath.Dir(filepath.Dir(file)))
		t.Run(of, func(t *testing.T) {
			path := storeFromRows(t, of, rowsOf(t, file))
			found := list(t, of, path)
			if len(found) != 1 {
				t.Fatalf("there are %d sessions: %+v", len(found), found)
			}
			records, err := storeRecords(context.Background(), of, path, found[0].ID)
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			for _, r := range records {
				got.Write(r.JSON)
				got.WriteByte('\n')
			}
			session := filepath.Join(filepath.Dir(file), "session.jsonl.zst")
			if *update {
				encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(session, encoder.EncodeAll(got.Bytes(), nil), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			expect(t, strings.Split(got.String(), "\n"), strings.Split(string(unpackedFile(t, session)), "\n")...)
		})
	}
}

func unpackedFile(t *testing.T, file string) []byte {
	t.Helper()
	packed, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	decoder, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer decoder.Close()
	text, err := decoder.DecodeAll(packed, nil)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A storeRow is a row of a store that the lab has kept: a file, a row of a table, or a request in a log.
type storeRow struct {
	File    string
	Content json.RawMessage
	Table   string `json:"kind"`
	Row     map[string]any
	Request map[string]any
}

func rowsOf(t *testing.T, file string) (rows []storeRow) {
	t.Helper()
	for line := range bytes.Lines(unpackedFile(t, file)) {
		var row storeRow
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		if err := d.Decode(&row); err != nil {
			t.Fatalf("%s: %v in %.200s", file, err, line)
		}
		rows = append(rows, row)
	}
	return rows
}

// storeFromRows writes the store of an agent from its rows, and returns the path of its database or main file.
func storeFromRows(t *testing.T, of string, rows []storeRow) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "conversation")
	var statements [][]any
	tables := map[string]bool{}
	log := ""
	for _, row := range rows {
		switch {
		case row.File != "":
			file := filepath.Join(folder, filepath.FromSlash(row.File))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, row.Content, 0o600); err != nil {
				t.Fatal(err)
			}
		case row.Table != "":
			columns := slices.Sorted(maps.Keys(row.Row))
			if !tables[row.Table] {
				tables[row.Table] = true
				statements = append(statements, do(`CREATE TABLE "`+row.Table+`" ("`+strings.Join(columns, `", "`)+`")`))
			}
			values := make([]any, len(columns))
			for i, column := range columns {
				values[i] = valueOf(t, row.Row[column])
			}
			marks := strings.TrimSuffix(strings.Repeat("?,", len(columns)), ",")
			statements = append(statements, do(`INSERT INTO "`+row.Table+`" ("`+strings.Join(columns, `", "`)+`") VALUES (`+marks+`)`, values...))
		default:
			log += logLine(t, row.Request)
		}
	}
	if log != "" {
		file := filepath.Join(folder, "logs", "agent.log")
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(log), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if len(statements) == 0 {
		return filepath.Join(folder, storeOf(of).File)
	}
	return made(t, filepath.Join(folder, "state.db"), statements...)
}

// valueOf returns a value for a column. Objects and arrays are the texts that they were.
func valueOf(t *testing.T, v any) any {
	t.Helper()
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		f, err := v.Float64()
		if err != nil {
			t.Fatal(err)
		}
		return f
	case map[string]any, []any:
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	return v
}

// logLine returns the line of a request as Hermes logs it, by this machine's clock.
func logLine(t *testing.T, request map[string]any) string {
	t.Helper()
	n, ok := request["time"].(json.Number)
	if !ok {
		t.Fatalf("a request has no time: %v", request)
	}
	at, err := n.Int64()
	if err != nil {
		t.Fatal(err)
	}
	line := fmt.Sprintf("%s INFO [%s] agent.conversation_loop: API call #1:", time.UnixMilli(at).Format("2006-01-02 15:04:05,000"), request["session_id"])
	for _, name := range slices.Sorted(maps.Keys(request)) {
		if name != "time" && name != "session_id" {
			line += fmt.Sprintf(" %s=%s", name, request[name])
		}
	}
	return line + "\n"
}
