// Copyright The ctx-lsp authors. MIT licence.

package acp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
)

// recorder records the calls of a Watcher.
type recorder struct {
	mu       sync.Mutex
	reported []string
	known    map[string]Usage
}

func (r *recorder) note(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reported = append(r.reported, fmt.Sprintf(format, args...))
}

func (r *recorder) Agent(name, version string)       { r.note("agent %s %s", name, version) }
func (r *recorder) Began(session, cwd, model string) { r.note("began %s %s %s", session, cwd, model) }

func (r *recorder) Added(session string, p Piece) { r.note("said %s %s %q", session, p.Kind, p.Text) }

func (r *recorder) Reported(session string, used, size int64) {
	r.note("told %s %d of %d", session, used, size)
}
func (r *recorder) Compacting(session string)         { r.note("compacting %s", session) }
func (r *recorder) Compacted(session, summary string) { r.note("compacted %s %q", session, summary) }
func (r *recorder) TurnEnded(session string)          { r.note("rested %s", session) }
func (r *recorder) Ended(session string)              { r.note("ended %s", session) }
func (r *recorder) Usage(session string) (Usage, bool) {
	u, ok := r.known[session]
	return u, ok
}

// inPieces returns a text in pieces of random lengths.
type inPieces struct {
	text   []byte
	random *rand.Rand
}

func (p *inPieces) Read(b []byte) (int, error) {
	if len(p.text) == 0 {
		return 0, io.EOF
	}
	n := min(1+p.random.IntN(5000), len(b), len(p.text))
	copy(b, p.text[:n])
	p.text = p.text[n:]
	return n, nil
}

// Everything passes byte for byte in both directions: messages, nonsense, empty lines, unterminated lines, lines longer
// than those inspected, and bytes that are not text.
func TestEveryBytePasses(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	long := strings.Repeat("x", maxHeld+100)
	odd := []string{
		`{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"hi"}]}}` + "\n",
		`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"usage_update"}}}}` + "\r\n",
		`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"usage_update","used":"many","size":-1}}}` + "\n",
		`{"jsonrpc":"2.0","id":{"a":[1]},"method":7,"params":[]}` + "\n", "\n", "\n\n", "no JSON at all\n", "[1,2,3]\n", "{\n", "}}}}\n",
		"\xff\xfe\x00\x01 usage_update\n", `{"sessionUpdate":"usage_update"` + "\n", `"usage_update"` + "\n", `[{"usage_update":1}]` + "\n",
		`{"method":"session/update","params":{"update":{"sessionUpdate":"usage_update","used":1e400,"size":5}}}` + "\n",
		`{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"compaction_update","compactionId":"c","status":"completed","summary":7}}}` + "\n",
		`{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"compaction_summary_chunk","compactionId":"c","content":null}}}` + "\n",
	}
	for range 8 {
		var text strings.Builder
		for range 200 {
			text.WriteString(odd[random.IntN(len(odd))])
		}
		if random.IntN(4) == 0 {
			text.WriteString(`{"method":"` + long + `"}` + "\n" + odd[0])
		}
		if random.IntN(2) == 0 {
			text.WriteString(`{"unfinished":`)
		}
		watch := &recorder{known: map[string]Usage{}}
		var toClient, toAgent bytes.Buffer
		c := New(&toClient, watch)
		if err := c.FromClient(&inPieces{[]byte(text.String()), random}, &toAgent); err != nil {
			t.Fatal(err)
		}
		if err := c.FromAgent(&inPieces{[]byte(text.String()), random}); err != nil {
			t.Fatal(err)
		}
		if toAgent.String() != text.String() || toClient.String() != text.String() {
			t.Fatal("what has passed is not what came")
		}
	}
}

// whenWritten calls itself for each write.
type whenWritten func(line []byte)

func (w whenWritten) Write(line []byte) (int, error) {
	w(line)
	return len(line), nil
}

// A client that prompts as soon as it has a session finds it recorded, or the prompt would not be counted.
func TestALineIsRecordedBeforeTheClientHasIt(t *testing.T) {
	watch := &recorder{}
	recorded := ""
	c := New(whenWritten(func([]byte) { recorded = strings.Join(watch.reported, "\n") }), watch)
	request := `{"id":1,"method":"session/new","params":{"cwd":"/w"}}` + "\n"
	if err := c.FromClient(strings.NewReader(request), io.Discard); err != nil {
		t.Fatal(err)
	}
	if err := c.FromAgent(strings.NewReader(`{"id":1,"result":{"sessionId":"s1"}}` + "\n")); err != nil {
		t.Fatal(err)
	}
	if recorded != "began s1 /w " {
		t.Errorf("recorded before the client has the session: %q", recorded)
	}
}

// A size is sent between two lines of the agent, never within one, and repeats the cost that the agent reported.
func TestAReportedSizeIsSentBetweenTwoLines(t *testing.T) {
	watch := &recorder{known: map[string]Usage{}}
	var client bytes.Buffer
	c := New(&client, watch)
	reader, writer := io.Pipe()
	done := make(chan error)
	go func() { done <- c.FromAgent(reader) }()
	long := strings.Repeat("y", maxHeld)
	fmt.Fprint(writer, `{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"usage_update","used":5,"size":9,"cost":{"amount":1.5,"currency":"USD"}}}}`+"\n")
	fmt.Fprint(writer, `"`+long)
	fmt.Fprint(writer, "z") // now the beginning has been passed on
	if err := c.SendUsage("s", Usage{Used: 7, Size: 10}); err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(writer, `"`+"\n")
	writer.Close()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(client.String(), "\n")
	const want = `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"usage_update","used":7,"size":10,"cost":{"amount":1.5,"currency":"USD"}}}}`
	if len(lines) != 4 || lines[1] != `"`+long+`z"` || lines[2] != want {
		t.Errorf("%d lines, the third is %s", len(lines), lines[min(2, len(lines)-1)])
	}
}

// Only the two numbers of an agent's usage_update are replaced, wherever they are.
func TestTheNumbersOfAnAgentAreReplaced(t *testing.T) {
	for line, want := range map[string]string{
		`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"usage_update","used":1,"size":2,"cost":{"amount":0.10,"currency":"USD"}}}}`: `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"usage_update","used":70000,"size":200000,"cost":{"amount":0.10,"currency":"USD"}}}}`,
		`{ "params" : {"update":{"size": 123456 ,"_meta":{"used":3,"size":[4]},"sessionUpdate":"usage_update","used" : 0},"sessionId":"s"},"method":"session/update"}`:               `{ "params" : {"update":{"size": 200000 ,"_meta":{"used":3,"size":[4]},"sessionUpdate":"usage_update","used" : 70000},"sessionId":"s"},"method":"session/update"}`,
		// An unknown session, and messages that are not a usage_update.
		`{"method":"session/update","params":{"sessionId":"other","update":{"sessionUpdate":"usage_update","used":1,"size":2}}}`: "",
		`{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"usage_update","used":1}}}`:              "",
		`{"method":"_x/update","params":{"sessionId":"s","update":{"sessionUpdate":"usage_update","used":1,"size":2}}}`:          "",
	} {
		if want == "" {
			want = line
		}
		var client bytes.Buffer
		c := New(&client, &recorder{known: map[string]Usage{"s": {Used: 70000, Size: 200000}}})
		if err := c.FromAgent(strings.NewReader(line + "\n")); err != nil {
			t.Fatal(err)
		}
		if client.String() != want+"\n" {
			t.Errorf("%s\nbecame %s\nwanted %s", line, client.String(), want)
		}
		if want != line && !json.Valid(client.Bytes()) {
			t.Error("it is no JSON any more")
		}
	}
}

// Two sessions on one connection, one loaded with its history, and one that fails to load.
func TestAConnectionCallsItsWatcher(t *testing.T) {
	watch := &recorder{}
	var client, agent bytes.Buffer
	c := New(&client, watch)
	fromClient := func(line string) { _ = c.FromClient(strings.NewReader(line+"\n"), &agent) }
	fromAgent := func(line string) { _ = c.FromAgent(strings.NewReader(line + "\n")) }
	fromClient(`{"id":0,"method":"initialize","params":{}}`)
	fromAgent(`{"id":0,"result":{"agentInfo":{"name":"gemini-cli","version":"0.9"}}}`)
	fromClient(`{"id":"a","method":"session/new","params":{"cwd":"/w"}}`)
	fromClient(`{"id":2,"method":"session/load","params":{"sessionId":"old","cwd":"/v"}}`)
	fromAgent(`{"method":"session/update","params":{"sessionId":"old","update":{"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"before"}}}}`)
	fromAgent(`{"id":2,"result":null}`)
	fromAgent(`{"id":"a","result":{"sessionId":"new","models":{"currentModelId":"gpt-5.4"}}}`)
	fromClient(`{"id":3,"method":"session/prompt","params":{"sessionId":"new","prompt":[{"type":"text","text":"do"},{"type":"resource","resource":{"uri":"file:///a","text":"it"}}]}}`)
	fromAgent(`{"method":"session/update","params":{"sessionId":"new","update":{"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"do"}}}}`)
	fromAgent(`{"method":"session/update","params":{"sessionId":"new","update":{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"hm"}}}}`)
	fromAgent(`{"method":"session/update","params":{"sessionId":"new","update":{"sessionUpdate":"tool_call_update","toolCallId":"t","status":"completed","content":[{"type":"content","content":{"type":"text","text":"done"}}]}}}`)
	fromClient(`{"method":"session/cancel","params":{"sessionId":"new"}}`)
	fromAgent(`{"id":3,"result":{"stopReason":"cancelled"}}`)
	fromClient(`{"id":4,"method":"session/load","params":{"sessionId":"gone","cwd":"/v"}}`)
	fromAgent(`{"id":4,"error":{"code":-32002,"message":"no such session"}}`)
	fromAgent(`{"id":99,"result":{"sessionId":"nobody asked"}}`)
	want := []string{
		"agent gemini-cli 0.9", "began old /v ", `said old user "before"`, "began old /v ", "rested old", "began new /w gpt-5.4",
		`said new user "do"`, `said new user "it"`, `said new reasoning "hm"`, `said new toolResults "done"`, "rested new",
		"began gone /v ", "ended gone",
	}
	if got := strings.Join(watch.reported, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("it tells\n%s\nand not\n%s", got, strings.Join(want, "\n"))
	}
}
