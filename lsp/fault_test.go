// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/core/promptfile"
	"github.com/ctx-lsp/ctx-lsp/internal/document"
	"github.com/ctx-lsp/ctx-lsp/internal/ipc"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
	"github.com/ctx-lsp/ctx-lsp/internal/telemetry"
)

// failingEngine fails calls of a method, like an instance that trapped.
type failingEngine struct {
	Engine
	method atomic.Value
}

func (e *failingEngine) Call(ctx context.Context, method string, params []byte) ([]byte, error) {
	if method == e.method.Load() {
		return nil, errors.New("the engine failed in " + method + ": it stopped. It was replaced, and every session was restored to its state before this call")
	}
	return e.Engine.Call(ctx, method, params)
}

func TestAnEngineThatTrapsCostsOneCall(t *testing.T) {
	engine := &failingEngine{Engine: newFakeEngine()}
	engine.method.Store("")
	var log lockedBuffer
	s := newTestServer(t, Options{Engine: using(engine), Log: slog.New(slog.NewTextHandler(&log, nil))})
	c := start(t, s)
	c.call("ctx/session/open", `{"id":"a"}`)
	c.call("ctx/session/update", `{"id":"a","system":5}`)
	engine.method.Store("ctx/session/update")
	if m := c.ask("ctx/session/update", `{"id":"a","system":5}`); m.Error == nil || m.Error.Code != -32603 || !strings.Contains(m.Error.Message, "it stopped") {
		t.Errorf("%+v", m)
	}
	if n := s.metrics.engineErrors.Load(); n != 1 {
		t.Errorf("%d errors are counted", n)
	}
	if text := log.String(); strings.Count(text, "the engine failed") != 2 || !strings.Contains(text, "method=ctx/session/update") {
		t.Errorf("the log has %s", text) // in the message, and in the error
	}
	engine.method.Store("")
	if got := used(t, c.call("ctx/session/update", `{"id":"a","system":1}`)); got != 6 {
		t.Errorf("used %d after the failed call", got)
	}
}

func TestAnEngineThatHangsHoldsUpOneSession(t *testing.T) {
	engine, hold := holding("ctx/session/history")
	defer close(hold)
	c := start(t, newTestServer(t, Options{Engine: using(engine)}))
	c.call("ctx/session/open", `{"id":"a"}`)
	c.call("ctx/session/open", `{"id":"b"}`)
	c.begin("ctx/session/history", `{"id":"a"}`)
	if got := used(t, c.call("ctx/session/update", `{"id":"b","system":3}`)); got != 3 {
		t.Errorf("the other session: %d", got)
	}
}

func TestAnEngineThatDoesNotStartIsReportedAndRetried(t *testing.T) {
	var tries atomic.Int32
	engine := newFakeEngine()
	s := New(Options{Engine: func(context.Context) (Engine, error) {
		if tries.Add(1) == 1 {
			return nil, errors.New("there is no module")
		}
		return engine, nil
	}})
	defer s.Close()
	c := connect(t, s)
	c.call("initialize", `{"capabilities":{"experimental":{"serverStatusNotification":true}}}`)
	var status struct{ Health, Message string }
	json.Unmarshal(c.note("experimental/serverStatus").Params, &status)
	if status.Health != "error" || !strings.Contains(status.Message, "no module") {
		t.Errorf("%+v", status)
	}
	c.call("ctx/session/open", `{"id":"a"}`)
}

func TestASlowStartIsShownToClientsThatShowProgress(t *testing.T) {
	engine := newFakeEngine()
	s := newTestServer(t, Options{Engine: func(context.Context) (Engine, error) {
		time.Sleep(1500 * time.Millisecond)
		return engine, nil
	}})
	c := connect(t, s)
	asked := make(chan string, 10)
	c.requests = func(m testMessage) any { asked <- m.Method; return nil }
	c.call("initialize", `{"capabilities":{"window":{"workDoneProgress":true}}}`) // without the engine
	c.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	for _, kind := range []string{"begin", "end"} {
		for {
			m := c.note("$/progress")
			if strings.Contains(string(m.Params), `"kind":"`+kind+`"`) {
				break
			}
		}
	}
	if method := <-asked; method != "window/workDoneProgress/create" {
		t.Errorf("asked for %s", method)
	}
	silent := connect(t, s)
	silent.call("initialize", `{"capabilities":{}}`)
	silent.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	silent.quiet("$/progress", 100*time.Millisecond)
}

func TestDocumentsThatAreTooLarge(t *testing.T) {
	c := start(t, newTestServer(t, Options{Engine: realEngine(t, "native")}))
	// A message of 50 MB is skipped, and nothing else is lost.
	go c.send(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///w/CLAUDE.md","version":1,"text":"` + strings.Repeat("x", 50<<20) + `"}}}`)
	if m := c.note("(answer)"); m.Error == nil || m.Error.Code != 1003 || !strings.Contains(m.Error.Message, "didOpen") {
		t.Errorf("50 MB: %+v", m)
	}
	if lenses := c.call("textDocument/codeLens", `{"textDocument":{"uri":"file:///w/CLAUDE.md"}}`); string(lenses) != "[]" {
		t.Errorf("a document that was skipped has lenses: %s", lenses)
	}
	c.send(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///w/CLAUDE.md","version":2},"contentChanges":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"text":"x"}]}}`)
	// A line longer than a document may be is reported once, and the editor's features are empty.
	line := strings.Repeat("long ", (maxText/5)+1)
	c.send(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///w/AGENTS.md","version":1,"text":"` + line + `"}}}`)
	if m := c.note("window/logMessage"); !strings.Contains(string(m.Params), "AGENTS.md cannot be counted") {
		t.Errorf("%s", m.Params)
	}
	if lenses := c.call("textDocument/codeLens", `{"textDocument":{"uri":"file:///w/AGENTS.md"}}`); string(lenses) != "[]" {
		t.Errorf("%s", lenses)
	}
	// One just below the limit is counted, and edited at its end.
	line = line[:2<<20]
	c.send(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///w/GEMINI.md","version":1,"text":"` + line + `"}}}`)
	c.send(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///w/GEMINI.md","version":2},"contentChanges":[{"range":{"start":{"line":0,"character":2000000},"end":{"line":5,"character":0}},"text":"!"}]}}`)
	var lenses []document.Lens
	json.Unmarshal(c.call("textDocument/codeLens", `{"textDocument":{"uri":"file:///w/GEMINI.md"}}`), &lenses)
	if len(lenses) != 1 || !strings.Contains(lenses[0].Command.Title, "k tokens") {
		t.Errorf("%+v", lenses)
	}
}

const maxText = promptfile.MaxText

func TestAnUnwritableStateDirectoryIsReportedOnce(t *testing.T) {
	for _, fault := range []struct {
		name string
		make func(dir string)
	}{
		{"a file where the directory should be", func(dir string) { os.WriteFile(filepath.Join(dir, "ledgers"), nil, 0o600) }},
		{"a full disk", func(dir string) { os.MkdirAll(filepath.Join(dir, "ledgers"), 0o700) }},
	} {
		t.Run(fault.name, func(t *testing.T) {
			dir := t.TempDir()
			fault.make(dir)
			saves := state.OpenLedgers(dir)
			if fault.name == "a full disk" {
				saves = state.OpenLedgersOn(fullDisk{}, dir)
			}
			var log lockedBuffer
			s := newTestServer(t, Options{State: saves, Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
			c := start(t, s)
			c.call("ctx/session/open", `{"id":"a"}`)
			if text := log.String(); strings.Count(text, "a ledger could not be saved") != 3 || s.metrics.saveErrors.Load() != 3 {
				t.Errorf("the log has %s", text)
			}
			if m := c.note("window/logMessage"); !strings.Contains(string(m.Params), "cannot be saved") {
				t.Errorf("%s", m.Params)
			}
			for i := range 20 {
				if got := used(t, c.call("ctx/session/update", `{"id":"a","system":1}`)); got != int64(i+1) {
					t.Fatalf("used %d after %d updates", got, i+1)
				}
			}
			c.quiet("window/logMessage", 50*time.Millisecond)
		})
	}
}

// fullDisk accepts file names but no content.
type fullDisk struct{ state.System }

func (d fullDisk) Open(path string, flag int) (state.File, error) {
	f, err := d.System.Open(path, flag)
	return fullFile{f}, err
}

type fullFile struct{ state.File }

func (fullFile) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// unsyncedDisk cannot sync its directories.
type unsyncedDisk struct{ state.System }

func (unsyncedDisk) SyncFolder(string) error { return syscall.EIO }

// TestADiskThatCannotSyncIsReported checks the log and the metrics of a daemon whose ledgers may be lost.
func TestADiskThatCannotSyncIsReported(t *testing.T) {
	var log lockedBuffer
	saves := state.OpenLedgersOn(unsyncedDisk{}, t.TempDir())
	s := newTestServer(t, Options{State: saves, Log: slog.New(slog.NewTextHandler(&log, nil))})
	c := start(t, s)
	c.call("ctx/session/open", `{"id":"a"}`)
	s.Close()
	reported := func() bool {
		return strings.Contains(log.String(), "ledgers may be lost if the power fails") && s.metrics.saveErrors.Load() == 1
	}
	for end := time.Now().Add(30 * time.Second); !reported(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("after %d errors, the log has %s", s.metrics.saveErrors.Load(), log.String())
		}
	}
}

// killed simulates a state directory after its daemon was killed: its lock is free, and nothing else is cleaned up.
func killed(saves *state.Ledgers) {
	saves.Owners.Abandon()
}

func TestADamagedLedgerIsReportedAndReplaced(t *testing.T) {
	dir := t.TempDir()
	saves := state.OpenLedgers(dir)
	c := start(t, newTestServer(t, Options{State: saves}))
	c.call("ctx/session/open", `{"id":"a"}`)
	c.call("ctx/session/update", `{"id":"a","system":5}`)
	files, _ := filepath.Glob(filepath.Join(dir, "ledgers", "*", "*.json"))
	if len(files) != 1 {
		t.Fatalf("ledgers: %v", files)
	}
	os.WriteFile(files[0], []byte(`{"schema":"ctx.saved/1","led`), 0o600)
	killed(saves)
	c = start(t, newTestServer(t, Options{State: state.OpenLedgers(dir)}))
	if got := used(t, c.call("ctx/session/open", `{"id":"a","resume":true}`)); got != 0 {
		t.Errorf("used %d", got)
	}
	if m := c.note("window/logMessage"); !strings.Contains(string(m.Params), "was set aside as "+filepath.Join(dir, "ledgers")) {
		t.Errorf("%s", m.Params)
	}
	if aside, _ := filepath.Glob(filepath.Join(dir, "ledgers", "*", "*.aside")); len(aside) != 1 {
		t.Error("the damaged ledger was not set aside")
	}
}

// TestALedgerOfAnyDamageIsSetAside resumes sessions whose saved lines have a valid checksum but contain no ledger.
func TestALedgerOfAnyDamageIsSetAside(t *testing.T) {
	for _, rest := range []string{
		`"schema":"ctx.saved/1","session":"a","savedAt":1}`, `"schema":"ctx.saved/1","session":"a","savedAt":1,"ledger":null}`,
		`"schema":"ctx.saved/1","session":"a","savedAt":1,"ledger":7}`, `"schema":"ctx.saved/1","session":"a","savedAt":1,"ledger":[]}`,
		`"schema":"ctx.saved/1","session":"a","savedAt":1,"ledger":{}}`, `"schema":"ctx.saved/1","session":"a","savedAt":1,"ledger":{"schema":7}}`,
		`"schema":"ctx.saved/1","session":"a","savedAt":1,"ledger":{"schema":"` + api.LedgerSchema() + `"}}`,
		`"schema":"ctx.saved/1","session":"a","savedAt":1,"ledger":{"schema":"` + api.LedgerSchema() + `","session":[7],"items":{}}}`, `"a":1}`,
	} {
		dir := t.TempDir()
		saves := state.OpenLedgers(dir)
		c := start(t, newTestServer(t, Options{Engine: realEngine(t, "native"), State: saves}))
		c.call("ctx/session/open", `{"id":"a"}`)
		c.call("ctx/session/update", `{"id":"a","system":5}`)
		killed(saves)
		files, _ := filepath.Glob(filepath.Join(dir, "ledgers", "*", "*.json"))
		if len(files) != 1 {
			t.Fatalf("ledgers: %v", files)
		}
		writeFile(t, files[0], resealed(files[0], []byte(`{"check":"00000000",`+rest)))
		c = start(t, newTestServer(t, Options{Engine: realEngine(t, "native"), State: state.OpenLedgers(dir)}))
		if m := c.ask("ctx/session/open", `{"id":"a","resume":true}`); m.Error != nil {
			t.Errorf("%s: %s", rest, m.Error.Message)
			continue
		}
		if aside, _ := filepath.Glob(filepath.Join(dir, "ledgers", "*", "*.aside")); len(aside) != 1 {
			t.Errorf("%s was not set aside", rest)
		}
	}
}

// anotherBuild is an engine that saves ledgers in another format.
type anotherBuild struct{ Engine }

func (e anotherBuild) Call(ctx context.Context, method string, params []byte) ([]byte, error) {
	answer, err := e.Engine.Call(ctx, method, params)
	if method == "ctx/session/save" {
		answer = bytes.Replace(answer, []byte(api.LedgerSchema()), []byte("ctx.ledger/0123456789abcdef"), 1)
	}
	return answer, err
}

// TestASessionThatAnotherBuildSavedHasNoNumber resumes a session whose ledger has another format: the user gets an
// explanation, and the number is not shown as if the conversation had just begun.
func TestASessionThatAnotherBuildSavedHasNoNumber(t *testing.T) {
	dir := t.TempDir()
	saves := state.OpenLedgers(dir)
	c := start(t, newTestServer(t, Options{Engine: func(ctx context.Context) (Engine, error) {
		e, err := realEngine(t, "native")(ctx)
		return anotherBuild{e}, err
	}, State: saves}))
	c.call("ctx/session/open", `{"id":"a","limits":{"window":1000}}`)
	c.call("ctx/session/usage", `{"id":"a","provider":"ctx","usage":{"in":700,"out":0}}`)
	killed(saves)
	c = start(t, newTestServer(t, Options{Engine: realEngine(t, "native"), State: state.OpenLedgers(dir)}))
	read := func(raw json.RawMessage) (r struct {
		Used     int64
		Basis    string
		Warnings []struct{ Text string }
		Display  struct{ Mark string }
	},
	) {
		if err := json.Unmarshal(raw, &r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	c.call("ctx/session/open", `{"id":"a","resume":true,"limits":{"window":1000}}`)
	aside, _ := filepath.Glob(filepath.Join(dir, "ledgers", "*", "*.aside"))
	if len(aside) != 1 {
		t.Fatalf("set aside: %v", aside)
	}
	note := string(c.note("window/logMessage").Params)
	for _, part := range []string{aside[0], "starts over", "ctx.ledger/0123456789abcdef", api.LedgerSchema()} {
		if !strings.Contains(note, part) {
			t.Errorf("%q is not in %s", part, note)
		}
	}
	r := read(c.call("ctx/session/update", `{"id":"a","system":{"tokens":7}}`))
	if r.Basis != "unknown" || r.Display.Mark != "?" || len(r.Warnings) != 1 || r.Warnings[0].Text != "Its past could not be read: the saved session is missing or cannot be used." {
		t.Errorf("%+v", r)
	}
	if r := read(c.call("ctx/session/usage", `{"id":"a","provider":"ctx","usage":{"in":500,"out":0}}`)); r.Basis != "measured" || r.Used != 500 {
		t.Errorf("after a measurement: %+v", r)
	}
}

func TestOfALedgerThatWasHalfWrittenTheOneBeforeCounts(t *testing.T) {
	dir := t.TempDir()
	saves := state.OpenLedgers(dir)
	c := start(t, newTestServer(t, Options{State: saves}))
	c.call("ctx/session/open", `{"id":"a"}`)
	for range 5 {
		c.call("ctx/session/update", `{"id":"a","system":1}`)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "ledgers", "*", "*.json"))
	if len(files) != 1 {
		t.Fatalf("ledgers: %v", files)
	}
	whole, _ := os.ReadFile(files[0])
	whole = bytes.TrimSuffix(whole, []byte("\n")) // each ledger ends with it, but a later one does not depend on it
	last := bytes.LastIndexByte(whole, '\n')
	if last < 0 {
		t.Fatalf("the ledgers are not one behind the other: %s", whole)
	}
	for cut := last; cut <= len(whole); cut++ {
		killed(saves)
		files, _ := filepath.Glob(filepath.Join(dir, "ledgers", "*", "*.json"))
		if len(files) != 1 {
			t.Fatalf("ledgers: %v", files)
		}
		os.WriteFile(files[0], whole[:cut], 0o600)
		saves = state.OpenLedgers(dir)
		c := start(t, newTestServer(t, Options{State: saves}))
		want := int64(4)
		if cut == len(whole) {
			want = 5
		}
		if got := used(t, c.call("ctx/session/open", `{"id":"a","resume":true}`)); got != want {
			t.Fatalf("cut at %d of %d: used %d, want %d", cut, len(whole), got, want)
		}
		// The next ledger is written after the half line, and is found.
		c.call("ctx/session/update", `{"id":"a","system":1}`)
		killed(saves)
		saves = state.OpenLedgers(dir)
		c = start(t, newTestServer(t, Options{State: saves}))
		if got := used(t, c.call("ctx/session/open", `{"id":"a","resume":true}`)); got != want+1 {
			t.Fatalf("cut at %d of %d and saved again: used %d, want %d", cut, len(whole), got, want+1)
		}
		c.quiet("window/logMessage", 0)
	}
}

func TestAFileOfLedgersDoesNotGrowForEver(t *testing.T) {
	dir := t.TempDir()
	saves := state.OpenLedgers(dir)
	longest := int64(0)
	for i := range 500 {
		ledger := fmt.Appendf(nil, `{"n":%d,"fill":%q}`, i, strings.Repeat("x", i*20))
		if err := saves.Save("a", state.Saved{Schema: state.SavedSchema, Session: "a", Ledger: ledger}); err != nil {
			t.Fatal(err)
		}
		if got, err := saves.Load("a"); err != nil || !bytes.Equal(got, ledger) {
			t.Fatalf("ledger %d: %v %s", i, err, got)
		}
		saves.Sync()
		files, _ := filepath.Glob(filepath.Join(dir, "ledgers", "*", "*"))
		if len(files) != 1 {
			t.Fatalf("a session that is synced has %q", files)
		}
		info, err := os.Stat(files[0])
		if err != nil {
			t.Fatal(err)
		}
		longest = max(longest, info.Size())
	}
	if longest > state.KeptLedgerBytes || longest < state.KeptLedgerBytes/2 {
		t.Errorf("the file has grown to %d bytes", longest)
	}
	if err := saves.Save("a", state.Saved{Schema: state.SavedSchema, Ledger: make([]byte, state.MaxLedgerBytes)}); err == nil {
		t.Error("a ledger was saved that could not be loaded")
	}
}

func TestAResumeThatFailsForAMomentLosesNothing(t *testing.T) {
	dir := t.TempDir()
	saves := state.OpenLedgers(dir)
	c := start(t, newTestServer(t, Options{State: saves}))
	c.call("ctx/session/open", `{"id":"a"}`)
	c.call("ctx/session/update", `{"id":"a","system":5}`)
	killed(saves)
	engine := &failingEngine{Engine: newFakeEngine()}
	engine.method.Store("ctx/session/restore")
	c = start(t, newTestServer(t, Options{Engine: using(engine), State: state.OpenLedgers(dir)}))
	if m := c.ask("ctx/session/open", `{"id":"a","resume":true}`); m.Error == nil || m.Error.Code != -32603 {
		t.Errorf("%+v", m)
	}
	engine.method.Store("")
	if got := used(t, c.call("ctx/session/open", `{"id":"a","resume":true}`)); got != 5 {
		t.Errorf("used %d", got)
	}
}

func TestStateHoldsNoTextAndIsItsOwnersAlone(t *testing.T) {
	dir := t.TempDir()
	c := start(t, newTestServer(t, Options{Engine: realEngine(t, "native"), State: state.OpenLedgers(dir)}))
	c.call("ctx/session/open", `{"id":"secret-test","model":"gpt-5.5"}`)
	c.call("ctx/session/update", `{"id":"secret-test","system":"the word is xylophone","append":[{"kind":"user","text":"my password is xylophone"}],"draft":"xylophone"}`)
	c.call("ctx/session/error", `{"id":"secret-test","error":{"error":{"message":"xylophone"}}}`)
	found := 0
	modes := runtime.GOOS != "windows" // Windows uses access lists instead
	filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			if err == nil && path != dir && modes && info.Mode().Perm() != 0o700 {
				t.Errorf("%s has the mode %v", path, info.Mode())
			}
			return err
		}
		found++
		text, _ := os.ReadFile(path)
		if strings.Contains(string(text), "xylophone") {
			t.Errorf("%s holds text of the conversation", path)
		}
		if modes && info.Mode().Perm() != 0o600 {
			t.Errorf("%s has the mode %v", path, info.Mode())
		}
		return nil
	})
	if found == 0 {
		t.Error("nothing was saved")
	}
}

// TestNothingAcknowledgedIsLost kills a daemon at random moments, again and again, and checks everything it had
// acknowledged. The daemon is this test binary, started again with CTX_TEST_SERVE.
func TestNothingAcknowledgedIsLost(t *testing.T) {
	dir := t.TempDir()
	acknowledged := int64(0)
	for round := range 12 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestServeForAnother$")
		cmd.Env = append(os.Environ(), "CTX_TEST_SERVE="+dir)
		in, _ := cmd.StdinPipe()
		out, _ := cmd.StdoutPipe()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		reader := bufio.NewReader(out)
		call := func(id int, method, params string) (testMessage, error) {
			body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params)
			if _, err := fmt.Fprintf(in, "Content-Length: %d\r\n\r\n%s", len(body), body); err != nil {
				return testMessage{}, err
			}
			for {
				m, err := readMessage(reader)
				if err != nil || string(m.ID) == fmt.Sprint(id) {
					return m, err
				}
			}
		}
		if _, err := call(1, "initialize", `{"capabilities":{}}`); err != nil {
			t.Fatal(err)
		}
		m, err := call(2, "ctx/session/open", `{"id":"a","resume":true}`)
		if err != nil || m.Error != nil {
			t.Fatalf("%v %+v", err, m.Error)
		}
		// A change in progress when the daemon was killed may be saved or not; acknowledged ones must be.
		if got := used(t, m.Result); got < acknowledged || got > acknowledged+1 {
			t.Fatalf("round %d: the session has %d, acknowledged were %d", round, got, acknowledged)
		} else {
			acknowledged = got
		}
		time.AfterFunc(time.Duration(1+round*7)*time.Millisecond, func() { cmd.Process.Kill() })
		for i := 3; ; i++ {
			m, err := call(i, "ctx/session/update", `{"id":"a","system":1}`)
			if err != nil {
				break
			}
			if m.Error != nil {
				t.Fatal(m.Error.Message)
			}
			acknowledged = used(t, m.Result)
		}
		cmd.Wait()
	}
	if acknowledged == 0 {
		t.Error("nothing was ever acknowledged; the test says nothing")
	}
	t.Logf("%d updates, 12 kills", acknowledged)
}

func TestServeForAnother(t *testing.T) {
	dir := os.Getenv("CTX_TEST_SERVE")
	if dir == "" {
		t.Skip("started by TestNothingAcknowledgedIsLost")
	}
	s := New(Options{Engine: using(newFakeEngine()), State: state.OpenLedgers(dir)})
	s.Serve(context.Background(), ipc.Stdio(os.Stdin, os.Stdout))
	os.Exit(0)
}

func TestADisconnectedClientLeavesNothing(t *testing.T) {
	engine := newFakeEngine()
	s := newTestServer(t, Options{Engine: using(engine)})
	for range 50 {
		c := start(t, s)
		c.call("ctx/session/open", `{"id":"a"}`)
		c.begin("ctx/session/update", `{"id":"a","system":1}`)
		c.conn.Close()
		c.exitCode()
	}
	s.lanes.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.connections) != 0 || len(s.sessions) != 0 {
		t.Errorf("%d connections and %d sessions are left", len(s.connections), len(s.sessions))
	}
}

func TestMetricsIdentifyNoSession(t *testing.T) {
	meter := telemetry.New(telemetry.Options{})
	defer meter.Close()
	s := newTestServer(t, Options{Telemetry: meter})
	c := start(t, s)
	c.call("ctx/session/open", `{"id":"private-name","workspace":"/private/path"}`)
	c.call("ctx/session/update", `{"id":"private-name","system":95}`)
	var b strings.Builder
	s.WriteMetrics(&b)
	text := b.String()
	for _, want := range []string{"ctx_connections 1\n", "ctx_sessions{ctx_level=\"now\"} 1\n", "ctx_changes_total 2\n", "ctx_engine_seconds_count", "ctx_fullest_percent 95\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if strings.Contains(text, "private") {
		t.Error("the metrics name a session or a workspace")
	}
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if !strings.HasPrefix(line, "# ") && len(strings.Fields(line)) != 2 {
			t.Errorf("no line of Prometheus: %q", line)
		}
	}
	c.call("ctx/session/close", `{"id":"private-name"}`)
	b.Reset()
	if s.WriteMetrics(&b); strings.Contains(b.String(), `ctx_level="now"} 1`) {
		t.Error("a session that was closed is counted")
	}
}

// contextEngine keeps the context of its last call.
type contextEngine struct {
	Engine
	last context.Context
}

func (e *contextEngine) Call(ctx context.Context, method string, params []byte) ([]byte, error) {
	e.last = ctx
	return e.Engine.Call(ctx, method, params)
}

// TestACallThatChangesSomethingIsNotCanceled checks which calls to the engine end with the request that makes them.
func TestACallThatChangesSomethingIsNotCanceled(t *testing.T) {
	engine := &contextEngine{Engine: newFakeEngine()}
	s := newTestServer(t, Options{Engine: using(engine)})
	for method, canceled := range map[string]bool{
		"ctx/session/reading": true, "ctx/count": true, "ctx/session/update": false, "ctx/session/close": false,
		"ctx/document/open": false, "ctx/document/view": false, "no/method": false,
	} {
		ctx, cancel := context.WithCancel(t.Context())
		if _, err := s.callRaw(ctx, method, []byte(`{}`)); err != nil {
			t.Errorf("%s: %v", method, err)
		}
		cancel()
		if got := engine.last.Err() != nil; got != canceled {
			t.Errorf("%s is canceled: %v", method, got)
		}
	}
}

// TestTheEndOfADaemonWaitsForItsClients checks that no client is connected after the daemon has ended.
func TestTheEndOfADaemonWaitsForItsClients(t *testing.T) {
	s := newTestServer(t, Options{})
	for range 20 {
		start(t, s)
	}
	if before := clients(s); before != 20 {
		t.Errorf("%d clients are connected", before)
	}
	if s.Close(); clients(s) != 0 {
		t.Errorf("%d clients are connected", clients(s))
	}
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		_, _ = s.callRaw(t.Context(), "ctx/sessions", []byte(`{}`))
	}()
	if _, came := receive(30*time.Second, answered); !came {
		t.Error("a late call waits for ever")
	}
}

// TestASessionThatCannotBeClosedIsLogged checks the log of a daemon whose engine fails to close a session, which is
// removed all the same.
func TestASessionThatCannotBeClosedIsLogged(t *testing.T) {
	var log lockedBuffer
	engine := &failingEngine{Engine: newFakeEngine()}
	engine.method.Store("ctx/session/close")
	s := newTestServer(t, Options{Engine: using(engine), Log: slog.New(slog.NewTextHandler(&log, nil))})
	c := start(t, s)
	c.call("ctx/session/open", `{"id":"a"}`)
	c.call("ctx/session/close", `{"id":"a"}`)
	if text := log.String(); strings.Count(text, "a session could not be closed") != 1 || len(s.all(func(*session) bool { return true })) != 0 {
		t.Errorf("the log has %s", text)
	}
	s.end(&session{id: "gone"}) // the engine fails again
	engine.method.Store("")
	s.end(&session{id: "gone"}) // a session that the engine does not have is not an error
	if n := strings.Count(log.String(), "a session could not be closed"); n != 2 {
		t.Errorf("the log has %d errors", n)
	}
}
