// Copyright The ctx-lsp authors. MIT licence.

package history

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// TestTheLevelNowIsJudgedByWhatFollows checks which first Readings at now count as false, and which compactions came at
// it.
func TestTheLevelNowIsJudgedByWhatFollows(t *testing.T) {
	reading := func(calls, in, compactions int64, level, verdict string) []byte {
		return fmt.Appendf(nil, `{"spent":{"calls":%d},"lastRequest":{"in":%d},"compaction":{"count":%d,"level":%q,"threshold":100000,"last":%s}}`, calls, in, compactions, level, verdict)
	}
	auto := func(before int64) string {
		return fmt.Sprintf(`{"trigger":"auto","before":%d,"threshold":100000}`, before)
	}
	for _, c := range []struct {
		name     string
		readings [][]byte
		want     LevelQuality
	}{
		{"a request stays below", [][]byte{reading(1, 90_000, 0, "soon", "null"), reading(1, 90_000, 0, "now", "null"), reading(2, 95_000, 0, "now", "null"), reading(3, 96_000, 0, "now", "null")}, LevelQuality{Requests: 3, Shown: 1, False: 1}},
		{"it compacts", [][]byte{reading(1, 90_000, 0, "now", "null"), reading(1, 90_000, 1, "ok", auto(99_000)), reading(2, 20_000, 1, "ok", auto(99_000))}, LevelQuality{Requests: 2, Shown: 1, Automatic: 1, AtNow: 1}},
		{"it compacts unexpectedly", [][]byte{reading(1, 90_000, 0, "soon", "null"), reading(1, 90_000, 1, "ok", auto(99_000))}, LevelQuality{Requests: 1, Automatic: 1}},
		{"a setting moved the threshold", [][]byte{reading(1, 70_000, 0, "ok", "null"), reading(1, 70_000, 1, "ok", auto(70_000))}, LevelQuality{Requests: 1, Automatic: 1, Elsewhere: 1}},
		{"the user compacts", [][]byte{reading(1, 90_000, 0, "now", "null"), reading(1, 90_000, 1, "ok", `{"trigger":"manual","before":90000,"threshold":100000}`), reading(2, 20_000, 1, "ok", "null")}, LevelQuality{Requests: 2, Shown: 1}},
		{"a request passes the threshold", [][]byte{reading(1, 90_000, 0, "now", "null"), reading(2, 101_000, 0, "over", "null")}, LevelQuality{Requests: 2, Shown: 1}},
	} {
		var w levelWalk
		for _, r := range c.readings {
			if err := w.visit(r); err != nil {
				t.Fatal(err)
			}
		}
		if w.LevelQuality != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, w.LevelQuality, c.want)
		}
	}
	sum := NewLevels()
	sum.Add("b", LevelQuality{Requests: 200, Shown: 2, False: 1, Automatic: 4, AtNow: 3, Elsewhere: 1})
	sum.Add("a", LevelQuality{Requests: 200})
	var out bytes.Buffer
	if err := sum.Table(&out); err != nil || !strings.Contains(out.String(), "\nall         400    2      1     0.25          4       3     75.00          1           100.00\n") {
		t.Errorf("%v\n%s", err, out.String())
	}
}
