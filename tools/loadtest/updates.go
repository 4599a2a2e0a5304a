// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"
)

// A result is what was measured under one load.
type result struct {
	rate   float64         // updates sent a second
	late   []time.Duration // sorted
	age    []time.Duration // sorted
	memory float64
	cores  float64 // the daemon's CPU time, including its start, divided by the time of the load
	own    float64 // the same for this program, during the load
}

// A stream is the updates of one session. Each update has a unique time, which is returned as the asOf of the first
// Reading that contains it.
type stream struct {
	sent     []time.Time // the time of each update
	seen     int         // the number of updates known to be in a notification
	notified time.Time
}

// coalesced is how often the daemon may send Readings of one session. An update that comes sooner must wait, and is
// late only after that.
const coalesced = 100 * time.Millisecond

const epoch = 1_700_000_000_000

// measureLoad sends updates at a rate, spread over sessions and connections. Half of the sessions stream a response in
// pieces. It measures how long each update takes to appear in a notification.
func measureLoad(program, engine, dir string, sessions, connections, rate int, last time.Duration) (*result, error) {
	d, err := startDaemon(program, engine, dir)
	if err != nil {
		return nil, err
	}
	defer d.stop()
	var clients []*worker
	for n := range connections {
		c, err := dial(d.socket)
		if err != nil {
			return nil, err
		}
		w := &worker{client: c, index: map[string]int{}}
		for i := range sessions / connections {
			id := fmt.Sprintf("load-%d-%d", n, i)
			if _, err := c.call("ctx/session/open", map[string]any{"id": id, "model": "gpt-5.5", "at": epoch}); err != nil {
				return nil, err
			}
			if _, err := c.call("ctx/session/update", map[string]any{"id": id, "system": "You are a coding agent.", "at": epoch}); err != nil {
				return nil, err
			}
			w.index[id] = i
			w.ids = append(w.ids, id)
			w.streams = append(w.streams, &stream{})
		}
		clients = append(clients, w)
	}
	time.Sleep(500 * time.Millisecond) // lets the work caused by opening the sessions end
	var working sync.WaitGroup
	begin, used := time.Now(), processorTime()
	for n, w := range clients {
		go w.read()
		working.Add(1)
		go func() {
			defer working.Done()
			w.write(time.Duration(n)*time.Second/time.Duration(rate), time.Second*time.Duration(connections)/time.Duration(rate), last)
		}()
	}
	working.Wait()
	took := time.Since(begin)
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline) && !allSeen(clients); {
		time.Sleep(50 * time.Millisecond)
	}
	r := &result{memory: d.memory(), own: (processorTime() - used).Seconds() / took.Seconds()}
	sent := 0
	for _, w := range clients {
		w.client.to.Close()
		w.mu.Lock()
		r.late = append(r.late, w.late...)
		r.age = append(r.age, w.age...)
		for _, s := range w.streams {
			sent += len(s.sent)
			if s.seen < len(s.sent) {
				w.mu.Unlock()
				return nil, fmt.Errorf("%d of %d updates of a session never came", len(s.sent)-s.seen, len(s.sent))
			}
		}
		failed := w.failed
		w.mu.Unlock()
		if failed != "" {
			return nil, fmt.Errorf("an update was refused: %s", failed)
		}
	}
	r.rate = float64(sent) / took.Seconds()
	d.stop()
	r.cores = (d.cmd.ProcessState.UserTime() + d.cmd.ProcessState.SystemTime()).Seconds() / took.Seconds()
	slices.Sort(r.late)
	slices.Sort(r.age)
	return r, nil
}

// allSeen reports whether every update has appeared in a notification.
func allSeen(workers []*worker) bool {
	for _, w := range workers {
		w.mu.Lock()
		for _, s := range w.streams {
			if s.seen < len(s.sent) {
				w.mu.Unlock()
				return false
			}
		}
		w.mu.Unlock()
	}
	return true
}

// A worker is a connection with its sessions.
type worker struct {
	client *client
	ids    []string
	index  map[string]int

	mu      sync.Mutex // guards the fields below
	streams []*stream
	late    []time.Duration
	age     []time.Duration
	failed  string
}

// write sends an update at regular intervals, to one session after another.
func (w *worker) write(after, every, last time.Duration) {
	time.Sleep(after)
	begin := time.Now()
	var body, message []byte
	for n := 0; ; n++ {
		at := begin.Add(time.Duration(n) * every)
		if at.Sub(begin) > last {
			return
		}
		time.Sleep(time.Until(at))
		i := n % len(w.ids)
		w.mu.Lock()
		s := w.streams[i]
		s.sent = append(s.sent, time.Now())
		number := len(s.sent)
		w.mu.Unlock()
		body = fmt.Appendf(body[:0], `{"jsonrpc":"2.0","id":%d,"method":"ctx/session/update","params":{"id":"%s","at":%d,`, 1_000_000+n, w.ids[i], epoch+number)
		if i%2 == 0 {
			body = fmt.Appendf(body, `"append":[{"kind":"assistant","text":"piece %d of an answer that is streaming "}]}}`, number)
		} else {
			body = fmt.Appendf(body, `"append":[{"kind":"user","text":"Update %d: please look at the failing test and tell why it fails."}]}}`, number)
		}
		message = append(fmt.Appendf(message[:0], "Content-Length: %d\r\n\r\n", len(body)), body...)
		if _, err := w.client.to.Write(message); err != nil {
			return
		}
	}
}

var (
	notification = []byte(`"method":"ctx/reading"`)
	refusal      = []byte(`"error":{`)
)

// read reads notifications, and records when each update first appeared in one.
func (w *worker) read() {
	for {
		body, err := w.client.read()
		if err != nil {
			return
		}
		now := time.Now()
		if !bytes.Contains(body[:min(len(body), 64)], notification) {
			if bytes.Contains(body[:min(len(body), 64)], refusal) {
				w.mu.Lock()
				w.failed = string(body)
				w.mu.Unlock()
			}
			continue
		}
		i, ok := w.index[string(field(body, `"session":"`, '"'))]
		asOf, err := strconv.Atoi(string(field(body, `"asOf":`, ',')))
		if !ok || err != nil {
			continue
		}
		w.mu.Lock()
		s := w.streams[i]
		for ; s.seen < asOf-epoch && s.seen < len(s.sent); s.seen++ {
			due := s.sent[s.seen]
			w.age = append(w.age, now.Sub(due))
			if next := s.notified.Add(coalesced); next.After(due) {
				due = next
			}
			w.late = append(w.late, max(0, now.Sub(due)))
		}
		s.notified = now
		w.mu.Unlock()
	}
}

func field(body []byte, before string, end byte) []byte {
	at := bytes.Index(body, []byte(before))
	if at < 0 {
		return nil
	}
	rest := body[at+len(before):]
	if to := bytes.IndexByte(rest, end); to >= 0 {
		return rest[:to]
	}
	return nil
}
