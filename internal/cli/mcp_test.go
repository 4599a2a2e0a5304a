// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ctx-lsp/ctx-lsp/internal/textfiles"
)

// askedWorkspace returns a client of the official SDK connected to `ctx-lsp mcp`, and a workspace with a session of
// Claude Code and files of many kinds.
func askedWorkspace(t *testing.T) (*mcp.ClientSession, string) {
	t.Helper()
	home := t.TempDir()
	repo := filepath.Join(home, "repo")
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("repo/.git/HEAD", "ref: refs/heads/main\n")
	write("repo/.gitignore", "ignored.txt\n")
	write("repo/src/main.go", "package main\n\nfunc main() { println(\"hello\") }\n")
	write("repo/src/picture.bin", "\x00\x01\x02")
	write("repo/src/ignored.txt", "nobody counts this")
	write("elsewhere/secret.txt", "not of this workspace")
	session := func(folder, id, dir string) {
		var text strings.Builder
		now := time.Now().Add(-time.Minute).UTC()
		common := fmt.Sprintf(`"sessionId":%q,"version":"2.1.200","cwd":%q,"isSidechain":false`, id, dir)
		fmt.Fprintf(&text, `{"type":"user","uuid":"u","parentUuid":null,%s,"message":{"role":"user","content":"hello"},"timestamp":%q}`+"\n", common, now.Format(time.RFC3339Nano))
		fmt.Fprintf(&text, `{"type":"assistant","uuid":"a","parentUuid":"u",%s,"requestId":"r","message":{"id":"m","role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"tool_use","id":"t","name":"Read","input":{"file_path":%q}}],"usage":{"input_tokens":10,"cache_creation_input_tokens":20000,"cache_read_input_tokens":0,"output_tokens":30}},"timestamp":%q}`+"\n", common, dir+"/src/large.go", now.Format(time.RFC3339Nano))
		fmt.Fprintf(&text, `{"type":"user","uuid":"b","parentUuid":"a",%s,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":%q}]},"timestamp":%q}`+"\n", common, strings.Repeat("many words of a file, ", 500), now.Format(time.RFC3339Nano))
		write(".claude/projects/"+folder+"/"+id+".jsonl", text.String())
	}
	session("repo", "11111111-1111-4111-8111-111111111111", repo)
	session("other", "22222222-2222-4222-8222-222222222222", filepath.Join(home, "elsewhere"))
	_ = os.Symlink(filepath.Join(home, "elsewhere", "secret.txt"), filepath.Join(repo, "link.txt")) // if links are allowed

	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	env := &environment{
		Stdin: toServer, Stdout: fromServer, Stderr: io.Discard, Dir: repo, Now: time.Now, Columns: 80,
		Getenv: func(name string) string { return map[string]string{"HOME": home, "USERPROFILE": home}[name] },
	}
	ended := make(chan int, 1)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	go func() {
		code := run(ctx, env, []string{"mcp"})
		fromServer.Close()
		ended <- code
	}()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	with, err := client.Connect(ctx, &mcp.IOTransport{Reader: toClient, Writer: fromClient}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		with.Close()
		if code := <-ended; code != exitOK {
			t.Errorf("ctx-lsp mcp ended with %d", code)
		}
		cancel()
	})
	return with, repo
}

// asksFor calls a tool, and returns the text of its result and whether it is an error.
func asksFor(t *testing.T, with *mcp.ClientSession, tool string, arguments map[string]any) (string, bool) {
	t.Helper()
	answer, err := with.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return err.Error(), true
	}
	var text strings.Builder
	for _, part := range answer.Content {
		text.WriteString(part.(*mcp.TextContent).Text)
	}
	return text.String(), answer.IsError
}

func TestAnAgentAsksAboutItsContext(t *testing.T) {
	with, _ := askedWorkspace(t)
	for _, c := range []struct {
		tool      string
		arguments map[string]any
		want      []string
	}{
		{"context_status", nil, []string{"of 200k tokens, claude-sonnet-4-5.", "Compaction: at 167,000", "Filled by:"}},
		{"context_status", map[string]any{"session": "1111"}, []string{"claude-sonnet-4-5"}},
		{"largest_items", nil, []string{"Read src/large.go, line 3"}},
		{"will_it_fit", map[string]any{"files": []string{"src"}}, []string{"of the threshold", "src/main.go", "not counted: 1 file that is not text"}},
		{"will_it_fit", map[string]any{"text": strings.Repeat("word and word ", 80_000)}, []string{"does not fit into 200k"}},
		{"count_tokens", map[string]any{"files": []string{"src/main.go"}, "text": "hello"}, []string{"~1 the text\n", " src/main.go\n"}},
	} {
		text, failed := asksFor(t, with, c.tool, c.arguments)
		if failed {
			t.Errorf("%s fails: %s", c.tool, text)
		}
		text = strings.ReplaceAll(text, `\`, "/") // files have their system's names
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s answers without %q:\n%s", c.tool, want, text)
			}
		}
		if strings.Contains(text, "ignored.txt") {
			t.Errorf("%s counts what the repository leaves out:\n%s", c.tool, text)
		}
	}
}

func TestAnAgentListsWhatItsCompactionDropped(t *testing.T) {
	with, repo := askedWorkspace(t)
	text, failed := asksFor(t, with, "what_was_forgotten", nil)
	if !failed || !strings.Contains(text, "compact") {
		t.Errorf("of a session that was not compacted it answers %q", text)
	}
	path := filepath.Join(filepath.Dir(repo), ".claude", "projects", "repo", "11111111-1111-4111-8111-111111111111.jsonl")
	transcript, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	common := fmt.Sprintf(`"sessionId":"11111111-1111-4111-8111-111111111111","version":"2.1.200","cwd":%q,"isSidechain":false,"timestamp":%q`, repo, time.Now().UTC().Format(time.RFC3339Nano))
	transcript = fmt.Appendf(transcript, `{"type":"system","subtype":"compact_boundary","uuid":"c","parentUuid":null,"logicalParentUuid":"b","content":"Conversation compacted","compactMetadata":{"trigger":"manual","preTokens":25000},%s}`+"\n", common)
	transcript = fmt.Appendf(transcript, `{"type":"user","uuid":"d","parentUuid":"c","isCompactSummary":true,"message":{"role":"user","content":"This session is being continued. Summary: somebody said hello."},%s}`+"\n", common)
	if err := os.WriteFile(path, transcript, 0o644); err != nil {
		t.Fatal(err)
	}
	text, failed = asksFor(t, with, "what_was_forgotten", nil)
	if failed || !strings.Contains(text, "dropped") || !strings.Contains(text, "src/large.go") {
		t.Errorf("after a compaction it answers %q", text)
	}
}

// TestAnAgentAsksWhichLinesItHas checks the answer for files that were read, changed since and never sent, and that
// files outside of the workspace are unknown.
func TestAnAgentAsksWhichLinesItHas(t *testing.T) {
	with, repo := askedWorkspace(t)
	large := strings.Repeat("many words of a file, ", 500) + "\none line that was added\n"
	if err := os.WriteFile(filepath.Join(repo, "src", "large.go"), []byte(large), 0o644); err != nil {
		t.Fatal(err)
	}
	files := []string{"src/large.go", filepath.Join(repo, "src", "main.go"), "../elsewhere/secret.txt", "link.txt", "nothing.go"}
	text, failed := asksFor(t, with, "sees", map[string]any{"files": files})
	want := []string{
		"src/large.go: in the request as on disk: 1-1; changed since: 2-2\n", "main.go: never sent\n",
		"../elsewhere/secret.txt: unknown, not in the workspace\n", "link.txt: unknown, cannot be read\n", "nothing.go: unknown, cannot be read\n",
	}
	for _, each := range want {
		if failed || !strings.Contains(text, each) {
			t.Errorf("sees answers without %q:\n%s", each, text)
		}
	}
	if text, failed := asksFor(t, with, "sees", map[string]any{"files": []string{}}); !failed || !strings.Contains(text, "pass files") {
		t.Errorf("without files it answers %q", text)
	}
}

func TestAnAgentAsksAboutItsWorkspaceAlone(t *testing.T) {
	with, repo := askedWorkspace(t)
	for _, c := range []struct {
		arguments map[string]any
		want      string
	}{
		{map[string]any{"files": []string{"../elsewhere/secret.txt"}}, "is not in the workspace"},
		{map[string]any{"files": []string{filepath.Join(repo, "src", "main.go")}}, "is not in the workspace"},
		{map[string]any{"files": []string{"link.txt"}}, "link.txt"},
		{map[string]any{"files": []string{"nothing.go"}}, "there is no file nothing.go"},
		{map[string]any{"files": []string{"src/picture.bin"}}, "is not text"},
		{map[string]any{}, "pass either files or a text"},
		{map[string]any{"text": "hello", "session": "2222"}, "no session of this workspace"},
		{map[string]any{"text": strings.Repeat("x", textfiles.Most+1)}, "more than 8 MB"},
	} {
		for _, tool := range []string{"will_it_fit", "count_tokens"} {
			text, failed := asksFor(t, with, tool, c.arguments)
			if !failed || !strings.Contains(text, c.want) {
				t.Errorf("%s about %.80v answers %q, want an error that says %q", tool, c.arguments, text, c.want)
			}
			if strings.Contains(text, "not of this workspace") {
				t.Errorf("%s tells what stands in a foreign file", tool)
			}
		}
	}
}

// TestTheToolsOfAnAgentAreCheap checks the size of names, descriptions and schemas, which are sent with each of the
// agent's requests.
func TestTheToolsOfAnAgentAreCheap(t *testing.T) {
	with, _ := askedWorkspace(t)
	list, err := with.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	tokenizer, err := openTokenizer(&environment{Getenv: func(string) string { return "" }}, "o200k_base")
	if err != nil {
		t.Fatal(err)
	}
	total := tokenizer.Count([]byte(with.InitializeResult().Instructions))
	for _, tool := range list.Tools {
		if !tool.Annotations.ReadOnlyHint {
			t.Errorf("%s does not say that it only reads", tool.Name)
		}
		sent, err := json.Marshal(map[string]any{"name": tool.Name, "description": tool.Description, "input_schema": tool.InputSchema})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(sent), `"type":[`) {
			t.Errorf("%s has a parameter of several types, which some agents refuse: %s", tool.Name, sent)
		}
		n := tokenizer.Count(sent)
		t.Logf("%-16s %4d tokens: %s", tool.Name, n, sent)
		total += n
	}
	t.Logf("%d tools, %d tokens", len(list.Tools), total)
	if len(list.Tools) != 6 || total > 430 {
		t.Errorf("%d tools take %d tokens of every request; its help says less than 700, as Claude counts", len(list.Tools), total)
	}
}
