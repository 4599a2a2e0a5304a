// Copyright The ctx-lsp authors. MIT licence.

package document

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDisallowedFilesAreNotAccessed checks by tracing system calls that a path is refused by its text. On Windows, and
// on systems that mount hosts on demand, checking //host/share contacts that host.
func TestDisallowedFilesAreNotAccessed(t *testing.T) {
	const marker = "evil-host"
	if ws := os.Getenv("CTX_TEST_TRACED"); ws != "" {
		r := Places{Folders: []string{ws}, Home: filepath.Join(ws, "home")}.reach()
		defer r.close()
		for _, target := range []string{
			"//evil-host/share/x.md", `\\evil-host\share\x.md`, "/evil-host/x.md", "../evil-host/x.md", "~/../../evil-host/x.md",
			"file.md", "folder/x.md", "deep/file.md", "present.md",
		} {
			result := r.find(target, filepath.Join(ws, "CLAUDE.md"))
			if (result.problem == "") != (target == "present.md") {
				t.Errorf("@%s: %+v", target, result)
			}
		}
		r.companions("claude-code")
		r.state("/evil-host/x.md")
		r.read("/evil-host/x.md")
		return
	}
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not there")
	}
	dir := tree(t, map[string]string{
		"present.md":      "x",
		"file.md":         "-> //evil-host/share/x.md",
		"folder":          "-> /evil-host/folder",
		"deep/file.md":    "-> ../../../evil-host/x.md",
		".claude/rules":   "-> /evil-host/rules",
		"CLAUDE.local.md": "-> //evil-host/share/CLAUDE.md",
	})
	trace := filepath.Join(t.TempDir(), "trace")
	run := exec.Command(strace, "-f", "-s", "4096", "-e", "trace=file", "-o", trace, os.Args[0], "-test.run=^"+t.Name()+"$")
	run.Env = append(os.Environ(), "CTX_TEST_TRACED="+dir)
	if output, err := run.CombinedOutput(); err != nil {
		if strings.Contains(string(output), "ptrace") {
			t.Skipf("nothing can be traced here: %s", output)
		}
		t.Fatalf("%v\n%s", err, output)
	}
	calls, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(calls), "present.md") {
		t.Fatal("the trace does not show what is looked at")
	}
	for call := range strings.Lines(string(calls)) {
		if strings.Contains(call, marker) && !strings.Contains(call, "readlink") { // not a link's target
			t.Errorf("it was looked at: %s", call)
		}
	}
}
