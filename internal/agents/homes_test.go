// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// TestSessionsOfAHostHaveTheSettingsOfTheDefaultFolder checks an agent whose directory a variable moves, while a host
// runs its sessions in the default one.
func TestSessionsOfAHostHaveTheSettingsOfTheDefaultFolder(t *testing.T) {
	m := dirstest.NewMachine(t)
	at := func(path string) string { return filepath.Join(m.Home, filepath.FromSlash(path)) }
	m.Put(".codex/config.toml", "model_context_window = 1000\n")
	m.Put("moved/config.toml", "model_context_window = 2000\n")
	m.Put(".codex/inner/config.toml", "model_context_window = 3000\n")
	for _, c := range []struct{ home, path, host, want string }{
		{"", ".codex/sessions/s.jsonl", "", "1000"},
		{"moved", "moved/sessions/s.jsonl", "", "2000"},
		{"moved", "elsewhere/s.jsonl", "", "2000"},
		{"moved", "moved2/sessions/s.jsonl", "", "2000"},
		{"moved", ".codex/sessions/s.jsonl", "", "1000"},
		{"moved", "elsewhere/s.jsonl", "A host", "1000"},
		{".codex/inner", ".codex/inner/sessions/s.jsonl", "", "3000"},
		{".codex/inner", ".codex/sessions/s.jsonl", "", "1000"},
	} {
		delete(m.Env, "CODEX_HOME")
		if c.home != "" {
			m.Env["CODEX_HOME"] = at(c.home)
		}
		s := transcript.Session{Agent: agent.Codex, Path: at(c.path), Host: c.host}
		if got := SettingsOf(m.Environment(), s)["model_context_window"]; got != c.want {
			t.Errorf("%s with CODEX_HOME=%q, host %q: %s, want %s", c.path, c.home, c.host, got, c.want)
		}
	}
	m.Env["CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"] = "70"
	for host, want := range map[string]string{"": "70", "A host": ""} {
		s := transcript.Session{Agent: agent.ClaudeCode, Path: at(".claude/projects/p/s.jsonl"), Host: host}
		if got := SettingsOf(m.Environment(), s)["CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"]; got != want {
			t.Errorf("with the host %q the variable is %q", host, got)
		}
	}
	m.Env["VIBE_HOME"] = at("moved")
	m.Put(".vibe/config.toml", "auto_compact_threshold = 1\n")
	m.Put("moved/config.toml", "auto_compact_threshold = 2\n")
	for _, host := range []string{"", "A host"} { // no host runs Vibe's sessions
		if got := SettingsOf(m.Environment(), transcript.Session{Agent: agent.Vibe, Path: at(".vibe/logs/s.jsonl"), Host: host})["auto_compact_threshold"]; got != "2" {
			t.Errorf("the threshold of an agent without hosts is %s", got)
		}
	}
}

// TestAMovedAgentIsAlsoInItsDefaultFolder checks the locations of agents whose sessions hosts run too, each once.
func TestAMovedAgentIsAlsoInItsDefaultFolder(t *testing.T) {
	for _, c := range []struct{ id, variable, usual, below string }{
		{agent.Codex, "CODEX_HOME", ".codex", "/sessions"},
		{agent.ClaudeCode, "CLAUDE_CONFIG_DIR", ".claude", "/projects"},
		{agent.CopilotCLI, "COPILOT_HOME", ".copilot", "/session-state"},
		{agent.Grok, "GROK_HOME", "", "/sessions"},
	} {
		for value, want := range map[string][]string{
			"/moved": {"/moved" + c.below + " by " + c.variable}, "/home/ada/" + c.usual: {"/home/ada/" + c.usual + c.below + " by " + c.variable},
		} {
			if c.usual == "" && value != "/moved" {
				continue
			}
			if value == "/moved" && c.usual != "" {
				want = append(want, "/home/ada/"+c.usual+c.below+" by ")
			}
			e := dirs.New("linux", "/home/ada", func(name string) string { return map[string]string{c.variable: value}[name] })
			var got []string
			for _, root := range ByID(c.id).roots(e) {
				if strings.HasSuffix(root.Path, c.below) {
					got = append(got, root.Path+" by "+root.From)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s=%s: %q, want %q", c.variable, value, got, want)
			}
			if home := HomeOf(e, c.id); home != value {
				t.Errorf("%s=%s: the directory is %s", c.variable, value, home)
			}
		}
	}
}

// TestARelativeVariableMovesOnlySomeAgents checks that agents which ignore a relative path stay where they are.
func TestARelativeVariableMovesOnlySomeAgents(t *testing.T) {
	ignoring := []string{
		agent.Crush, agent.DSH, agent.Droid, agent.Grok, agent.Hermes, agent.KimiCLI, agent.KimiCode, agent.Kiro, agent.OpenClaw, agent.Vibe,
	}
	for _, a := range All() {
		if a.Home.Variable == "" {
			continue
		}
		e := dirs.New("linux", "/home/ada", func(name string) string { return map[string]string{a.Home.Variable: "relative"}[name] })
		moved := strings.HasPrefix(HomeOf(e, a.ID), "relative")
		if moved == slices.Contains(ignoring, a.ID) {
			t.Errorf("%s=relative moves %s: %v", a.Home.Variable, a.ID, moved)
		}
	}
}

// TestLocationsHaveTheirAgentAndName checks each location, and that there is none without a home directory.
func TestLocationsHaveTheirAgentAndName(t *testing.T) {
	e := dirs.New("linux", "/home/ada", func(string) string { return "" })
	unread := map[string]bool{}
	for _, root := range Roots(e) {
		a := ByID(root.Agent)
		if a == nil || root.Path == "" || root.Cache != e.CacheDir() || root.Readable != (root.List != nil) || root.Name != a.Name() && !strings.HasPrefix(root.Name, a.Name()+" (") {
			t.Errorf("%+v", root)
		}
		if !root.Readable {
			unread[root.Name] = true
		}
	}
	if len(unread) != 2 || !unread["Amp"] || !unread["Mistral Vibe (from 3.0)"] {
		t.Errorf("not read are %v", unread)
	}
	for _, root := range Roots(dirs.New("linux", "", func(string) string { return "" })) {
		t.Errorf("without a home directory: %+v", root)
	}
	e.Allowed = func(id string) bool { return id == agent.Codex }
	for _, root := range Roots(e) {
		if root.Agent != agent.Codex {
			t.Errorf("not allowed: %+v", root)
		}
	}
	if names := Variables(); !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("%q", names)
	}
}

// TestAgentsWithOneFormAreRelated checks that only location distinguishes the transcripts of an agent and of those
// derived from it.
func TestAgentsWithOneFormAreRelated(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{agent.Pi, agent.OMP, true},
		{agent.Codex, agent.TraeX, true},
		{agent.Cline, agent.KiloCode, true},
		{agent.GeminiCLI, agent.QwenCode, true},
		{agent.Pi, agent.Cline, false},
		{agent.Aider, agent.Amp, false},
		{agent.Pi, agent.Amp, false},
		{agent.Amp, agent.Pi, false},
	} {
		if Related(c.a, c.b) != c.want {
			t.Errorf("%s and %s are related: %v", c.a, c.b, !c.want)
		}
	}
}

// TestOnlyTranscriptsOfLinesHaveAnIndexedTitle checks that a sub-agent, and a session of another form, has none.
func TestOnlyTranscriptsOfLinesHaveAnIndexedTitle(t *testing.T) {
	m := dirstest.NewMachine(t)
	m.Put(".codex/session_index.jsonl", `{"id":"a","thread_name":"The parser"}`+"\n")
	path := filepath.Join(m.Home, ".codex", "sessions", "2026", "r.jsonl")
	for _, c := range []struct {
		form   transcript.Form
		parent string
		want   string
	}{
		{transcript.Lines, "", "The parser"}, {transcript.Compressed, "", "The parser"}, {transcript.Store, "", ""}, {transcript.Lines, "p", ""},
	} {
		s := transcript.Session{ID: "a", Agent: agent.Codex, Path: path, Form: c.form, Parent: c.parent}
		if got := IndexedTitle(s); got != c.want {
			t.Errorf("form %v of %q: %q", c.form, c.parent, got)
		}
	}
	none := transcript.Session{Agent: "another", Path: path}
	if UsageStore(none) != "" || Sidecars(none) != nil || UsageStore(transcript.Session{Agent: agent.Codex, Path: path}) != "" {
		t.Error("an agent without further files has some")
	}
	grok := Sidecars(transcript.Session{Agent: agent.Grok, Path: filepath.Join(m.Home, "s", "chat_history.jsonl")})
	if len(grok) != 3 || grok[0].Path != filepath.Join(m.Home, "s", "summary.json") {
		t.Errorf("%+v", grok)
	}
}

// TestAStorageThatAnEditorNamesIsListedOnce checks that it comes first, and that a portable editor has its own.
func TestAStorageThatAnEditorNamesIsListedOnce(t *testing.T) {
	variables := map[string]string{}
	e := dirs.New("linux", "/home/ada", func(name string) string { return variables[name] })
	usual := storages(e)
	named := "/home/ada/.config/VSCodium/User/globalStorage"
	e.Storages = []string{named, "/other", named, ""}
	list := storages(e)
	if len(list) != len(usual)+1 || list[0].path != named || list[1].path != "/other" || list[2].path != "/home/ada/.config/Code/User/globalStorage" {
		t.Errorf("%+v", list)
	}
	e.Storages = nil
	variables["VSCODE_PORTABLE"], variables["VSCODE_AGENT_FOLDER"] = "/portable", "relative"
	if list := storages(e); len(list) != len(usual)+1 || list[0] != (storage{"/portable/user-data/User/globalStorage", "VSCODE_PORTABLE"}) {
		t.Errorf("%+v", list[0])
	}
	variables["VSCODE_AGENT_FOLDER"], variables["VSCODE_PORTABLE"] = "/agent", ""
	if list := storages(e); len(list) != len(usual)+1 || list[0] != (storage{"/agent/data/User/globalStorage", "VSCODE_AGENT_FOLDER"}) {
		t.Errorf("%+v", list[0])
	}
}

// TestTheFolderOfCursorsTextsIsFoundByItsName checks folders whose names have become the same, and those that are
// missing.
func TestTheFolderOfCursorsTextsIsFoundByItsName(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the search begins at the top of a drive")
	}
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"my-shop/tea", "my/shop/pot", "my.shop", "my_other/.hidden"} {
		if err := os.MkdirAll(filepath.Join(home, filepath.FromSlash(dir)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(home, "my-file"), "")
	for name, want := range map[string]string{"my-shop-tea": "my-shop/tea", "my-shop-pot": "my/shop/pot", "my-other": "my_other", "my-other-hidden": "my_other/.hidden", "my-file": "", "my-none": "", "my-shop-tea-cup": ""} {
		if want != "" {
			want = filepath.Join(home, filepath.FromSlash(want))
		}
		if got := folderBySlug(SlugOf(home)+"-"+name, map[string][]os.DirEntry{}); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if got := SlugOf("/azAZ09/:@[`{-x_"); got != "azAZ09-------x" {
		t.Errorf("the name is %q", got)
	}
}

// TestTheStateOfASessionIsThatOfItsFiles checks the size and the time of every kind of session.
func TestTheStateOfASessionIsThatOfItsFiles(t *testing.T) {
	m := dirstest.NewMachine(t)
	line := m.Put("s/events.jsonl", "12345")
	first := m.At
	state := StateOf(transcript.Session{Agent: agent.CopilotCLI, Path: line})
	if state.Size != 5 || !state.Modified.Equal(first) {
		t.Errorf("%+v", state)
	}
	if state := StateOf(transcript.Session{Agent: agent.CopilotCLI, Path: line + "x"}); state.Size != 0 || !state.Modified.IsZero() {
		t.Errorf("a missing file: %+v", state)
	}
	host := m.Put("host.db", "123")
	for hosted, want := range map[string]int64{host: 8, "": 5, host + "x": 5} {
		state := StateOf(transcript.Session{Agent: agent.CopilotCLI, Path: line, HostStore: hosted})
		if state.Size != want || state.Modified.After(first) != (want == 8) {
			t.Errorf("with a host's database %q: %+v", hosted, state)
		}
	}
	if state := StateOf(transcript.Session{Agent: agent.Codex, Path: line, HostStore: host}); state.Size != 5 {
		t.Errorf("of an agent that joins none: %+v", state)
	}
	old := m.Put("t/s.compaction.json", "12")
	messages := m.Put("t/s.messages.json", "1234567")
	cline := transcript.Session{Agent: agent.Cline, Path: messages, Form: transcript.Document}
	if state := StateOf(cline); state.Size != 9 || !state.Modified.Equal(m.At) {
		t.Errorf("with an older file next to it: %+v", state)
	}
	m.Put("t/s.compaction.json", "123")
	if state := StateOf(cline); state.Size != 10 || !state.Modified.Equal(m.At) {
		t.Errorf("with a newer file next to it: %+v", state)
	}
	if err := os.Remove(old); err != nil {
		t.Fatal(err)
	}
	if state := StateOf(cline); state.Size != 7 {
		t.Errorf("without one: %+v", state)
	}
	database := made(t, filepath.Join(m.Home, "x.db"), do(`CREATE TABLE t (a)`))
	info, err := os.Stat(database)
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range []transcript.Form{transcript.Database, transcript.Store} {
		if state := StateOf(transcript.Session{Agent: agent.Crush, Path: database, Form: form}); state.Size != info.Size() || !state.Modified.Equal(info.ModTime()) {
			t.Errorf("form %v: %+v", form, state)
		}
	}
	droid := m.Put("d/s.jsonl", "1234")
	m.Put("d/s.settings.json", "12")
	if state := StateOf(transcript.Session{Agent: agent.Droid, Path: droid, Form: transcript.WithSidecars}); state.Size != 6 || !state.Modified.Equal(m.At) {
		t.Errorf("with a sidecar: %+v", state)
	}
	for _, c := range []struct {
		s    transcript.Session
		want bool
	}{
		{transcript.Session{Agent: agent.Codex, Path: line}, true},
		{transcript.Session{Agent: agent.Codex, Path: line, Form: transcript.Compressed}, true},
		{transcript.Session{Agent: agent.Continue, Path: line, Form: transcript.Document}, true},
		{transcript.Session{Agent: agent.Cline, Path: messages, Form: transcript.Document}, false},
		{transcript.Session{Agent: agent.Droid, Path: droid, Form: transcript.WithSidecars}, false},
		{transcript.Session{Agent: agent.Crush, Path: database, Form: transcript.Store}, false},
		{transcript.Session{Agent: agent.CopilotCLI, Path: line}, false},
		{transcript.Session{Agent: agent.GPTMe, Path: line, HostStore: host}, true},
	} {
		if OneFile(c.s) != c.want {
			t.Errorf("%s in form %v is one file: %v", c.s.Agent, c.s.Form, !c.want)
		}
	}
}
