// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ctx-lsp/ctx-lsp/core/promptfile"
	"github.com/ctx-lsp/ctx-lsp/internal/document"
)

// A marker test is an archive with prompt files. For each file F whose inline features are tested, it contains a file
// F.shown: the file as an editor shows it. The code lens is above it after ▸, inlay hints are in their lines between ⟦
// and ⟧, links are underlined with ═ and diagnostics with ~ below their lines. The comment of the archive contains the
// settings. `go test ./lsp -run Markers -update` writes what is shown now.
func TestMarkers(t *testing.T) {
	for _, path := range archives(t, "../testdata/daemon/markers") {
		for _, name := range engines {
			t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar")+"/"+name, func(t *testing.T) { runMarkers(t, path, name) })
		}
	}
}

func runMarkers(t *testing.T, path, engineName string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	workspace, home := unpack(t, &txtar.Archive{Files: shownBeside(archive, false)})
	server := newTestServer(t, Options{Engine: realEngine(t, engineName), Home: home})
	settings := "{}"
	for _, line := range strings.Split(string(archive.Comment), "\n") {
		if strings.HasPrefix(line, "{") {
			settings = line
		}
	}
	c := connect(t, server)
	c.call("initialize", fmt.Sprintf(`{"rootUri":%q,"capabilities":{"general":{"positionEncodings":["utf-16"]},"textDocument":{"diagnostic":{}}},"initializationOptions":%s}`, document.URI(workspace), settings))
	c.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	changed := false
	for i := range archive.Files {
		want := &archive.Files[i]
		name, ok := strings.CutSuffix(want.Name, ".shown")
		if !ok {
			continue
		}
		text, err := os.ReadFile(filepath.Join(workspace, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		got := shown(t, c, document.URI(filepath.Join(workspace, filepath.FromSlash(name))), text)
		got = bytes.ReplaceAll(got, []byte(pathInURI(workspace)), []byte("$WS"))
		got = bytes.ReplaceAll(got, []byte(pathInURI(home)), []byte("$HOME"))
		if bytes.Equal(got, want.Data) {
			continue
		}
		if *update && engineName == "native" {
			want.Data, changed = got, true
			continue
		}
		t.Errorf("%s is shown as\n%s\nwant\n%s", name, got, want.Data)
	}
	if changed {
		if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// pathInURI returns a path in the form that links show: as in its URI.
func pathInURI(path string) string { return strings.TrimPrefix(document.URI(path), "file://") }

// shownBeside returns the archive's expectations if wanted is set, otherwise its other files.
func shownBeside(archive *txtar.Archive, wanted bool) []txtar.File {
	var files []txtar.File
	for _, f := range archive.Files {
		if strings.HasSuffix(f.Name, ".shown") == wanted {
			files = append(files, f)
		}
	}
	return files
}

// shown draws a document as an editor shows it.
func shown(t *testing.T, c *testClient, uri string, text []byte) []byte {
	t.Helper()
	body, _ := json.Marshal(string(text))
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"languageId":"markdown","version":1,"text":%s}}}`, uri, body))
	about := fmt.Sprintf(`"textDocument":{"uri":%q}`, uri)
	var lenses []document.Lens
	var hints []document.Hint
	var links []document.Link
	var problems struct{ Items []document.Diagnostic }
	get := func(method, more string, into any) {
		t.Helper()
		if err := json.Unmarshal(c.call(method, "{"+about+more+"}"), into); err != nil {
			t.Fatal(err)
		}
	}
	get("textDocument/codeLens", "", &lenses)
	get("textDocument/inlayHint", `,"range":{"start":{"line":0,"character":0},"end":{"line":100000,"character":0}}`, &hints)
	get("textDocument/documentLink", "", &links)
	get("textDocument/diagnostic", "", &problems)

	mapper := promptfile.NewMapper(text, promptfile.UTF16)
	below := map[int][]string{}
	underline := func(r document.Range, with, words string) {
		end := r.End.Character
		if r.End.Line > r.Start.Line {
			end = mapper.LineRange(mapper.Offset(r.Start)).End.Character
		}
		below[r.Start.Line] = append(below[r.Start.Line], strings.Repeat(" ", r.Start.Character)+strings.Repeat(with, max(1, end-r.Start.Character))+" "+words)
	}
	for _, l := range links {
		underline(l.Range, "═", "→ "+strings.TrimPrefix(l.Target, "file://")+", "+l.Tooltip)
	}
	for _, d := range problems.Items {
		underline(d.Range, "~", []string{"", "error", "warning", "information", "hint"}[d.Severity]+" "+d.Code+": "+d.Message)
	}
	sort.SliceStable(hints, func(i, j int) bool { return hints[i].Position.Line < hints[j].Position.Line })
	var out strings.Builder
	for _, l := range lenses {
		fmt.Fprintf(&out, "▸ %s\n", l.Command.Title)
	}
	for number, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		out.WriteString(line)
		for _, h := range hints {
			if h.Position.Line == number {
				if at := mapper.Position(mapper.Offset(document.Position{Line: number, Character: 1 << 20})); at != h.Position {
					t.Errorf("a hint stands at %+v, not at the end of its line %+v", h.Position, at)
				}
				fmt.Fprintf(&out, " ⟦%s⟧", h.Label)
			}
		}
		out.WriteByte('\n')
		for _, note := range below[number] {
			out.WriteString(note + "\n")
		}
	}
	return []byte(out.String())
}
