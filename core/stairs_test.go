// Copyright The ctx-lsp authors. MIT licence.

package core_test

import (
	"slices"
	"strings"
	"testing"
)

// stairs are the steps from a session on disk up to the program. A package imports only packages of lower steps or,
// among the front ends, of its own step.
var stairs = [][]string{
	{"internal/transcript"},
	{"internal/promptload"},
	{"internal/agents/claudecode", "internal/agents/opencode"},
	{"internal/agents"},
	{"internal/sessions", "internal/process", "internal/settingsfile"},
	{"internal/follow", "internal/focus"},
	{"internal/document", "internal/check", "internal/conversation", "internal/history", "internal/export", "internal/statusline", "internal/mcp"},
	{"lsp"},
	{"internal/cli"},
	{"cmd/ctx-lsp"},
}

// frontEnds is the step whose packages may import each other.
const frontEnds = 6

// only lists packages that may import few others of this project, and those others.
var only = map[string]string{
	"internal/json": "", "internal/safefile": "", "internal/dirs": "", "internal/fairqueue": "", "internal/rusage": "",
	"internal/assets": "", "internal/engine/interrupt": "",
	"internal/configfile": "internal/json internal/safefile",
	"internal/sqlite":     "internal/json internal/safefile",
	"internal/engine":     "core/api internal/assets internal/client internal/engine/interrupt internal/fairqueue internal/json internal/safefile wasm/js",
	"internal/state":      "core/api internal/json internal/safefile internal/transcript",
	"internal/terminal":   "core core/agent core/api internal/phrase",
	"internal/top":        "core core/api internal/json internal/terminal internal/follow",
}

// notInDaemon lists packages of the command line that the daemon does not need.
var notInDaemon = []string{
	"internal/statusline", "internal/mcp", "internal/history", "internal/top", "internal/textfiles", "internal/vocabulary",
}

// speaksHTTP lists the packages that may import net/http; lsp and internal/cli serve the page of metrics.
var speaksHTTP = []string{"internal/countapi", "internal/telemetry", "internal/mcp", "internal/vocabulary", "lsp", "internal/cli"}

// TestImportsGoUpTheStairs checks which packages import which.
func TestImportsGoUpTheStairs(t *testing.T) {
	const module = "github.com/ctx-lsp/ctx-lsp/"
	step := map[string]int{}
	for i, packages := range stairs {
		for _, name := range packages {
			step[name] = i + 1
		}
	}
	seen := 0
	for _, line := range strings.Split(strings.TrimSpace(goTool(t, "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...")), "\n") {
		paths := strings.Fields(line)
		name, ok := strings.CutPrefix(paths[0], module)
		if !ok {
			continue
		}
		if step[name] > 0 {
			seen++
		}
		for _, path := range paths[1:] {
			if path == "net/http" && !slices.Contains(speaksHTTP, name) {
				t.Errorf("%s imports net/http, which only %s may", name, strings.Join(speaksHTTP, ", "))
			}
			imported, ok := strings.CutPrefix(path, module)
			if ok {
				checkStep(t, name, imported, step)
			}
		}
	}
	if seen < 15 {
		t.Errorf("only %d packages of the stairs exist", seen)
	}
}

// checkStep checks one import.
func checkStep(t *testing.T, name, imported string, step map[string]int) {
	t.Helper()
	may := func(allowed bool, rule string) {
		if !allowed {
			t.Errorf("%s imports %s: %s", name, imported, rule)
		}
	}
	if strings.HasPrefix(name+"/", "core/") {
		may(strings.HasPrefix(imported+"/", "core/") || imported == "internal/json" || imported == "internal/phrase",
			"core imports core, internal/json and internal/phrase")
	}
	if list, listed := only[name]; listed {
		may(slices.Contains(strings.Fields(list), imported), "it may import "+list)
	}
	may(!strings.HasPrefix(imported, "cmd/"), "nothing imports a command")
	may(imported != "lsp" || name == "internal/cli", "only internal/cli imports lsp")
	may(imported != "internal/cli" || name == "cmd/ctx-lsp", "only cmd/ctx-lsp imports internal/cli")
	if name == "lsp" {
		may(!slices.Contains(notInDaemon, imported), "the daemon does without it")
	}
	if step[imported] > 0 {
		low, high := step[imported], step[name]
		may(high == 0 && !lowest(name) || low < high || low == high && low == frontEnds+1, "imports go up the stairs")
	}
}

// lowest reports whether a package is below the stairs.
func lowest(name string) bool {
	return strings.HasPrefix(name+"/", "core/") || strings.HasPrefix(name, "internal/dirs") ||
		slices.Contains([]string{"internal/json", "internal/safefile", "internal/sqlite", "internal/configfile", "internal/engine", "internal/wire", "internal/ipc"}, name)
}
