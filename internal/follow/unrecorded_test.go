// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/promptload"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// liveTranscript is a session of Claude Code that is being written, in a workspace on disk, and the feed that follows
// it.
type liveTranscript struct {
	t       *testing.T
	feed    *Feed
	session transcript.Session
	e       dirs.Environment
	version string
	now     time.Time
	records int
	in      int64 // the last measured prompt
}

func live(t *testing.T, version string, files map[string]string) *liveTranscript {
	t.Helper()
	e, s := machineWith(t, agent.ClaudeCode, claudeTranscript, files)
	if err := os.WriteFile(s.Path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	pool, err := engine.Native(engine.Options{Instances: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pool.Close() })
	l := &liveTranscript{t: t, feed: NewFeed(s, pool.Call), session: s, e: e, version: version, now: began, in: 20_000}
	l.feed.Files = agents.FilesOf(e, s)
	return l
}

// record writes a record of a role, whose content is JSON.
func (l *liveTranscript) record(role, content, more string) {
	l.t.Helper()
	l.records++
	l.now = l.now.Add(10 * time.Second)
	parent := "null"
	if l.records > 1 {
		parent = fmt.Sprintf(`"u%d"`, l.records-1)
	}
	rest := fmt.Sprintf(`"message":{"role":%q,"content":%s%s}`, role, content, more)
	if role == "system" {
		rest = content
	}
	record := fmt.Sprintf(`{"type":%q,"uuid":"u%d","parentUuid":%s,"isSidechain":false,"sessionId":"s","version":%q,"cwd":%q,"timestamp":%q,%s}`+"\n",
		role, l.records, parent, l.version, l.session.Workspace, l.now.Format(time.RFC3339), rest)
	file, err := os.OpenFile(l.session.Path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		l.t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteString(record); err != nil {
		l.t.Fatal(err)
	}
}

// answers writes an answer to a prompt that is this many tokens longer than the content before it.
func (l *liveTranscript) answers(longer int64, content string) {
	l.in += longer
	l.record("assistant", content, fmt.Sprintf(`,"id":"m%d","model":"claude-opus-4-5","stop_reason":"end_turn","usage":{"input_tokens":%d,"output_tokens":20}`, l.records, l.in))
}

func (l *liveTranscript) prompt(prompt string) { l.record("user", fmt.Sprintf("%q", prompt), "") }

// reads makes the agent read a file, with a short result.
func (l *liveTranscript) reads(longer int64, path, more string) {
	l.answers(longer, fmt.Sprintf(`[{"type":"tool_use","id":"t%d","name":"Read","input":{"file_path":%q%s}}]`, l.records, path, more))
	l.record("user", fmt.Sprintf(`[{"type":"tool_result","tool_use_id":"t%d","content":"It is short."}]`, l.records-1), "")
}

// write changes a file of the workspace at a given time.
func (l *liveTranscript) write(path, text string, at time.Time) {
	l.t.Helper()
	path = filepath.Join(l.session.Workspace, filepath.FromSlash(path))
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		l.t.Fatal(err)
	}
	if err := os.Chtimes(path, at, at); err != nil {
		l.t.Fatal(err)
	}
}

// predicts returns how much larger the next request is predicted to be than the last one.
func (l *liveTranscript) predicts() (more int64, reading string) {
	l.t.Helper()
	b, err := l.feed.Read(context.Background())
	if err != nil {
		l.t.Fatal(err)
	}
	v, err := json.Parse(b)
	if err != nil {
		l.t.Fatal(err, string(b))
	}
	used, _ := v.Get("used").Int64()
	return used - l.in, string(b)
}

func (l *liveTranscript) near(what string, low, high int64) string {
	l.t.Helper()
	more, reading := l.predicts()
	if more < low || more > high {
		l.t.Errorf("%s: %d tokens more are predicted, not %d to %d", what, more, low, high)
	}
	return reading
}

// page returns a text of about ten tokens a line.
func page(lines int) string {
	return strings.Repeat("The shop is open on every day of the week.\n", lines)
}

// TestAFileThatAPromptNamesIsPredicted checks that it is predicted before its request is measured, not twice, and not
// for a version that records it.
func TestAFileThatAPromptNamesIsPredicted(t *testing.T) {
	files := func() map[string]string {
		return map[string]string{"work/repo/docs/plan.md": page(300), "work/repo/big plan.txt": page(100), "work/secret.txt": page(900)}
	}
	l := live(t, "2.1.37", files())
	l.prompt("Hello.")
	l.answers(0, `[{"type":"text","text":"Hello."}]`)
	l.near("a prompt of no file", 0, 60)
	l.prompt("Follow @docs/plan.md. Ask ada@example.com, @nobody or @../secret.txt about it.")
	reading := l.near("a file that is named", 4_500, 8_000)
	if !strings.Contains(strings.ReplaceAll(reading, `\\`, "/"), `docs/plan.md`) {
		t.Errorf("the file has no name: %s", reading)
	}
	before, _ := l.predicted()
	l.answers(before, `[{"type":"text","text":"I do."}]`)
	l.near("after its request was measured", 0, 60)
	l.prompt("And again @docs/plan.md.")
	l.near("a file that the agent knows", 0, 100)
	l.answers(40, `[{"type":"text","text":"Yes."}]`)
	l.prompt(`See @"big plan.txt" and @docs/plan.md#L3-12`)
	l.near("a quoted name, and ten lines", 1_500, 3_500)

	l = live(t, "2.1.209", files())
	l.prompt("Hello.")
	l.answers(0, `[{"type":"text","text":"Hello."}]`)
	l.prompt("Follow @docs/plan.md.")
	l.near("a version that records it", 0, 100)

	l = live(t, "2.1.37", files())
	l.feed.Files = nil // a transcript from elsewhere
	l.prompt("Hello.")
	l.answers(0, `[{"type":"text","text":"Hello."}]`)
	l.prompt("Follow @docs/plan.md.")
	l.near("a transcript from elsewhere", 0, 100)
}

// predicted returns the prediction of the current Reading.
func (l *liveTranscript) predicted() (int64, string) {
	l.t.Helper()
	b, err := l.feed.reading(context.Background())
	if err != nil {
		l.t.Fatal(err)
	}
	v, _ := json.Parse(b)
	used, _ := v.Get("used").Int64()
	return used - l.in, string(b)
}

// TestAFileThatHasChangedSinceItWasNamedIsNotGuessed checks that it is reported instead.
func TestAFileThatHasChangedSinceItWasNamedIsNotGuessed(t *testing.T) {
	l := live(t, "2.1.37", map[string]string{"work/repo/plan.md": page(300)})
	l.prompt("Hello.")
	l.answers(0, `[{"type":"text","text":"Hello."}]`)
	l.prompt("Follow @plan.md")
	l.write("plan.md", page(20), l.now.Add(time.Minute))
	if reading := l.near("a file that was changed", 0, 100); !strings.Contains(reading, "plan.md has changed since the prompt that names it") {
		t.Errorf("nothing is said: %s", reading)
	}
}

// TestMemoryOfAFolderIsPredictedOnce checks that the first file read in a directory brings its memory and the rules for
// the file's path, and that they come again after a compaction.
func TestMemoryOfAFolderIsPredictedOnce(t *testing.T) {
	l := live(t, "2.1.37", map[string]string{
		"work/repo/CLAUDE.md":                page(500), // was in the first prompt
		"work/repo/shop/CLAUDE.md":           page(100),
		"work/repo/shop/till/till.go":        "package till\n",
		"work/repo/other/CLAUDE.md":          page(900),
		"work/repo/.claude/rules/go.md":      "---\npaths: \"**/*.go\"\n---\n" + page(50),
		"work/repo/.claude/rules/lua.md":     "---\npaths: \"**/*.lua\"\n---\n" + page(700),
		"work/repo/.claude/rules/general.md": page(600), // was in the first prompt
	})
	l.prompt("Look at the till.")
	file := filepath.Join(l.session.Workspace, "shop", "till", "till.go")
	l.reads(0, file, "")
	l.near("the first file of a folder", 1_500, 2_900)
	l.reads(2_000, file, `,"offset":3`)
	l.near("the second", 0, 150)
	l.record("system", `"subtype":"compact_boundary","compactMetadata":{"trigger":"auto","preTokens":30000}`, "")
	l.record("user", `"The summary."`, "")
	l.in = 15_000
	l.reads(0, file, "")
	l.near("the first after a compaction", 1_500, 2_900)
}

// TestChangesOfAReadFileArePredicted checks that the changed lines and their surroundings are predicted, unless the
// agent itself has made the changes.
func TestChangesOfAReadFileArePredicted(t *testing.T) {
	lines := strings.Split(page(400), "\n")
	l := live(t, "2.1.37", map[string]string{"work/repo/shop.txt": strings.Join(lines, "\n"), "work/repo/part.txt": page(300)})
	l.prompt("Look.")
	file := filepath.Join(l.session.Workspace, "shop.txt")
	l.reads(0, file, "")
	l.reads(100, filepath.Join(l.session.Workspace, "part.txt"), `,"limit":5`)
	l.near("nothing has changed", 0, 150)
	lines[10], lines[300] = "Closed on Sundays.", "Closed in June."
	l.write("shop.txt", strings.Join(lines, "\n"), l.now.Add(time.Second))
	l.write("part.txt", page(200), l.now.Add(time.Second))
	l.answers(100, `[{"type":"text","text":"It is open."}]`)
	l.prompt("Really?")
	l.near("two lines of it have", 500, 1_100)
	l.answers(700, `[{"type":"text","text":"No."}]`)
	l.near("they were sent", 0, 60)

	l.answers(50, fmt.Sprintf(`[{"type":"tool_use","id":"e","name":"Edit","input":{"file_path":%q,"old_string":"a","new_string":"b"}}]`, file))
	l.near("the agent is about to change it", 0, 150)
	l.write("shop.txt", page(200), l.now.Add(time.Second))
	l.record("user", `[{"type":"tool_result","tool_use_id":"e","content":"Done."}]`, "")
	l.near("it has changed it itself", 0, 150)
	l.write("shop.txt", "A formatter was here.\n"+page(200), l.now.Add(2*time.Second))
	l.prompt("Go on.")
	l.near("and then a formatter", 200, 500)
}

// TestFilesOfOtherPlacesAreNotLookedAt checks that transcripts from elsewhere, sub-agents and directories of other
// machines have no files here, and that no link leads out of the workspace.
func TestFilesOfOtherPlacesAreNotLookedAt(t *testing.T) {
	e, s := machineWith(t, agent.ClaudeCode, claudeTranscript, map[string]string{"work/repo/a.txt": "x", "work/out.txt": page(90)})
	if agents.FilesOf(e, s) == nil {
		t.Fatal("a session of this machine has no files")
	}
	child, elsewhere, remote, other := s, s, s, s
	child.Parent = "other"
	elsewhere.Path = filepath.Join(t.TempDir(), "s.jsonl")
	remote.Workspace = `\\server\share\repo`
	other.Agent = agent.Codex
	for name, s := range map[string]transcript.Session{"a sub-agent": child, "a transcript from elsewhere": elsewhere, "a folder of another machine": remote, "an agent that records": other} {
		if agents.FilesOf(e, s) != nil {
			t.Errorf("%s has files", name)
		}
	}
	if err := dirstest.Linked(filepath.Join(filepath.Dir(s.Workspace), "out.txt"), filepath.Join(s.Workspace, "link.txt")); err != nil {
		t.Skip("no links here:", err)
	}
	later := time.Now()
	for _, path := range []string{"link.txt", "../out.txt", filepath.Join(filepath.Dir(s.Workspace), "out.txt"), "~/.ssh/id_rsa", ""} {
		out := agents.FilesOf(e, s).Look([]promptload.WantedFile{{Path: path, Use: "mentioned", At: later}}, false)
		for _, text := range out.Texts {
			if strings.Contains(text.Text, "shop") {
				t.Errorf("%q leads out: %+v", path, text)
			}
		}
	}
}

// TestAContinuedFeedSendsNoMemoryOfFolders checks that no memory is sent, because it is unknown what was sent before
// the bookmark, and that a file named in a prompt is sent anyway.
func TestAContinuedFeedSendsNoMemoryOfFolders(t *testing.T) {
	l := live(t, "2.1.37", map[string]string{"work/repo/shop/CLAUDE.md": page(100), "work/repo/shop/till.go": "package till\n", "work/repo/plan.md": page(100)})
	l.feed.Bookmarks = true
	l.prompt("Look.")
	l.reads(0, filepath.Join(l.session.Workspace, "shop", "till.go"), "")
	l.near("the memory of a folder", 1_000, 2_000)
	mark, ok := l.feed.Bookmark()
	if !ok {
		t.Fatal("there is no bookmark")
	}
	call := l.feed.call
	if l.feed, ok = Resume(l.session, call, mark); !ok {
		t.Fatal("it does not go on")
	}
	l.feed.Files = agents.FilesOf(l.e, l.session)
	l.reads(1_500, filepath.Join(l.session.Workspace, "shop", "till.go"), "")
	l.near("the same folder once more", 0, 150)
	l.answers(50, `[{"type":"text","text":"Done."}]`)
	l.prompt("Follow @plan.md")
	l.near("a file that is named", 1_500, 3_000)
}

// TestOldVersionsSendANoteWithEachFile checks that the text around a file's content depends on the version that began
// the session.
func TestOldVersionsSendANoteWithEachFile(t *testing.T) {
	e, s := machineWith(t, agent.ClaudeCode, claudeTranscript, map[string]string{"work/repo/a.txt": "x"})
	for version, want := range map[string]int64{
		"2.0.76": 144, "2.1.9": 144, "2.1.37": 144, "2.1.38": 60, "2.1.39": 60, "2.2.0": 60, "3.0.1": 60, "2.1": 60, "": 60, "x.y": 60,
	} {
		s.Version = version
		out := agents.FilesOf(e, s).Look([]promptload.WantedFile{{Path: "a.txt", Use: "mentioned", At: began}}, false)
		if len(out.Texts) != 1 || out.Texts[0].Around != want || out.Texts[0].Text != `"     1→x"` {
			t.Errorf("%q: %+v, and %d tokens stand around it", version, out.Texts, want)
		}
	}
}
