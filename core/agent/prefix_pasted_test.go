// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"slices"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/internal/count"
)

// pasted are published outputs of /context, in tokens as rounded by Claude Code: its own count of its system prompt and
// of its built-in tools, for versions whose models count alike. 0 is a row that was cut off. The workspaces are
// unknown; most are repositories.
var pasted = []struct {
	version       string
	deferred      bool
	system, tools int64
}{
	{"1.0.86", false, 3200, 11500},
	{"1.0.86", false, 3800, 11900},
	{"2.0.1", false, 3000, 11500},
	{"2.0.76", false, 3500, 15400},
	{"2.0.76", false, 3400, 15300},
	{"2.0.76", false, 3000, 15300},
	{"2.1.29", false, 2700, 16800},
	{"2.1.29", false, 2700, 17700},
	{"2.1.29", false, 0, 17600},
	{"2.1.29", false, 2500, 17200},
	{"2.1.29", false, 2500, 17100},
	{"2.1.29", false, 2500, 16400},
	{"2.1.156", true, 6600, 9200},
	{"2.1.156", true, 6600, 9900},
	{"2.1.156", true, 6400, 9100},
	{"2.1.156", true, 6900, 9900},
}

// printedFrames is the part of the system prompt's size, as printed by Claude Code, that is not in it: each of its
// seven to eleven blocks is counted as a message, with a frame of seven tokens.
const printedFrames = 9 * 7

// TestTheTableAgainstPublishedOutputs checks that the table's sizes of a version are never above the counts in
// published outputs, whose prompts also contain their users' additions. `make accuracy` prints the differences.
func TestTheTableAgainstPublishedOutputs(t *testing.T) {
	off := map[core.Kind][]int64{}
	density := count.NewVocabularies().Resolve("claude-opus-4-6", "anthropic", "").Meter.Density()
	for _, p := range pasted {
		f := claudeFile{version: p.version, branch: "main"}
		f.says("Hello.")
		if p.deferred {
			f.add("", "attachment", `"attachment":{"type":"deferred_tools_delta","addedNames":["WebFetch"],"addedLines":["WebFetch"]}`)
		}
		f.calls(1, 30_000, 1, "Read", `{"file_path":"/a"}`)
		told := map[core.Kind]int64{}
		for _, known := range lastKnown(f.events(t)) {
			if known.Source != core.FromTable {
				continue
			}
			for _, part := range known.Parts {
				switch {
				case part.Optional:
				case part.Reference:
					told[known.Kind] += part.Tokens * density / 1000
				default:
					told[known.Kind] += part.Tokens
				}
			}
		}
		for kind, printed := range map[core.Kind]int64{core.System: p.system, core.Tools: p.tools} {
			if printed == 0 {
				continue
			}
			if kind == core.System {
				printed -= printedFrames
			}
			checked := checkedRow{told[kind], printed}
			off[kind] = append(off[kind], checked.tenths())
			if told[kind] == 0 || told[kind] > printed*105/100 {
				t.Errorf("%s, %s: the table has %d, printed were %d", p.version, kind, told[kind], printed)
			}
		}
	}
	for _, kind := range []core.Kind{core.System, core.Tools} {
		slices.Sort(off[kind])
		m := middle(off[kind])
		t.Logf("claude-code, %s, by table against /context as people have published it: %d outputs, off by %d.%d %% in the median, %d.%d %% at most",
			kind, len(off[kind]), m/10, m%10, off[kind][len(off[kind])-1]/10, off[kind][len(off[kind])-1]%10)
	}
}
