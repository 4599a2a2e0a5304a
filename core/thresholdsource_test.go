// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"fmt"
	"strings"
	"testing"
)

// TestTheSourcesOfAThresholdAreListed checks which sources are listed, in which order, and which one is in force.
func TestTheSourcesOfAThresholdAreListed(t *testing.T) {
	own := Rule{Name: "r", Threshold: 80_000, OutputCap: 1}
	setting := func(name string, threshold int64, note Text) RuleSource {
		return RuleSource{Kind: FromSetting, Setting: name, Value: "v", Rule: &Rule{Name: "r", Threshold: threshold, OutputCap: 1}, Note: note}
	}
	idle := setting("idle", 80_000, Text{})
	idle.Rule.Idle.Least = 1000
	ruled := func(threshold int64, sources ...RuleSource) RuleSet {
		rule := own
		rule.Threshold, rule.Sources = threshold, append(sources, RuleSource{Kind: FromOwnRule, Rule: &own})
		return RuleSet{rule}
	}
	for name, c := range map[string]struct {
		events []Event
		want   string
	}{
		"no setting":            {[]Event{ruled(80_000)}, "rule 80000 inForce, limit 99999 withoutEffect"},
		"a setting":             {[]Event{ruled(60_000, setting("a", 60_000, Text{}))}, "a 60000 inForce, rule 80000 overruled, limit 99999 withoutEffect"},
		"one without effect":    {[]Event{ruled(80_000, setting("a", 80_000, Text{}))}, "a 80000 withoutEffect (changes nothing here), rule 80000 inForce, limit 99999 withoutEffect"},
		"one that says why":     {[]Event{ruled(80_000, setting("a", 80_000, Named("too small")))}, "a 80000 withoutEffect (too small), rule 80000 inForce, limit 99999 withoutEffect"},
		"one for idle sessions": {[]Event{ruled(80_000, idle)}, "rule 80000 inForce, limit 99999 withoutEffect"},
		"two":                   {[]Event{ruled(50_000, setting("a", 60_000, Text{}), setting("b", 70_000, Named("rounded")))}, "a 60000 inForce (together with the other settings: 50,000), b 70000 inForce (rounded), rule 80000 overruled, limit 99999 withoutEffect"},
		"one above the window":  {[]Event{ruled(150_000, setting("a", 150_000, Text{}))}, "a 99999 inForce, rule 80000 overruled, limit 99999 withoutEffect"},
		"a compaction":          {[]Event{ruled(60_000, setting("a", 60_000, Text{})), measured(39_000, 0), autoCompacted(40_000)}, "session 40000 inForce, a 60000 overruled, rule 80000 overruled, limit 99999 withoutEffect"},
	} {
		r := after(c.events...).Reading()
		var got []string
		for _, source := range r.Compaction.Sources {
			name := source.Setting
			if name == "" {
				name = source.Kind.String()
			}
			text := fmt.Sprint(name, " ", source.Threshold, " ", source.State)
			if !source.Note.Empty() {
				text += " (" + source.Note.String() + ")"
			}
			got = append(got, text)
		}
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%s: %s, want %s", name, text, c.want)
		}
	}
}
