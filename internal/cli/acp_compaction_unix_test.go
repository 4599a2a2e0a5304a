// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// An acpClient is a client of `ctx-lsp acp`. Its agent sends back each line, so the test writes both sides.
type acpClient struct {
	t     *testing.T
	in    io.WriteCloser
	lines chan string
}

type acpUpdate struct {
	Kind         string `json:"sessionUpdate"`
	Used         int64
	CompactionID string `json:"compactionId"`
	Status       string
	Meta         struct {
		Ctx struct{ From string }
	} `json:"_meta"`
}

func newACPClient(t *testing.T, home string) *acpClient {
	t.Helper()
	program, err := exec.LookPath("ctx-lsp") // this test binary, under that name
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	cmd := exec.CommandContext(ctx, program, "acp", "--", "cat")
	cmd.Env = []string{"HOME=" + home, "PATH=/usr/bin:/bin", "XDG_CACHE_HOME=" + home}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := &acpClient{t, in, make(chan string, 100)}
	go func() {
		defer close(c.lines)
		scanner := bufio.NewScanner(out)
		scanner.Buffer(nil, 1<<20)
		for scanner.Scan() {
			c.lines <- scanner.Text()
		}
	}()
	t.Cleanup(func() {
		in.Close()
		for range c.lines {
		}
		_ = cmd.Wait() // its output is read
		stop()
	})
	return c
}

func (c *acpClient) send(lines ...string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, strings.Join(lines, "\n")+"\n"); err != nil {
		c.t.Fatal(err)
	}
}

// begin starts a session, and returns once the client has it.
func (c *acpClient) begin(id string) {
	c.t.Helper()
	c.send(`{"id":0,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{"session":{"compaction":{}}}}}`,
		`{"id":0,"result":{"protocolVersion":1}}`, `{"id":1,"method":"session/new","params":{"cwd":"/w"}}`,
		`{"id":1,"result":{"sessionId":"`+id+`"}}`)
	for line := range c.lines {
		if strings.Contains(line, id) {
			return
		}
	}
	c.t.Fatal("the session did not begin")
}

// wait returns the first update of ctx-lsp that wanted accepts.
func (c *acpClient) wait(wanted func(*acpUpdate) bool) {
	c.t.Helper()
	for line := range c.lines {
		var m struct{ Params struct{ Update acpUpdate } }
		if json.Unmarshal([]byte(line), &m) == nil && m.Params.Update.Meta.Ctx.From != "" && wanted(&m.Params.Update) {
			return
		}
	}
	c.t.Fatal("the update did not come")
}

// TestACompactionThatAnAgentReports checks that the size of a session without a store is that of the summary.
func TestACompactionThatAnAgentReports(t *testing.T) {
	c := newACPClient(t, t.TempDir())
	update := func(rest string) string {
		return `{"method":"session/update","params":{"sessionId":"s1","update":{` + rest + `}}}`
	}
	text := `{"type":"text","text":"` + strings.Repeat("The river carries the light. ", 4000) + `"}`
	c.begin("s1")
	c.send(`{"id":2,"method":"session/prompt","params":{"sessionId":"s1","prompt":[`+text+`]}}`,
		update(`"sessionUpdate":"usage_update","used":50000,"size":200000`),
		update(`"sessionUpdate":"agent_message_chunk","content":`+text), `{"id":2,"result":{"stopReason":"end_turn"}}`)
	c.wait(func(u *acpUpdate) bool {
		return u.Kind == "usage_update" && u.Used > 60_000 && u.Meta.Ctx.From == "text"
	})
	c.send(update(`"sessionUpdate":"compaction_update","compactionId":"a","status":"completed","summary":[{"type":"text","text":"The light was carried."}]`))
	c.wait(func(u *acpUpdate) bool {
		return u.Kind == "usage_update" && u.Used < 30_000 && u.Meta.Ctx.From == "text"
	})
}

// TestACompactionInTheStore checks that a client is notified of a compaction that the agent records but does not
// report.
func TestACompactionInTheStore(t *testing.T) {
	home := t.TempDir()
	records, err := os.ReadFile("../../testdata/sessions/claude-code/compacted.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	before, _, found := strings.Cut(string(records), `"subtype": "compact_boundary"`)
	if !found {
		t.Fatal("the session was not compacted")
	}
	before = before[:strings.LastIndexByte(before, '\n')+1]
	var first struct{ SessionID string }
	for line := range strings.Lines(before) {
		if json.Unmarshal([]byte(line), &first) == nil && first.SessionID != "" {
			break
		}
	}
	file := filepath.Join(home, ".claude/projects/-w", first.SessionID+".jsonl")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(before), 0o644); err != nil {
		t.Fatal(err)
	}
	c := newACPClient(t, home)
	c.begin(first.SessionID)
	c.wait(func(u *acpUpdate) bool { return u.Kind == "usage_update" && u.Meta.Ctx.From == "store" })
	if err := os.WriteFile(file, records, 0o644); err != nil {
		t.Fatal(err)
	}
	c.wait(func(u *acpUpdate) bool {
		return u.Kind == "compaction_update" && u.CompactionID == "ctx-1" && u.Status == "completed" && u.Meta.Ctx.From == "store"
	})
}
