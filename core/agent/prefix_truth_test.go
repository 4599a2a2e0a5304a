// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/internal/count"
	"github.com/ctx-lsp/ctx-lsp/internal/assets"
	ownjson "github.com/ctx-lsp/ctx-lsp/internal/json"
)

// rowOf is a row that two sources name: the weaker one, which is checked, and the stronger one.
type rowOf struct {
	agent       string
	kind        core.Kind
	checked, by string
}

// checkedRow is the size of a row as shown, and as known to be true.
type checkedRow struct{ shown, truth int64 }

func (c checkedRow) tenths() int64 {
	return 1000 * max(c.shown-c.truth, c.truth-c.shown) / max(c.truth, 1)
}

var sourceNames = map[core.PrefixSource]string{core.FromTable: "table", core.FromRecord: "its text", core.FromPrinted: "/context"}

// checkRows reads a session and finds the rows that two sources name.
func checkRows(records [][]byte, shop *count.Vocabularies) map[rowOf]checkedRow {
	found := map[rowOf]checkedRow{}
	s := core.New(core.Identity{ID: "s"}, shop)
	emit := func(e core.Event) {
		if _, child := e.(core.ForChild); child {
			return
		}
		s.Apply(e)
		known, ok := e.(core.PrefixKnown)
		if !ok {
			return
		}
		order := []core.PrefixSource{core.FromTable, core.FromRecord, core.FromPrinted}
		for i, weaker := range order {
			for _, truth := range order[i+1:] {
				shown, actual := s.TokensFrom(weaker, known.Kind), s.TokensFrom(truth, known.Kind)
				if shown > 0 && actual > 0 {
					found[rowOf{s.Agent, known.Kind, sourceNames[weaker], sourceNames[truth]}] = checkedRow{shown, actual}
				}
			}
		}
	}
	eachRecord(records, emit, func(record []byte) {
		if s.Agent == agent.CopilotCLI {
			checkCopilot(record, s, found)
		}
	})
	return found
}

// checkCopilot compares the system prompt, counted, with Copilot's own count.
func checkCopilot(record []byte, s *core.Session, found map[rowOf]checkedRow) {
	var r struct{ Data struct{ SystemTokens int64 } }
	if json.Unmarshal(record, &r) != nil || r.Data.SystemTokens <= 0 {
		return
	}
	shown := int64(0)
	for _, row := range s.Reading().Breakdown {
		if row.Kind == core.System {
			shown += row.Tokens
		}
	}
	if shown > 0 {
		found[rowOf{s.Agent, core.System, "its text", "Copilot"}] = checkedRow{shown, r.Data.SystemTokens}
	}
}

// TestRowsAreWhatIsKnown compares rows with sizes known to be true, in the sessions under CTX_TRANSCRIPTS and
// CTX_SAMPLES: counted texts must be within 5% in the median. `make accuracy` prints the table.
func TestRowsAreWhatIsKnown(t *testing.T) {
	shop := count.NewVocabularies()
	vocabulary, _ := assets.Pack("o200k")
	if err := shop.Load("o200k", vocabulary); err != nil {
		t.Fatal(err)
	}
	all := map[rowOf][]checkedRow{}
	eachRealSession(t, func(_, path string) {
		if filepath.Ext(path) != ".jsonl" {
			return
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !hasTruth(text) {
			return
		}
		for row, checked := range checkRows(bytes.Split(text, []byte("\n")), shop) {
			all[row] = append(all[row], checked)
		}
	})
	for _, row := range slices.SortedFunc(maps.Keys(all), func(a, b rowOf) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) }) {
		var tenths []int64
		for _, c := range all[row] {
			tenths = append(tenths, c.tenths())
		}
		m := middle(tenths)
		t.Logf("%s, %s, by %s against %s: %d sessions, off by %d.%d %% in the median, %d.%d %% at most", row.agent, row.kind, row.checked, row.by,
			len(tenths), m/10, m%10, tenths[len(tenths)-1]/10, tenths[len(tenths)-1]%10)
		if row.checked == "its text" && m > 50 {
			t.Errorf("%s: the row %s is off by %d.%d %% in the median, promised are 5", row.agent, row.kind, m/10, m%10)
		}
	}
	if len(all) == 0 {
		t.Log("no session tells a row twice")
	}
}

func hasTruth(text []byte) bool {
	for _, sign := range []string{"prompt_snapshot", "Context Usage", "api-request-shape", "systemTokens"} {
		if bytes.Contains(text, []byte(sign)) {
			return true
		}
	}
	return false
}

// TestARowThatIsToldTwiceIsChecked compares a table with /context, both in tokens of the model.
func TestARowThatIsToldTwiceIsChecked(t *testing.T) {
	f := claudeFile{version: "2.0.76"}
	f.says("Hello.")
	f.calls(1, 20_000, 1, "Read", `{"file_path":"/a"}`)
	f.result("", 1)
	text, err := json.Marshal(contextPicture)
	if err != nil {
		t.Fatal(err)
	}
	f.add("", "user", `"message":{"role":"user","content":`+string(text)+`}`)
	var records [][]byte
	for _, r := range f.records {
		records = append(records, []byte(r))
	}
	found := checkRows(records, count.NewVocabularies())
	got := found[rowOf{agent.ClaudeCode, core.Tools, "table", "/context"}]
	if got != (checkedRow{15241, 13500}) || got.tenths() != 128 {
		t.Errorf("%+v of %+v", got, found)
	}
}

// eachRecord passes records to the reader that recognizes the first of them. The events of a record are emitted before
// after is called with it. Records that are not JSON, and those before the first known one, are skipped.
func eachRecord(records [][]byte, emit func(core.Event), after func(record []byte)) {
	var reader agent.Reader
	var document ownjson.Document
	for _, record := range records {
		v, err := document.Parse(record)
		if err != nil {
			continue
		}
		if reader == nil {
			if reader = agent.New(agent.Recognise(v)); reader == nil {
				continue
			}
		}
		reader.Record(v, emit)
		after(record)
	}
}
