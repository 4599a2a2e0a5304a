// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/api"
)

var update = flag.Bool("update", false, "write testdata/frontends/learned.json")

// A frontEndCase is a Reading and what all front ends show of it, at several moments. VS Code, Neovim and the browser
// read the same file.
type frontEndCase struct {
	Name    string           `json:"name"`
	Level   api.Level        `json:"level"`
	Hint    string           `json:"hint"`
	Reading json.RawMessage  `json:"reading"`
	Moments []frontEndMoment `json:"moments"`
}

// A frontEndMoment has the values of rows of the panel's long form by section and id. Each front end writes a {time} in
// its own way.
type frontEndMoment struct {
	Now   int64             `json:"now"`
	Shows map[string]string `json:"shows"`
}

// compared are the rows with the state, the level, the forecast and the threshold.
var compared = map[string][]string{
	"session": {"activity", "record"}, "window": {"full", "usage", "until"}, "compaction": {"compaction", "sum"}, "cache": {"back", "compactNow"},
}

const sharedBegin = 1_772_442_000_000

// TestTheFrontEndsShowTheSharedCases checks that the terminal shows the rows of testdata/frontends/learned.json, and
// that the core still makes its Readings.
func TestTheFrontEndsShowTheSharedCases(t *testing.T) {
	file := filepath.Join("..", "..", "testdata", "frontends", "learned.json")
	made := sharedCases(t)
	if *update {
		var lines []string
		for i := range made {
			line, err := json.Marshal(&made[i])
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, string(line))
		}
		if err := os.WriteFile(file, []byte("[\n"+strings.Join(lines, ",\n")+"\n]\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	var cases []frontEndCase
	if err == nil {
		err = json.Unmarshal(text, &cases)
	}
	if err != nil || len(cases) != len(made) {
		t.Fatalf("%d cases, want %d: %v", len(cases), len(made), err)
	}
	levels := map[api.Level]bool{}
	for i, c := range cases {
		if !bytes.Equal(compactJSON(t, c.Reading), compactJSON(t, made[i].Reading)) {
			t.Errorf("%s: the core makes another Reading; if that is meant, run this test with -update", c.Name)
		}
		r := parsedReading(t, c.Reading)
		if r.Compaction.Level != c.Level || r.Compaction.Hint.Text != c.Hint {
			t.Errorf("%s: %s, %s", c.Name, r.Compaction.Level, r.Compaction.Hint.Text)
		}
		levels[c.Level] = true
		for _, m := range c.Moments {
			if got := shownAt(r, m.Now); fmt.Sprint(got) != fmt.Sprint(m.Shows) {
				t.Errorf("%s at %d:\n got %v\nwant %v", c.Name, m.Now, got, m.Shows)
			}
		}
	}
	for _, level := range []api.Level{"ok", "soon", "now", "over"} {
		if !levels[level] {
			t.Errorf("no case has the level %s", level)
		}
	}
}

// shownAt returns the rows that the terminal shows at a moment, with {time} for the times that it writes.
func shownAt(r *api.Reading, now int64) map[string]string {
	v := &panelView{panel: r.Panel, now: time.UnixMilli(now).UTC(), s: Style{Unicode: true}}
	shows := map[string]string{}
	for _, section := range r.Panel.Sections {
		for i := range section.Rows {
			row := &section.Rows[i]
			for _, id := range compared[section.ID] {
				if row.ID != id || !v.has(row.Only) {
					continue
				}
				value := v.value(row)
				for j := range row.Dated {
					if d := &row.Dated[j]; d.At != nil && value == v.text(api.Text{Text: strings.Replace(d.Value.Text, core.Time, v.written(time.UnixMilli(int64(*d.At)), d.As), 1)}) {
						value = d.Value.Text
					}
				}
				if value != "" {
					shows[section.ID+"/"+id] = value
				}
			}
		}
	}
	return shows
}

// sharedCases makes sessions with and without a learned threshold, at each level.
func sharedCases(t *testing.T) (cases []frontEndCase) {
	claude := `"agent":"claude-code","agentVersion":"2.1.300","model":"claude-opus-4-6","workspace":"/home/ada/shop"`
	codex := `"agent":"codex","agentVersion":"0.150.0","model":"gpt-5.5","workspace":"/home/ada/shop","limits":{"window":258400}`
	for _, c := range []struct {
		name, open string
		compacted  int64 // where an earlier session was compacted; 0 without one
		sizes      []int64
		reasoning  int64
		end        bool
	}{
		{"the rule's threshold, far away", claude, 0, []int64{30_000, 34_000, 41_000, 47_000}, 0, true},
		{"a learned threshold, soon", claude, 120_000, []int64{92_000, 97_000, 102_000, 107_000}, 0, true},
		{"a learned threshold, with a pace that reaches it", claude, 120_000, []int64{60_000, 75_000, 90_000, 106_000}, 0, false},
		{"past a learned threshold", claude, 120_000, []int64{60_000, 75_000, 90_000, 121_000}, 0, true},
		{"a learned threshold, less the reasoning that the agent still counts", codex, 226_000, []int64{120_000, 140_000, 160_000, 190_000}, 6_000, true},
	} {
		core := api.New()
		call := func(method, params string) json.RawMessage {
			t.Helper()
			var answer struct{ Result, Error json.RawMessage }
			if err := json.Unmarshal(core.Call(method, []byte(params)), &answer); err != nil || answer.Error != nil {
				t.Fatalf("%s %s: %s %v", method, params, answer.Error, err)
			}
			return answer.Result
		}
		if c.compacted > 0 {
			call("ctx/session/open", `{"id":"earlier",`+c.open+`}`)
			call("ctx/session/usage", fmt.Sprintf(`{"id":"earlier","provider":"ctx","usage":{"in":%d,"out":100}}`, c.compacted-100))
			call("ctx/session/compacted", fmt.Sprintf(`{"id":"earlier","trigger":"auto","before":%d}`, c.compacted))
			var taught struct {
				Learned struct{ Limits []map[string]any }
			}
			if err := json.Unmarshal(call("ctx/learned/get", `{}`), &taught); err != nil || len(taught.Learned.Limits) == 0 {
				t.Fatalf("%s: nothing was learned: %v", c.name, err)
			}
			limits := taught.Learned.Limits
			limits[0]["sessions"], limits[0]["last"] = []string{"1", "2"}, "1"
			text, _ := json.Marshal(map[string]any{"learned": map[string]any{"lessons": []any{}, "limits": limits}})
			call("ctx/learned/set", string(text))
		}
		call("ctx/session/open", `{"id":"s",`+c.open+`}`)
		at := int64(sharedBegin)
		for i, size := range c.sizes {
			at += 60_000
			call("ctx/session/update", fmt.Sprintf(`{"id":"s","at":%d,"append":[{"kind":"user","tokens":12}]}`, at))
			call("ctx/session/usage", fmt.Sprintf(`{"id":"s","provider":"anthropic","at":%d,"usage":{"input_tokens":4000,"cache_read_input_tokens":%d,"cache_creation_input_tokens":0,`+
				`"cache_creation":{"ephemeral_5m_input_tokens":4000,"ephemeral_1h_input_tokens":0},"output_tokens":%d,"output_tokens_details":{"thinking_tokens":%d}}}`,
				at+20_000, size-4000, 100+c.reasoning, c.reasoning))
			if c.end || i < len(c.sizes)-1 {
				call("ctx/session/update", fmt.Sprintf(`{"id":"s","activity":"waiting","waitingFor":"prompt","since":%d}`, at+20_000))
			}
		}
		reading := call("ctx/session/reading", `{"id":"s","panel":true}`)
		r := parsedReading(t, reading)
		shared := frontEndCase{c.name, r.Compaction.Level, r.Compaction.Hint.Text, reading, nil}
		for _, ahead := range []time.Duration{30 * time.Second, 5*time.Minute + 30*time.Second, 7 * time.Minute, 3 * time.Hour, 50 * 24 * time.Hour} {
			now := at + 20_000 + ahead.Milliseconds()
			shared.Moments = append(shared.Moments, frontEndMoment{now, shownAt(r, now)})
		}
		cases = append(cases, shared)
	}
	return cases
}

func parsedReading(t *testing.T, text []byte) *api.Reading {
	t.Helper()
	r, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func compactJSON(t *testing.T, text []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := json.Compact(&out, text); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
