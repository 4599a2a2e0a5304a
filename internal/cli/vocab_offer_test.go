// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/vocabulary"
)

// An editor gets an offer of a vocabulary once, and never again after a no. A yes downloads it like the command, and it
// is used from then on.
func TestAnEditorIsOfferedAVocabularyOnce(t *testing.T) {
	requests, broken := 0, false
	made := filepath.Join("..", "..", "testdata", "vocabularies")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		if broken {
			http.Error(w, "down", http.StatusBadGateway)
			return
		}
		http.ServeFile(w, r, filepath.Join(made, filepath.Base(r.URL.Path)))
	}))
	defer server.Close()
	source := publishedVocabulary{name: claude, models: "Claude", contents: "made up", licence: "MIT", packs: []string{"claude-v3", "claude-v47", "claude-v5"}}
	for _, name := range []string{"pieces_v3.json", "pieces_v4_7.json"} {
		content, err := os.ReadFile(filepath.Join(made, name))
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(content)
		source.files = append(source.files, vocabulary.File{Name: name, Address: server.URL + "/" + name, Size: int64(len(content)), SHA256: hex.EncodeToString(sum[:])})
	}
	before := publishedVocabularies
	publishedVocabularies = []publishedVocabulary{source}
	defer func() { publishedVocabularies = before }()

	home := t.TempDir()
	path := filepath.Join(home, ".claude", "projects", "-w", "33333333-3333-4333-8333-333333333333.jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	// An active session: an inactive one causes no offer.
	now := `"timestamp":"` + time.Now().UTC().Format(time.RFC3339) + `"`
	text := regexp.MustCompile(`"timestamp":"[^"]*"`).ReplaceAllString(toolLoop("claude-opus-5", "the world", 3, 3), now)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}

	// Without a reply, the next daemon offers it again. A no is permanent.
	for run, says := range []string{"nothing", "no", "nothing"} {
		d := startDaemon(t, home)
		d.send("ctx/watch", `{}`)
		if run < 2 {
			offer := d.until("ctx/offer", "")
			if !strings.Contains(offer, `"sentence":"Exact counts for Claude: 0.0 MB from 127.0.0.1:`) || !strings.Contains(offer, `"model":"claude-opus-5"`) {
				t.Errorf("the offer is %s", offer)
			}
		}
		if says == "no" {
			d.send("ctx/vocabulary", `{"name":"claude","fetch":false}`)
		}
		d.send("ctx/sessions", `{}`)
		d.stop()
		if run == 2 && d.saw("ctx/offer") || d.answered(home) != (run > 0) {
			t.Errorf("run %d: offered %v, answered %v", run, d.saw("ctx/offer"), d.answered(home))
		}
	}
	if requests != 0 {
		t.Fatalf("%d requests before anybody said yes", requests)
	}

	// A yes downloads it, whatever the earlier reply was; a failed attempt is reported and can be repeated.
	d := startDaemon(t, home)
	d.send("ctx/watch", `{}`)
	d.send("ctx/vocabulary", `{"name":"clod","fetch":true}`)
	broken = true
	d.send("ctx/vocabulary", `{"name":"claude","fetch":true}`)
	d.until("window/showMessage", "could not be fetched: "+server.URL+"/pieces_v3.json: the server responded 502")
	broken = false
	count := func() string {
		return d.send("ctx/count", `{"model":"claude-opus-5","text":"the world, (it)"}`)
	}
	if n := count(); !strings.Contains(n, `"basis":"estimated"`) {
		t.Errorf("before it is here: %s", n)
	}
	d.send("ctx/vocabulary", `{"name":"claude","fetch":true}`)
	d.until("window/showMessage", "The vocabulary claude is installed")
	if n := count(); !strings.Contains(n, `"basis":"counted"`) {
		t.Errorf("now that it is here: %s", n)
	}
	d.stop()
	if !strings.Contains(d.all(), `there is no vocabulary \"clod\"`) {
		t.Errorf("a wrong name is taken: %s", d.all())
	}
	if requests != 3 {
		t.Errorf("%d requests", requests)
	}
}

// A spokenTo is a daemon in this process, with a client like an editor.
type spokenTo struct {
	t        *testing.T
	in       *io.PipeWriter
	messages chan string
	seen     []string
	ended    chan int
	id       int
}

func startDaemon(t *testing.T, home string) *spokenTo {
	t.Helper()
	stdin, in := io.Pipe()
	out, stdout := io.Pipe()
	d := &spokenTo{t: t, in: in, messages: make(chan string, 1000), ended: make(chan int, 1)}
	env := &environment{
		Stdin: stdin, Stdout: stdout, Stderr: io.Discard, Dir: home, Now: time.Now, Columns: 80,
		Getenv: func(name string) string {
			switch name {
			case "HOME", "USERPROFILE":
				return home
			case "XDG_DATA_HOME":
				return filepath.Join(home, "data")
			}
			return ""
		},
	}
	go func() {
		d.ended <- run(context.Background(), env, []string{"serve", "--stdio", "--engine=native"})
		stdout.Close()
	}()
	go func() {
		defer close(d.messages)
		for r := bufio.NewReader(out); ; {
			length := 0
			for {
				line, err := r.ReadString('\n')
				if err != nil {
					return
				}
				if line = strings.TrimSpace(line); line == "" {
					break
				}
				if n, is := strings.CutPrefix(line, "Content-Length: "); is {
					length, _ = strconv.Atoi(n)
				}
			}
			body := make([]byte, length)
			if _, err := io.ReadFull(r, body); err != nil {
				return
			}
			d.messages <- string(body)
		}
	}()
	d.send("initialize", `{"capabilities":{}}`)
	d.write(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	return d
}

func (d *spokenTo) write(body string) {
	fmt.Fprintf(d.in, "Content-Length: %d\r\n\r\n%s", len(body), body)
}

// send sends a request and waits for its response.
func (d *spokenTo) send(method, params string) string {
	d.t.Helper()
	d.id++
	d.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, d.id, method, params))
	return d.next(func(m string) bool {
		var answer struct {
			ID     int
			Method string
		}
		return json.Unmarshal([]byte(m), &answer) == nil && answer.ID == d.id && answer.Method == ""
	}, "the answer to "+method)
}

// until waits for a message of a method that contains a text; it may have arrived already.
func (d *spokenTo) until(method, text string) string {
	d.t.Helper()
	is := func(m string) bool {
		return strings.Contains(m, `"method":"`+method+`"`) && strings.Contains(m, text)
	}
	for _, m := range d.seen {
		if is(m) {
			return m
		}
	}
	return d.next(is, method+" "+text)
}

func (d *spokenTo) next(is func(string) bool, what string) string {
	d.t.Helper()
	late := time.After(30 * time.Second)
	for {
		select {
		case m, open := <-d.messages:
			if !open {
				d.t.Fatalf("the daemon ended before %s; it said %s", what, d.all())
			}
			d.seen = append(d.seen, m)
			if is(m) {
				return m
			}
		case <-late:
			d.t.Fatalf("nothing came of %s; there was %s", what, d.all())
		}
	}
}

func (d *spokenTo) saw(method string) bool {
	for _, m := range d.seen {
		if strings.Contains(m, `"method":"`+method+`"`) {
			return true
		}
	}
	return false
}

func (d *spokenTo) all() string { return strings.Join(d.seen, "\n") }

// answered reports whether the reply is saved.
func (d *spokenTo) answered(home string) bool {
	text, err := os.ReadFile(filepath.Join(stateIn(home), "offers.json"))
	return err == nil && strings.Contains(string(text), `"answered":["claude"]`)
}

func (d *spokenTo) stop() {
	d.t.Helper()
	d.send("shutdown", "null")
	d.write(`{"jsonrpc":"2.0","method":"exit"}`)
	for m := range d.messages {
		d.seen = append(d.seen, m)
	}
	<-d.ended
}
