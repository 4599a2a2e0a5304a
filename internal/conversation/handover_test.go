// Copyright The ctx-lsp authors. MIT licence.

package conversation

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// claude writes a Claude Code transcript: "> words" is a message of the user, "< words" a reply of the agent, "! name
// {json}" a call, "= text" its result, and "x text" a result that is an error.
func claude(t *testing.T, lines ...string) transcript.Session {
	t.Helper()
	var out strings.Builder
	parent, calls := "null", 0
	for n, line := range lines {
		id := fmt.Sprintf(`"00000000-0000-4000-8000-%012d"`, n+1)
		head := fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"cwd":"/w","sessionId":"s","version":"2.1.150","gitBranch":"main","uuid":%s,"timestamp":"2026-03-02T09:%02d:%02dZ",`, parent, id, n/60, n%60)
		parent = id
		text := line[2:]
		answer := func(block string) string {
			return fmt.Sprintf(`"type":"assistant","message":{"model":"claude-opus-4-6","id":"m%d","role":"assistant","stop_reason":"end_turn","content":[%s],"usage":{"input_tokens":100,"output_tokens":10}}}`, n, block)
		}
		result := func(failed bool) string {
			return fmt.Sprintf(`"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":%q,"is_error":%v}]}}`, calls, text, failed)
		}
		switch line[0] {
		case '>':
			out.WriteString(head + fmt.Sprintf(`"type":"user","message":{"role":"user","content":%q}}`, text))
		case '<':
			out.WriteString(head + answer(fmt.Sprintf(`{"type":"text","text":%q}`, text)))
		case '!':
			calls++
			name, input, _ := strings.Cut(text, " ")
			out.WriteString(head + answer(fmt.Sprintf(`{"type":"tool_use","id":"t%d","name":%q,"input":%s}`, calls, name, input)))
		case '=', 'x':
			out.WriteString(head + result(line[0] == 'x'))
		}
		out.WriteByte('\n')
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(out.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := sessions.At(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// words counts the words of a text instead of its tokens, for tests that need no vocabulary.
func words(_ context.Context, _ string, params []byte) ([]byte, error) {
	n := len(strings.Fields(string(params)))
	return fmt.Appendf(nil, `{"result":{"tokens":%d,"basis":"counted","texts":[%d]}}`, n, n), nil
}

func write(t *testing.T, s transcript.Session, most int64) *api.HandoverAnswer {
	t.Helper()
	note, err := Handover(context.Background(), s, words, most, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	return note
}

// TestANoteContainsWhatIsNeededToContinue checks each part of the note.
func TestANoteContainsWhatIsNeededToContinue(t *testing.T) {
	note := write(t, claude(t,
		"> Add retries to the client.",
		`! TodoWrite {"todos":[{"content":"Write the loop","status":"completed"},{"content":"Test it","status":"in_progress"},{"content":"Document it","status":"pending"}]}`,
		"= ok",
		`! Edit {"file_path":"/w/src/client.go","old_string":"a","new_string":"b"}`,
		"= ok",
		`! Edit {"file_path":"/w/src/client.go","old_string":"b","new_string":"c"}`,
		"= ok",
		`! Read {"file_path":"/w/docs/api.md"}`,
		"= text",
		`! Bash {"command":"go test ./src"}`,
		"x Exit code 1\nFAIL TestRetry",
		"< It nearly works.",
		"> Now make the delay double.",
		`! Bash {"command":"go vet ./..."}`,
		"= ok",
		"< The delay doubles now.",
		`! Bash {"command":"make lint"}`,
		"x Exit code 2\nno rule",
	), 2000)
	for _, want := range []string{
		"## Goal (first request)\n\n> Add retries to the client.", "## Last request\n\n> Now make the delay double.",
		"- Test it (in progress)\n- Document it\n1 other is done.", "- src/client.go (changed 2 times)\n- docs/api.md (read)",
		"- `make lint` exit 2\n  no rule\n- `go test ./src` exit 1, 2 commands ago\n  FAIL TestRetry",
		"The delay doubles now.\n\nSince then, without a final reply: Bash make lint.", "on branch main", "2 turns",
	} {
		if !strings.Contains(note.Text, want) {
			t.Errorf("the note lacks %q:\n%s", want, note.Text)
		}
	}
	if note.FirstAsked != "Add retries to the client." || len(note.Todos) != 3 || len(note.Files) != 2 || len(note.Failing) != 2 || note.Tokens > 2000 {
		t.Errorf("the answer is %+v", note)
	}
}

// TestAShortNoteHasAllOfIt checks that nothing is left out of a note that fits.
func TestAShortNoteHasAllOfIt(t *testing.T) {
	note := write(t, claude(t, "> Go.", `! Bash {"command":"make"}`, "x Exit code 2\nno", "> Test it.", "< Done."), 2000)
	for _, want := range []string{"> Go.\n", "> Test it.\n", "- `make` exit 2\n  no\n", "## Last reply\n\nDone.\n"} {
		if !strings.Contains(note.Text, want) {
			t.Errorf("the note lacks %q:\n%s", want, note.Text)
		}
	}
}

// TestALaterSuccessClearsAFailure checks that the list of failures leaves out commands that succeeded since, searches
// without a match, commands that only look something up, and calls that were not allowed.
func TestALaterSuccessClearsAFailure(t *testing.T) {
	for _, each := range []struct {
		name    string
		lines   []string
		failing []string
	}{
		{"mended", []string{`! Bash {"command":"make"}`, "x Exit code 2\nbad", `! Bash {"command":"make"}`, "= ok"}, nil},
		{"of a kind", []string{`! Bash {"command":"go test ./a -run X"}`, "x Exit code 1\nFAIL", `! Bash {"command":"go test ./..."}`, "= ok"}, nil},
		{"failed again", []string{`! Bash {"command":"make"}`, "x Exit code 2\nbad", `! Bash {"command":"make"}`, "x Exit code 2\nworse"}, []string{"make"}},
		{"no match", []string{`! Bash {"command":"git diff --quiet x"}`, "x Exit code 1\n"}, nil},
		{"only looks", []string{`! Bash {"command":"cd src && ls nothing"}`, "x Exit code 2\nno such file"}, nil},
		{"not allowed", []string{`! Bash {"command":"rm -r x"}`, "x The user doesn't want to proceed with this tool use."}, nil},
		{"in its folder", []string{`! Bash {"command":"cd /w && make"}`, "x Exit code 2\nbad"}, []string{"make"}},
	} {
		note := write(t, claude(t, append([]string{"> Go."}, each.lines...)...), 2000)
		var failing []string
		for _, f := range note.Failing {
			failing = append(failing, f.Command)
		}
		if !slices.Equal(failing, each.failing) {
			t.Errorf("%s: failing are %q, and should be %q", each.name, failing, each.failing)
		}
	}
}

// TestTodosOfEveryKindOfList checks the open to-dos of agents that replace a list, change its entries one by one, or
// write a checklist.
func TestTodosOfEveryKindOfList(t *testing.T) {
	for _, each := range []struct {
		text string
		want []Todo
	}{
		{`[{"content":"a","status":"pending"},{"content":"b","status":"cancelled"}]`, []Todo{{"a", open}}},
		{`[{"step":"a","status":"in_progress"},{"step":"b","status":"completed"}]`, []Todo{{"a", doing}, {"b", done}}},
		{`[{"description":"a","status":"pending"}]`, []Todo{{"a", open}}},
		{"- [x] a\n- [ ] b\n[-] c", []Todo{{"a", done}, {"b", open}, {"c", doing}}},
	} {
		got, ok := parseTodos(each.text)
		if !ok || !slices.Equal(got, each.want) {
			t.Errorf("%s is %v", each.text, got)
		}
	}
	note := write(t, claude(t,
		"> Go.",
		`! TaskCreate {"subject":"Write it","description":"x"}`, "= Task #1 created successfully: Write it",
		`! TaskCreate {"subject":"Test it","description":"x"}`, "= Task #2 created successfully: Test it",
		`! TaskCreate {"subject":"Forget it","description":"x"}`, "= Task #3 created successfully: Forget it",
		`! TaskUpdate {"taskId":"1","status":"completed"}`, "= ok",
		`! TaskUpdate {"taskId":"2","status":"in_progress"}`, "= ok",
		`! TaskUpdate {"taskId":"3","status":"deleted"}`, "= ok",
	), 2000)
	if want := []api.HandoverTodo{{Text: "Write it", State: "done"}, {Text: "Test it", State: "doing"}}; !slices.Equal(note.Todos, want) {
		t.Errorf("tasks are %+v", note.Todos)
	}
}

// TestFilesOfPatchesAndCommands checks the files of agents that make changes with patches and command lines.
func TestFilesOfPatchesAndCommands(t *testing.T) {
	for _, each := range []struct {
		command string
		want    []string
	}{
		{"cat > src/a.go <<'EOF'\nif a > b.c {\nEOF\ngo run .", []string{"src/a.go"}},
		{"sed -i 's/a/b/' src/b.go && go test > /dev/null 2>&1", []string{"src/b.go"}},
		{"echo x | tee -a notes.md", []string{"notes.md"}},
		{"test 3 > 2", nil},
		{"grep -n 'a -> b' x", nil},
	} {
		if got := written(each.command); !slices.Equal(got, each.want) {
			t.Errorf("%q writes %q", each.command, got)
		}
	}
}

// TestANoteIsNeverLargerThanAsked checks that the note of a long session uses the requested size and never exceeds it,
// however small it is.
func TestANoteIsNeverLargerThanAsked(t *testing.T) {
	lines := []string{"> " + strings.Repeat("Rewrite the parser so that it reads every line once. ", 300)}
	for i := range 80 {
		lines = append(lines, fmt.Sprintf(`! Edit {"file_path":"/w/src/file%d.go","old_string":"a","new_string":"b"}`, i), "= ok",
			fmt.Sprintf(`! Bash {"command":"make target%d"}`, i), "x Exit code 2\n"+strings.Repeat("it does not build here ", 100),
			fmt.Sprintf("> And what about the case number %d of them?", i), "< "+strings.Repeat("This is what I have done about it. ", 60))
	}
	s := claude(t, lines...)
	for _, most := range []int64{150, 151, 300, 777, 2000, 5000} {
		note := write(t, s, most)
		if note.Tokens > most || note.Tokens < most*85/100 || note.Asked != most {
			t.Errorf("asked for %d, it has %d", most, note.Tokens)
		}
		if !strings.Contains(note.Text, "Handover") {
			t.Errorf("a note of %d has no head", most)
		}
	}
}

// TestEveryAgentHandsOver checks the note for every agent, with transcripts written by hand and with real ones if
// available.
func TestEveryAgentHandsOver(t *testing.T) {
	files, _ := filepath.Glob("../../testdata/sessions/*/*.json*")
	lines, _ := filepath.Glob("../../testdata/lines/*/*.json*")
	files = append(files, lines...)
	if real := os.Getenv("CTX_TRANSCRIPTS"); real != "" {
		more, _ := filepath.Glob(filepath.Join(real, "*", "*.json*"))
		files = append(files, more...)
	}
	for _, file := range files {
		s, err := sessions.At(file)
		if err != nil {
			continue // a list of messages that an agent keeps next to its task
		}
		note, err := Handover(context.Background(), s, words, 400, false, nil)
		if err != nil {
			t.Errorf("%s: %s", file, err)
			continue
		}
		if note.FirstAsked == "" || !strings.Contains(note.Text, "## Goal") || note.Tokens > 400 {
			t.Errorf("%s: %d tokens, asked first %q", file, note.Tokens, note.FirstAsked)
		}
	}
}
