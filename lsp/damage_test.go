// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
)

// resumedReading is the part of a Reading that shows whether a number is what was saved last.
type resumedReading struct {
	Used     int64
	Basis    string
	Warnings []struct{ Text string }
	Display  struct{ Mark string }
}

// warns reports whether a Reading has a warning.
func (r resumedReading) warns(text string) bool {
	return slices.ContainsFunc(r.Warnings, func(w struct{ Text string }) bool { return w.Text == text })
}

// isMarked reports whether a Reading shows that its number may not be the latest.
func (r resumedReading) isMarked() bool {
	return r.Basis != "measured" && r.Display.Mark == "!" && r.warns(phrase.PastOlder.English())
}

// isRefused reports whether a Reading shows that nothing could be resumed.
func (r resumedReading) isRefused() bool {
	return r.Basis == "unknown" && r.Display.Mark == "?" && r.warns(phrase.PastSetAside.English())
}

func readResumed(t *testing.T, result json.RawMessage) (r resumedReading) {
	t.Helper()
	if err := json.Unmarshal(result, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// A savedKind makes the state directory of one session, and returns its number.
type savedKind struct {
	name string
	make func(t *testing.T, c *testClient, s *state.Ledgers, dir string)
}

func (c *testClient) measured(n int) {
	c.call("ctx/session/usage", fmt.Sprintf(`{"id":"a","provider":"ctx","usage":{"in":%d,"out":1}}`, n))
}

var savedKinds = []savedKind{
	{"measured requests", func(_ *testing.T, c *testClient, _ *state.Ledgers, _ string) {
		for _, n := range []int{1000, 90_000, 950_000} {
			c.measured(n)
		}
	}},
	{"records of an agent", func(_ *testing.T, c *testClient, _ *state.Ledgers, _ string) {
		for i, n := range []int{1000, 90_000} {
			text := fmt.Sprintf(`{"type":"assistant","uuid":"u%d","sessionId":"a","timestamp":"2026-01-01T00:00:0%dZ","message":{"id":"m%d","role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"text","text":"yes"}],"usage":{"input_tokens":%d,"output_tokens":5}}}`, i, i, i, n)
			c.call("ctx/session/records", `{"id":"a","agent":"claude-code","records":[`+text+`]}`)
		}
	}},
	{"two generations", func(t *testing.T, c *testClient, s *state.Ledgers, dir string) {
		c.measured(1000)
		s.Sync()
		before, _ := filepath.Glob(filepath.Join(dir, "ledgers", "*", "*.json"))
		text, err := os.ReadFile(before[0])
		if err != nil {
			t.Fatal(err)
		}
		c.measured(90_000)
		s.Sync()
		// As after a crash: the newest ledger is the first of a new generation, and the previous generation is still there.
		newest := bytes.TrimRight(readFile(t, before[0]), "\n")
		newest = newest[bytes.LastIndexByte(newest, '\n')+1:]
		writeFile(t, before[0], text)
		writeFile(t, strings.TrimSuffix(before[0], ".json")+".g2.json", resealed(before[0], newest))
	}},
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func writeFile(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestNoDamageOfALedgerIsSilent cuts the files of a saved session at many bytes, and flips a bit of each of them: all
// with CTX_EVERY_BYTE, otherwise every eleventh and the ends of lines. The resumed number must be the one saved last,
// or its Reading marks it, or the ledger is refused with a message.
func TestNoDamageOfALedgerIsSilent(t *testing.T) {
	for _, kind := range savedKinds {
		t.Run(kind.name, func(t *testing.T) {
			dir := t.TempDir()
			saves := state.OpenLedgers(dir)
			c := start(t, newTestServer(t, Options{Engine: realEngine(t, "native"), State: saves}))
			c.call("ctx/session/open", `{"id":"a","limits":{"window":1000000}}`)
			kind.make(t, c, saves, dir)
			want := readResumed(t, c.call("ctx/session/reading", `{"id":"a"}`)).Used
			saves.Sync()
			killed(saves)
			files := filesIn(t, dir)
			check := func(damaged map[string][]byte, what string) (marked bool) {
				t.Helper()
				at := t.TempDir()
				for path, text := range damaged {
					writeFile(t, filepath.Join(at, path), text)
				}
				resumedBy := state.OpenLedgers(at)
				s := newTestServer(t, Options{Engine: realEngine(t, "native"), State: resumedBy})
				c := start(t, s)
				got := readResumed(t, c.call("ctx/session/open", `{"id":"a","resume":true,"limits":{"window":1000000}}`))
				s.Close()
				if got.Used != want && !got.isMarked() && !got.isRefused() {
					t.Fatalf("%s: %d instead of %d, silently: %+v", what, got.Used, want, got)
				}
				return got.isMarked() || got.isRefused()
			}
			if check(files, "nothing") {
				t.Error("an intact ledger is marked or refused")
			}
			stride := 11
			if os.Getenv("CTX_EVERY_BYTE") != "" {
				stride = 1
			}
			marked := 0
			for _, path := range slices.Sorted(maps.Keys(files)) {
				text := files[path]
				removed := maps.Clone(files)
				delete(removed, path)
				check(removed, path+" removed")
				for i := range text {
					if i%stride != 0 && text[i] != '\n' && (i == 0 || text[i-1] != '\n') {
						continue
					}
					cut := maps.Clone(files)
					cut[path] = text[:i]
					flipped := maps.Clone(files)
					flipped[path] = bytes.Clone(text)
					flipped[path][i] ^= 1 << (i % 8)
					for what, each := range map[string]map[string][]byte{"cut": cut, "flipped": flipped} {
						if check(each, fmt.Sprintf("%s %s at byte %d of %d", path, what, i, len(text))) {
							marked++
						}
					}
				}
			}
			if marked == 0 {
				t.Error("no damage was noticed")
			}
		})
	}
}

// filesIn returns the files below a directory by their relative paths, without locks and secrets.
func filesIn(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && !strings.HasSuffix(path, ".lock") && entry.Name() != "secret" {
			relative, _ := filepath.Rel(dir, path)
			files[relative] = readFile(t, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// resealed returns a saved line as it is written at the start of a file.
func resealed(path string, line []byte) []byte {
	const head = len(`{"check":"00000000",`)
	name, _, _ := strings.Cut(filepath.Base(path), ".")
	if bytes.Contains(line, []byte(`"schema":"ctx.saved/1"`)) {
		name = ""
	}
	sum := crc32.Checksum(slices.Concat(make([]byte, 8), []byte(name), line[head:]), crc32.MakeTable(crc32.Castagnoli))
	return fmt.Appendf(nil, `{"check":"%08x",%s`+"\n", sum, line[head:])
}

// TestSwappedLedgersAreNotResumed swaps the files of two conversations, and copies one over the other.
func TestSwappedLedgersAreNotResumed(t *testing.T) {
	for _, swapped := range []bool{true, false} {
		dir := t.TempDir()
		saves := state.OpenLedgers(dir)
		c := start(t, newTestServer(t, Options{Engine: realEngine(t, "native"), State: saves}))
		paths := map[string]string{}
		for id, n := range map[string]string{"a": "90000", "b": "1000"} {
			c.call("ctx/session/open", `{"id":"`+id+`","limits":{"window":1000000}}`)
			c.call("ctx/session/usage", `{"id":"`+id+`","provider":"ctx","usage":{"in":`+n+`,"out":1}}`)
			files, _ := filepath.Glob(filepath.Join(dir, "ledgers", "*", "*.json"))
			for _, path := range files {
				if !slices.Contains(slices.Collect(maps.Values(paths)), path) {
					paths[id] = path
				}
			}
		}
		saves.Sync()
		killed(saves)
		a, b := readFile(t, paths["a"]), readFile(t, paths["b"])
		writeFile(t, paths["b"], a)
		if swapped {
			writeFile(t, paths["a"], b)
		}
		c = start(t, newTestServer(t, Options{Engine: realEngine(t, "native"), State: state.OpenLedgers(dir)}))
		for _, id := range []string{"a", "b"} {
			got := readResumed(t, c.call("ctx/session/open", `{"id":"`+id+`","resume":true,"limits":{"window":1000000}}`))
			if refused := swapped || id == "b"; got.isRefused() != refused || !refused && (got.Used != 90_001 || got.isMarked()) {
				t.Errorf("swapped %v: %s: %+v", swapped, id, got)
			}
		}
	}
}

// TestALedgerOfTheEarlierFormatIsMarked resumes a ledger whose checksum does not cover its conversation's name. The
// next change saves it in the current format, which ends the mark with the provider's next usage.
func TestALedgerOfTheEarlierFormatIsMarked(t *testing.T) {
	dir := t.TempDir()
	saves := state.OpenLedgers(dir)
	c := start(t, newTestServer(t, Options{Engine: realEngine(t, "native"), State: saves}))
	c.call("ctx/session/open", `{"id":"a","limits":{"window":1000000}}`)
	c.measured(90_000)
	saves.Sync()
	killed(saves)
	files, _ := filepath.Glob(filepath.Join(dir, "ledgers", "*", "*.json"))
	line := bytes.TrimRight(readFile(t, files[0]), "\n")
	line = bytes.Replace(line[bytes.LastIndexByte(line, '\n')+1:], []byte("ctx.saved/2"), []byte("ctx.saved/1"), 1)
	writeFile(t, files[0], resealed(files[0], line))
	for _, n := range []int{0, 95_000, 0} {
		saves = state.OpenLedgers(dir)
		c = start(t, newTestServer(t, Options{Engine: realEngine(t, "native"), State: saves}))
		got := readResumed(t, c.call("ctx/session/open", `{"id":"a","resume":true,"limits":{"window":1000000}}`))
		if got.isMarked() != (got.Used == 90_001) || got.Used != 90_001 && got.Used != 95_001 {
			t.Errorf("%+v", got)
		}
		if n > 0 {
			c.measured(n)
		}
		saves.Sync()
		killed(saves)
	}
}

// removeLedgers removes the files of all ledgers in a state directory, and returns how many there were.
func removeLedgers(t *testing.T, dir string) int {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dir, "ledgers", "*", "*.json"))
	for _, path := range files {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	return len(files)
}

// TestARemovedLedgerIsMissed checks that a conversation whose ledger something else has removed does not look like a
// new one, and that one that was closed or started over does.
func TestARemovedLedgerIsMissed(t *testing.T) {
	const open, resume = `{"id":"a","limits":{"window":1000000}}`, `{"id":"a","resume":true,"limits":{"window":1000000}}`
	serve := func(dir string) (*testClient, *Server, *state.Ledgers) {
		saves := state.OpenLedgers(dir)
		s := newTestServer(t, Options{Engine: realEngine(t, "native"), State: saves})
		return start(t, s), s, saves
	}
	type step func(dir string, c *testClient, s *Server, saves *state.Ledgers)
	kill := func(_ string, _ *testClient, _ *Server, saves *state.Ledgers) { saves.Sync(); killed(saves) }
	end := func(_ string, c *testClient, s *Server, _ *state.Ledgers) { c.call("shutdown", `null`); s.Close() }
	closed := func(_ string, c *testClient, _ *Server, _ *state.Ledgers) { c.call("ctx/session/close", `{"id":"a"}`) }
	remove := func(dir string, _ *testClient, _ *Server, _ *state.Ledgers) { removeLedgers(t, dir) }
	runs := func(string, *testClient, *Server, *state.Ledgers) {}
	steps := func(all ...step) step {
		return func(dir string, c *testClient, s *Server, saves *state.Ledgers) {
			for _, each := range all {
				each(dir, c, s, saves)
			}
		}
	}
	for _, test := range []struct {
		name   string
		missed bool
		rounds []step // of one daemon each
	}{
		{"a killed daemon", true, []step{steps(remove, kill)}},
		{"killed before its first round of syncs", true, []step{steps(remove, func(_ string, _ *testClient, _ *Server, saves *state.Ledgers) { killed(saves) })}},
		{"a daemon that has ended", true, []step{steps(end, remove)}},
		{"a daemon that runs", true, []step{steps(remove, runs)}},
		{"resumed by another daemon", true, []step{kill, steps(remove, kill)}},
		{"closed", false, []step{steps(closed, kill)}},
		{"closed while its end waits to be recorded", false, []step{steps(func(_ string, c *testClient, _ *Server, _ *state.Ledgers) { c.measured(5000) }, closed, kill)}},
		{"resumed and closed", false, []step{kill, steps(closed, kill)}},
		{"removed, resumed and closed", false, []step{steps(remove, kill), steps(closed, kill)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			params := open
			for _, round := range test.rounds {
				c, s, saves := serve(dir)
				c.call("ctx/session/open", params)
				c.measured(90_000)
				round(dir, c, s, saves)
				params = resume
			}
			c, _, saves := serve(dir)
			got := readResumed(t, c.call("ctx/session/open", resume))
			if got.isRefused() != test.missed || got.Used >= 90_000 {
				t.Errorf("missed %v: %+v", test.missed, got)
			}
			c.call("ctx/session/close", `{"id":"a"}`)
			if got := readResumed(t, c.call("ctx/session/open", resume)); test.name != "a daemon that runs" && got.isRefused() {
				t.Errorf("it is still missed after it was closed: %+v", got)
			}
			kill(dir, c, nil, saves)
		})
	}
}

// TestALeftLedgerThatIsRemovedIsMissed is TestARemovedLedgerIsMissed for a client that disconnects from a daemon that
// goes on.
func TestALeftLedgerThatIsRemovedIsMissed(t *testing.T) {
	dir := t.TempDir()
	s := newTestServer(t, Options{Engine: realEngine(t, "native"), State: state.OpenLedgers(dir)})
	first := start(t, s)
	first.call("ctx/session/open", `{"id":"a","limits":{"window":1000000}}`)
	first.measured(90_000)
	first.conn.Close()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
		if left, _ := filepath.Glob(filepath.Join(dir, "ledgers", "*", "*.left-*.json")); len(left) == 1 {
			break
		}
		if time.Now().After(end) {
			t.Fatal("the session is not left")
		}
	}
	if n := removeLedgers(t, dir); n != 1 {
		t.Fatalf("%d ledgers", n)
	}
	second := start(t, s)
	if got := readResumed(t, second.call("ctx/session/open", `{"id":"a","resume":true}`)); !got.isRefused() {
		t.Errorf("%+v", got)
	}
}

// A fillableDisk has no space for content while full is set.
type fillableDisk struct {
	state.System
	full *atomic.Bool
}

func (d fillableDisk) Open(path string, flag int) (state.File, error) {
	f, err := d.System.Open(path, flag)
	if err != nil {
		return nil, err
	}
	return fillableFile{f, d.full}, nil
}

type fillableFile struct {
	state.File
	full *atomic.Bool
}

func (f fillableFile) Write(text []byte) (int, error) {
	if f.full.Load() {
		n, _ := f.File.Write(text[:len(text)/2])
		return n, syscall.ENOSPC
	}
	return f.File.Write(text)
}

// TestAfterAFullDiskAnOlderNumberIsMarked resumes sessions whose last changes were acknowledged, but not saved because
// the disk was full, and one that was opened then. A change that is saved later, and the provider's next usage, end the
// mark.
func TestAfterAFullDiskAnOlderNumberIsMarked(t *testing.T) {
	dir := t.TempDir()
	full := &atomic.Bool{}
	saves := state.OpenLedgersOn(fillableDisk{full: full}, dir)
	c := start(t, newTestServer(t, Options{Engine: realEngine(t, "native"), State: saves}))
	for _, id := range []string{"a", "saved later"} {
		c.call("ctx/session/open", `{"id":"`+id+`","limits":{"window":1000}}`)
		c.call("ctx/session/usage", `{"id":"`+id+`","provider":"ctx","usage":{"in":400,"out":1}}`)
	}
	full.Store(true)
	c.call("ctx/session/open", `{"id":"opened then","limits":{"window":1000}}`)
	for _, id := range []string{"a", "saved later", "opened then"} {
		c.call("ctx/session/usage", `{"id":"`+id+`","provider":"ctx","usage":{"in":600,"out":1}}`)
	}
	full.Store(false)
	c.call("ctx/session/update", `{"id":"saved later"}`)
	killed(saves)

	resumedBy := state.OpenLedgers(dir)
	c = start(t, newTestServer(t, Options{Engine: realEngine(t, "native"), State: resumedBy}))
	resume := func(id string) resumedReading {
		return readResumed(t, c.call("ctx/session/open", `{"id":"`+id+`","resume":true,"limits":{"window":1000}}`))
	}
	if got := resume("a"); got.Used != 401 || !got.isMarked() {
		t.Errorf("600 were acknowledged and 400 saved: %+v", got)
	}
	if got := resume("saved later"); got.Used != 601 || got.isMarked() {
		t.Errorf("600 were saved in the end: %+v", got)
	}
	if got := resume("opened then"); !got.isRefused() {
		t.Errorf("600 were acknowledged and nothing saved: %+v", got)
	}
	killed(resumedBy)
	c = start(t, newTestServer(t, Options{Engine: realEngine(t, "native"), State: state.OpenLedgers(dir)}))
	if got := resume("a"); !got.isMarked() {
		t.Errorf("the mark is lost by another restart: %+v", got)
	}
	got := readResumed(t, c.call("ctx/session/usage", `{"id":"a","provider":"ctx","usage":{"in":700,"out":1}}`))
	if got.Used != 701 || got.Basis != "measured" || got.Display.Mark != "" || len(got.Warnings) != 0 {
		t.Errorf("after the provider's next usage: %+v", got)
	}
}

// TestAKilledDaemonLeavesNoMark checks that a session is resumed as it was if its daemon was killed before, during and
// after a round of syncs.
func TestAKilledDaemonLeavesNoMark(t *testing.T) {
	for _, wait := range []time.Duration{0, 300 * time.Millisecond, time.Second} {
		dir := t.TempDir()
		saves := state.OpenLedgers(dir)
		c := start(t, newTestServer(t, Options{Engine: realEngine(t, "native"), State: saves}))
		c.call("ctx/session/open", `{"id":"a","limits":{"window":1000}}`)
		c.measured(100)
		time.Sleep(wait)
		c.measured(200)
		killed(saves)
		c = start(t, newTestServer(t, Options{Engine: realEngine(t, "native"), State: state.OpenLedgers(dir)}))
		got := readResumed(t, c.call("ctx/session/open", `{"id":"a","resume":true}`))
		if got.Used != 201 || got.isMarked() {
			t.Errorf("after %v: %+v", wait, got)
		}
	}
}
