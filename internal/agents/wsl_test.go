// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// TestADistributionSeesTheSessionsOfWindows checks that they are listed in WSL only, named, and placed in the folder as
// the distribution sees it.
func TestADistributionSeesTheSessionsOfWindows(t *testing.T) {
	before := windowsDrives
	windowsDrives = t.TempDir()
	forget := func() { windowsHomes.at = time.Time{} }
	t.Cleanup(func() {
		windowsDrives = before
		forget()
	})
	project := filepath.Join(windowsDrives, "c/Users/Ada/.claude/projects/C--Users-Ada-shop")
	if err := os.MkdirAll(project, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(windowsDrives, "c/Users/Public/.claude/projects"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(project, "a.jsonl"), []byte("{}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for distribution, want := range map[string]int{"Ubuntu": 1, "": 0} {
		forget()
		e := dirs.New("linux", "/home/ada", func(name string) string {
			if name == "WSL_DISTRO_NAME" {
				return distribution
			}
			return ""
		})
		var listed []string
		for _, root := range Roots(e) {
			if root.Name == "Claude Code (Windows)" {
				if err := root.List(root, func(c Candidate) { listed = append(listed, c.Path) }); err != nil {
					t.Error(err)
				}
			}
		}
		if len(listed) != want {
			t.Fatalf("in %q: %q", distribution, listed)
		}
		if want == 0 {
			continue
		}
		s := transcript.Session{Path: listed[0], Workspace: `C:\Users\Ada\shop`}
		FindHosting(e).Place(&s)
		if s.Host != "Windows" || s.Workspace != windowsDrives+"/c/Users/Ada/shop" {
			t.Errorf("%q in %q", s.Host, s.Workspace)
		}
		own := transcript.Session{Path: "/home/ada/.claude/projects/x/b.jsonl", Workspace: "/home/ada/x"}
		FindHosting(e).Place(&own)
		if own.Host != "" || own.Workspace != "/home/ada/x" {
			t.Errorf("%q in %q", own.Host, own.Workspace)
		}
	}
}

// TestWindowsSeesTheSessionsOfRunningDistributions checks that they are listed for a command that asks for them only,
// named, and placed in the folder as Windows sees it, and that the distributions are searched for once.
func TestWindowsSeesTheSessionsOfRunningDistributions(t *testing.T) {
	beforeShares, beforeFind := distributionShares, findDistributions
	share := filepath.ToSlash(t.TempDir())
	searches := 0
	distributionShares = []string{share, "//wsl$"}
	findDistributions = func() []string {
		searches++
		return []string{"Ubuntu"}
	}
	forget := func() { distributions.at = time.Time{} }
	forget()
	t.Cleanup(func() {
		distributionShares, findDistributions = beforeShares, beforeFind
		forget()
	})
	for _, name := range []string{
		"Ubuntu/home/ada/.claude/projects/-home-ada-shop/a.jsonl", "Ubuntu/root/.codex/sessions/2026/11/26/rollout-2026-11-26T10-00-00-0199aaaa-0000-7000-8000-000000000001.jsonl",
		"Ubuntu/home/ada/.local/share/opencode/opencode.db", "Stopped/home/ada/.claude/projects/-home-ada-shop/b.jsonl",
	} {
		path := filepath.Join(share, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("{}\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	e := dirs.New("windows", `C:\Users\Ada`, func(string) string { return "" })
	list := func() (listed []string) {
		for _, root := range Roots(e) {
			if !strings.Contains(root.Name, "WSL: Ubuntu") {
				continue
			}
			if err := root.List(root, func(c Candidate) { listed = append(listed, root.Name+" "+filepath.ToSlash(c.Path)) }); err != nil {
				t.Error(err)
			}
		}
		return listed
	}
	if listed := list(); len(listed) != 0 || searches != 0 {
		t.Fatalf("unasked, %d searches found %q", searches, listed)
	}
	e.Distributions = true
	listed := list()
	if len(listed) != 2 || !strings.HasPrefix(listed[0], "Claude Code (WSL: Ubuntu) ") || !strings.HasPrefix(listed[1], "Codex (WSL: Ubuntu") {
		t.Fatalf("%q", listed)
	}
	if list(); searches != 1 {
		t.Errorf("%d searches", searches)
	}
	path := filepath.Join(share, "Ubuntu/home/ada/.claude/projects/-home-ada-shop/a.jsonl")
	for _, c := range []struct{ path, workspace, host, want string }{
		{path, "/home/ada/shop", "WSL: Ubuntu", filepath.Join(share, "Ubuntu/home/ada/shop")},
		{path, "/mnt/c/Users/Ada/shop", "WSL: Ubuntu", `C:\Users\Ada\shop`},
		{path, "/mnt/d", "WSL: Ubuntu", `D:\`},
		{path, "/mnt/data/shop", "WSL: Ubuntu", filepath.Join(share, "Ubuntu/mnt/data/shop")},
		{path, "", "WSL: Ubuntu", ""},
		{"//wsl$/Debian/root/.claude/projects/x/a.jsonl", "/root/x", "WSL: Debian", filepath.FromSlash("//wsl$/Debian/root/x")},
		{"C:/Users/Ada/.claude/projects/x/a.jsonl", `C:\Users\Ada\x`, "", `C:\Users\Ada\x`},
	} {
		s := transcript.Session{Path: filepath.FromSlash(c.path), Workspace: c.workspace}
		FindHosting(e).Place(&s)
		if s.Host != c.host || s.Workspace != c.want {
			t.Errorf("%s in %s: %q in %q", c.path, c.workspace, s.Host, s.Workspace)
		}
	}
	for path, home := range map[string]string{
		path: share + "/Ubuntu/home/ada",
		filepath.Join(share, "Ubuntu/root/.codex/x"): share + "/Ubuntu/root",
		filepath.Join(share, "Ubuntu/opt/x/y/z"):     `C:\Users\Ada`,
		`C:\Users\Ada\.claude\x`:                     `C:\Users\Ada`,
	} {
		if got := environmentOf(e, transcript.Session{Agent: agent.ClaudeCode, Path: path}); got.Home != home {
			t.Errorf("the home of %s: %q", path, got.Home)
		}
	}
}

func TestADirectoryIsInADistribution(t *testing.T) {
	for dir, want := range map[string]bool{
		"//wsl.localhost/Ubuntu/home/ada": true, "//wsl$/Ubuntu": true, "//wsl.localhosts/Ubuntu": false, "C:/Users/Ada": false, "": false,
	} {
		if got := InDistribution(filepath.FromSlash(dir)); got != want {
			t.Errorf("%q: %v", dir, got)
		}
	}
}

func TestNamesOfDistributionsAreRead(t *testing.T) {
	wide := []byte{0xff, 0xfe}
	for _, r := range "Ubuntu-24.04\r\nDebian\r\n" {
		wide = append(wide, byte(r), 0)
	}
	for _, c := range []struct {
		name string
		out  []byte
		want []string
	}{
		{"UTF-16 with a mark", wide, []string{"Ubuntu-24.04", "Debian"}},
		{"UTF-16 without one, cut", wide[2 : len(wide)-3], []string{"Ubuntu-24.04", "Debian"}},
		{"UTF-8", []byte("Ubuntu-24.04\r\nDebian\r\n"), []string{"Ubuntu-24.04", "Debian"}},
		{"nothing", nil, nil},
	} {
		if got := listedDistributions(c.out); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

// TestAWorkspaceOfWindowsIsSeenInADistribution checks paths with and without a drive, and sessions of this side.
func TestAWorkspaceOfWindowsIsSeenInADistribution(t *testing.T) {
	for _, c := range []struct{ path, workspace, host, want string }{
		{"/mnt/c/Users/a.jsonl", `C:\w`, "Windows", "/mnt/c/w"},
		{"/mnt/c/a.jsonl", "D:/w/x", "Windows", "/mnt/d/w/x"},
		{"/mnt/c/a.jsonl", "", "Windows", ""},
		{"/mnt/c/a.jsonl", "C", "Windows", ""},
		{"/mnt/c/a.jsonl", "C:", "Windows", ""},
		{"/mnt/c/a.jsonl", "C:w", "Windows", ""},
		{"/mnt/c/a.jsonl", "/w/x", "Windows", ""},
		{"/mnt/data/a.jsonl", `C:\w`, "", ""},
		{"/mnt/c", `C:\w`, "", ""},
		{"/mnt/c/", `C:\`, "Windows", "/mnt/c/"},
		{"/home/c/a.jsonl", `C:\w`, "", ""},
	} {
		if host, workspace := sideOf(&transcript.Session{Path: c.path, Workspace: c.workspace}, false); host != c.host || workspace != c.want {
			t.Errorf("%s in %q: %q in %q", c.path, c.workspace, host, workspace)
		}
	}
	s := transcript.Session{Path: "/mnt/c/a.jsonl", Workspace: "/w", Host: "A host"}
	if placeOther(&s, false); s.Host != "A host" || s.Workspace != "/w" {
		t.Errorf("%+v", s)
	}
	wsl := dirs.New("linux", "/home/ada", func(name string) string { return map[string]string{"WSL_DISTRO_NAME": "Ubuntu"}[name] })
	for path, want := range map[string]string{
		"/mnt/c/Users/Ada/.claude/x": "/mnt/c/Users/Ada", "/mnt/c/Users/Ada": "", "/mnt/c/Other/Ada/x": "", "/mnt/c": "", "/home/ada/x": "", "/mnt/c/Users/Ada/.claude/x/y": "/mnt/c/Users/Ada",
	} {
		if got := homeOfSide(wsl, path); got != want {
			t.Errorf("the home of %s is %q", path, got)
		}
		if got := homeOfSide(dirs.New("linux", "/home/ada", func(string) string { return "" }), path); got != "" {
			t.Errorf("without WSL, the home of %s is %q", path, got)
		}
	}
}
