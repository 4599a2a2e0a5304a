// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"fmt"
	"maps"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
)

// claudeState is a file of Claude Code in which everything that is not to be read has a mark.
const claudeState = `{
	"oauthAccount":{"emailAddress":"MARK","subscriptionType":"MARK"},"primaryApiKey":"MARK","userID":"MARK",
	"projects":{"/MARK":{"history":[{"display":"MARK"}],"autoCompactWindow":111111}},
	"autoCompactWindow":111111,"autoCompactEnabled":false,"env":{"CLAUDE_CODE_AUTO_COMPACT_WINDOW":"111111"},
	"clientDataCache":{"rowan_thicket":{"claude-haiku-5-5":111111}},
	"clientDataCacheSlots":{
		"bi1-1":{"at":1,"org":"MARK","model":"claude-opus-5","entrypoint":"cli","data":{"rowan_thicket":{"claude-opus-5":400000},"tengu_heron_brook":"MARK"}},
		"bi1-2":{"at":2,"org":"MARK","model":"claude-opus-5[1m]","data":{"rowan_thicket":{"claude-opus-5":{"default":500000,"max":600000,"surfaces":{"cli":{"default":111111}}}}}},
		"bi1-3":{"at":5,"model":"claude-sonnet-5","data":{"experimentKey":"MARK"}},
		"bi1-4":{"at":4,"model":"claude-sonnet-5","data":{"rowan_thicket":{"claude-sonnet-5":111111}}},
		"bi1-6":{"at":1,"org":"MARK, another","model":"claude-opus-5","entrypoint":"cli","data":{"rowan_thicket":{"claude-opus-5":{"default":400000,"surfaces":{"cli":{"default":350000}}}}}},
		"bi1-5":"MARK"},
	"autoCompactWindowsCache":{"claude-sonnet-5":450000,"claude-x":"MARK"},
	"cachedGrowthBookFeatures":{"tengu_jaunty_breeze":600000,"tengu_other":"MARK","tengu_more":111111}
}`

// TestOnlyServedWindowsAreReadOfClaudesState checks that of a file with accounts and prompts only the windows reach the
// settings.
func TestOnlyServedWindowsAreReadOfClaudesState(t *testing.T) {
	want := map[string]string{
		"clientDataCacheSlots.claude-opus-5":           "500000 or 600000 or 350000",
		"autoCompactWindowsCache.claude-sonnet-5":      "450000",
		"cachedGrowthBookFeatures.tengu_jaunty_breeze": "600000",
	}
	m := dirstest.NewMachine(t)
	path := m.Put(".claude.json", claudeState)
	if got := Settings(m.Environment(), "claude-code", ""); !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	// Prompts of years make the file longer than settings are.
	m.Put(".claude.json", `{"projects":"`+strings.Repeat("MARK", 1<<19)+`",`+claudeState[1:])
	if got := Settings(m.Environment(), "claude-code", ""); !maps.Equal(got, want) {
		t.Errorf("of a long file %v, want %v", got, want)
	}
	m.Put(".claude.json", claudeState+strings.Repeat(" ", maxClaudeState-len(claudeState)))
	if got := Settings(m.Environment(), "claude-code", ""); !maps.Equal(got, want) {
		t.Errorf("of the longest file %v, want %v", got, want)
	}
	m.Put(".claude.json", claudeState+strings.Repeat(" ", maxClaudeState+1-len(claudeState)))
	if got := Settings(m.Environment(), "claude-code", ""); len(got) != 0 {
		t.Errorf("of a file that is too long %v is read", got)
	}
	m.Env["CLAUDE_CONFIG_DIR"] = filepath.Dir(m.Put("mine/.claude.json", `{"autoCompactWindowsCache":{"claude-opus-5":350000}}`))
	if got := Settings(m.Environment(), "claude-code", ""); !maps.Equal(got, map[string]string{"autoCompactWindowsCache.claude-opus-5": "350000"}) {
		t.Errorf("in a moved folder %v is read of it, and not of %s", got, path)
	}
}

// TestWindowsOfManyModelsAreServed checks the bounds of names and lists, and which slot of a model is used.
func TestWindowsOfManyModelsAreServed(t *testing.T) {
	list := func(n int, each func(i int) string) string {
		var all []string
		for i := range n {
			all = append(all, each(i))
		}
		return "{" + strings.Join(all, ",") + "}"
	}
	slot := func(at, model, org, windows string) string {
		return `{"at":` + at + `,"org":"` + org + `","model":` + model + `,"entrypoint":"cli","data":{"rowan_thicket":{"m":` + windows + `,` + strconv.Quote(strings.Repeat("m", 100)) + `:9,` + strconv.Quote(strings.Repeat("m", 101)) + `:9}}}`
	}
	m := dirstest.NewMachine(t)
	of := func(slots, windows string) configfile.Values {
		m.Put(".claude.json", `{"clientDataCacheSlots":`+slots+`,"autoCompactWindowsCache":`+windows+`}`)
		return Settings(m.Environment(), "claude-code", "")
	}
	if got := of("{}", list(maxModels+1, func(i int) string { return fmt.Sprintf(`"m%d":1`, i) })); len(got) != maxModels {
		t.Errorf("%d windows are read", len(got))
	}
	many := list(maxModels+1, func(i int) string {
		return fmt.Sprintf(`"s%d":{"at":1,"model":"m%d","data":{"rowan_thicket":{"m%d":1}}}`, i, i, i)
	})
	if got := of(many, "{}"); len(got) != maxModels {
		t.Errorf("%d slots are read", len(got))
	}
	kinds := list(maxModels+1, func(i int) string { return fmt.Sprintf(`"k%d":%d`, i, i+1) })
	if got := strings.Count(of("{}", `{"m":`+kinds+`}`)["autoCompactWindowsCache.m"], " or "); got != maxModels-1 {
		t.Errorf("%d other windows of one model", got)
	}
	long, longer := strings.Repeat("m", 100), strings.Repeat("m", 101)
	if got := of("{}", `{"`+long+`":1,"`+longer+`":1,"zero":0,"part":1.5,"text":"7"}`); len(got) != 1 || got["autoCompactWindowsCache."+long] != "1" {
		t.Errorf("%v", got)
	}
	for _, c := range []struct{ slots, want string }{
		{slot("1", `"m"`, "o", "5") + `,"b":` + slot("1", `"m"`, "o", "6"), "5"},
		{slot("1", `"m"`, "o", "5") + `,"b":` + slot("2", `"m"`, "o", "6"), "6"},
		{slot("2", `"m"`, "o", "5") + `,"b":` + slot("1", `"m"`, "o", "6"), "5"},
		{slot("1", `"m"`, "o", "5") + `,"b":` + slot("2", `"m"`, "p", "6"), "6 or 5"},
		{slot("1", `"m"`, "o", "5") + `,"b":` + slot("2", `"m"`, "p", "5"), "5"},
		{slot(`"x"`, `"m"`, "o", "5"), ""},
		{slot("1", `7`, "o", "5"), ""},
		{slot("1", `"m"`, longer, "5"), ""},
		{slot("1", `"m"`, long, "5"), "5"},
		{slot("1", `"m[1m]"`, "o", `{"default":5,"surfaces":{"web":{"default":6}}}`), "5"},
		{slot("1", `"m"`, "o", `{"surfaces":{"cli":{"default":6,"max":7}}}`), "6 or 7"},
	} {
		if got := of(`{"a":`+c.slots+`}`, "{}")["clientDataCacheSlots.m"]; got != c.want {
			t.Errorf("%s\n is %q, want %q", c.slots, got, c.want)
		}
	}
	if got := of(`{"a":`+slot("1", strconv.Quote(long), "o", "5")+`,"b":`+slot("1", strconv.Quote(longer), "o", "5")+`}`, "{}"); len(got) != 1 || got["clientDataCacheSlots."+long] != "9" {
		t.Errorf("%v", got)
	}
}
