// Copyright The ctx-lsp authors. MIT licence.

package export_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/export"
)

var update = flag.Bool("update", false, "write docs/export.schema.json")

// schemaOf returns the JSON Schema of a type in the rows.
func schemaOf(t *testing.T, of reflect.Type) map[string]any {
	t.Helper()
	switch {
	case of == reflect.TypeFor[*time.Time]():
		return map[string]any{"type": []string{"string", "null"}, "format": "date-time"}
	case of.Kind() == reflect.Pointer:
		return map[string]any{"type": []any{schemaOf(t, of.Elem())["type"], "null"}}
	case of.Kind() == reflect.Slice:
		return map[string]any{"type": "array", "items": schemaOf(t, of.Elem())}
	case of.Kind() == reflect.Struct:
		properties, required := map[string]any{}, []string{}
		for i := range of.NumField() {
			name := of.Field(i).Tag.Get("json")
			properties[name] = schemaOf(t, of.Field(i).Type)
			required = append(required, name)
		}
		return map[string]any{"type": "object", "properties": properties, "required": required}
	}
	name := map[reflect.Kind]string{reflect.String: "string", reflect.Int64: "integer", reflect.Bool: "boolean"}[of.Kind()]
	if name == "" {
		t.Fatalf("a column of the type %s has no type in JSON Schema", of)
	}
	return map[string]any{"type": name}
}

// TestThePublishedSchemaIsThatOfTheRows compares docs/export.schema.json, the JSON Schema of a row in JSON lines, with
// Row.
func TestThePublishedSchemaIsThatOfTheRows(t *testing.T) {
	schema := schemaOf(t, reflect.TypeFor[export.Row]())
	schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	schema["title"] = export.Schema
	schema["description"] = "A request of a past session, as ctx-lsp export --format=jsonl writes it; docs/export.md explains the columns."
	want, err := json.MarshalIndent(schema, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	const file = "../../docs/export.schema.json"
	want = append(want, '\n')
	if *update {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n")), want) {
		t.Error("docs/export.schema.json is not that of the rows; go test ./internal/export -run Schema -update writes it")
	}
	if n := strings.Count(string(want), `"type"`); n < len(export.Columns()) {
		t.Errorf("it has %d types for %d columns", n, len(export.Columns()))
	}
}
