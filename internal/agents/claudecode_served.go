// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// maxClaudeState bounds the file in which Claude Code keeps its own state; a longer one is not read.
const maxClaudeState = 16 << 20

// claudeServed reads the windows that the provider serves to Claude Code, from the copies in the file with its state.
// That file also contains accounts and prompts; only these three members are looked up.
func claudeServed(e dirs.Environment, home string, found configfile.Values) {
	path := e.Join(e.Home, ".claude.json")
	if e.Variable("CLAUDE_CONFIG_DIR") != "" {
		path = e.Join(home, ".claude.json")
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
	v := parsed(text)
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
// model, version and organization, and which one a session uses is not on record: windows that other organizations have
// are named after that of the newest slot.
func newestSlots(slots json.Value) map[string]string {
	type slot struct {
		at      int64
		windows []string
	}
	newest := map[string]map[string]slot{} // by model and organization
	n := 0
	for f := slots.Fields(); f.Next() && n < maxModels; n++ {
		model, org := f.Value.Get("model"), f.Value.Get("org")
		at, fault := f.Value.Get("at").Int64()
		if fault != json.NumberOK || model.Kind() != json.String || model.TextLen() > 100 || org.TextLen() > 100 {
			continue
		}
		name, _, _ := strings.Cut(model.String(), "[")
		if was, seen := newest[name][org.String()]; seen && was.at >= at {
			continue
		}
		if newest[name] == nil {
			newest[name] = map[string]slot{}
		}
		windows := servedWindows(f.Value.Path("data", "rowan_thicket", name), f.Value.Get("entrypoint").String())
		newest[name][org.String()] = slot{at, windows}
	}
	found := map[string]string{}
	for name, byOrganization := range newest {
		list := slices.SortedFunc(maps.Values(byOrganization), func(a, b slot) int { return int(min(max(b.at-a.at, -1), 1)) })
		if len(list[0].windows) == 0 {
			continue
		}
		var all []string
		for _, each := range list {
			all = append(all, each.windows...)
		}
		found[name] = oneOf(all)
	}
	return found
}

// oneOf returns a window, and others that may apply instead: "500000 or 600000".
func oneOf(windows []string) string {
	var different []string
	for _, w := range windows {
		if !slices.Contains(different, w) {
			different = append(different, w)
		}
	}
	return strings.Join(different, " or ")
}

// servedWindows reads windows as they are served: a number, or numbers by the kind of account, first the default, and
// by the way of starting the program. Kinds of accounts are not read, so all of them may apply.
func servedWindows(v json.Value, surface string) (windows []string) {
	if v.Kind() != json.Object {
		return whole64(v, nil)
	}
	if own := v.Path("surfaces", surface); surface != "" && own.Kind() == json.Object {
		v = own
	}
	windows = whole64(v.Get("default"), nil)
	n := 0
	for f := v.Fields(); f.Next() && n < maxModels; n++ {
		if !f.KeyIs("default") {
			windows = whole64(f.Value, windows)
		}
	}
	return windows
}

// servedWindow returns servedWindows as a setting, "" without any.
func servedWindow(v json.Value) string { return oneOf(servedWindows(v, "")) }

// whole64 appends a positive whole number as it was written.
func whole64(v json.Value, to []string) []string {
	if n, fault := v.Int64(); fault == json.NumberOK && n > 0 {
		to = append(to, string(v.Raw()))
	}
	return to
}
