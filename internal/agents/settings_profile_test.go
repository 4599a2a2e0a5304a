// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"maps"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// TestSettingsAreThoseOfTheProfile protects that what a person has set in the profile with which a workspace is opened
// counts, in every editor and on a machine to which a window is connected.
func TestSettingsAreThoseOfTheProfile(t *testing.T) {
	const limit = "github.copilot.chat.summarizeAgentConversationHistoryThreshold"
	for _, user := range []string{".config/Code/User", ".config/Code - Insiders/User", ".config/VSCodium/User", ".local/share/code-server/User", ".vscode-server/data/User"} {
		m := dirstest.NewMachine(t)
		shop, other := filepath.Join(m.Home, "shop"), filepath.Join(m.Home, "other")
		m.Put(user+"/globalStorage/storage.json", `{"userDataProfiles":[{"location":"4f1a","name":"Work"},{"location":"77","name":"Shared","useDefaultFlags":{"settings":true,"globalState":true}}],
			"profileAssociations":{"workspaces":{"`+uri(shop)+`":"4f1a","`+uri(other)+`":"77","file:///evil":"../../..","file:///gone":"none"}}}`)
		m.Put(user+"/settings.json", `{"`+limit+`": 1000}`)
		m.Put(user+"/profiles/4f1a/settings.json", `{"`+limit+`": 2000}`)
		m.Put(user+"/profiles/77/settings.json", `{"`+limit+`": 3000}`)
		chat := filepath.Join(m.Home, filepath.FromSlash(user), "workspaceStorage", "h", "chatSessions", "c.jsonl")
		for workspace, want := range map[string]string{shop: "2000", other: "1000", "": "1000", filepath.Join(m.Home, "unheard"): "1000", "/evil": "1000", "/gone": "1000"} {
			if got := SettingsOf(m.Environment(), transcript.Session{Agent: "copilot", Path: chat, Workspace: workspace})[limit]; got != want {
				t.Errorf("%s, of %q: %s, want %s", user, workspace, got, want)
			}
		}
		m.Put(filepath.Dir(user)+"/Machine/settings.json", `{"`+limit+`": 4000}`)
		if got := SettingsOf(m.Environment(), transcript.Session{Agent: "copilot", Path: chat, Workspace: shop})[limit]; got != "4000" {
			t.Errorf("%s: the machine's setting is %s", user, got)
		}
		m.Put(user+"/globalStorage/storage.json", `{"profileAssociations":`)
		m.Put(filepath.Dir(user)+"/Machine/settings.json", ``)
		if got := SettingsOf(m.Environment(), transcript.Session{Agent: "copilot", Path: chat, Workspace: shop})[limit]; got != "1000" {
			t.Errorf("%s: of a torn list %s", user, got)
		}
	}
}

// uri is a path as an editor writes it.
func uri(path string) string {
	path = filepath.ToSlash(path)
	if path[0] != '/' {
		path = "/" + path
	}
	return "file://" + path
}

// TestRooCodeCondensesByTheProfileInUse protects the threshold of one profile of Roo Code's settings, which counts more
// than the one for all.
func TestRooCodeCondensesByTheProfileInUse(t *testing.T) {
	const meta = `"listApiConfigMeta":[{"name":"Home","id":"a1"},{"name":"Work","id":"b2"}],"autoCondenseContextPercent":80`
	for state, want := range map[string]string{
		`{` + meta + `,"currentApiConfigName":"Work","profileThresholds":{"a1":40,"b2":60}}`:                            "60",
		`{` + meta + `,"currentApiConfigName":"Home","profileThresholds":{"a1":40,"b2":60}}`:                            "40",
		`{` + meta + `,"currentApiConfigName":"Home","profileThresholds":{"a1":-1}}`:                                    "80",
		`{` + meta + `,"currentApiConfigName":"Home","profileThresholds":{"a1":3}}`:                                     "80",
		`{` + meta + `,"currentApiConfigName":"Home","profileThresholds":{"a1":"50"}}`:                                  "80",
		`{` + meta + `,"currentApiConfigName":"Gone","profileThresholds":{"default":70}}`:                               "70",
		`{` + meta + `,"currentApiConfigName":"Home","profileThresholds":[],"listApiConfigMeta":7}`:                     "80",
		`{` + meta + `,"currentApiConfigName":"Home","profileThresholds":{"a1":40},"autoCondenseContext":false}`:        "",
		`{` + meta + `,"currentApiConfigName":"Home","profileThresholds":{"a1":1e300},"autoCondenseContext":"unknown"}`: "80",
	} {
		m := dirstest.NewMachine(t)
		storage := filepath.Join(m.Home, ".config", "Code", "User", "globalStorage")
		db := dirstest.OpenCodeDatabase(t, filepath.Join(storage, "state.vscdb"), "delete")
		dirstest.Run(t, db, `CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)`)
		dirstest.Run(t, db, `INSERT INTO ItemTable VALUES ('RooVeterinaryInc.roo-cline', '`+state+`')`)
		s := transcript.Session{Agent: "roo-code", Path: filepath.Join(storage, "rooveterinaryinc.roo-cline", "tasks", "1", ShownFile)}
		if got := SettingsOf(m.Environment(), s)["autoCondenseContextPercent"]; got != want {
			t.Errorf("%s: %q, want %q", state, got, want)
		}
	}
}

// TestTheStateOfAnExtensionIsThatOfTheProfile protects that its state is looked up in the database of the profile.
func TestTheStateOfAnExtensionIsThatOfTheProfile(t *testing.T) {
	m := dirstest.NewMachine(t)
	user := filepath.Join(m.Home, ".config", "Code", "User")
	shop := filepath.Join(m.Home, "shop")
	m.Put(".config/Code/User/globalStorage/storage.json", `{"userDataProfiles":[{"location":"4f1a"}],"profileAssociations":{"workspaces":{"`+uri(shop)+`":"4f1a"}}}`)
	for folder, share := range map[string]string{"globalStorage": "60", "profiles/4f1a/globalStorage": "30"} {
		db := dirstest.OpenCodeDatabase(t, filepath.Join(user, filepath.FromSlash(folder), "state.vscdb"), "delete")
		dirstest.Run(t, db, `CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)`)
		dirstest.Run(t, db, `INSERT INTO ItemTable VALUES ('kilocode.Kilo-Code', '{"autoCondenseContextPercent":`+share+`}')`)
	}
	task := filepath.Join(user, "globalStorage", "kilocode.kilo-code", "tasks", "1", ShownFile)
	for workspace, want := range map[string]string{shop: "30", "": "60"} {
		got := SettingsOf(m.Environment(), transcript.Session{Agent: "kilo-code", Path: task, Workspace: workspace})
		if !maps.Equal(got, map[string]string{"autoCondenseContextPercent": want}) {
			t.Errorf("%q: %v, want %s", workspace, got, want)
		}
	}
}

// TestHermesIsReadByItsProfiles protects compression.* of Hermes: each profile has settings of its own.
func TestHermesIsReadByItsProfiles(t *testing.T) {
	m := dirstest.NewMachine(t)
	m.Put(".hermes/config.yaml", "model: x\nother:\n  threshold: 0.1\ncompression:\n  # mine\n  enabled: true   # yes\n  nested:\n    threshold: 0.2\n  threshold: \"0.70\"\nlist:\n- threshold: 1\n")
	m.Put(".hermes/profiles/night/config.yaml", "compression:\n    enabled: false\n")
	for path, want := range map[string]map[string]string{
		".hermes/state.db":                {"compression.enabled": "true", "compression.threshold": "0.70"},
		".hermes/profiles/night/state.db": {"compression.enabled": "false"},
	} {
		if got := SettingsOf(m.Environment(), transcript.Session{Agent: "hermes", Path: filepath.Join(m.Home, filepath.FromSlash(path))}); !maps.Equal(got, want) {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}

// TestTheVariablesOfKiloOutrankItsFiles: they are those of OpenCode with another name, and OpenCode's do nothing to it.
func TestTheVariablesOfKiloOutrankItsFiles(t *testing.T) {
	m := dirstest.NewMachine(t)
	expect := func(of, want string) {
		t.Helper()
		if got := Settings(m.Environment(), of, filepath.Join(m.Home, "shop"))["compaction.threshold_percent"]; got != want {
			t.Errorf("%s: %q, want %q", of, got, want)
		}
	}
	m.Env["OPENCODE_CONFIG"] = m.Put("elsewhere/opencode.json", `{"compaction":{"threshold_percent":1}}`)
	m.Env["OPENCODE_CONFIG_CONTENT"] = `{"compaction":{"threshold_percent":1}}`
	expect("kilo", "")
	m.Put(".config/kilo/kilo.jsonc", "{ // mine\n\"compaction\":{\"threshold_percent\":2}}")
	expect("kilo", "2")
	m.Env["KILO_CONFIG"] = m.Put("elsewhere/mine.json", `{"compaction":{"threshold_percent":3}}`)
	expect("kilo", "3")
	m.Put("shop/.kilo/kilo.json", `{"compaction":{"threshold_percent":4}}`)
	expect("kilo", "4")
	m.Env["KILO_CONFIG_DIR"] = filepath.Dir(m.Put("folder/kilo.jsonc", `{"compaction":{"threshold_percent":5}}`))
	expect("kilo", "5")
	m.Env["KILO_CONFIG_CONTENT"] = `{"compaction":{"threshold_percent":6}}`
	expect("kilo", "6")
	m.Env["KILO_CONFIG_CONTENT"], m.Env["KILO_CONFIG_DIR"] = `{`, "relative"
	expect("kilo", "4")
	expect("opencode", "1")
}

// TestPathsOfAddressesOfAnEditor checks the addresses that editors write, also on Windows and on another machine.
func TestPathsOfAddressesOfAnEditor(t *testing.T) {
	for address, want := range map[string]string{
		"file:///w/my%20shop": "/w/my shop", "file:///c%3A/w/shop": `c:\w\shop`, "file:///c:": "c:", "file:///c:/": `c:\`, "file://host/w": "/w", "vscode-remote://ssh-remote%2Bme@host:22/w": "/w",
		"https://host/w": "", "file://": "", "/w": "", "file:///%zz": "", "file:///": "/", "file:///ab:c": "/ab:c",
	} {
		if got := pathOf(address); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
	long := "file:///" + strings.Repeat("x", 4088)
	for text, want := range map[string]string{strconv.Quote(long): long[7:], strconv.Quote(long + "x"): "", `7`: "", `{"path":"/w"}`: ""} {
		if got := folderOf(parsed([]byte(text))); got != want {
			t.Errorf("%.40s: %.40q", text, got)
		}
	}
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"/w/a", "/w/a/", true}, {"/w/a", "/w/b", false}, {"", "", false}, {"/", "/", false}, {"/w/a", "/W/A", false}, {`C:\w`, "c:/W/", true}, {`C:\w`, `C:\v`, false}, {`c:`, `C:`, false}, {`c:`, `c:`, true},
	} {
		if samePath(c.a, c.b) != c.want {
			t.Errorf("%q and %q are the same: %v", c.a, c.b, !c.want)
		}
	}
	for name, want := range map[string]bool{"a": true, "...": true, "": false, ".": false, "..": false, "a/b": false, `a\b`: false, "a\x00": false} {
		if within(name) != want {
			t.Errorf("%q is one name: %v", name, !want)
		}
	}
}

// TestTheWorkspaceOfAStorageIsItsFolder checks the document in which an editor names the folder of a window.
func TestTheWorkspaceOfAStorageIsItsFolder(t *testing.T) {
	m := dirstest.NewMachine(t)
	for text, want := range map[string]string{
		`{"folder":"file:///w/shop"}`: "/w/shop", `{"workspace":"file:///w/shop/all.code-workspace"}`: "/w/shop", `{"folder":"https://x/y","workspace":"file:///w/two/a.code-workspace"}`: "/w/two", `{}`: "", `{`: "",
		`{"folder":"file:///w/one","workspace":"file:///w/two/a.code-workspace"}`: "/w/one",
	} {
		m.Put("s/workspace.json", text)
		if got := filepath.ToSlash(workspaceOf(filepath.Join(m.Home, "s"))); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	if got := workspaceOf(filepath.Join(m.Home, "none")); got != "" {
		t.Errorf("without a document: %q", got)
	}
}

// TestAProfileIsThatOfTheFolder checks the profile of a workspace with several folders, and names that lead elsewhere.
func TestAProfileIsThatOfTheFolder(t *testing.T) {
	m := dirstest.NewMachine(t)
	user := filepath.Join(m.Home, "User")
	for id, want := range map[string]string{"4f": filepath.Join(user, "profiles", "4f"), "__default__profile__": "", "..": "", "a/b": "", "other": "", strings.Repeat("x", 201): "", strings.Repeat("x", 200): filepath.Join(user, "profiles", strings.Repeat("x", 200))} {
		locations := `{"location":"4f"},{"location":".."},{"location":"a/b"},{"location":"__default__profile__"},{"location":"` + strings.Repeat("x", 201) + `"},{"location":"` + strings.Repeat("x", 200) + `"}`
		m.Put("User/globalStorage/storage.json", `{"userDataProfiles":[`+locations+`],"profileAssociations":{"workspaces":{"`+uri("/w/shop/all.code-workspace")+`":"`+id+`","`+uri("/w/tea")+`":7}}}`)
		if got := profileOf(user, filepath.FromSlash("/w/shop")); got.folder != want || (want != "") != got.ownSettings || (want != "") != got.ownState {
			t.Errorf("%.10s: %+v, want %q", id, got, want)
		}
		if got := profileOf(user, "/w/tea"); got.folder != "" {
			t.Errorf("another workspace has %+v", got)
		}
	}
}
