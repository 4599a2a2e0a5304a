// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// claudeFile builds a transcript of Claude Code.
type claudeFile struct {
	version string
	branch  string // of the repository that is worked in, "" for none
	records []string
	minutes int // of the next record
	last    string
}

// add adds a record that follows a parent; "" is the last record.
func (f *claudeFile) add(parent, kind, rest string) string {
	if parent == "" {
		parent = f.last
	}
	if f.branch != "" {
		rest = fmt.Sprintf(`"gitBranch":%q,`, f.branch) + rest
	}
	uuid := fmt.Sprintf("00000000-0000-4000-8000-%012d", len(f.records)+1)
	f.records = append(f.records, fmt.Sprintf(`{"parentUuid":%q,"isSidechain":false,"type":%q,"version":%q,"uuid":%q,"timestamp":"2026-03-02T%02d:%02d:00.000Z",%s}`,
		parent, kind, f.version, uuid, 9+f.minutes/60, f.minutes%60, rest))
	f.minutes++
	f.last = uuid
	return uuid
}

func (f *claudeFile) says(text string) string {
	return f.add("", "user", fmt.Sprintf(`"message":{"role":"user","content":%q}`, text))
}

func (f *claudeFile) result(parent string, call int) string {
	return f.add(parent, "user", fmt.Sprintf(`"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_%d","content":"done"}]}`, call))
}

// calls returns a block of a response that calls a tool.
func (f *claudeFile) calls(message, in, call int, tool, input string) string {
	return f.add("", "assistant", fmt.Sprintf(`"requestId":"req_%d","message":{"id":"msg_%d","role":"assistant","model":"claude-opus-4-6","stop_reason":"tool_use",`+
		`"content":[{"type":"tool_use","id":"toolu_%d","name":%q,"input":%s}],"usage":{"input_tokens":%d,"output_tokens":20}}`, message, message, call, tool, input, in))
}

func (f *claudeFile) events(t *testing.T) []core.Event {
	t.Helper()
	return eventsOf(t, agent.ClaudeCode, f.records...)
}

// of returns the events of one type.
func of[E core.Event](events []core.Event) (found []E) {
	for _, e := range events {
		if e, ok := e.(E); ok {
			found = append(found, e)
		}
	}
	return found
}

// twoParallelResults adds a response with two calls: the result of the first is outside the chain of parents.
func twoParallelResults(f *claudeFile) {
	f.says("Read both.")
	first := f.calls(1, 1000, 1, "Read", `{}`)
	second := f.calls(1, 1000, 2, "Read", `{}`)
	f.result(first, 1)
	f.result(second, 2)
}

// TestAPauseLoadsNothingAnew checks that a pause is not a resume: the waiting program still has its whole prompt. Only
// a record of a resume shows that the chain of parents was loaded.
func TestAPauseLoadsNothingAnew(t *testing.T) {
	paused := &claudeFile{version: "2.1.33"}
	twoParallelResults(paused)
	paused.minutes += 90
	paused.says("Go on.")
	events := paused.events(t)
	if n := len(of[core.Dropped](events)); n > 0 {
		t.Errorf("after a pause %d items are dropped", n)
	}
	if resumes := of[core.Resumed](events); len(resumes) != 1 || resumes[0].Reloaded {
		t.Errorf("a pause is %+v", resumes)
	}

	resumed := &claudeFile{version: "2.1.33"}
	twoParallelResults(resumed)
	resumed.add("", "progress", `"data":{"hookName":"SessionStart:resume"}`)
	resumed.says("Go on.")
	events = resumed.events(t)
	if n := len(of[core.Dropped](events)); n != 2 {
		t.Errorf("after a resume %d items are dropped, want a result and its call", n)
	}
	if resumes := of[core.Resumed](events); len(resumes) != 1 || !resumes[0].Reloaded {
		t.Errorf("a resume is %+v", resumes)
	}
}

// TestThePlanIsNotSent checks that the plan in the record of ExitPlanMode is left out: it is in a file and is not sent.
func TestThePlanIsNotSent(t *testing.T) {
	f := &claudeFile{version: "2.1.33"}
	f.says("Plan it.")
	f.calls(1, 1000, 1, "ExitPlanMode", `{"plan":"`+strings.Repeat("step ", 500)+`","allowedPrompts":"none"}`)
	for _, e := range of[core.Appended](f.events(t)) {
		if e.Item.Name == "ExitPlanMode" && (len(e.Item.Text) > 60 || e.Item.Parameters != 1) {
			t.Errorf("the call has %d bytes and %d parameters", len(e.Item.Text), e.Item.Parameters)
		}
	}
}

// reminded returns the sizes of the predicted reminders, and the response before each.
func reminded(events []core.Event) (tokens []int64, after []int) {
	answers := 0
	for _, e := range events {
		switch e := e.(type) {
		case core.Metered:
			answers++
		case core.Appended:
			if e.Item.Label.Is(phrase.TaskReminder) && e.Item.Hidden {
				tokens, after = append(tokens, e.Item.Tokens), append(after, answers)
			}
		}
	}
	return tokens, after
}

// TestAnOldReminderIsForeseen checks the reminder of the task list, which is not recorded before 2.1.100: it comes
// after ten parts of responses without a task tool, and immediately after a resume.
func TestAnOldReminderIsForeseen(t *testing.T) {
	step := func(f *claudeFile, n int, tool, input string) {
		f.calls(n, 1000+n, n, tool, input)
		f.result("", n)
	}
	f := &claudeFile{version: "2.1.33"}
	f.says("Work.")
	for n := 1; n <= 12; n++ {
		step(f, n, "Bash", `{}`)
	}
	if tokens, after := reminded(f.events(t)); len(tokens) != 1 || tokens[0] != 113 || after[0] != 10 {
		t.Errorf("reminders of %d after the answers %d; wanted is one of 113 after the tenth", tokens, after)
	}
	f.add("", "progress", `"data":{"hookName":"SessionStart:resume"}`)
	f.says("Go on.")
	if _, after := reminded(f.events(t)); len(after) != 2 || after[1] != 12 {
		t.Errorf("after a resume there are reminders after the answers %d", after)
	}

	listed := &claudeFile{version: "2.1.33"}
	listed.says("Work.")
	for n := 1; n <= 8; n++ {
		step(listed, n, "Bash", `{}`)
	}
	step(listed, 9, "TaskCreate", `{"subject":"`+strings.Repeat("word", 10)+`"}`)
	for n := 10; n <= 19; n++ {
		step(listed, n, "Bash", `{}`)
	}
	if tokens, after := reminded(listed.events(t)); len(tokens) != 1 || tokens[0] != 113+20+8+10 || after[0] != 19 {
		t.Errorf("with a task reminders of %d after the answers %d", tokens, after)
	}

	compacted := &claudeFile{version: "2.1.33"}
	compacted.says("Work.")
	for n := 1; n <= 19; n++ {
		if n == 6 {
			compacted.add("", "system", `"subtype":"compact_boundary","compactMetadata":{"trigger":"auto","preTokens":167000}`)
			compacted.add("", "user", `"isCompactSummary":true,"message":{"role":"user","content":"A summary."}`)
		}
		step(compacted, n, "Bash", `{}`)
	}
	if _, after := reminded(compacted.events(t)); len(after) != 1 || after[0] != 15 {
		t.Errorf("after a compaction behind the fifth answer there are reminders after the answers %d, want 15", after)
	}

	word := func(n int) string { return strings.Repeat("w", n) }
	for name, c := range map[string]struct {
		uses []string // the tool and its input
		want int64
	}{
		"a list that is written":  {[]string{"TodoWrite", `{"todos":[{"content":"` + word(40) + `"},{"content":"` + word(80) + `"}]}`}, 113 + 20 + 18 + 28},
		"one that is replaced":    {[]string{"TodoWrite", `{"todos":[{"content":"` + word(40) + `"}]}`, "TodoWrite", `{"todos":[{"content":"` + word(4) + `"}]}`}, 113 + 20 + 9},
		"one that is emptied":     {[]string{"TodoWrite", `{"todos":[{"content":"` + word(40) + `"}]}`, "TodoWrite", `{"todos":[]}`}, 113},
		"a task with a new name":  {[]string{"TaskCreate", `{"subject":"` + word(40) + `"}`, "TaskUpdate", `{"taskId":"1","subject":"` + word(80) + `"}`}, 113 + 20 + 28},
		"another task's new name": {[]string{"TaskCreate", `{"subject":"` + word(40) + `"}`, "TaskUpdate", `{"taskId":"2","subject":"` + word(80) + `"}`}, 113 + 20 + 18},
		"a new status":            {[]string{"TaskCreate", `{"subject":"` + word(40) + `"}`, "TaskUpdate", `{"taskId":"1","status":"completed"}`}, 113 + 20 + 18},
		"a task that is deleted": {[]string{
			"TaskCreate", `{"subject":"` + word(40) + `"}`, "TaskCreate", `{"subject":"` + word(80) + `"}`, "TaskUpdate", `{"taskId":"1","status":"deleted"}`,
			"TaskUpdate", `{"taskId":"2","subject":"` + word(120) + `"}`,
		}, 113 + 20 + 38},
	} {
		f := &claudeFile{version: "2.1.33"}
		f.says("Work.")
		n := 0
		for i := 0; i < len(c.uses); i += 2 {
			n++
			step(f, n, c.uses[i], c.uses[i+1])
		}
		for range 10 {
			n++
			step(f, n, "Bash", `{}`)
		}
		if tokens, after := reminded(f.events(t)); len(tokens) != 1 || tokens[0] != c.want || after[0] != n {
			t.Errorf("%s: reminders of %d after the answers %d; wanted is one of %d after %d", name, tokens, after, c.want, n)
		}
	}

	newer := &claudeFile{version: "2.1.200"}
	newer.says("Work.")
	for n := 1; n <= 12; n++ {
		step(newer, n, "Bash", `{}`)
	}
	if tokens, _ := reminded(newer.events(t)); len(tokens) > 0 {
		t.Errorf("a version that records its reminders has %d foreseen", tokens)
	}
}

// TestAModelThatWasSetIsKnownBeforeItAnswers checks that the output of /model names the model of the next request.
func TestAModelThatWasSetIsKnownBeforeItAnswers(t *testing.T) {
	for printed, want := range map[string]string{
		`Set model to opus (claude-opus-4-7)`:                              "claude-opus-4-7",
		`Set model to \u001b[1mSonnet 4.5\u001b[22m`:                       "claude-sonnet-4-5",
		`Set model to \u001b[1mDefault (Opus 4.7 · Most capable)\u001b[0m`: "claude-opus-4-7",
		`Set model to Fable 5`:                                             "claude-fable-5",
		`Set model to claude-opus-4-0 for this session`:                    "claude-opus-4-0",
		`Set model to claude-haiku-4-5-20251009.`:                          "claude-haiku-4-5-20251009",
		`Set model to opus`:                                                "",
		`Kept model as Opus 4`:                                             "",
	} {
		f := &claudeFile{version: "2.1.33"}
		f.says("Work.")
		f.calls(1, 1000, 1, "Bash", `{}`)
		f.add("", "user", `"message":{"role":"user","content":"<local-command-stdout>`+printed+`</local-command-stdout>"}`)
		got := ""
		for _, e := range of[core.ModelSet](f.events(t)) {
			got = e.Model
		}
		if got != want {
			t.Errorf("%s: %q, want %q", printed, got, want)
		}
	}
}

// TestAnAttachmentIsCountedAsItWasSent checks that the recorded text of an attachment is used in newer versions. If it
// is not recorded, the reminder of the tokens left has a known size.
func TestAnAttachmentIsCountedAsItWasSent(t *testing.T) {
	f := &claudeFile{version: "2.1.290"}
	f.says("Work.")
	f.add("", "attachment", `"attachment":{"type":"date_change","newDate":"2026-03-03"},"rendered":[{"content":"<system-reminder>The date has changed.</system-reminder>"}]`)
	f.add("", "attachment", `"attachment":{"type":"date_change","newDate":"2026-03-04"},"rendered":[{"content":[{"type":"text","text":"The date "},{"type":"text","text":"has changed."}]},{"content":" Again."}]`)
	f.add("", "attachment", `"attachment":{"type":"total_tokens_reminder","tokens":14000000}`)
	var got []string
	for _, e := range of[core.Appended](f.events(t)) {
		if !e.Item.Label.Empty() {
			got = append(got, fmt.Sprintf("%s %q %d %d", e.Item.Label, e.Item.Text, e.Item.Tokens, e.Item.Wrapping))
		}
	}
	want := []string{`date change "<system-reminder>The date has changed.</system-reminder>" -1 0`, `date change "The date has changed. Again." -1 0`, `reminder of the tokens left "" 23 0`}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestClaudeCodesOwnEstimate checks the estimate that Claude Code compares with its threshold: twice as many tokens for
// a JSON file as for other text, and 2,000 for an image.
func TestClaudeCodesOwnEstimate(t *testing.T) {
	estimate := func(version, model, path string) int64 {
		f := &claudeFile{version: version}
		f.says("Read it.")
		f.calls(1, 1000, 1, "Read", `{"file_path":"`+path+`"}`)
		f.records[1] = strings.Replace(f.records[1], "claude-opus-4-6", model, 1)
		f.add("", "user", `"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"`+strings.Repeat("x", 1200)+`"}]}`)
		own := of[core.OwnEstimate](f.events(t))
		return own[len(own)-1].Tokens
	}
	for _, c := range []struct {
		version, model, path string
		want                 int64
	}{
		{"2.1.200", "claude-opus-4-8", "/w/a.go", 300},
		{"2.1.200", "claude-opus-4-8", "/w/a.json", 600},
		{"2.1.329", "claude-opus-4-8", "/w/a.go", 400},
		{"2.1.329", "claude-opus-4-6", "/w/a.go", 300},
	} {
		if got := estimate(c.version, c.model, c.path); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// TestAnAnswerCarriedOverIsNoRequest checks that an answer written again after a compaction, with outer counts of zero
// and the iterations of its old request, is not metered; a request with iterations still is.
func TestAnAnswerCarriedOverIsNoRequest(t *testing.T) {
	f := claudeFile{version: "2.1.226"}
	answer := func(message int, outer, iterations string) {
		f.add("", "assistant", fmt.Sprintf(`"requestId":"req_%d","message":{"id":"msg_%d","role":"assistant","model":"claude-opus-5","stop_reason":"end_turn",`+
			`"content":[{"type":"text","text":"done"}],"usage":{%s,"iterations":[%s]}}`, message, message, outer, iterations))
	}
	old := `{"type":"message","input_tokens":2,"cache_read_input_tokens":204576,"cache_creation_input_tokens":87,"output_tokens":1651}`
	f.says("hello")
	answer(1, `"input_tokens":2,"cache_read_input_tokens":204576,"cache_creation_input_tokens":87,"output_tokens":1651`, old)
	f.add("", "system", `"subtype":"compact_boundary","compactMetadata":{"trigger":"auto","preTokens":206316}`)
	f.add("", "user", `"isCompactSummary":true,"message":{"role":"user","content":"what was done"}`)
	answer(1, `"input_tokens":0,"cache_read_input_tokens":0,"cache_creation_input_tokens":0,"output_tokens":0`, old)
	f.says("go on")
	answer(2, `"input_tokens":120000,"cache_read_input_tokens":0,"cache_creation_input_tokens":0,"output_tokens":40`,
		`{"type":"message","input_tokens":58404,"output_tokens":10},{"type":"message","input_tokens":61596,"output_tokens":30}`)
	var got []int64
	for _, m := range of[core.Metered](f.events(t)) {
		got = append(got, m.In)
	}
	if fmt.Sprint(got) != "[204665 61596]" {
		t.Errorf("requests of %v tokens are metered", got)
	}
}

// TestAToolThatWasSearchedForIsSent checks the result of a search for deferred tools: from then on, their definitions
// are sent, and anything else in the result is a part of it.
func TestAToolThatWasSearchedForIsSent(t *testing.T) {
	f := &claudeFile{version: "2.1.200"}
	f.says("Ask the database.")
	f.calls(1, 20_000, 1, "ToolSearch", `{"query":"database"}`)
	f.add("", "user", `"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":[`+
		`{"type":"text","text":"Found."},{"type":"tool_reference","tool_name":"mcp__db__query"},{"type":"tool_reference","tool_name":"WebSearch"},`+
		`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}]}]}`)
	var got []string
	for _, e := range of[core.Appended](f.events(t))[2:] {
		got = append(got, fmt.Sprintf("%s %s %q hidden %v", e.Item.Kind, e.Item.Name, e.Item.Text, e.Item.Hidden))
	}
	want := []string{
		`toolResults ToolSearch "Found." hidden false`, `mcpTools mcp__db__query "" hidden true`,
		`tools WebSearch "" hidden true`, `media  "" hidden false`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestAWindowOnRequestIsNoticed checks that a prompt beyond the usual window shows the larger one, once, and only for
// models that have one.
func TestAWindowOnRequestIsNoticed(t *testing.T) {
	for _, c := range []struct {
		model string
		in    int
		want  int
	}{
		{"claude-opus-4-6", 200_000, 0},
		{"claude-opus-4-6", 200_001, 1},
		{"claude-opus-4-6", 1_000_000, 1},
		{"claude-opus-4-6", 1_000_001, 0},
		{"claude-opus-4-6[1m]", 300_000, 1},
		{"claude-haiku-4-5", 300_000, 0},
		{"another", 1, 0},
	} {
		f := &claudeFile{version: "2.1.200"}
		f.says("Work.")
		f.calls(1, c.in, 1, "Bash", `{}`)
		f.calls(2, c.in, 2, "Bash", `{}`)
		for i := range f.records {
			f.records[i] = strings.ReplaceAll(f.records[i], "claude-opus-4-6", c.model)
		}
		got := of[core.LimitsKnown](f.events(t))
		if len(got) != c.want || c.want > 0 && got[0].Limits.Window != 1_000_000 {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}

// TestFilesAreMentionedAtTheBeginningsOfWords checks which files of a prompt Claude Code sends with it.
func TestFilesAreMentionedAtTheBeginningsOfWords(t *testing.T) {
	for text, want := range map[string]string{
		"@a.go": "a.go", "Read @a.go, and @docs/b.md.": "a.go docs/b.md", `See @"my notes.md"!`: "my notes.md", "a\n@b_2": "b_2",
		"me@example.org": "", "(@a.go)": "", "@": "", "@.": "", `@"`: "", "@ä": "ä", "<note>@a.go": "", "@a @b": "a b",
	} {
		f := &claudeFile{version: "2.1.90"}
		f.says(text)
		var got []string
		for _, e := range of[core.FileUsed](f.events(t)) {
			got = append(got, e.Path)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestAnUnmeteredResponseIsNoRequest checks records that are not measured: those marked as such, and those without
// usage.
func TestAnUnmeteredResponseIsNoRequest(t *testing.T) {
	const usage = `,"usage":{"input_tokens":9000,"output_tokens":20}`
	for rest, want := range map[string]int{usage: 1, "": 0, `,"usage":null`: 0, `,"usage":7`: 0} {
		for unmetered, times := range map[string]int{"": 1, `"isUnmetered":false,`: 1, `"isUnmetered":true,`: 0} {
			f := &claudeFile{version: "2.1.200"}
			f.says("Hello.")
			f.add("", "assistant", unmetered+`"requestId":"req_1","message":{"id":"msg_1","role":"assistant","model":"claude-opus-4-6","stop_reason":"end_turn",`+
				`"content":[{"type":"text","text":"Hi."}]`+rest+`}`)
			if got := len(of[core.Metered](f.events(t))); got != want*times {
				t.Errorf("%s%s: %d requests", unmetered, rest, got)
			}
		}
	}
}

// TestDisplayedOutputIsNotSent checks that the output of a local command that is only shown is no part of the next
// prompt, and that other output is.
func TestDisplayedOutputIsNotSent(t *testing.T) {
	for shown, want := range map[string]int{`,"isDisplayOnly":true`: 0, `,"isDisplayOnly":false`: 1, "": 1} {
		f := claudeFile{version: "2.1.330"}
		f.add("", "system", `"subtype":"local_command","content":"<local-command-stdout>A colored picture</local-command-stdout>"`+shown)
		n := 0
		for _, e := range f.events(t) {
			if a, ok := e.(core.Appended); ok && strings.Contains(string(a.Item.Text), "picture") {
				n++
			}
		}
		if n != want {
			t.Errorf("with %q %d items are sent, want %d", shown, n, want)
		}
	}
}

// TestPrintedOutputWaits checks that Claude Code waits for the user after a local command, and works after a prompt.
func TestPrintedOutputWaits(t *testing.T) {
	for text, want := range map[string]bool{
		"<local-command-stdout>Compacted</local-command-stdout>": true, "## Context Usage": true, "Go on. ## Context Usage": false,
	} {
		f := claudeFile{version: "2.1.330"}
		f.add("", "user", `"isMeta":true,"message":{"role":"user","content":"`+text+`"}`)
		f.add("", "attachment", `"attachment":{"type":"model"},"rendered":[{"content":"A model."}]`) // as after a compaction
		events := f.events(t)
		told, waits := events[len(events)-1].(core.ActivitySeen)
		if waits = waits && told.Activity == core.Waiting; waits != want {
			t.Errorf("after %q it waits: %v, want %v", text, waits, want)
		}
	}
}

// TestRenderedInstructionsAreMemory checks that memory files, which 2.1.332 records as they are sent, are the memory of
// the first request with their headings, and no message in addition to it.
func TestRenderedInstructionsAreMemory(t *testing.T) {
	f := claudeFile{version: "2.1.332"}
	f.says("Hello.")
	f.add("", "attachment", `"attachment":{"type":"instructions","files":[{"path":"/w/AGENTS.md","content":"# Rules\n\nBe kind.\n"},`+
		`{"path":"/w/build.md","content":"Run make."}]},"rendered":[{"content":"<reminder>\nRules of /w/AGENTS.md:\n\n# Rules\n\nBe kind.\n\nImported, /w/build.md:\n\nRun make.\n</reminder>"}]`)
	var parts []string
	items := 0
	for _, e := range f.events(t) {
		switch e := e.(type) {
		case core.PrefixKnown:
			for _, p := range e.Parts {
				if e.Kind == core.Memory && e.Source == core.FromRecord {
					parts = append(parts, fmt.Sprintf("%s %q", p.Label, p.Text))
				}
			}
		case core.Appended:
			items++
		}
	}
	want := []string{`AGENTS.md "<reminder>\nRules of /w/AGENTS.md:\n\n# Rules\n\nBe kind."`, `build.md "\n\nImported, /w/build.md:\n\nRun make."`}
	if !slices.Equal(parts, want) || items != 1 {
		t.Errorf("%d items, and memory is %q, want %q", items, parts, want)
	}
}

// TestChangedInstructionsAreSentAgain checks that memory files that have changed are counted in the conversation: with
// their rendered text, otherwise with their content and a wrapper. They do not replace the memory of the first request.
func TestChangedInstructionsAreSentAgain(t *testing.T) {
	const rendered = `,"rendered":[{"content":"<reminder>\nRules of /w/CLAUDE.md:\n\n# Rules\n\nBe kind.\n\nBe quick.\n</reminder>"}]`
	for _, text := range []string{"", rendered} {
		f := &claudeFile{version: "2.1.332"}
		f.says("Work.")
		f.add("", "attachment", `"attachment":{"type":"instructions","files":[{"path":"/w/CLAUDE.md","content":"# Rules\n\nBe kind.\n"}]}`+text)
		f.calls(1, 1000, 1, "Bash", `{}`)
		f.result("", 1)
		f.add("", "attachment", `"attachment":{"type":"instructions","changed":true,"files":[{"path":"/w/CLAUDE.md","type":"Project",`+
			`"content":"# Rules\n\nBe kind.\n\nBe quick.\n"}]}`+text)
		var memory []core.Item
		prefixes := 0
		for _, e := range f.events(t) {
			switch e := e.(type) {
			case core.PrefixKnown:
				if e.Kind == core.Memory && e.Source == core.FromRecord {
					prefixes++
				}
			case core.Appended:
				if e.Item.Kind == core.Memory {
					e.Item.Text = slices.Clone(e.Item.Text)
					memory = append(memory, e.Item)
				}
			}
		}
		if prefixes != 1 || len(memory) != 1 || !strings.Contains(string(memory[0].Text), "Be quick.") {
			t.Fatalf("%q: %d prefixes, and the conversation has the memory %+v", text, prefixes, memory)
		}
		if want := text == ""; (memory[0].Wrapping > 0) != want {
			t.Errorf("%q: the wrapper has %d tokens", text, memory[0].Wrapping)
		}
	}
}

// TestTheBudgetReminderIsExpected checks the reminder of the tokens left, whose record follows its request in a
// terminal: after a step that had one it is expected with the next result, replaced by its record, and dropped if the
// request came without it.
func TestTheBudgetReminderIsExpected(t *testing.T) {
	const rendered = `,"rendered":[{"content":"<system-reminder>\n<total_tokens>14978571 tokens left</total_tokens>\n</system-reminder>"}]`
	for _, text := range []string{"", rendered} {
		f := &claudeFile{version: "2.1.330"}
		reminder := func() { f.add("", "attachment", `"attachment":{"type":"total_tokens_reminder","text":"x"}`+text) }
		count := func() (appended, replaced, dropped int, last core.Item) {
			for _, e := range f.events(t) {
				switch e := e.(type) {
				case core.Appended:
					if e.Item.Label.Is(phrase.TotalTokens) {
						appended, last = appended+1, e.Item
					}
				case core.Replaced:
					replaced, last = replaced+1, e.Item
				case core.Dropped:
					dropped++
				}
			}
			return appended, replaced, dropped, last
		}
		f.says("Work.")
		f.calls(1, 1000, 1, "Bash", `{}`)
		f.result("", 1)
		if a, _, _, _ := count(); a != 0 {
			t.Errorf("%q: none was sent, and %d are expected", text, a)
		}
		reminder()
		f.calls(2, 1100, 2, "Bash", `{}`)
		f.calls(2, 1100, 3, "Bash", `{}`)
		f.result("", 2)
		f.result("", 3)
		_, _, _, expected := count()
		if a, r, d, _ := count(); a != 2 || r != 0 || d != 0 {
			t.Errorf("%q: after two results %d appended, %d replaced, %d dropped", text, a, r, d)
		}
		reminder()
		a, r, d, sent := count()
		if a != 2 || r != 1 || d != 0 || sent.Tokens != expected.Tokens || len(sent.Text) != len(expected.Text) {
			t.Errorf("%q: after the record %d appended, %d replaced, %d dropped; %+v for %+v", text, a, r, d, expected, sent)
		}
		f.calls(4, 1200, 4, "Bash", `{}`)
		f.result("", 4)
		f.calls(5, 1300, 5, "Bash", `{}`)
		f.result("", 5)
		if a, r, d, _ := count(); a != 3 || r != 1 || d != 1 {
			t.Errorf("%q: after a request without it %d appended, %d replaced, %d dropped", text, a, r, d)
		}
	}
}

// TestASubAgentAtWorkIsWork checks that the progress of a sub-agent or a tool advances the session's time, and that of
// a hook, which may run while the user is away, does not.
func TestASubAgentAtWorkIsWork(t *testing.T) {
	last := func(kind string) int64 {
		f := &claudeFile{version: "2.1.120"}
		f.says("Explore it.")
		f.calls(1, 1000, 1, "Task", `{"prompt":"x"}`)
		f.minutes += 40
		f.add("", "progress", `"data":{"type":"`+kind+`","agentId":"a1"},"parentToolUseID":"toolu_1"`)
		passed := of[core.At](f.events(t))
		return passed[len(passed)-1].Milliseconds
	}
	worked, hooked := last("agent_progress"), last("hook_progress")
	if worked-hooked != (41 * time.Minute).Milliseconds() {
		t.Errorf("the progress of a sub-agent advances the time by %v", time.Duration(worked-hooked)*time.Millisecond)
	}
	if last("bash_progress") != worked || last("mcp_progress") != worked {
		t.Error("the progress of a tool does not advance the time")
	}
}

// TestACompactionKeepsTheMessagesThatItNames checks what is left after a compaction, and the sizes on its record.
func TestACompactionKeepsTheMessagesThatItNames(t *testing.T) {
	for _, c := range []struct{ meta, want string }{
		{`"trigger":"auto","preTokens":167000`, "auto true, 0 kept of 3, 167000 before, 0 carried"},
		{`"trigger":"manual","preTokens":167000,"postTokens":4000`, "auto false, 0 kept of 3, 167000 before, 4000 carried"},
		{`"preservedMessages":{"uuids":["00000000-0000-4000-8000-000000000001"]}`, "auto false, 1 kept of 3, -1 before, 0 carried"},
		{`"preservedMessages":{"uuids":["00000000-0000-4000-8000-000000000002","00000000-0000-4000-8000-000000000003"]}`, "auto false, 2 kept of 3, -1 before, 0 carried"},
		{`"preservedMessages":{"uuids":[]},"preservedSegment":{"headUuid":"00000000-0000-4000-8000-000000000002"}`, "auto false, 2 kept of 3, -1 before, 0 carried"},
		{`"preservedSegment":{"headUuid":"00000000-0000-4000-8000-000000000003"}`, "auto false, 1 kept of 3, -1 before, 0 carried"},
		{`"preservedSegment":{"headUuid":"none"}`, "auto false, 0 kept of 3, -1 before, 0 carried"},
	} {
		f := &claudeFile{version: "2.1.200"}
		f.says("Read it.")
		f.calls(1, 9000, 1, "Read", `{}`)
		f.result("", 1)
		f.add("", "system", `"subtype":"compact_boundary","compactMetadata":{`+c.meta+`}`)
		events := f.events(t)
		got := ""
		for _, e := range of[core.Compacted](events) {
			got += fmt.Sprintf("auto %t, %d kept of %d, %d before, %d carried", e.Auto, e.Kept, len(of[core.Appended](events)), e.Before, e.Carried)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.meta, got, c.want)
		}
	}
}

// TestAClearedResultSavesWhatIsOnRecord checks the record of results that Claude Code cleared.
func TestAClearedResultSavesWhatIsOnRecord(t *testing.T) {
	for saved, want := range map[string]string{"12000": "[-12000]", "1": "[-1]", "0": "[]", "-5": "[]"} {
		f := &claudeFile{version: "2.1.200"}
		f.says("Read it.")
		f.add("", "system", `"subtype":"microcompact_boundary","microcompactMetadata":{"tokensSaved":`+saved+`}`)
		tokens := []int64{}
		for _, e := range of[core.Adjusted](f.events(t)) {
			tokens = append(tokens, e.Tokens)
		}
		if fmt.Sprint(tokens) != want {
			t.Errorf("%s saved tokens change the sum by %v, want %s", saved, tokens, want)
		}
	}
}

// TestWhichRecordsOfClaudeCodeAreOneRequest checks measured requests, as the prompt, the response and the items before:
// records with the id of the same message are one request, which is measured again if its response has grown.
func TestWhichRecordsOfClaudeCodeAreOneRequest(t *testing.T) {
	type answer struct {
		id, request string
		usage       string
	}
	usage := func(in, out int) string { return fmt.Sprintf(`{"input_tokens":%d,"output_tokens":%d}`, in, out) }
	const m1, m2, noID, emptyID = `"id":"m1",`, `"id":"m2",`, ``, `"id":"",`
	message := func(in, out int) string {
		return fmt.Sprintf(`{"type":"message","input_tokens":%d,"output_tokens":%d}`, in, out)
	}
	for name, c := range map[string]struct {
		answers []answer
		want    string
	}{
		"one message":                        {[]answer{{m1, "r1", usage(100, 5)}, {m1, "r1", usage(100, 5)}}, "100/5/1"},
		"a response that grows":              {[]answer{{m1, "r1", usage(100, 5)}, {m1, "r1", usage(100, 9)}}, "100/5/1 100/9/1"},
		"two messages":                       {[]answer{{m1, "r1", usage(100, 5)}, {m2, "r2", usage(100, 5)}}, "100/5/1 100/5/2"},
		"messages without an id":             {[]answer{{noID, "r1", usage(100, 5)}, {noID, "r2", usage(100, 5)}}, "100/5/1 100/5/2"},
		"messages with an empty id":          {[]answer{{emptyID, "r1", usage(100, 5)}, {emptyID, "r1", usage(100, 5)}, {emptyID, "r1", usage(101, 5)}}, "100/5/1 101/5/3"},
		"an id of two requests":              {[]answer{{m1, "r1", usage(100, 5)}, {m1, "r2", usage(120, 5)}}, "100/5/1 120/5/2"},
		"an id of two requests of one size":  {[]answer{{m1, "r1", usage(100, 5)}, {m1, "r2", usage(100, 5)}}, "100/5/1"},
		"a prompt of one token":              {[]answer{{m1, "r1", usage(1, 5)}}, "1/5/1"},
		"no prompt":                          {[]answer{{m1, "r1", usage(0, 5)}}, ""},
		"the last of several iterations":     {[]answer{{m1, "r1", `{"input_tokens":300,"output_tokens":9,"iterations":[` + message(100, 4) + `,{"type":"other","input_tokens":7},` + message(200, 5) + `]}`}}, "200/5/1 several"},
		"one iteration":                      {[]answer{{m1, "r1", `{"input_tokens":300,"output_tokens":9,"iterations":[` + message(100, 4) + `]}`}}, "100/4/1"},
		"a response that was carried over":   {[]answer{{m1, "r1", `{"input_tokens":0,"cache_read_input_tokens":0,"cache_creation_input_tokens":0,"output_tokens":0,"iterations":[` + message(100, 4) + `]}`}}, ""},
		"a response of a token, not carried": {[]answer{{m1, "r1", `{"input_tokens":0,"output_tokens":1,"iterations":[` + message(100, 4) + `]}`}}, "100/4/1"},
	} {
		f := &claudeFile{version: "2.1.200"}
		f.says("Work.")
		for _, a := range c.answers {
			f.add("", "assistant", `"requestId":"`+a.request+`","message":{`+a.id+`"role":"assistant","model":"claude-opus-4-6","stop_reason":"end_turn","content":[{"type":"text","text":"Done."}],"usage":`+a.usage+`}`)
		}
		var got []string
		for _, m := range of[core.Metered](f.events(t)) {
			if got = append(got, fmt.Sprintf("%d/%d/%d", m.In, m.Out, m.Through)); !m.Note.Empty() {
				got = append(got, "several")
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
