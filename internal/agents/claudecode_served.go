// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"io"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// maxClaudeState bounds the file in which Claude Code keeps its own state; a longer one is not read.
const maxClaudeState = 16 << 20

// claudeServed reads the windows that the provider serves to Claude Code, from the copies in the file with its state.
// That file has accounts and prompts, too; of it, only these three members are looked up.
func claudeServed(e dirs.Environment, home string, found configfile.Values) {
	path := e.Join(e.Home, ".claude.json")
	if e.Variable("CLAUDE_CONFIG_DIR") != "" {
		path = e.Join(home, ".claude.json")
	}
	if path == "" {
		return
	}
	f, err := safefile.File(path)
	if err != nil {
		return
	}
	text, err := io.ReadAll(io.LimitReader(f, maxClaudeState+1))
	f.Close()
	if err != nil || len(text) > maxClaudeState {
		return
	}
	v, err := json.Parse(text)
	if err != nil {
		return
	}
	for name, window := range newestSlots(v.Get("clientDataCacheSlots")) {
		found["clientDataCacheSlots."+name] = window
	}
	n := 0
	for f := v.Get("autoCompactWindowsCache").Fields(); f.Next() && n < maxModels; n++ {
		if window := servedWindow(f.Value); window != "" && f.Key.TextLen() <= 100 {
			found["autoCompactWindowsCache."+f.Key.String()] = window
		}
	}
	if window := servedWindow(v.Path("cachedGrowthBookFeatures", "tengu_jaunty_breeze")); window != "" {
		found["cachedGrowthBookFeatures.tengu_jaunty_breeze"] = window
	}
}

// newestSlots returns the windows in the newest slot of each model. Claude Code has a slot for each way of starting it,
// model, version and organization, and which one a session uses is not on record.
func newestSlots(slots json.Value) map[string]string {
	newest, windows := map[string]int64{}, map[string]string{}
	n := 0
	for f := slots.Fields(); f.Next() && n < maxModels; n++ {
		model := f.Value.Get("model")
		at, fault := f.Value.Get("at").Int64()
		if fault != json.NumberOK || model.Kind() != json.String || model.TextLen() > 100 {
			continue
		}
		name, _, _ := strings.Cut(model.String(), "[")
		if was, seen := newest[name]; seen && was >= at {
			continue
		}
		newest[name] = at
		delete(windows, name)
		if window := servedWindow(f.Value.Path("data", "rowan_thicket", name)); window != "" {
			windows[name] = window
		}
	}
	return windows
}

// servedWindow is a window as it is served: a number, or the default among those for kinds of accounts.
func servedWindow(v json.Value) string {
	if v.Kind() == json.Object {
		v = v.Get("default")
	}
	if n, fault := v.Int64(); fault == json.NumberOK && n > 0 {
		return string(v.Raw())
	}
	return ""
}
