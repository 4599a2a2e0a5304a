// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"os"
	"path/filepath"
	"testing"
	"time"

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
