// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// task is a transcript of a task from core/agent's tests, divided into the messages shown and the messages sent.
type task struct{ head, all, shown, sent []string }

func readTask(t *testing.T, name string) task {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "sessions", name, "task.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var k task
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		k.all = append(k.all, line)
		switch v, err := json.Parse([]byte(line)); {
		case err != nil:
			t.Fatal(err)
		case v.Get("table").Exists():
			k.head = append(k.head, line)
		case v.Get("role").Exists():
			k.sent = append(k.sent, line)
		default:
			k.shown = append(k.shown, line)
		}
	}
	return k
}

func writeTask(t *testing.T, folder string, shown, sent []string) string {
	t.Helper()
	for name, list := range map[string][]string{agents.ShownFile: shown, agents.SentFile: sent} {
		dirstest.Write(t, filepath.Join(folder, name), "["+strings.Join(list, ",\n")+"]")
	}
	return filepath.Join(folder, agents.ShownFile)
}

// TestBothFilesOfATaskAreOneList checks the order: by time, or by request for messages without a time.
func TestBothFilesOfATaskAreOneList(t *testing.T) {
	for _, name := range []string{"cline", "roo-code", "kilo-code"} {
		k := readTask(t, name)
		path := writeTask(t, t.TempDir(), k.shown, k.sent)
		records, _ := drained(t, agents.OpenTail(transcript.Session{Path: path, Form: transcript.Task}))
		dirstest.Expect(t, name, records[1:], k.all[1:]...)
	}
}

// TestAGrowingTaskReturnsNewRecords writes a task like its extension, request by request: the announcement, the prompt,
// the usage, the answer.
func TestAGrowingTaskReturnsNewRecords(t *testing.T) {
	k := readTask(t, "cline")
	folder := t.TempDir()
	bare := func(request string) string { // before the usage exists
		at := strings.Index(request, `,\"tokensIn\"`)
		end := strings.Index(request[at:], `}"`)
		return request[:at] + request[at+end:]
	}
	path := writeTask(t, folder, k.shown[:1], nil)
	tail := agents.OpenTail(transcript.Session{Path: path, Form: transcript.Task})
	records, reset := drained(t, tail)
	dirstest.Expect(t, "the task", records[1:], k.shown[0])
	for _, step := range []struct {
		what        string
		shown, sent []string
		want        []string
	}{
		{"the announcement", []string{k.shown[0], bare(k.shown[1])}, nil, []string{bare(k.shown[1])}},
		{"the prompt", []string{k.shown[0], bare(k.shown[1])}, k.sent[:1], []string{k.sent[0]}},
		{"the usage", k.shown[:2], k.sent[:1], []string{k.shown[1]}},
		{"nothing", k.shown[:2], k.sent[:1], nil},
		{"the answer", k.shown[:2], k.sent[:2], []string{k.sent[1]}},
		{"the rest", k.shown, k.sent, k.all[5:]},
	} {
		writeTask(t, folder, step.shown, step.sent)
		later := time.Now().Add(time.Duration(len(step.shown)*10+len(step.sent)) * time.Second)
		os.Chtimes(path, later, later)
		got, again := drained(t, tail)
		if again {
			t.Errorf("%s: read anew", step.what)
		}
		dirstest.Expect(t, step.what, got, step.want...)
		reset = reset || again
	}
	// A sent message changes: it was summarized, or edited.
	changed := append([]string{strings.Replace(k.sent[0], "one cent", "two cents", 1)}, k.sent[1:]...)
	writeTask(t, folder, k.shown, changed)
	got, again := drained(t, tail)
	if !again || len(got) != len(k.all) {
		t.Errorf("after a change %d records came, anew %v; want all %d", len(got), again, len(k.all))
	}
}

// TestATaskThatIsHalfWrittenWaits checks that the records returned so far stay.
func TestATaskThatIsHalfWrittenWaits(t *testing.T) {
	k := readTask(t, "roo-code")
	folder := t.TempDir()
	path := writeTask(t, folder, k.shown, k.sent)
	tail := agents.OpenTail(transcript.Session{Path: path, Form: transcript.Task})
	drained(t, tail)
	dirstest.Write(t, path, "["+strings.Join(k.shown, ",")[:300])
	if got, again := drained(t, tail); len(got) > 0 || again {
		t.Errorf("half a file gave %d records, anew %v", len(got), again)
	}
	os.Remove(path)
	var b transcript.Batch
	if err := tail.Next(context.Background(), &b); !os.IsNotExist(err) {
		t.Errorf("without its file a task gives %v", err)
	}
}

// TestTasksAreFoundInTheStorageOfTheirExtensions checks the directory too, which each extension records in a place of
// its own.
func TestTasksAreFoundInTheStorageOfTheirExtensions(t *testing.T) {
	m := dirstest.NewMachine(t)
	for _, system := range []string{"linux", "darwin", "windows"} {
		e := m.Environment()
		e.OS = system
		m.Env["APPDATA"] = filepath.Join(m.Home, "Roaming")
		var code string
		for _, r := range agents.Roots(e) {
			if r.Agent == "roo-code" && !r.Readable {
				t.Errorf("%s: tasks of Roo Code are not read", system)
			}
			if r.Agent == "roo-code" && code == "" {
				code = filepath.ToSlash(strings.ReplaceAll(r.Path, `\`, "/"))
			}
		}
		want := map[string]string{"linux": "/.config/Code/", "darwin": "/Library/Application Support/Code/", "windows": "/Roaming/Code/"}[system] +
			"User/globalStorage/rooveterinaryinc.roo-cline/tasks"
		if !strings.HasSuffix(code, want) {
			t.Errorf("%s: tasks are looked for in %s, want …%s", system, code, want)
		}
	}
	delete(m.Env, "APPDATA")
	m.Own = true
	e := m.Environment()
	settings := ".config"
	if e.OS == "windows" {
		settings = "AppData/Roaming"
	} else {
		e.OS = "linux"
	}
	storage := settings + "/Code/User/globalStorage/"
	cline, roo, kilo := readTask(t, "cline"), readTask(t, "roo-code"), readTask(t, "kilo-code")
	put := func(folder string, k task) {
		m.Put(folder+"/"+agents.SentFile, "["+strings.Join(k.sent, ",")+"]")
		m.Put(folder+"/"+agents.ShownFile, "["+strings.Join(k.shown, ",")+"]")
	}
	m.Put(storage+"saoudrizwan.claude-dev/state/taskHistory.json", `[{"id":"1","cwdOnTaskInitialization":"/w/one"}]`)
	put(storage+"saoudrizwan.claude-dev/tasks/1", cline)
	m.Put(storage+"rooveterinaryinc.roo-cline/tasks/2/history_item.json", `{"workspace":"/w/two"}`)
	put(storage+"rooveterinaryinc.roo-cline/tasks/2", roo)
	kilo.sent[0] = strings.Replace(kilo.sent[0], `<environment_details>`, `<environment_details>\n# Current Workspace Directory (`+strings.ReplaceAll(dirstest.Whole("/w/three"), `\`, `\\`)+`) Files\nsrc/`, 1)
	put(storage+"kilocode.kilo-code/tasks/3", kilo)
	m.Put(".cline/data/sessions/s-4/s-4.messages.json", `{"version":1,"agent":"lead","sessionId":"s-4","messages":[]}`)
	m.Put(".cline/data/sessions/s-4/s-4.json", `{"cwd":"/w/four"}`)
	found, problems, err := NewFinder(e).Find(context.Background(), Query{})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	got := map[string]string{}
	for _, s := range found {
		got[s.Agent+" "+s.ID] = s.Workspace
	}
	for id, want := range map[string]string{"cline 1": "/w/one", "roo-code 2": "/w/two", "kilo-code 3": "/w/three", "cline s-4": "/w/four"} {
		if want = dirstest.Whole(want); got[id] != want {
			t.Errorf("%s was started in %q, want %q", id, got[id], want)
		}
	}
	// Either file names the same task, and each has the workspace that a search finds.
	for _, file := range []string{agents.ShownFile, agents.SentFile} {
		s, err := At(filepath.Join(m.Home, filepath.FromSlash(storage), "rooveterinaryinc.roo-cline/tasks/2", file))
		if err != nil || s.Agent != "roo-code" || s.Workspace != dirstest.Whole("/w/two") {
			t.Errorf("%s: %s in %q, %v", file, s.Agent, s.Workspace, err)
		}
	}
	m.Put("last.traj.json", `{"info":{"mini_version":"2.1.0","config":{"environment":{"cwd":"/w/five"}}},"messages":[{"role":"user","content":"hi"}]}`)
	for path, want := range map[string]string{
		storage + "saoudrizwan.claude-dev/tasks/1/" + agents.ShownFile: "/w/one",
		".cline/data/sessions/s-4/s-4.messages.json":                   "/w/four",
		"last.traj.json": "/w/five",
	} {
		s, err := At(filepath.Join(m.Home, filepath.FromSlash(path)))
		if err != nil || s.Workspace != dirstest.Whole(want) {
			t.Errorf("%s is of %s in %q, want %q: %v", path, s.Agent, s.Workspace, want, err)
		}
	}
	seen := 0
	Below(filepath.Join(m.Home, filepath.FromSlash(settings)), nil, func(transcript.Session) { seen++ }, func(p Problem) { t.Error(p) })
	if seen != 3 {
		t.Errorf("%d sessions lie in the folder, want 3", seen)
	}
}
