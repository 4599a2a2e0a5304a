// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// at sets the record that the next one follows.
func (f *claudeFile) at(uuid string) { f.last = uuid }

// prompts returns the measured prompts of the conversation that is followed, and of the others.
func prompts(events []core.Event) (own, others []int64) {
	for _, e := range events {
		switch e := e.(type) {
		case core.Metered:
			own = append(own, e.In)
		case core.ForChild:
			if m, ok := e.Event.(core.Metered); ok {
				others = append(others, m.In)
			}
		}
	}
	return own, others
}

// interrupted returns the events of a file whose reader is saved and restored before each record.
func (f *claudeFile) interrupted(t *testing.T) (events []core.Event) {
	t.Helper()
	reader := agent.New(agent.ClaudeCode)
	var kept agent.State
	for _, record := range f.records {
		if !agent.Save(agent.ClaudeCode, reader, &kept) {
			t.Fatal("the reader cannot be saved")
		}
		if reader = agent.Restore(kept); reader == nil {
			t.Fatal("the reader cannot be restored")
		}
		v, err := json.Parse([]byte(record))
		if err != nil {
			t.Fatal(err)
		}
		reader.Record(v, func(e core.Event) { events = append(events, e) })
	}
	return events
}

func (f *claudeFile) expect(t *testing.T, own, others string) {
	t.Helper()
	for how, events := range map[string][]core.Event{"read at once": f.events(t), "interrupted": f.interrupted(t)} {
		gotOwn, gotOthers := prompts(events)
		if fmt.Sprint(gotOwn) != own || fmt.Sprint(gotOthers) != others {
			t.Errorf("%s: prompts %d, of others %d; wanted are %s and %s", how, gotOwn, gotOthers, own, others)
		}
		said := false
		for _, w := range of[core.Warned](events) {
			said = said || strings.HasPrefix(w.Sentence.String(), "Two programs write")
		}
		if said != (others != "[]") {
			t.Errorf("%s: that two programs write is said: %v", how, said)
		}
	}
}

// TestTwoWritersAreTwoConversations checks a session that is continued in a second terminal while the first is still
// working: two chains of parents in one file, whose prompts never mix.
func TestTwoWritersAreTwoConversations(t *testing.T) {
	f := &claudeFile{version: "2.1.50"}
	shared := f.says("Work.")
	f.calls(1, 137_000, 1, "Bash", `{}`)
	first := f.result("", 1)
	f.at(shared)
	f.says("Work on something else.")
	second := f.calls(2, 119_000, 2, "Bash", `{}`)
	for n := 3; n < 7; n += 2 { // both go on, in turns
		f.at(first)
		f.calls(n, 137_000+n, n, "Bash", `{}`)
		f.add("", "progress", `"data":{"hookName":"PostToolUse"}`)
		first = f.result("", n)
		f.at(second)
		f.calls(n+1, 119_000+n, n+1, "Bash", `{}`)
		second = f.result("", n+1)
	}
	f.expect(t, "[137000 119000 119003 119005]", "[137003 137005]")
}

// TestAClearedConversationThatGoesOnIsAnotherOne checks that an abandoned chain that is still written belongs to
// another program.
func TestAClearedConversationThatGoesOnIsAnotherOne(t *testing.T) {
	f := &claudeFile{version: "2.1.50"}
	f.says("Work.")
	f.calls(1, 50_000, 1, "Bash", `{}`)
	old := f.result("", 1)
	f.add("00000000-none", "user", `"message":{"role":"user","content":"Something new."}`)
	f.records[len(f.records)-1] = strings.Replace(f.records[len(f.records)-1], `"parentUuid":"00000000-none"`, `"parentUuid":null`, 1)
	f.calls(2, 20_000, 2, "Bash", `{}`)
	now := f.result("", 2)
	f.at(old)
	f.calls(3, 50_100, 3, "Bash", `{}`)
	f.at(now)
	f.calls(4, 20_100, 4, "Bash", `{}`)
	f.expect(t, "[50000 20000 20100]", "[50100]")
}

// TestAnAgentOfATeamIsAConversationOfItsOwn checks that an agent of a team that writes into its leader's file begins a
// separate chain there, and does not end the leader's.
func TestAnAgentOfATeamIsAConversationOfItsOwn(t *testing.T) {
	f := &claudeFile{version: "2.1.50"}
	f.says("Work.")
	f.calls(1, 50_000, 1, "Bash", `{}`)
	leader := f.result("", 1)
	f.add("00000000-none", "user", `"teamName":"t","agentName":"helper","message":{"role":"user","content":"Help."}`)
	f.records[len(f.records)-1] = strings.Replace(f.records[len(f.records)-1], `"parentUuid":"00000000-none"`, `"parentUuid":null`, 1)
	f.calls(2, 20_000, 2, "Bash", `{}`)
	helper := f.result("", 2)
	f.at(leader)
	f.calls(3, 50_100, 3, "Bash", `{}`)
	f.at(helper)
	f.calls(4, 20_100, 4, "Bash", `{}`)
	f.expect(t, "[50000 50100]", "[20000 20100]")
}

// TestARewindIsNoSecondWriter checks that a user who goes back and continues from there is not another writer.
func TestARewindIsNoSecondWriter(t *testing.T) {
	f := &claudeFile{version: "2.1.50"}
	f.says("Work.")
	f.calls(1, 50_000, 1, "Bash", `{}`)
	f.result("", 1)
	back := f.last
	for n := 2; n < 5; n++ {
		f.at(back)
		f.says("Try it otherwise.")
		f.calls(n, 50_000+n, n, "Bash", `{}`)
		f.result("", n)
	}
	f.expect(t, "[50000 50002 50003 50004]", "[]")
}

// TestASessionTwiceInOneFileCountsOnce checks that a session that is in its file twice, also before a compaction, is
// read once, and continues after that.
func TestASessionTwiceInOneFileCountsOnce(t *testing.T) {
	f := &claudeFile{version: "2.1.50"}
	f.says("Work.")
	f.calls(1, 150_000, 1, "Bash", `{}`)
	f.add("", "progress", `"data":{"hookName":"PostToolUse"}`)
	f.result("", 1)
	f.calls(2, 160_000, 2, "Bash", `{}`)
	f.add("00000000-none", "system", `"subtype":"compact_boundary","compactMetadata":{"trigger":"auto","preTokens":167000}`)
	f.records[len(f.records)-1] = strings.Replace(f.records[len(f.records)-1], `"parentUuid":"00000000-none"`, `"parentUuid":null`, 1)
	f.add("", "user", `"isCompactSummary":true,"message":{"role":"user","content":"A summary."}`)
	f.calls(3, 20_000, 3, "Bash", `{}`)
	f.result("", 3)
	once := len(of[core.Appended](f.events(t)))
	f.records = append(f.records, f.records...)
	f.minutes++
	f.calls(4, 20_100, 4, "Bash", `{}`)
	f.expect(t, "[150000 160000 20000 20100]", "[]")
	for how, events := range map[string][]core.Event{"read at once": f.events(t), "interrupted": f.interrupted(t)} {
		if n := len(of[core.Appended](events)); n != once+1 {
			t.Errorf("%s: %d items were appended, and one came after %d", how, n, once)
		}
		if n := len(of[core.Compacted](events)); n != 1 {
			t.Errorf("%s: it was compacted %d times", how, n)
		}
	}
}
