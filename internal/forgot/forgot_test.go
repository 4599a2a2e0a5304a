// Copyright The ctx-lsp authors. MIT licence.

package forgot

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/retold"
	"github.com/ctx-lsp/ctx-lsp/internal/source"
)

const summary = `The user wants retries in src/client.go. The loop is in retryWithBackoff and uses maxAttempts.
The user said: "Please never touch the generated files."
npm test passes.`

// conversation is one with a compaction after its items.
func conversation(text string, items ...retold.Item) *retold.Conversation {
	c := &retold.Conversation{Workspace: "/w", Items: items}
	b := retold.Boundary{Summary: text, After: len(items)}
	for i := range items {
		c.Items[i].Tokens = core.Unknown
		b.Before = append(b.Before, i)
	}
	c.Boundaries = []retold.Boundary{b}
	return c
}

func said(kind core.Kind, text string) retold.Item {
	return retold.Item{Kind: kind, Text: text, Call: -1}
}

func file(kind core.Kind, call int, path, text string) retold.Item {
	return retold.Item{Kind: kind, Tool: "Read", Text: text, Call: call, About: core.About{What: core.OfFile, Name: path}}
}

// TestWhatBecomesOfAThing protects the rule that docs/handover.md tells.
func TestWhatBecomesOfAThing(t *testing.T) {
	command := retold.Item{Kind: core.ToolCalls, Tool: "Bash", Call: -1, Text: "commandnpm test\n", About: core.About{What: core.OfCommand, Name: "npm test"}}
	for _, each := range []struct {
		name  string
		item  retold.Item
		state State
	}{
		{"its whole text", said(core.User, "Please never touch\nthe generated files."), InSummary},
		{"its file by path", file(core.ToolCalls, -1, "/w/src/client.go", ""), InSummary},
		{"its file by name", file(core.ToolCalls, -1, "/elsewhere/client.go", ""), InSummary},
		{"its command", command, InSummary},
		{"a third of its names", said(core.Assistant, "retryWithBackoff takes maxAttempts, baseDelay, maxDelay and a_clock."), InSummary},
		{"fewer than a third", said(core.Assistant, "retryWithBackoff and baseDelay, maxDelay, a_clock, jitterOf, sleepFor."), Gone},
		{"one name alone", said(core.Assistant, "See maxAttempts."), Gone},
		{"another file", file(core.ToolCalls, -1, "/w/docs/api.md", ""), Gone},
		{"plain words elsewhere", said(core.User, "Discuss something unrelated tomorrow."), Gone},
	} {
		o, err := Of(conversation(summary, each.item), 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := o.Entries[0].State; got != each.state {
			t.Errorf("%s: %s, and should be %s (%d of %d names)", each.name, got, each.state, o.Entries[0].Found, o.Entries[0].Names)
		}
	}
}

// TestWhatIsSentAgainIsKept protects what a compaction keeps: the items that the agent says it keeps, texts that are
// sent again, and files that are attached anew. What comes after the agent's first answer is new.
func TestWhatIsSentAgainIsKept(t *testing.T) {
	c := conversation("Nothing of note.",
		said(core.User, "Go on with the parser."), file(core.ToolCalls, -1, "/w/a.go", ""), file(core.ToolResults, 1, "/w/a.go", "package a"),
		file(core.ToolCalls, -1, "/w/b.go", ""), said(core.Assistant, "I do that at once, and say so."), said(core.User, "Something else entirely."))
	c.Boundaries[0].Kept = []int{4}
	c.Items = append(c.Items, said(core.Summary, "Nothing of note."), said(core.User, "Go  on with\nthe parser."),
		retold.Item{Kind: core.User, Text: "1 package a", Call: -1, About: core.About{What: core.OfFile, Name: "/w/a.go"}},
		said(core.Assistant, "Yes."), said(core.User, "Something else entirely."))
	o, err := Of(c, 1)
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

// TestCommonNamesTellNothing protects "in the summary" from names that stand everywhere: a summary has them anyhow.
func TestCommonNamesTellNothing(t *testing.T) {
	var items []retold.Item
	for i := range 20 {
		items = append(items, said(core.Assistant, fmt.Sprintf("retryWithBackoff and maxAttempts, in step_%d.", i)))
	}
	o, err := Of(conversation(summary, items...), 0)
	if err != nil {
		t.Fatal(err)
	}
	for i := range o.Entries {
		if e := &o.Entries[i]; e.State != Gone || e.Names != 1 {
			t.Fatalf("%+v", e)
		}
	}
}

// TestAHiddenSummaryTellsNothing protects from a false "gone": where the summary is not recorded, nobody can tell.
func TestAHiddenSummaryTellsNothing(t *testing.T) {
	s, err := source.At(filepath.Join("../../testdata/sessions/codex/rollout.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	call := func(_ context.Context, _ string, params []byte) ([]byte, error) {
		n := strings.Count(string(params), `","`) + 1
		return []byte(`{"result":{"tokens":0,"basis":"counted","texts":[0` + strings.Repeat(",1", n+20) + `]}}`), nil
	}
	a, err := Compare(context.Background(), s, call, 0, false)
	if err != nil {
		t.Fatal(err)
	}
	if a.SummaryTells || a.Gone.Items+a.InSummary.Items != 0 || a.Unknown.Items == 0 || !strings.Contains(a.Text, "unknown") {
		t.Errorf("%+v", a)
	}
	if _, err := Compare(context.Background(), s, call, 9, false); err == nil || !strings.Contains(err.Error(), "only") {
		t.Errorf("a compaction that there never was: %v", err)
	}
}

// TestAReferenceToAFileKeepsNothingOfIt checks that a file of which only its name is sent again is gone.
func TestAReferenceToAFileKeepsNothingOfIt(t *testing.T) {
	c := conversation("Nothing of note.", file(core.ToolCalls, -1, "/w/a.go", ""), file(core.ToolResults, 0, "/w/a.go", "package a"))
	reference := file(core.Documents, -1, "/w/a.go", "a.go")
	reference.Tokens = 45
	c.Items = append(c.Items, said(core.Summary, "Nothing of note."), reference, said(core.Assistant, "Yes."))
	o, err := Of(c, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(o.Entries) != 1 || o.Entries[0].State != Gone {
		t.Errorf("%+v", o.Entries)
	}
}
