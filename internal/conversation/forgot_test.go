// Copyright The ctx-lsp authors. MIT licence.

package conversation

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

const summary = `The user wants retries in src/client.go. The loop is in retryWithBackoff and uses maxAttempts.
The user said: "Please never touch the generated files."
npm test passes.`

// conversation returns a conversation with a compaction after its items.
func conversation(text string, items ...Item) *Conversation {
	c := &Conversation{Workspace: "/w", Items: items}
	b := Boundary{Summary: text, After: len(items)}
	for i := range items {
		c.Items[i].Tokens = core.Unknown
		b.Before = append(b.Before, i)
	}
	c.Boundaries = []Boundary{b}
	return c
}

func message(kind core.Kind, text string) Item {
	return Item{Kind: kind, Text: text, Call: -1}
}

func file(kind core.Kind, call int, path, text string) Item {
	return Item{Kind: kind, Tool: "Read", Text: text, Call: call, About: core.Subject{What: core.OfFile, Name: path}}
}

// TestStatesAfterACompaction checks the rule described in docs/handover.md.
func TestStatesAfterACompaction(t *testing.T) {
	command := Item{Kind: core.ToolCalls, Tool: "Bash", Call: -1, Text: "commandnpm test\n", About: core.Subject{What: core.OfCommand, Name: "npm test"}}
	for _, each := range []struct {
		name  string
		item  Item
		state State
	}{
		{"its whole text", message(core.User, "Please never touch\nthe generated files."), InSummary},
		{"its file by path", file(core.ToolCalls, -1, "/w/src/client.go", ""), InSummary},
		{"its file by name", file(core.ToolCalls, -1, "/elsewhere/client.go", ""), InSummary},
		{"its command", command, InSummary},
		{"a third of its names", message(core.Assistant, "retryWithBackoff takes maxAttempts, baseDelay, maxDelay and a_clock."), InSummary},
		{"fewer than a third", message(core.Assistant, "retryWithBackoff and baseDelay, maxDelay, a_clock, jitterOf, sleepFor."), Gone},
		{"one name alone", message(core.Assistant, "See maxAttempts."), Gone},
		{"another file", file(core.ToolCalls, -1, "/w/docs/api.md", ""), Gone},
		{"plain words elsewhere", message(core.User, "Discuss something unrelated tomorrow."), Gone},
	} {
		o, err := compactionOf(conversation(summary, each.item), 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := o.Entries[0].State; got != each.state {
			t.Errorf("%s: %s, and should be %s (%d of %d names)", each.name, got, each.state, o.Entries[0].Found, o.Entries[0].Names)
		}
	}
}

// TestItemsSentAgainAreKept checks that a compaction keeps the items that the agent reports as kept, texts that are
// sent again, and files that are attached again. Anything after the agent's first response is new.
func TestItemsSentAgainAreKept(t *testing.T) {
	c := conversation("Nothing of note.",
		message(core.User, "Go on with the parser."), file(core.ToolCalls, -1, "/w/a.go", ""), file(core.ToolResults, 1, "/w/a.go", "package a"),
		file(core.ToolCalls, -1, "/w/b.go", ""), message(core.Assistant, "I do that at once, and say so."), message(core.User, "Something else entirely."))
	c.Boundaries[0].Kept = []int{4}
	c.Items = append(c.Items, message(core.Summary, "Nothing of note."), message(core.User, "Go  on with\nthe parser."),
		Item{Kind: core.User, Text: "1 package a", Call: -1, About: core.Subject{What: core.OfFile, Name: "/w/a.go"}},
		message(core.Assistant, "Yes."), message(core.User, "Something else entirely."))
	o, err := compactionOf(c, 1)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range o.Entries {
		got = append(got, string(o.Entries[i].State))
	}
	if want := "kept kept gone kept gone"; strings.Join(got, " ") != want { // a call and its result are one
		t.Errorf("they are %s, and should be %s", strings.Join(got, " "), want)
	}
}

// TestCommonNamesProveNothing checks that names found everywhere do not put an entry "in the summary": any summary has
// them.
func TestCommonNamesProveNothing(t *testing.T) {
	var items []Item
	for i := range 20 {
		items = append(items, message(core.Assistant, fmt.Sprintf("retryWithBackoff and maxAttempts, in step_%d.", i)))
	}
	o, err := compactionOf(conversation(summary, items...), 0)
	if err != nil {
		t.Fatal(err)
	}
	for i := range o.Entries {
		if e := &o.Entries[i]; e.State != Gone || e.Names != 1 {
			t.Fatalf("%+v", e)
		}
	}
}

// TestAHiddenSummaryLeavesStatesUnknown checks that entries are unknown, not "gone", if the summary is not recorded.
func TestAHiddenSummaryLeavesStatesUnknown(t *testing.T) {
	s, err := sessions.At(filepath.Join("../../testdata/sessions/codex/rollout.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	call := func(_ context.Context, _ string, params []byte) ([]byte, error) {
		n := strings.Count(string(params), `","`) + 1
		return []byte(`{"result":{"tokens":0,"basis":"counted","texts":[0` + strings.Repeat(",1", n+20) + `]}}`), nil
	}
	a, err := Forgotten(context.Background(), s, call, 0, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a.SummaryTells || a.Gone.Items+a.InSummary.Items != 0 || a.Unknown.Items == 0 || !strings.Contains(a.Text, "unknown") {
		t.Errorf("%+v", a)
	}
	if _, err := Forgotten(context.Background(), s, call, 9, false, nil); err == nil || !strings.Contains(err.Error(), "only") {
		t.Errorf("a compaction that there never was: %v", err)
	}
}

// TestAReferenceToAFileKeepsNothingOfIt checks that a file is gone if only its name is sent again.
func TestAReferenceToAFileKeepsNothingOfIt(t *testing.T) {
	c := conversation("Nothing of note.", file(core.ToolCalls, -1, "/w/a.go", ""), file(core.ToolResults, 0, "/w/a.go", "package a"))
	reference := file(core.Documents, -1, "/w/a.go", "a.go")
	reference.Tokens = 45
	c.Items = append(c.Items, message(core.Summary, "Nothing of note."), reference, message(core.Assistant, "Yes."))
	o, err := compactionOf(c, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(o.Entries) != 1 || o.Entries[0].State != Gone {
		t.Errorf("%+v", o.Entries)
	}
}

// TestAFileIsOneEntry checks that everything read from a file and written to it is one entry, that a part sent again is
// kept once, and that a text sent twice is kept once.
func TestAFileIsOneEntry(t *testing.T) {
	c := conversation("Nothing of note.",
		file(core.ToolCalls, -1, "/w/a.go", ""), file(core.ToolResults, 0, "/w/a.go", "package a // as it was"),
		file(core.ToolCalls, -1, "/w/a.go", "old new"), file(core.ToolResults, 2, "/w/a.go", "it has been updated"),
		message(core.User, "The same hook output."), message(core.User, "The same hook output."))
	attached := file(core.Documents, -1, "/w/a.go", "package a // as it is now")
	attached.Tokens = core.Unknown
	c.Items = append(c.Items, message(core.Summary, "Nothing of note."), attached, message(core.User, "The same hook output."),
		message(core.Assistant, "Yes."))
	o, err := compactionOf(c, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(o.Entries) != 3 {
		t.Fatalf("the file, and two messages: %d entries", len(o.Entries))
	}
	var tokens, kept int64
	for i := range o.Entries {
		e := &o.Entries[i]
		var counts []int64
		for _, text := range e.allTexts() {
			counts = append(counts, int64(len(text)))
		}
		all, sentAgain := e.sizes(counts)
		tokens, kept = tokens+all, kept+sentAgain
	}
	if want := int64(len(attached.Text) + len("The same hook output.")); kept != want {
		t.Errorf("%d of %d are kept, and should be %d", kept, tokens, want)
	}
}

// TestTheSentence checks that the sentence lists kept, mentioned and dropped tokens that add up to the total.
func TestTheSentence(t *testing.T) {
	a := &api.ForgotAnswer{
		Items: make([]api.ForgotItem, 1), SummaryTells: true, Kept: api.ForgotSum{Tokens: 20_000},
		InSummary: api.ForgotSum{Tokens: 41_000}, Gone: api.ForgotSum{Tokens: 88_000}, Total: 149_000,
	}
	if got, want := sentence(a), "Of 149k tokens in the conversation, 20k were kept, 41k are mentioned in the summary, and 88k were dropped."; got != want {
		t.Errorf("%q, and should be %q", got, want)
	}
}

// TestAnswersThatAreRecordedLate checks that answers from before a compaction, which Claude Code may record after it,
// are kept and do not hide the files that are attached again after them.
func TestAnswersThatAreRecordedLate(t *testing.T) {
	const line = `{"isSidechain":false,"cwd":"/w","sessionId":"s","version":"2.1.226","timestamp":"2026-03-02T09:00:%s.000Z",`
	usage := `"usage":{"input_tokens":0,"output_tokens":0}}}`
	path := filepath.Join(t.TempDir(), "s.jsonl")
	var lines []string
	for _, each := range [][3]string{
		{"01", `"uuid":"1","parentUuid":null,"type":"user",`, `"message":{"role":"user","content":"Read the parser."}}`},
		{"02", `"uuid":"2","parentUuid":"1","type":"assistant",`, `"message":{"model":"claude-opus-4-6","id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Read","input":{"file_path":"/w/a.go"}}],"usage":{"input_tokens":100,"output_tokens":10}}}`},
		{"03", `"uuid":"3","parentUuid":"2","type":"user",`, `"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"package a"}]}}`},
		{"20", `"uuid":"b","parentUuid":null,"logicalParentUuid":"3","type":"system","subtype":"compact_boundary",`, `"compactMetadata":{"trigger":"auto","preTokens":100,"postTokens":13,"preservedMessages":{"uuids":["4"]}}}`},
		{"19", `"uuid":"s","parentUuid":"b","type":"user","isCompactSummary":true,`, `"message":{"role":"user","content":"Nothing of note."}}`},
		{"04", `"uuid":"4","parentUuid":"s","type":"assistant",`, `"message":{"model":"claude-opus-4-6","id":"m2","role":"assistant","content":[{"type":"text","text":"The parser is read."}],` + usage},
		{"19", `"uuid":"5","parentUuid":"4","type":"attachment",`, `"attachment":{"type":"file","filename":"/w/a.go","content":{"type":"text","file":{"filePath":"/w/a.go","content":"package a","numLines":1,"startLine":1,"totalLines":1}},"displayPath":"a.go"}}`},
		{"30", `"uuid":"6","parentUuid":"5","type":"assistant",`, `"message":{"model":"claude-opus-4-6","id":"m3","role":"assistant","content":[{"type":"text","text":"And now the lexer."}],"usage":{"input_tokens":60,"output_tokens":10}}}`},
	} {
		lines = append(lines, fmt.Sprintf(line, each[0])+each[1]+each[2])
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := sessions.At(path)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Read(context.Background(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Boundaries[0].Carried; got != 13 {
		t.Errorf("the agent says that it kept 13, and not %d", got)
	}
	if got := len(c.Boundaries[0].Along); got != 2 {
		t.Errorf("the summary and the file were recorded with the compaction, and not %d items", got)
	}
	o, err := compactionOf(c, 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range o.Entries {
		got = append(got, o.Entries[i].Label+" "+string(o.Entries[i].State))
	}
	if want := "User gone, Read a.go kept, Assistant kept"; strings.Join(got, ", ") != want {
		t.Errorf("%s, and should be %s", strings.Join(got, ", "), want)
	}
}

// TestTheAgentsSizeIsCompared checks that the agent's own size after a compaction is compared with the transcript in
// the agent's measure, that a difference of more than a tenth is reported, and that the text contains every number.
func TestTheAgentsSizeIsCompared(t *testing.T) {
	for _, each := range []struct {
		reported, notFound int64
		text               string
	}{
		{111, 11, ""},
		{112, 12, " The other 12 are not in the transcript."},
		{100, 0, ""},
		{92, -8, ""},
		{2000, 1900, " The other 1,900 are not in the transcript."},
		{50, -50, " That is 50 more than the agent reports."},
	} {
		c := conversation("", message(core.User, strings.Repeat("k", 80)), message(core.User, "It is gone."))
		b := &c.Boundaries[0]
		b.Summary, b.Carried, b.Kept = strings.Repeat("s", 120), each.reported, []int{0}
		c.Items = append(c.Items, message(core.Summary, b.Summary), file(core.Documents, -1, "/w/a.go", strings.Repeat("d", 200)),
			message(core.User, "Go on with it."), message(core.Assistant, "Yes."))
		b.Along = []int{2, 3}
		half := func(_ context.Context, _ string, body []byte) ([]byte, error) { // two characters a token
			var asked struct{ Texts []string }
			if err := json.Unmarshal(body, &asked); err != nil {
				return nil, err
			}
			answer := api.CountAnswer{Basis: "estimated"}
			for _, text := range asked.Texts {
				answer.Texts = append(answer.Texts, int64(len(text)/2))
			}
			result, err := json.Marshal(map[string]any{"result": answer})
			return result, err
		}
		a, err := compare(context.Background(), c, half, 0)
		if err != nil {
			t.Fatal(err)
		}
		want := api.ForgotAfter{
			Reported: each.reported, Found: 100, Summary: 30, Messages: 20, Attached: 50, NotFound: each.notFound, Agrees: each.text == "",
			Tokens: 200, KeptTokens: 40, SummaryTokens: 60, AddedTokens: 100,
			Text: fmt.Sprintf("The agent reports %s tokens after the compaction, a quarter of the characters. By that measure the transcript contains 100: "+
				"summary 30, kept messages 20, attached 50.%s Counted for the model it is ~200: kept 40, summary 60, newly attached 100.",
				terminal.Digits(each.reported), each.text),
		}
		if a.After == nil || *a.After != want {
			t.Errorf("of %d: %+v, and should be %+v", each.reported, a.After, want)
		}
		if a.Kept.Tokens != want.KeptTokens {
			t.Errorf("kept is %d in the first sentence and %d in the comparison", a.Kept.Tokens, want.KeptTokens)
		}
	}
}

// TestTheAgentsEstimateIsExplained checks that in every compaction of real sessions the transcript contains what Claude
// Code reports as sent on, within a tenth.
func TestTheAgentsEstimateIsExplained(t *testing.T) {
	dir := os.Getenv("CTX_FRESH")
	if dir == "" {
		t.Skip("CTX_FRESH is not set")
	}
	files, err := filepath.Glob(filepath.Join(dir, "claude-code", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	pool, err := engine.Native(engine.Options{Instances: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	compared := 0
	for _, path := range files {
		s, err := sessions.At(path)
		if err != nil {
			t.Fatal(err)
		}
		c, err := Read(context.Background(), s, nil)
		if err != nil {
			t.Fatal(err)
		}
		for n := range c.Boundaries {
			a, err := Forgotten(context.Background(), s, pool.Call, n+1, false, nil)
			if err != nil {
				t.Fatal(err)
			}
			if a.After == nil {
				continue
			}
			compared++
			if !a.After.Agrees {
				t.Errorf("%s, compaction %d: %s", filepath.Base(path), n+1, a.After.Text)
			}
			for _, n := range []int64{a.After.Reported, a.After.Found, a.After.Tokens, a.Kept.Tokens} {
				if !strings.Contains(a.After.Text, terminal.Digits(n)) {
					t.Errorf("the text does not contain %d: %s", n, a.After.Text)
				}
			}
		}
	}
	if compared == 0 {
		t.Error("no compaction has an estimate of the agent")
	}
}
