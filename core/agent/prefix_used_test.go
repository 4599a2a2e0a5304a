// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/internal/count"
	"github.com/ctx-lsp/ctx-lsp/internal/assets"
)

// namings are the ways in which one conversation gets names for its content: as in its transcript, none at all, and
// from every source at once.
const (
	namedAsRecorded = iota
	namedByNobody
	namedByEverybody
	namings
)

// differentlyNamed is one conversation, named in each way.
type differentlyNamed struct {
	sessions [namings]*core.Session
	told     int // how many requests had been measured when everything was told last
	requests int
}

func newDifferentlyNamed(id string, shop *count.Vocabularies) *differentlyNamed {
	d := &differentlyNamed{told: -1}
	for i := range d.sessions {
		d.sessions[i] = core.New(core.Identity{ID: id}, shop)
	}
	return d
}

func (d *differentlyNamed) apply(e core.Event) {
	naming := false
	switch e.(type) {
	case core.PrefixKnown, core.ServersConfigured, core.ToolsListed:
		naming = true
	case core.Metered:
		d.requests++
	}
	for i, s := range d.sessions {
		if !naming || i != namedByNobody {
			s.Apply(e)
		}
	}
}

// tellEverything sets the data of every source about every kind: sometimes less, sometimes more than the prompt
// contains.
func (d *differentlyNamed) tellEverything() {
	if d.requests%7 != 0 || d.told == d.requests {
		return
	}
	d.told = d.requests
	s := d.sessions[namedByEverybody]
	sizes := []int64{1_200, 14_000, 400_000}
	for source := core.FromTable; source <= core.FromRecord; source++ {
		for kind := core.System; kind < core.Summary; kind++ {
			tokens := sizes[(d.requests/7+int(source)+int(kind))%len(sizes)]
			s.Apply(core.PrefixKnown{Source: source, Kind: kind, Parts: []core.PrefixPart{
				{Part: core.Part{Label: core.Named("told"), Tokens: tokens}, Cached: core.MayBeCached, Reference: source == core.FromTable},
				{Part: core.Part{Label: core.Named("counted"), Text: []byte(strings.Repeat("A rule of this workspace. ", int(tokens/100))), Tokens: core.Unknown}},
			}})
		}
	}
	s.Apply(core.ServersConfigured{Names: []string{"github", "files"}})
	s.Apply(core.ToolsListed{Added: []string{"mcp__github__search", "mcp__files__read"}})
}

// TestNamesChangeNoTotal checks that names for the window's content do not change its size once a request was measured.
// Every session under CTX_TRANSCRIPTS and CTX_SAMPLES is read with its rows named as in its transcript, by no source,
// and by every source; after every record, all three give the same used.
func TestNamesChangeNoTotal(t *testing.T) {
	shop := count.NewVocabularies()
	vocabulary, _ := assets.Pack("o200k")
	if err := shop.Load("o200k", vocabulary); err != nil {
		t.Fatal(err)
	}
	var sessions, compared, differing, named, requests int
	eachRealSession(t, func(_, path string) {
		c := compareNamings(t, path, shop)
		if c.requests > 0 {
			sessions++
		}
		compared, differing, named, requests = compared+c.compared, differing+c.differing, named+c.named, requests+c.requests
	})
	t.Logf("used with rows named by the transcript, by nobody and by everybody: %d sessions with %d measured requests, compared %d times, differing %d times; "+
		"the rows differed %d times", sessions, requests, compared, differing, named)
	if differing > 0 || named == 0 {
		t.Errorf("%d of %d comparisons differ, and rows differed in %d", differing, compared, named)
	}
}

// comparedNamings is what reading one transcript has shown.
type comparedNamings struct{ requests, compared, differing, named int }

func compareNamings(t *testing.T, path string, shop *count.Vocabularies) (c comparedNamings) {
	t.Helper()
	conversations := map[string]*differentlyNamed{}
	changed := map[string]bool{}
	emit := func(e core.Event) {
		id := ""
		if child, ok := e.(core.ForChild); ok {
			id, e = child.Child, child.Event
		}
		if conversations[id] == nil {
			conversations[id] = newDifferentlyNamed(path+id, shop)
		}
		changed[id] = true
		conversations[id].apply(e)
		if _, measured := e.(core.Metered); measured {
			c.requests++
			c.compare(t, conversations[id], path)
		}
	}
	eachRecord(looseRecords(t, path), emit, func([]byte) {
		for id := range changed {
			conversations[id].tellEverything()
			c.compare(t, conversations[id], path)
		}
		clear(changed)
	})
	return c
}

// compare compares the Readings of a conversation in each way of naming.
func (c *comparedNamings) compare(t *testing.T, d *differentlyNamed, path string) {
	t.Helper()
	was := d.sessions[namedAsRecorded].Reading()
	for _, s := range d.sessions[namedByNobody:] {
		is := s.Reading()
		if d.requests == 0 {
			continue // before the first measurement a table makes the number
		}
		c.compared++
		if was.Used != is.Used || was.Low != is.Low || was.High != is.High || was.Free != is.Free || was.Compaction.Level != is.Compaction.Level {
			if c.differing++; c.differing <= 3 {
				t.Errorf("%s, request %d: used is %d (%d to %d), and with other names %d (%d to %d)", path, c.requests, was.Used, was.Low, was.High, is.Used, is.Low, is.High)
			}
		}
		sum := int64(0)
		for _, row := range is.Breakdown {
			if !row.Deferred {
				sum += row.Tokens
			}
		}
		if sum != is.Used {
			t.Errorf("%s, request %d: rows sum to %d, used is %d", path, c.requests, sum, is.Used)
		}
		if !slices.EqualFunc(was.Breakdown, is.Breakdown, func(a, b core.Row) bool { return a.Label.Equal(b.Label) && a.Tokens == b.Tokens }) {
			c.named++
		}
	}
}

// looseRecords returns the records of a file that may be cut or contain something else.
func looseRecords(t *testing.T, path string) [][]byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Ext(path) != ".jsonl" {
		return [][]byte{text}
	}
	var records [][]byte
	for rest := text; len(rest) > 0; {
		var record []byte
		record, rest, _ = cutLine(rest)
		records = append(records, record)
	}
	return records
}
