// Copyright The ctx-lsp authors. MIT licence.

package core

import "testing"

// TestThePanelComparesACompactionNowWithALaterOne checks the row's text while the cache is warm, and that it is empty
// before and afterwards, and without a smaller prompt after a compaction.
func TestThePanelComparesACompactionNowWithALaterOne(t *testing.T) {
	back := Back{WarmUntil: 10_000, ColdFrom: 10_000, Life: 5_000, Rewritten: 100_000, Display: "100k", CompactFirst: 31_000, CompactsAt: Unknown}
	for name, c := range map[string]struct {
		first int64
		rows  int
	}{"smaller": {31_000, 1}, "unknown": {Unknown, 0}, "not smaller": {100_000, 0}} {
		back.CompactFirst = c.first
		r := after(measured(100_100, 0)).Reading()
		r.Back, r.Compaction.Landing, r.Used = &back, &Range{30_000, 31_000, 32_000}, 100_100
		var rows []PanelRow
		var brief *PanelRow
		for _, section := range r.Panel(PanelOptions{}).Sections {
			for i := range section.Rows {
				if section.Rows[i].ID == "compactNow" {
					rows = append(rows, section.Rows[i])
				}
				if row := &section.Rows[i]; row.ID == "back" && row.Only == OnlyShort {
					brief = row
				}
			}
		}
		if len(rows) != c.rows {
			t.Fatalf("%s: %d rows", name, len(rows))
		}
		if c.rows == 0 {
			if brief != nil {
				t.Errorf("%s: the short form has %+v", name, brief)
			}
			continue
		}
		if brief == nil || brief.Dated[1].Value.String() != rows[0].Dated[0].Value.String() || brief.Dated[2].From != 10_000 || brief.Label.Empty() {
			t.Errorf("%s: while the cache is warm, the short form says %+v", name, brief)
		}
		d := rows[0].Dated
		if len(d) != 2 || d[0].From != 5_000 || d[0].At != 10_000 || d[0].As != Minutes || d[1].From != 10_001 || !d[1].Value.Empty() {
			t.Errorf("%s: %+v", name, d)
		}
		if text := d[0].Value.String(); text != "compacting now frees 69.1k and rewrites 31k; in {time} it would rewrite 100k" {
			t.Errorf("%s: %q", name, text)
		}
	}
}
