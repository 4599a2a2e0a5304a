// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"

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
	m.Put(".claude.json", strings.Repeat(" ", maxClaudeState)+claudeState)
	if got := Settings(m.Environment(), "claude-code", ""); len(got) != 0 {
		t.Errorf("of a file that is too long %v is read", got)
	}
	m.Env["CLAUDE_CONFIG_DIR"] = filepath.Dir(m.Put("mine/.claude.json", `{"autoCompactWindowsCache":{"claude-opus-5":350000}}`))
	if got := Settings(m.Environment(), "claude-code", ""); !maps.Equal(got, map[string]string{"autoCompactWindowsCache.claude-opus-5": "350000"}) {
		t.Errorf("in a moved folder %v is read of it, and not of %s", got, path)
	}
}
