// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"encoding/base64"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
)

func kiroFile(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "kiro.kiroagent", "workspace-sessions", base64.URLEncoding.EncodeToString([]byte(kiroFolder())), "5f1c.json")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const kiroSession = `{"sessionId":"5f1c","title":"Tax","dateCreated":"1764590000000","selectedModel":"claude-sonnet-4.5","contextUsagePercentage":12.5,
	"history":[{"message":{"role":"user","content":[{"type":"text","text":"Add the tax."}],"id":"m1"}},{"message":{"role":"assistant","content":"On it.","id":"m2"},"executionId":"x"},
	{"message":{"role":"tool","content":"a.go"}},{"message":7},{"message":{"role":"assistant","content":"Done."}}]}`

// TestTheDocumentsOfKirosEditor protects the messages and the percentage of a session of Kiro's editor.
func TestTheDocumentsOfKirosEditor(t *testing.T) {
	path := kiroFile(t, kiroSession)
	found := list(t, agent.Kiro, path)
	if len(found) != 1 || found[0].ID != "5f1c" || found[0].Label != "Tax" || found[0].Workspace != kiroFolder() {
		t.Errorf("%+v", found)
	}
	expect(t, events(t, agent.Kiro, path, "5f1c"),
		"in "+kiroFolder(), "title Tax", "model claude-sonnet-4.5 of ", "turn", `user  "Add the tax."`, `assistant  "On it."`, "over", `toolResults  "a.go"`, `assistant  "Done."`,
		"AgentPercent{1250 as Kiro prints it}", "warning Kiro records no tokens; the number is estimated from the texts, or is its own percentage.")
	if store := OfDocument(path); store == nil || store.ID != agent.Kiro {
		t.Errorf("it is taken for %+v", store)
	}
}

// TestDocumentsThatAreNoSession: one that is cut off is said to be, another program's is nobody's.
func TestDocumentsThatAreNoSession(t *testing.T) {
	_, err := storeOf(agent.Kiro).List(context.Background(), kiroFile(t, kiroSession[:200]))
	if err == nil || !strings.Contains(err.Error(), "cut off") {
		t.Errorf("%v", err)
	}
	for _, text := range []string{`{"history":[]}`, `{"history":7,"sessionId":{}}`, `[]`, ``, `{"sessionId":"x","history":[{}]}`, `{"requests":[],"version":3}`, `{"kind":0,"v":{`, `{"kind":0,"v":{"requests":7}}`} {
		path := kiroFile(t, text)
		if store := OfDocument(path); store != nil {
			t.Errorf("%s is taken for %s's", text, store.ID)
		}
		if records, _ := storeRecords(context.Background(), agent.Kiro, path, "5f1c"); len(records) > 2 {
			t.Errorf("%s tells %d records", text, len(records))
		}
	}
}

// TestALogOfAChatThatIsCutOff: what is whole counts, and the warning says that there was more.
func TestALogOfAChatThatIsCutOff(t *testing.T) {
	log := `{"kind":0,"v":{"version":3,"creationDate":1764590000000,"sessionId":"s1","requests":[{"requestId":"r1","message":{"text":"hello"},"modelId":"copilot/gpt-5","response":[{"value":"Hi."}]}]}}` + "\n"
	path := filepath.Join(t.TempDir(), "s1.jsonl")
	for cut, want := range map[string]string{
		``: "", `{"kind":2,"k":["requests"],"v":[{"requestId":"r2","mess`: "warning Entries of this chat's log could not be read: 1. It is being written, or it was cut off; the other entries are used.",
		`{"kind":9,"k":[]}` + "\n" + `nonsense`: "warning Entries of this chat's log could not be read: 2. It is being written, or it was cut off; the other entries are used.",
	} {
		if err := os.WriteFile(path, []byte(log+cut), 0o600); err != nil {
			t.Fatal(err)
		}
		got := strings.Join(events(t, agent.Copilot, path, "s1"), "\n")
		if !strings.Contains(got, `user  "hello"`) || strings.Contains(got, "could not be read") != (want != "") || !strings.Contains(got, want) {
			t.Errorf("%q:\n%s", cut, got)
		}
		if store := OfDocument(path); store == nil || store.ID != agent.Copilot {
			t.Errorf("it is taken for %+v", store)
		}
	}
	if err := os.WriteFile(path, []byte(log[:60]), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := storeOf(agent.Copilot).List(context.Background(), path); err == nil || !strings.Contains(err.Error(), "cut off") {
		t.Errorf("%v", err)
	}
}

func FuzzKiroDocument(f *testing.F) {
	f.Add([]byte(kiroSession))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := kiroFile(t, string(text))
		if records, err := storeRecords(context.Background(), agent.Kiro, path, "5f1c"); err == nil {
			readable(t, agent.Kiro, records)
		}
		_, _ = storeOf(agent.Kiro).List(context.Background(), path)
		_ = OfDocument(path)
	})
}

// TestRecordsOfKirosEditor checks every role, and where a session's model and folder come from.
func TestRecordsOfKirosEditor(t *testing.T) {
	path := kiroFile(t, `{"sessionId":"5f1c","modelId":"m2","defaultModelTitle":"m3","selectedModel":7,"contextUsagePercentage":0,"workspacePath":"relative","history":[
		{"role":"assistant","content":"Early."},{"role":"system","content":"S"},{"role":"user","content":"Hi."},{"role":"bot","content":""},{"role":"other","content":"x"},{"message":{"role":"user","content":"More."}}]}`)
	expect(t, described(t, agent.Kiro, path), `5f1c of "": "" in "`+kiroFolder()+`", 0 to 0`)
	got := raw(t, agent.Kiro, path, "5f1c")
	got[0] = strings.Replace(got[0], strconv.Quote(kiroFolder()), `"/w/shop"`, 1)
	expect(t, got,
		`{"by":"kiro","is":"session","cwd":"/w/shop","model":"m2"}`,
		`{"by":"kiro","is":"item","kind":"assistant","key":"0","text":"Early."}`,
		`{"by":"kiro","is":"context","kind":"system","parts":[{"label":{"id":"system"},"text":"S"}]}`,
		`{"by":"kiro","is":"item","kind":"user","key":"2","text":"Hi.","turn":true}`,
		`{"by":"kiro","is":"over"}`,
		`{"by":"kiro","is":"item","kind":"user","key":"5","text":"More.","turn":true}`,
		`{"by":"kiro","is":"own","percent":0,"label":{"id":"agentPrints","args":["Kiro"]}}`,
		`{"by":"kiro","is":"warning","text":{"id":"kiroEstimate"}}`)
	path = kiroFile(t, `{"sessionId":"5f1c","defaultModelTitle":"m3","contextUsagePercentage":-1,"workspaceDirectory":7,"workspacePath":`+strconv.Quote(kiroFolder()+"2")+`,"history":[{}]}`)
	expect(t, described(t, agent.Kiro, path), `5f1c of "": "" in "`+kiroFolder()+`2", 0 to 0`)
	if got := raw(t, agent.Kiro, path, "5f1c"); len(got) != 2 || !strings.Contains(got[0], `"model":"m3"`) {
		t.Errorf("%q", got)
	}
	for _, text := range []string{`{"sessionId":"5f1c","history":[]}`, `{"sessionId":"5f1c"}`} {
		if found := list(t, agent.Kiro, kiroFile(t, text)); len(found) != 0 {
			t.Errorf("%s: %+v", text, found)
		}
		if got := raw(t, agent.Kiro, kiroFile(t, text), "5f1c"); len(got) != 0 {
			t.Errorf("%s: %q", text, got)
		}
	}
	other := filepath.Join(t.TempDir(), "abcd", "5f1c.json") // a name that is base64, but of no directory
	if err := os.MkdirAll(filepath.Dir(other), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(other, []byte(kiroSession), 0o600); err != nil {
		t.Fatal(err)
	}
	expect(t, described(t, agent.Kiro, other), `5f1c of "": "Tax" in "", 1764590000000 to 0`)
	for text, want := range map[string]bool{
		`{"history":[],"sessionId":"s"}`: false, `{"history":[],"sessionId":7,"workspacePath":"/w"}`: false, `{"history":{},"sessionId":"s","workspacePath":"/w"}`: false,
		`{"history":[],"sessionId":"s","workspacePath":"/w"}`: true, `{"history":[],"sessionId":"s","workspaceDirectory":"/w"}`: true, `{"history":[],"sessionId":"s","contextUsagePercentage":1}`: true,
	} {
		if isKiroIDE(parsed([]byte(text))) != want {
			t.Errorf("%s is a session: %v", text, !want)
		}
	}
}
