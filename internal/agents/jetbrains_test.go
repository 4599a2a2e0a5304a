// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// jetBrainsFirst and jetBrainsSecond are the two partitions of a conversation.
var (
	jetBrainsFirst = []string{
		`{"type":"partition.created","data":{"conversationId":"c1","partitionId":1,"source":"panel","createdAt":1777552130660},"id":"a0","timestamp":"2026-04-30T12:28:50.660Z","parentId":null}`,
		`{"type":"user.message","data":{"content":"Which teas?","turnId":"t1"},"id":"a1","timestamp":"2026-04-30T12:28:50.713Z","parentId":null}`,
		`{"type":"assistant.turn_start","data":{"turnId":"t1"},"id":"a2","timestamp":"2026-04-30T12:28:51.800Z","parentId":null}`,
		`{"type":"user.message_rendered","data":{"turnId":"t1","renderedMessage":"<context>It is April.</context>\nWhich teas?"},"id":"a3","timestamp":"2026-04-30T12:28:51.826Z","parentId":null}`,
		`{"type":"assistant.message","data":{"content":"","messageId":"t1","text":"","iterationNumber":1,"thinking":{"id":"thinking_0","text":"I look."}},"id":"a4","timestamp":"2026-04-30T12:28:55.793Z","parentId":null}`,
		`{"type":"tool.execution_start","data":{"toolCallId":"toolu_1","toolName":"read_file","arguments":{"filePath":"/w/shop/teas.txt"}},"id":"a5","timestamp":"2026-04-30T12:28:55.802Z","parentId":null}`,
		`{"type":"tool.execution_complete","data":{"toolCallId":"toolu_1","success":true,"result":{"result":[{"type":"text","value":"assam\n"},{"type":"text","value":"oolong"}]}},"id":"a6","timestamp":"2026-04-30T12:28:56.500Z","parentId":null}`,
		`{"type":"assistant.message","data":{"messageId":"t1","text":"Assam and oolong.","iterationNumber":2},"id":"a7","timestamp":"2026-04-30T12:29:07.000Z","parentId":null}`,
		`{"type":"assistant.turn_end","data":{"turnId":"t1","status":"success","turnStatus":"success"},"id":"a8","timestamp":"2026-04-30T12:29:07.522Z","parentId":null}`,
	}
	jetBrainsSecond = []string{
		`{"type":"user.message_rendered","data":{"turnId":"t2","renderedMessage":"And pots?"},"id":"b0","timestamp":"2026-04-30T12:30:00.000Z","parentId":null}`,
		`{"type":"assistant.turn_start","data":{"turnId":"t2","model":"gpt-5"},"id":"b1","timestamp":"2026-04-30T12:30:01.000Z","parentId":null}`,
		`{"type":"tool.execution_start","data":{"toolCallId":"call_2","toolName":"run_in_terminal","arguments":{"cmd":"ls pots"}},"id":"b2","timestamp":"2026-04-30T12:30:02.000Z","parentId":null}`,
		`{"type":"tool.execution_complete","data":{"toolCallId":"call_2","success":false,"result":{"result":[{"type":"text","value":"no such directory"}]}},"id":"b3","timestamp":"2026-04-30T12:30:03.000Z","parentId":null}`,
		`{"type":"assistant.message","data":{"content":"None."},"id":"b4","timestamp":"2026-04-30T12:30:04.000Z","parentId":null}`,
	}
)

// jetBrainsIn writes a conversation with these partitions and returns the path of the last one.
func jetBrainsIn(t testing.TB, folder string, partitions ...[]string) (path string) {
	t.Helper()
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for i, lines := range partitions {
		path = filepath.Join(folder, []string{"partition-1.jsonl", "partition-2.jsonl", "partition-10.jsonl"}[i])
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// TestTheConversationsOfCopilotInJetBrains checks that a message is read as it is sent, that the partitions of a
// conversation are one session, and that the newest one stands for it.
func TestTheConversationsOfCopilotInJetBrains(t *testing.T) {
	home := t.TempDir()
	path := jetBrainsIn(t, filepath.Join(home, "c1"), jetBrainsFirst, jetBrainsSecond)
	jetBrainsIn(t, filepath.Join(home, "c2"), []string{""}, nil, nil) // used once: the others are empty lines
	for _, name := range []string{"partition-3.jsonl", "partition-x.jsonl", "partition-4.txt", "other.jsonl"} {
		if err := os.WriteFile(filepath.Join(home, "c1", name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	found := map[string]string{}
	if err := listJetBrains(Root{Agent: agent.JetBrains, Path: home}, func(c Candidate) { found[c.ID] = filepath.Base(c.Path) }); err != nil || found["c1"] != "partition-2.jsonl" || found["c2"] != "partition-10.jsonl" {
		t.Errorf("%v, %v", found, err)
	}
	if s := list(t, agent.JetBrains, path); len(s) != 1 || s[0].ID != "c1" {
		t.Errorf("%+v", s)
	}
	first := []string{
		"turn", `user  "<context>It is April.</context>\nWhich teas?"`, `reasoning  "I look."`,
		`toolCalls read_file "{\"filePath\":\"/w/shop/teas.txt\"}"`, `toolResults read_file "assam\noolong" for 2`,
		`assistant  "Assam and oolong."`, "over",
	}
	note := "warning JetBrains Copilot records texts only; the number is estimated from them."
	expect(t, events(t, agent.JetBrains, filepath.Join(home, "c1", "partition-1.jsonl"), "c1"), append([]string{note}, first...)...)
	expect(t, events(t, agent.JetBrains, path, "c1"), append(append([]string{"model gpt-5 of ", note}, first...),
		"turn", `user  "And pots?"`, `toolCalls run_in_terminal "{\"cmd\":\"ls pots\"}"`,
		`toolResults run_in_terminal "no such directory" failed for 6`, `assistant  "None."`)...)
}

// TestTheFilesOfCopilotInJetBrainsAreNotThoseOfItsCLI checks which first records are its own.
func TestTheFilesOfCopilotInJetBrainsAreNotThoseOfItsCLI(t *testing.T) {
	for record, want := range map[string]string{
		jetBrainsFirst[0]:  agent.JetBrains,
		jetBrainsSecond[0]: agent.JetBrains,
		`{"type":"session.start","data":{"sessionId":"s"},"id":"a","timestamp":"2026-04-30T12:28:50.660Z","parentId":null}`:        "",
		`{"type":"user.message","data":{"content":"Which teas?"},"id":"a","timestamp":"2026-04-30T12:28:50.660Z","parentId":null}`: "",
	} {
		got := ""
		if a := OfLine(parsed([]byte(record))); a != nil {
			got = a.ID
		}
		if got != want {
			t.Errorf("%s is taken for %q's", record, got)
		}
	}
}

func FuzzJetBrains(f *testing.F) {
	for _, line := range append(jetBrainsFirst, jetBrainsSecond...) {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		path := jetBrainsIn(t, t.TempDir(), jetBrainsFirst, []string{string(line)})
		to := transcript.StoreWriter{By: agent.JetBrains}
		if writeJetBrains(context.Background(), path, "", &to) == nil {
			readable(t, agent.JetBrains, to.Records)
		}
	})
}
