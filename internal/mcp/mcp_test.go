// Copyright The ctx-lsp authors. MIT licence.

package mcp

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
)

// The tests start this program as their servers; the variable selects their behavior.
const behaviour = "CTX_TEST_MCP_SERVER"

func TestMain(m *testing.M) {
	if how := os.Getenv(behaviour); how != "" {
		serve(how)
		return
	}
	os.Exit(m.Run())
}

func serve(how string) {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var m struct {
			ID     *int   `json:"id"`
			Method string `json:"method"`
			Params struct {
				Cursor string `json:"cursor"`
			} `json:"params"`
		}
		if json.Unmarshal(in.Bytes(), &m) != nil || m.ID == nil {
			continue
		}
		respond := func(result string) { fmt.Printf(`{"jsonrpc":"2.0","id":%d,"result":%s}`+"\n", *m.ID, result) }
		switch how {
		case "hangs":
			time.Sleep(time.Hour)
		case "dies":
			fmt.Fprintln(os.Stderr, "no \x1b[2Jkey is set")
			os.Exit(7)
		case "floods":
			for {
				fmt.Println(strings.Repeat("x", 1<<16))
			}
		case "endless line":
			for {
				fmt.Print(strings.Repeat("x", 1<<16))
			}
		case "chatters":
			for {
				fmt.Println(`{"jsonrpc":"2.0","method":"notifications/message"}`)
			}
		case "talks garbage":
			_, _ = os.Stdout.Write([]byte("\x00\xff\xfe{\"jsonrpc\":\n[[[[\n" + strings.Repeat("[", 1<<16) + "\n{\"id\":1}\n"))
			continue
		case "refuses":
			fmt.Printf(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32000,"message":"log in first"}}`+"\n", *m.ID)
			continue
		}
		if m.Method == "initialize" {
			fmt.Println("Server is running on stdio") // like many servers
			fmt.Println(`{"jsonrpc":"2.0","id":"a","method":"roots/list"}`)
			respond(`{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"t","version":"1"}}`)
			continue
		}
		switch {
		case how == "is slow":
			time.Sleep(700 * time.Millisecond)
			respond(`{"tools":[{"name":"late"}]}`)
		case how == "dies later":
			fmt.Fprintln(os.Stderr, "out of memory")
			os.Exit(9)
		case how == "closes its output":
			os.Stdout.Close()
			time.Sleep(time.Hour)
		case how == "has too many":
			respond(`{"tools":[` + strings.Repeat(`{"name":"x"},`, maxTools) + `{"name":"x"}]}`)
		case how == "circles":
			respond(`{"tools":[],"nextCursor":"again"}`)
		case how == "nonsense":
			respond(`{"tools":"many"}`)
		case m.Params.Cursor == "":
			respond(`{"tools":[{"name":"one","description":"The first.","inputSchema":{"type":"object"}}],"nextCursor":"2"}`)
		default:
			respond(`{"tools":[{"name":"two","description":"The second.","inputSchema":{"type":"object"}}]}`)
		}
	}
}

func server(t *testing.T, how string) *agents.MCPServer {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &agents.MCPServer{Name: how, Command: self, Env: map[string]string{behaviour: how}}
}

func TestAServerListsItsToolsOnSeveralPages(t *testing.T) {
	tools, err := Tools(t.Context(), server(t, "well"), "test", time.Minute)
	if err != nil || len(tools) != 2 || tools[1].Name != "two" {
		t.Fatalf("%+v: %v", tools, err)
	}
	if text := tools[0].Text(); text != `{"description":"The first.","name":"one","parameters":{"type":"object"}}` {
		t.Error(text)
	}
}

func TestAServerThatMisbehavesGivesASentence(t *testing.T) {
	for how, want := range map[string]string{
		"hangs": "did not respond within 1s", "dies": "exit status 7", "floods": "without a response", "endless line": "a message of more than 8 MB",
		"dies later": "exit status 9", "talks garbage": "did not respond within 1s", "closes its output": "ended before responding", "has too many": "more than 10000 tools",
		"chatters": "without a response", "refuses": "log in first", "circles": "repeat", "nonsense": "list of tools cannot be read",
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			patience := time.Hour // an error other than that of patience shows what ended the call
			if how == "hangs" || how == "talks garbage" {
				patience = time.Second
			}
			_, err := Tools(t.Context(), server(t, how), "test", patience)
			if err == nil || !strings.Contains(err.Error(), want) && !(how == "floods" && strings.Contains(err.Error(), "more than 32 MB")) {
				t.Errorf("%v, want %q", err, want)
			}
			if how == "dies" && !strings.Contains(err.Error(), "key is set") {
				t.Errorf("what it said last is lost: %v", err)
			}
		})
	}
	if _, err := Tools(t.Context(), &agents.MCPServer{Command: "/nonexistent/server"}, "test", time.Second); err == nil || !strings.Contains(err.Error(), "cannot be started") {
		t.Error(err)
	}
}

// TestASlowServerIsWaitedFor checks that a server is waited for until the time limit, and no longer.
func TestASlowServerIsWaitedFor(t *testing.T) {
	tools, err := Tools(t.Context(), server(t, "is slow"), "test", time.Minute)
	if err != nil || len(tools) != 1 || tools[0].Name != "late" {
		t.Errorf("%+v: %v", tools, err)
	}
	if _, err := Tools(t.Context(), server(t, "is slow"), "test", 300*time.Millisecond); err == nil || !strings.Contains(err.Error(), "--timeout allows more time") {
		t.Errorf("with less patience: %v", err)
	}
}

// TestAnAddressThatMisbehavesGivesASentence checks servers behind an address, with the same faults as started ones.
func TestAnAddressThatMisbehavesGivesASentence(t *testing.T) {
	ended := make(chan struct{})
	defer close(ended)
	for how, want := range map[string]string{
		"hangs": "did not respond within", "drips": "did not respond within", "floods": "more than 8 MB", "floods events": "more than 8 MB",
		"talks garbage": "does not belong to the request", "hangs up": "closed the connection", "leads elsewhere": "302",
	} {
		h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			hijacked := func() { // the connection ends in the middle
				c, _, err := w.(http.Hijacker).Hijack()
				if err == nil {
					c.Close()
				}
			}
			switch how {
			case "hangs":
				<-ended
			case "drips":
				w.Header().Set("Content-Type", "text/event-stream")
				for r.Context().Err() == nil {
					fmt.Fprint(w, "data: \n\n")
					w.(http.Flusher).Flush()
					time.Sleep(20 * time.Millisecond)
				}
			case "floods":
				fmt.Fprint(w, strings.Repeat("x", maxMessage+10))
			case "floods events":
				w.Header().Set("Content-Type", "text/event-stream")
				fmt.Fprint(w, "data: "+strings.Repeat("x", maxMessage+10))
			case "talks garbage":
				fmt.Fprint(w, "\x00\xff<html>")
			case "hangs up":
				hijacked()
			case "leads elsewhere":
				http.Redirect(w, r, "http://example.invalid/", http.StatusFound)
			}
		}))
		patience := time.Minute
		if strings.HasPrefix(want, "did not") {
			patience = 500 * time.Millisecond
		}
		_, err := Tools(t.Context(), &agents.MCPServer{URL: h.URL + "?key=s3cret", Headers: map[string]string{"Authorization": "Bearer x"}}, "test", patience)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", how, err, want)
		} else if strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s tells the key: %v", how, err)
		}
		h.CloseClientConnections()
	}
}

func TestAServerWithAnAddressAnswersAsMessageOrAsEvents(t *testing.T) {
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     *int   `json:"id"`
			Method string `json:"method"`
		}
		if err := json.NewDecoder(r.Body).Decode(&m); err != nil || r.Header.Get("Authorization") != "Bearer x" {
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		switch {
		case m.ID == nil:
			w.WriteHeader(http.StatusAccepted)
		case m.Method == "initialize":
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Mcp-Session-Id", "s1")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%d,"result":{}}`, *m.ID)
		case r.Header.Get("Mcp-Session-Id") != "s1":
			http.Error(w, "no session", http.StatusNotFound)
		default:
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":%d,\ndata: \"result\":{\"tools\":[{\"name\":\"far\"}]}}\n\n", *m.ID)
		}
	}))
	defer h.Close()
	tools, err := Tools(t.Context(), &agents.MCPServer{URL: h.URL, Headers: map[string]string{"Authorization": "Bearer x"}}, "test", time.Minute)
	if err != nil || len(tools) != 1 || tools[0].Name != "far" {
		t.Errorf("%+v: %v", tools, err)
	}
	if _, err := Tools(t.Context(), &agents.MCPServer{URL: h.URL}, "test", time.Minute); err == nil || !strings.Contains(err.Error(), "401") {
		t.Error(err)
	}
}

// TestARealServerIsAsked runs the reference server of the protocol's authors, if npm can install it.
func TestARealServerIsAsked(t *testing.T) {
	npx, err := exec.LookPath("npx")
	if err != nil || os.Getenv("CTX_NPM") != "1" {
		t.Skip("needs npm and CTX_NPM=1: it fetches @modelcontextprotocol/server-everything")
	}
	tools, err := Tools(t.Context(), &agents.MCPServer{Command: npx, Args: []string{"-y", "@modelcontextprotocol/server-everything@2026.8.31"}, Dir: t.TempDir()}, "test", 3*time.Minute)
	if err != nil || len(tools) < 5 {
		t.Fatalf("%d tools: %v", len(tools), err)
	}
	for _, tool := range tools {
		if tool.Name == "" || !json.Valid([]byte(tool.Text())) {
			t.Errorf("%+v", tool)
		}
	}
}

// TestAnAddressShowsNoVariable checks that no value of a variable in an address is shown or in an error, and that the
// variables are listed.
func TestAnAddressShowsNoVariable(t *testing.T) {
	workspace := t.TempDir()
	getenv := func(name string) string { return map[string]string{"KEY": "s3cret", "TOKEN": "t0ken"}[name] }
	for address, shown := range map[string]string{
		"http://127.0.0.1:9/${KEY}":              "http://127.0.0.1:9/${KEY}",
		"http://${KEY}.invalid/mcp":              "http://${KEY}.invalid/mcp",
		"http://u:p@127.0.0.1:9/a/@b?c=${KEY}#d": "http://127.0.0.1:9/a/@b",
		"http://127.0.0.1:${env:KEY}/":           "http://127.0.0.1:${env:KEY}/",
		"http://127.0.0.1:9/{env:KEY}/${NONE}":   "http://127.0.0.1:9/{env:KEY}/${NONE}",
	} {
		text, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"x": map[string]any{"url": address, "headers": map[string]string{"Authorization": "Bearer ${TOKEN}"}}}})
		if err == nil {
			err = os.WriteFile(filepath.Join(workspace, ".mcp.json"), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		servers, _ := agents.MCPServers(dirs.Environment{Home: t.TempDir(), Getenv: getenv}, workspace)
		if len(servers) != 1 || !servers[0].FromWorkspace {
			t.Fatalf("%s: %+v", address, servers)
		}
		if got := servers[0].Start(); got != shown {
			t.Errorf("%s is shown as %s", address, got)
		}
		if got := strings.Join(servers[0].Takes(), " "); got != "KEY TOKEN" {
			t.Errorf("%s takes %q", address, got)
		}
		if _, err := Tools(t.Context(), &servers[0], "test", 10*time.Second); err == nil || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: %v", address, err)
		}
	}
}
