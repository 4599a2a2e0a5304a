// Copyright The ctx-lsp authors. MIT licence.

package conversation

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/redact"
	"github.com/ctx-lsp/ctx-lsp/internal/rusage"
)

// slowly shortens a list by dropping one line after the other.
func slowly(lines []string, rest string, room int) string {
	for shown := len(lines); shown >= 0; shown-- {
		out := slices.Clone(lines[:shown])
		if shown == 0 && len(lines) > 0 {
			return ""
		}
		if more := len(lines) - shown; more > 0 {
			out = append(out, "- and "+strconv.Itoa(more)+" more")
		}
		if rest != "" {
			out = append(out, rest)
		}
		if text := strings.Join(out, "\n"); len(text) <= room || shown < 2 && text == "" {
			return text
		}
	}
	return ""
}

// TestAListIsShortenedExactly compares lists of all sizes with dropping one line after the other.
func TestAListIsShortenedExactly(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	for range 60 {
		var lines []string
		for range random.IntN(130) {
			lines = append(lines, "- "+strings.Repeat("x", random.IntN(9)))
		}
		rest := []string{"", "2 others are done."}[random.IntN(2)]
		l := newList(lines, rest)
		for room := -3; room < l.size(len(lines))+30; room++ {
			if got, want := l.text(room), slowly(lines, rest, room); got != want {
				t.Fatalf("%d lines in %d bytes: %q, want %q", len(lines), room, got, want)
			}
		}
	}
}

// TestANoteOfManyEntriesIsLinear has 20,000 requests, to-dos, files and failing commands, of which a note shows few.
func TestANoteOfManyEntriesIsLinear(t *testing.T) {
	c := &Conversation{Agent: "claude-code", Workspace: "/w"}
	const n = 20_000
	for i := range n {
		call := len(c.Items) + 1
		c.Items = append(c.Items,
			Item{Kind: core.User, Spoken: true, Text: fmt.Sprintf("Look at part %d, which is off by a cent.", i), Call: -1},
			Item{Kind: core.ToolCalls, Tool: "Bash", Text: fmt.Sprintf("commandgo test ./part%d", i), Call: -1},
			Item{Kind: core.ToolResults, Text: "Exit code 1\nFAIL", Failed: true, Call: call},
			Item{Kind: core.ToolCalls, Tool: "Edit", Text: "", About: core.Subject{What: core.OfFile, Name: fmt.Sprintf("part%d.go", i)}, Call: -1},
			Item{Kind: core.ToolCalls, Tool: "TaskCreate", Text: fmt.Sprintf("subjectPart %d", i), Call: -1},
			Item{Kind: core.ToolResults, Text: fmt.Sprintf("Task #%d created", i), Call: call + 3},
			Item{Kind: core.ToolCalls, Tool: "TaskUpdate", Text: fmt.Sprintf("taskId%d\nstatusin_progress", i), Call: -1},
			Item{Kind: core.User, Spoken: true, Text: "continue", Call: -1},
		)
	}
	var facts *Facts
	used := rusage.Of(func() {
		facts, _ = factsOf(t.Context(), c)
		_, _, err := facts.Note(&noteHead{Session: "s"}, 2000, func(text string) (int64, error) { return int64(len(text) / 4), nil })
		if err != nil {
			t.Error(err)
		}
	})
	if len(facts.Others) != n-1 || len(facts.Files) != n || len(facts.Todos) != n || len(facts.Failed) != mostFailures {
		t.Errorf("%d requests, %d files, %d to-dos, %d failures", len(facts.Others), len(facts.Files), len(facts.Todos), len(facts.Failed))
	}
	if facts.Todos[n-1].State != doing || facts.Files[0].Path != fmt.Sprintf("part%d.go", n-1) {
		t.Errorf("the last to-do is %+v, the first file %+v", facts.Todos[n-1], facts.Files[0])
	}
	item := Item{Kind: core.ToolCalls, Tool: "Write", Text: "file_path/w/a\ncontent" + strings.Repeat("a line\n", 200_000)}
	used += rusage.Of(func() {
		if got := len(item.Arguments()["content"]); got != 7*200_000-1 {
			t.Errorf("the content has %d bytes", got)
		}
	})
	t.Logf("%v of CPU time", used)
	if used > 20*time.Second {
		t.Errorf("a note of %d entries took %v of CPU time", n, used)
	}
}

// TestACanceledNoteEnds cancels a note while its transcript is read, and before each step after that.
func TestACanceledNoteEnds(t *testing.T) {
	var lines []string
	for i := range 3000 {
		lines = append(lines, fmt.Sprintf("> Look at part %d. %s", i, strings.Repeat("It is off. ", 300)))
	}
	s := claude(t, lines...)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	calls, reports := 0, 0
	call := func(ctx context.Context, method string, params []byte) ([]byte, error) {
		calls++
		return words(ctx, method, params)
	}
	_, err := Handover(ctx, s, call, 2000, false, func(bytes int64) {
		if reports++; bytes <= 0 || bytes >= s.Size {
			t.Errorf("%d of %d bytes were read at the first report", bytes, s.Size)
		}
		cancel()
	})
	if !errors.Is(err, context.Canceled) || reports != 1 || calls != 0 {
		t.Errorf("after %d reports and %d counts: %v", reports, calls, err)
	}
	c := &Conversation{Items: []Item{{Kind: core.User, Spoken: true, Text: "password=hunter22222"}}}
	if err := c.Redact(ctx, &redact.Redactor{}); !errors.Is(err, context.Canceled) || !strings.Contains(c.Items[0].Text, "hunter") {
		t.Errorf("removing secrets continued: %v", err)
	}
	if f, err := factsOf(ctx, c); !errors.Is(err, context.Canceled) || f.First != "" {
		t.Errorf("collecting facts continued: %v", err)
	}
}
