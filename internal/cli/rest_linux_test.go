// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// A caller is a client of a daemon that sends one call after another.
type caller struct {
	conn    net.Conn
	answers *wire.Framing
	calls   int
}

func callAt(socket string) (*caller, error) {
	for until := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		conn, err := net.Dial("unix", socket)
		if err == nil {
			c := &caller{conn: conn, answers: wire.NewFraming(conn, func(*wire.FrameError) {})}
			if err = c.call("initialize", `{"capabilities":{}}`); err == nil {
				return c, nil
			}
		}
		if time.Now().After(until) {
			return nil, err
		}
	}
}

func (c *caller) call(method, params string) error {
	c.calls++
	if _, err := c.conn.Write(wire.Frame(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, c.calls, method, params))); err != nil {
		return err
	}
	for {
		body, err := c.answers.Next()
		if err != nil {
			return err
		}
		var answer struct {
			ID     int
			Method string
			Error  json.RawMessage
		}
		if json.Unmarshal(body, &answer) == nil && answer.ID == c.calls && answer.Method == "" {
			if answer.Error != nil {
				return fmt.Errorf("%s: %s", method, answer.Error)
			}
			return nil
		}
	}
}

// works sends the calls of a chat of some length.
func (c *caller) works(id string, messages int) error {
	if err := c.call("ctx/session/open", fmt.Sprintf(`{"id":%q,"model":"gpt-5.5"}`, id)); err != nil {
		return err
	}
	text := strings.Repeat("The world is round, and a window has an end. ", 40)
	for i := range messages {
		for _, each := range []struct{ method, params string }{
			{"ctx/session/update", fmt.Sprintf(`{"id":%q,"append":[{"kind":"user","text":%q}]}`, id, fmt.Sprint(i, text))},
			{"ctx/session/usage", fmt.Sprintf(`{"id":%q,"provider":"ctx","usage":{"in":%d,"out":50}}`, id, 1000+400*i)},
		} {
			if err := c.call(each.method, each.params); err != nil {
				return err
			}
		}
	}
	return nil
}

// TestMemoryComesBackWithoutClients is the alarm for the memory of an idle daemon. After 2,000 clients at once, and
// after long chats, it uses at most 20% more than in its first minute, and what Go's runtime keeps of each client's
// goroutines: it never frees the record of a goroutine, so the most clients that there ever were at once remain
// visible.
func TestMemoryComesBackWithoutClients(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes a minute")
	}
	module, err := filepath.Abs("../../wasm/js/ctx.wasm")
	if err == nil {
		_, err = os.Stat(module)
	}
	if err != nil {
		t.Skip("there is no module; make wasm builds it: ", err)
	}
	home := t.TempDir()
	environment := []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "XDG_RUNTIME_DIR=" + home}
	compiling := exec.Command("ctx-lsp", "call", "ctx/models", "--engine=wasm", "--module="+module)
	compiling.Env = environment // compile first, because that takes memory
	compiling.Stdin = strings.NewReader("{}")
	if out, err := compiling.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	socket := filepath.Join(home, "s")
	daemon := exec.Command("ctx-lsp", "serve", "--pipe="+socket, "--engine=wasm", "--module="+module, "--rest=2s")
	daemon.Env = environment
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = daemon.Process.Kill()
		_ = daemon.Wait()
	}()
	resident := func() (kb int64) {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", daemon.Process.Pid))
		if err != nil {
			t.Fatal(err)
		}
		_, text, _ := strings.Cut(string(status), "VmRSS:")
		if _, err := fmt.Sscan(text, &kb); err != nil {
			t.Fatal(err)
		}
		return kb
	}
	first, err := callAt(socket)
	if err == nil {
		err = first.works("first", 5)
	}
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * time.Second)
	begun := resident()
	first.conn.Close()
	const clientsAtOnce, keptOfClient = 40 * 50, 2 // kB: four goroutines of half a kilobyte
	allowed := begun + begun/5 + clientsAtOnce*keptOfClient
	atRest := func(what string, peak int64) {
		var now int64
		for until := time.Now().Add(3 * time.Minute); time.Now().Before(until); time.Sleep(200 * time.Millisecond) {
			if now = resident(); now <= allowed {
				break
			}
		}
		t.Logf("%s: %d MB in the first minute, %d MB at most, %d MB at rest", what, begun>>10, peak>>10, now>>10)
		if now > allowed {
			t.Errorf("%s: %d MB at rest, %d MB in the first minute", what, now>>10, begun>>10)
		}
	}

	var wait sync.WaitGroup
	var mu sync.Mutex
	var clients []*caller
	for n := range 40 {
		wait.Go(func() {
			for i := range 50 {
				c, err := callAt(socket)
				if err == nil {
					err = c.works(fmt.Sprintf("chat-%d-%d", n, i), 3)
				}
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				clients = append(clients, c)
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	peak := resident()
	for _, c := range clients {
		c.conn.Close()
	}
	atRest(fmt.Sprintf("%d clients", len(clients)), peak)

	for n := range 4 { // two hundred messages a minute are a lot for ten minutes
		wait.Go(func() {
			c, err := callAt(socket)
			if err == nil {
				err = c.works(fmt.Sprintf("long-%d", n), 500)
			}
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			peak = max(peak, resident())
			mu.Unlock()
			c.conn.Close()
		})
	}
	peak = 0
	wait.Wait()
	atRest("long chats", peak)
	if c, err := callAt(socket); err != nil || c.works("after", 2) != nil {
		t.Errorf("after a rest: %v", err)
	}
}
