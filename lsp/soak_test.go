// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
)

// TestSoak mixes all kinds of failures with work that must succeed, for the duration in CTX_SOAK (by default a few
// seconds), and then checks the result: the Readings must be those of an undisturbed engine, no goroutine may remain,
// and memory and open files must be back to what they were.
func TestSoak(t *testing.T) {
	last := 3 * time.Second
	if text := os.Getenv("CTX_SOAK"); text != "" {
		d, err := time.ParseDuration(text)
		if err != nil {
			t.Fatalf("CTX_SOAK is a duration such as 10m: %v", err)
		}
		last = d
	}
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	name := "wasm"
	if _, err := engine.FindModule(os.Getenv("CTX_WASM")); err != nil {
		name = "native"
	}
	pool, err := engine.Open(name, os.Getenv("CTX_WASM"), engine.Options{Instances: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	quiet := runtime.NumGoroutine()
	tripping := &trippingEngine{Engine: pool, random: rand.New(rand.NewSource(seed))}
	s := New(Options{Engine: using(unclosed{tripping}), State: state.OpenLedgers(t.TempDir()), Now: func() time.Time { return time.UnixMilli(1_700_000_000_000) }})
	undisturbed, err := engine.Native(engine.Options{Instances: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer undisturbed.Close()
	soak := &soak{t: t, server: s, undisturbed: undisturbed}
	begin := time.Now()
	var working sync.WaitGroup
	for n := range 6 {
		working.Add(1)
		go func() {
			defer working.Done()
			r := rand.New(rand.NewSource(seed + int64(n)))
			for round := 0; time.Since(begin) < last && !t.Failed(); round++ {
				soak.round(r, fmt.Sprintf("soak-%d-%d", n, round))
			}
		}()
	}
	// Memory is compared with its size after a third of the time, when every pool and cache is full.
	time.Sleep(last / 3)
	early, opened := heap(), handles()
	working.Wait()
	late, open := heap(), handles()
	s.Close()
	if open > opened+32 { // a client, a file and a transcript may be open at any moment
		t.Errorf("there were %d open files, and there are %d", opened, open)
	}
	if late > early+early/4+(8<<20) {
		t.Errorf("the heap grew from %d to %d MB", early>>20, late>>20)
	}
	left := 0
	for range 100 {
		if left = runtime.NumGoroutine(); left <= quiet {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if left > quiet {
		stacks := make([]byte, 1<<20)
		t.Errorf("%d goroutines are left, %d there were:\n%s", left, quiet, stacks[:runtime.Stack(stacks, true)])
	}
	if soak.compared.Load() == 0 {
		t.Error("no session was compared; the test says nothing")
	}
	t.Logf("%s: %d sessions equal, %d calls, %d faults, heap %d MB after a third and %d MB at the end, %d and %d open files", name, soak.compared.Load(), soak.calls.Load(), tripping.tripped.Load(), early>>20, late>>20, opened, open)
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse
}

// handles returns the number of open files of this process, or 0 if the system does not report it.
func handles() int {
	open, _ := os.ReadDir("/proc/self/fd")
	return len(open)
}

// trippingEngine fails one call of a hundred before it is made, and delays another.
type trippingEngine struct {
	Engine
	mu      sync.Mutex
	random  *rand.Rand
	tripped atomic.Int64
}

func (e *trippingEngine) Call(ctx context.Context, method string, params []byte) ([]byte, error) {
	e.mu.Lock()
	n := e.random.Intn(100)
	e.mu.Unlock()
	if strings.HasPrefix(method, "ctx/session/") && method != "ctx/session/save" && method != "ctx/session/close" {
		switch n {
		case 0:
			e.tripped.Add(1)
			return nil, errors.New("it stopped")
		case 1:
			time.Sleep(5 * time.Millisecond)
		}
	}
	return e.Engine.Call(ctx, method, params)
}

type soak struct {
	t               *testing.T
	server          *Server
	undisturbed     *engine.Pool
	compared, calls atomic.Int64
}

// forgetful is for clients that end on their own: a list of all of them for cleanup would look like a leak.
type forgetful struct{ testing.TB }

func (forgetful) Cleanup(func()) {}

// step is an acknowledged call.
type step struct{ method, params string }

// round is the life of one session whose clients misbehave.
func (k *soak) round(r *rand.Rand, id string) {
	c := start(forgetful{k.t}, k.server)
	var steps []step
	do := func(method, params string) bool {
		k.calls.Add(1)
		m := c.ask(method, fmt.Sprintf(`{"id":%q%s}`, id, params))
		if m.Error != nil {
			if m.Error.Code != api.Code(api.Internal) {
				k.t.Errorf("%s: %+v", method, m.Error)
			}
			return false // it failed, and must not have changed anything
		}
		steps = append(steps, step{method, params})
		return true
	}
	for !do("ctx/session/open", `,"model":"gpt-5.5","resume":true,"limits":{"window":200000,"output":8000}`) {
		if k.t.Failed() {
			return
		}
	}
	steps[0].params = strings.Replace(steps[0].params, `,"resume":true`, "", 1)
	for range 10 + r.Intn(40) {
		switch r.Intn(12) {
		case 0, 1, 2, 3:
			do("ctx/session/update", fmt.Sprintf(`,"append":[{"kind":"user","text":%q}]`, strings.Repeat("a question about the code ", 1+r.Intn(40))))
		case 4, 5:
			do("ctx/session/update", fmt.Sprintf(`,"append":[{"kind":"toolResults","label":"read","text":%q}]`, strings.Repeat("line of a file\n", 1+r.Intn(300))))
		case 6, 7:
			do("ctx/session/usage", fmt.Sprintf(`,"provider":"ctx","usage":{"in":%d,"out":%d}`, 20_000+r.Intn(150_000), r.Intn(3000)))
		case 8:
			do("ctx/session/compacted", `,"summary":{"tokens":900}`)
		case 9:
			c.raw([]string{"garbage\r\n", "Content-Length: 99999999999\r\n\r\n", frameText("{"), frameText("[]"), "\r\n\r\n"}[r.Intn(5)])
		case 10:
			for n := range 50 {
				c.begin("ctx/session/history", fmt.Sprintf(`{"id":%q}`, id))
				c.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":%d}}`, c.next-n%7))
			}
		case 11:
			k.otherClient(r)
		}
	}
	if r.Intn(2) == 0 { // the client crashes and reconnects
		whose := k.server.all(func(s *session) bool { return s.id == id })[0].owner.number
		c.conn.Close()
		c.exitCode()
		ended := make(chan struct{})
		k.server.lanes.Run("session "+id, whose, func() { close(ended) }) // after everything that it has sent
		<-ended
		c = start(forgetful{k.t}, k.server)
		for m := c.ask("ctx/session/open", fmt.Sprintf(`{"id":%q,"resume":true}`, id)); m.Error != nil; m = c.ask("ctx/session/open", fmt.Sprintf(`{"id":%q,"resume":true}`, id)) {
			if m.Error.Code != api.Code(api.Internal) {
				k.t.Errorf("coming back: %+v", m.Error)
				return
			}
		}
	}
	k.compare(c, id, steps)
	c.call("shutdown", "null")
	c.send(`{"jsonrpc":"2.0","method":"exit"}`)
	c.exitCode()
}

// compare replays the acknowledged calls on a separate engine.
func (k *soak) compare(c *testClient, id string, steps []step) {
	var got json.RawMessage
	for {
		if m := c.ask("ctx/session/reading", fmt.Sprintf(`{"id":%q}`, id)); m.Error == nil {
			got = m.Result
			break
		} else if m.Error.Code != api.Code(api.Internal) {
			k.t.Errorf("%+v", m.Error)
			return
		}
	}
	steps = append(steps, step{"ctx/session/reading", ""})
	var want []byte
	for _, s := range steps {
		at := `,"at":1700000000000`
		if s.method == "ctx/session/reading" {
			at = ""
		}
		result, err := client.Call(k.undisturbed.Call).Ask(context.Background(), s.method, []byte(fmt.Sprintf(`{"id":%q%s%s}`, id, s.params, at)))
		if err != nil {
			k.t.Error(err)
			return
		}
		want = bytes.Clone(result)
	}
	k.undisturbed.Call(context.Background(), "ctx/session/close", []byte(fmt.Sprintf(`{"id":%q}`, id)))
	if !bytes.Equal(got, want) {
		k.t.Errorf("%s after %d steps:\n got %s\nwant %s", id, len(steps), got, want)
	}
	k.compared.Add(1)
}

// otherClient connects, works on a document, and disconnects without a shutdown.
func (k *soak) otherClient(r *rand.Rand) {
	c := start(forgetful{k.t}, k.server)
	c.send(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///soak/CLAUDE.md","version":1,"text":"# A\n\ntext @x.md\n"}}}`)
	for i := range 20 {
		c.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///soak/CLAUDE.md","version":%d},"contentChanges":[{"range":{"start":{"line":%d,"character":%d},"end":{"line":%d,"character":0}},"text":"# word\n"}]}}`,
			2+i, r.Intn(9), r.Intn(9), r.Intn(9)))
	}
	if r.Intn(2) == 0 {
		c.call("textDocument/inlayHint", `{"textDocument":{"uri":"file:///soak/CLAUDE.md"},"range":{"start":{"line":0,"character":0},"end":{"line":99,"character":0}}}`)
	}
	c.conn.Close()
	c.exitCode()
}
