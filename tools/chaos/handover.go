// Copyright The ctx-lsp authors. MIT licence.

//go:build linux

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// A handover is one round of shared daemons that replace each other while they are busy: three generations, each ended
// by SIGTERM, by SIGKILL or by its idle exit, with changes and counts under way. A client of the next generation
// connects immediately, and resumes every conversation: each must be as its last acknowledged change left it, or as a
// later change did that was under way.
type handover struct {
	world   *world
	program string
	random  *rand.Rand
	dir     string
	flags   []string
	talks   []*talk
	killed  bool // the last daemon was ended by SIGKILL
}

// A talk is one shared conversation. Each change adds one token, so that changes of a disconnected client may still be
// made among those of the next client.
type talk struct {
	id          string
	sent, acked int64 // the changes that were sent, and the most tokens in an acknowledged Reading
	marked      bool  // the line of a change under way was cut off as its daemon was killed
}

// warnings returns the warnings that the talk's Readings must have. The mark of a line that was cut off stays, because
// no request of a talk is measured.
func (t *talk) warnings() []string {
	if t.marked {
		return []string{phrase.PastOlder.English()}
	}
	return nil
}

const (
	generations  = 3
	talksOfRound = 6
	idleExit     = 300 * time.Millisecond
)

// handovers runs rounds of handovers, several at a time.
func (w *world) handovers(rounds, atOnce int) {
	var working sync.WaitGroup
	next := make(chan int)
	for range atOnce {
		working.Go(func() {
			for n := range next {
				w.handover(n)
			}
		})
	}
	begin := time.Now()
	for n := range rounds {
		if w.faults() > 0 {
			break
		}
		next <- n
		if n > 0 && n%50 == 0 {
			fmt.Printf("chaos: %d handovers in %s\n", n, time.Since(begin).Round(time.Second))
		}
	}
	close(next)
	working.Wait()
}

func (w *world) handover(n int) {
	random := rand.New(rand.NewSource(w.seed + int64(n)))
	h := &handover{world: w, program: w.programs[n%len(w.programs)], random: random, dir: filepath.Join(w.dir, fmt.Sprint("handover", n))}
	if err := os.MkdirAll(filepath.Join(h.dir, "run"), 0o700); err != nil {
		w.broken("handover %d: %v", n, err)
		return
	}
	engine := "native"
	if random.Intn(4) == 0 {
		engine = "wasm"
	}
	h.flags = []string{"serve", "--shared", "--engine=" + engine, "--state=" + filepath.Join(h.dir, "state"), "--idle-exit=" + idleExit.String()}
	for i := range talksOfRound {
		h.talks = append(h.talks, &talk{id: fmt.Sprint("talk", i)})
	}
	for g := range generations {
		if err := h.generation(g); err != nil {
			w.broken("handover %d (seed %d), generation %d: %v; see %s", n, w.seed+int64(n), g, err, h.dir)
			return
		}
	}
	c, err := h.joinAndResume(generations)
	if err == nil {
		c.leave()
		if pid := h.pid(); pid > 0 { // 0 would be this process and its children
			_ = unix.Kill(pid, unix.SIGKILL) // the round is over
		}
	}
	if err != nil {
		w.broken("handover %d (seed %d), last look: %v; see %s", n, w.seed+int64(n), err, h.dir)
		return
	}
	_ = os.RemoveAll(h.dir) // after an error, the directory stays for inspection
	w.did("rounds of handovers with the engine " + engine)
}

// generation joins the daemon, or starts one, resumes and changes every conversation, and ends the daemon while it is
// busy.
func (h *handover) generation(g int) error {
	c, err := h.joinAndResume(g)
	if err != nil {
		return err
	}
	defer c.leave()
	h.killed = false
	pid := h.pid()
	if pid == 0 { // its idle exit started as the client connected
		h.world.did("clients that came as their daemon ended")
		return nil
	}
	if err := h.fill(c); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	time.Sleep(time.Duration(h.random.Intn(120)) * time.Millisecond)
	how := h.random.Intn(3)
	h.killed = how == 1
	switch how {
	case 0:
		h.world.did("daemons ended by SIGTERM")
		return ended(unix.Kill(pid, unix.SIGTERM))
	case 1:
		h.world.did("daemons ended by SIGKILL")
		return ended(unix.Kill(pid, unix.SIGKILL))
	default:
		h.world.did("daemons left alone until their idle exit")
		c.leave()
		time.Sleep(idleExit - 60*time.Millisecond + time.Duration(h.random.Intn(120))*time.Millisecond)
		return nil
	}
}

// ended removes the error for a process that has already ended.
func ended(err error) error {
	if errors.Is(err, unix.ESRCH) {
		return nil
	}
	return err
}

// fill fills the queues: counts that keep the engine busy, then changes.
func (h *handover) fill(c *sharer) error {
	for range 1 + h.random.Intn(3) {
		text := strings.Repeat("a line of text to be counted 漢字 {}\n", 1+h.random.Intn(40_000))
		if err := c.begin("ctx/count", fmt.Sprintf(`{"model":"gpt-5.5","text":%q}`, text), nil); err != nil {
			return err
		}
	}
	for range 1 + h.random.Intn(5) {
		for _, t := range h.talks {
			t.sent++
			if err := c.begin("ctx/session/update", fmt.Sprintf(`{"id":%q,"append":[{"kind":"user","tokens":1}]}`, t.id), t); err != nil {
				return err
			}
		}
	}
	return nil
}

// joinAndResume joins the daemon and resumes every conversation. If a daemon ends just as a client has connected, the
// client starts another, like an editor.
func (h *handover) joinAndResume(generation int) (*sharer, error) {
	for try := 0; ; try++ {
		c, err := h.join()
		if err == nil {
			if err = h.resumeAll(c, generation); err == nil {
				return c, nil
			}
			c.leave()
		}
		var fault *refusal
		cancelled := errors.As(err, &fault) && fault.Code == -32800
		if !cancelled && !errors.Is(err, io.ErrUnexpectedEOF) || try == 3 {
			return nil, err
		}
		h.world.did("clients that came as their daemon ended")
	}
}

// resumeAll opens every conversation and compares it with what the previous daemon acknowledged.
func (h *handover) resumeAll(c *sharer, generation int) error {
	for _, t := range h.talks {
		raw, err := c.call("ctx/session/open", fmt.Sprintf(`{"id":%q,"shared":true,"resume":true,"limits":{"window":200000}}`, t.id))
		if err != nil {
			return fmt.Errorf("%s: %w", t.id, err)
		}
		var reading struct {
			Used     int64
			Warnings []api.Text
		}
		if err := json.Unmarshal(raw, &reading); err != nil {
			return err
		}
		if h.killed && !t.marked && t.sent > t.acked && slices.Contains(api.Sentences(reading.Warnings), phrase.PastOlder.English()) {
			t.marked = true
			h.world.did("conversations marked after a kill in the middle of a line")
		}
		if reading.Used < t.acked || reading.Used > t.sent || !slices.Equal(api.Sentences(reading.Warnings), t.warnings()) {
			return fmt.Errorf("%s has %d tokens; %d were acknowledged and %d sent; warnings %q", t.id, reading.Used, t.acked, t.sent, reading.Warnings)
		}
		if generation > 0 {
			h.world.did("conversations compared after a handover")
		}
	}
	return nil
}

// pid returns the id of the process that listens on the socket, or 0.
func (h *handover) pid() int {
	sockets, _ := filepath.Glob(filepath.Join(h.dir, "run", "ctx-lsp", "*.sock"))
	for _, path := range sockets {
		conn, err := net.Dial("unix", path)
		if err != nil {
			continue
		}
		defer conn.Close()
		raw, err := conn.(*net.UnixConn).SyscallConn()
		if err != nil {
			continue
		}
		pid := 0
		_ = raw.Control(func(fd uintptr) { // a connection that was just opened has a handle
			if peer, err := unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED); err == nil {
				pid = int(peer.Pid)
			}
		})
		return pid
	}
	return 0
}

// A sharer is a process of `ctx-lsp serve --shared`, as an editor starts it.
type sharer struct {
	process *exec.Cmd
	in      io.WriteCloser
	left    sync.Once
	ended   chan struct{} // closed when the daemon's output has ended

	mu      sync.Mutex // guards the fields below
	next    int
	waiting map[int]chan *answer
	changes map[int]*talk // the changes under way, by request id
}

type answer struct {
	ID     *int
	Result json.RawMessage
	Error  *refusal
}

func (h *handover) join() (*sharer, error) {
	cmd := exec.Command(h.program, h.flags...)
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(h.world.dir, "home"), "XDG_CACHE_HOME=" + h.world.cache,
		"XDG_RUNTIME_DIR=" + filepath.Join(h.dir, "run"),
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c := &sharer{process: cmd, in: in, ended: make(chan struct{}), waiting: map[int]chan *answer{}, changes: map[int]*talk{}}
	go c.listen(bufio.NewReader(out))
	if _, err := c.call("initialize", `{"clientInfo":{"name":"handover"},"capabilities":{}}`); err != nil {
		c.leave()
		return nil, fmt.Errorf("initialize: %w", err)
	}
	return c, c.write(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
}

// leave ends the process like a crashed editor, once its output has been read.
func (c *sharer) leave() {
	c.left.Do(func() {
		c.in.Close()
		select {
		case <-c.ended:
		case <-time.After(patience):
		}
		_ = c.process.Process.Kill() // it may have ended
		_ = c.process.Wait()         // whatever its code
	})
}

func (c *sharer) write(body string) error {
	if _, err := io.WriteString(c.in, frame(body)); err != nil {
		return fmt.Errorf("%w: %w", io.ErrUnexpectedEOF, err) // the process has ended with its daemon
	}
	return nil
}

// begin sends a request without waiting. t is the conversation that it changes, nil for none.
func (c *sharer) begin(method, params string, t *talk) error {
	_, err := c.send(method, params, t)
	return err
}

func (c *sharer) send(method, params string, t *talk) (chan *answer, error) {
	c.mu.Lock()
	c.next++
	id, answered := c.next, make(chan *answer, 1)
	c.waiting[id] = answered
	if t != nil {
		c.changes[id] = t
	}
	c.mu.Unlock()
	return answered, c.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params))
}

func (c *sharer) call(method, params string) (json.RawMessage, error) {
	answered, err := c.send(method, params, nil)
	if err != nil {
		return nil, err
	}
	select {
	case a := <-answered:
		if a.Error != nil {
			return nil, a.Error
		}
		return a.Result, nil
	case <-c.ended:
		return nil, io.ErrUnexpectedEOF
	case <-time.After(patience):
		return nil, context.DeadlineExceeded
	}
}

// listen receives the responses; a change with a result is acknowledged.
func (c *sharer) listen(from *bufio.Reader) {
	defer close(c.ended)
	for {
		body, err := readFrame(from)
		if err != nil {
			return
		}
		var a answer
		if json.Unmarshal(body, &a) != nil || a.ID == nil {
			continue
		}
		c.mu.Lock()
		if t := c.changes[*a.ID]; t != nil && a.Error == nil && a.Result != nil {
			var reading struct{ Used int64 }
			if json.Unmarshal(a.Result, &reading) == nil {
				t.acked = max(t.acked, reading.Used)
			}
		}
		if waiting := c.waiting[*a.ID]; waiting != nil && (a.Result != nil || a.Error != nil) {
			waiting <- &a
			delete(c.waiting, *a.ID)
		}
		c.mu.Unlock()
	}
}
