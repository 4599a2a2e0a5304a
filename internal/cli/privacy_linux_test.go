// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// marker is a text in the conversations of this test. It must not occur in any written file.
const marker = "the-marker-of-what-was-said"

// markedCommands are shell commands with the marker in every position that may hold a text or a secret.
var markedCommands = []string{
	"redis-cli auth MARK", "redis-cli -a MARK get x", "redis-cli --pass MARK", "login MARK", "npm install MARK MARK", "mysql shop MARK",
	"docker --tls run MARK", "MARK=MARK make", "env TOKEN=MARK make", "env -u MARK make", "export TOKEN=MARK", "export TOKEN='MARK'; make",
	"A=$(cat x MARK) make", "A=$(x MARK) MARK make", `A="$(x "a MARK")" make`, `A="${B:-"x MARK y"}" make`, `cd "$(x "a; MARK")" && make`,
	"sudo -u MARK make", "sudo -p MARK make", "sudo --prompt MARK make", "timeout -k MARK 5 make", "bash -c 'redis-cli auth MARK'",
	`bash -lc "echo \"MARK\"; MARK"`, "cd /tmp >MARK 2>&1 && make", "echo MARK", "printf %s MARK | tee x", "curl -u x:MARK https://x:MARK@example.com/?k=MARK",
	"curl https://example.com/MARK", "https://x:MARK@example.com/", "git clone https://x:MARK@example.com/a", "git -c x=MARK -C MARK log MARK",
	"git commit -m MARK", `git commit -m "MARK"`, "git commit --message=MARK", "cat > x <<E\nMARK\nE", "python3 - <<'E'\nMARK\nE", "wc <<< MARK",
	"sed s/MARK/x/", "sed -n /MARK/p", "grep MARK .", "rg -n MARK src", "make # MARK", "if test MARK; then make; fi", "for i in MARK; do make; done",
	"ssh MARK MARK", "sshpass -p MARK ssh x", "openssl enc -k MARK", "psql postgres://x:MARK@h/d", "A=$'it\\'s; MARK' make",
	"A=\"" + strings.Repeat("x", 4096) + "; MARK\" make",
}

// credentials are files in which an agent or another program stores secrets.
var credentials = []string{
	".claude/.credentials.json", ".codex/auth.json", ".gemini/oauth_creds.json", ".qwen/oauth_creds.json", ".local/share/opencode/auth.json",
	".config/gh/hosts.yml", ".netrc", ".ssh/id_ed25519", ".aws/credentials", ".npmrc", ".git-credentials", ".config/github-copilot/apps.json",
	".config/Code/agent-host/local-endpoint/entries/0.json", // the token with which a client controls VS Code's Agent Host
}

// tracedProgram returns strace and this test's own program; see TestMain. It skips the test if strace is missing.
func tracedProgram(t *testing.T) (strace, program string) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not installed")
	}
	program, err = exec.LookPath("ctx-lsp")
	if err != nil {
		t.Fatal(err)
	}
	return strace, program
}

// TestNothingLeavesAndNothingForeignIsTouched traces the system calls of the commands and of the daemon while they read
// conversations and prompt files: none makes a connection, changes a file outside our own directories, or opens a
// credential, and no written file contains text of a conversation.
func TestNothingLeavesAndNothingForeignIsTouched(t *testing.T) {
	strace, program := tracedProgram(t)
	home, workspace := t.TempDir(), t.TempDir()
	files := map[string]string{}
	for _, name := range credentials {
		files[name] = "secret"
	}
	files[".config/Code/agentSessionData/22222222-2222-4222-8222-222222222222/session.db"] = "not a database"
	write(t, home, files)
	write(t, workspace, map[string]string{"CLAUDE.md": "# " + marker + "\n\n@more.md\n", "more.md": marker + "\n", ".gitignore": "*.log\n"})
	transcript := filepath.Join(home, ".claude", "projects", strings.ReplaceAll(workspace, "/", "-"), "22222222-2222-4222-8222-222222222222.jsonl")
	if err := os.MkdirAll(filepath.Dir(transcript), 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(transcript)
	if err != nil {
		t.Fatal(err)
	}
	writeClaudeTranscript(f, "22222222-2222-4222-8222-222222222222", workspace, 5, 0)
	var calls []string // records with the marked commands
	for i, command := range markedCommands {
		for k, input := range []map[string]any{
			{"command": strings.ReplaceAll(command, "MARK", marker), "description": marker},
			{"command": []string{"bash", "-lc", strings.ReplaceAll(command, "MARK", marker)}},
			{"url": "https://x:" + marker + "@example.com/a?k=" + marker + "#" + marker, "prompt": marker},
			{"command": strings.Fields(strings.ReplaceAll(command, "MARK", marker)), "justification": marker},
		} {
			text, err := json.Marshal(input)
			if err != nil {
				t.Fatal(err)
			}
			head := fmt.Sprintf(`"cwd":%q,"sessionId":"22222222-2222-4222-8222-222222222222","timestamp":"2026-03-02T09:29:00.000Z","uuid"`, workspace)
			calls = append(calls, fmt.Sprintf(`{"parentUuid":null,%s:"call%d-%d","type":"assistant","message":{"id":"m%d-%d","role":"assistant","model":"claude-opus-4-6","usage":{"input_tokens":%d,"output_tokens":9},"content":[{"type":"tool_use","id":"t%d-%d","name":"Bash","input":%s}]}}`,
				head, i, k, i, k, 30_000+100*i, i, k, text), fmt.Sprintf(`{"parentUuid":"call%d-%d",%s:"result%d-%d","type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d-%d","content":%q}]}}`,
				i, k, head, i, k, i, k, marker))
		}
	}
	fmt.Fprintln(f, strings.Join(calls, "\n"))
	fmt.Fprintf(f, `{"parentUuid":null,"cwd":%q,"sessionId":"22222222-2222-4222-8222-222222222222","type":"user","message":{"role":"user","content":%q},"uuid":"last","timestamp":"2026-03-02T09:30:00.000Z"}`+"\n", workspace, marker)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	event := fmt.Sprintf(`{"session_id":"22222222-2222-4222-8222-222222222222","transcript_path":%q,"cwd":%q,"hook_event_name":"UserPromptSubmit","prompt":%q}`, transcript, workspace, marker)
	status := fmt.Sprintf(`{"session_id":"22222222-2222-4222-8222-222222222222","transcript_path":%q,"cwd":%q,"model":{"id":"claude-opus-4-6"}}`, transcript, workspace)
	frames := ""
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{},"rootUri":"file://` + workspace + `"}}`,
		`{"jsonrpc":"2.0","method":"initialized","params":{}}`,
		`{"jsonrpc":"2.0","id":2,"method":"ctx/session/open","params":{"id":"a","agent":"claude-code","model":"claude-opus-4-6","label":"x"}}`,
		`{"jsonrpc":"2.0","id":3,"method":"ctx/session/update","params":{"id":"a","append":[{"kind":"user","text":"` + marker + `"}],"draft":"` + marker + `"}}`,
		`{"jsonrpc":"2.0","id":8,"method":"ctx/session/records","params":{"id":"b","open":true,"agent":"claude-code","records":[` + strings.Join(calls, ",") + `]}}`,
		`{"jsonrpc":"2.0","id":4,"method":"ctx/session/items","params":{"id":"a"}}`,
		`{"jsonrpc":"2.0","id":5,"method":"ctx/watch","params":{}}`,
		`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file://` + workspace + `/CLAUDE.md","version":1,"text":"# ` + marker + `\n@more.md\n"}}}`,
		`{"jsonrpc":"2.0","id":6,"method":"textDocument/codeLens","params":{"textDocument":{"uri":"file://` + workspace + `/CLAUDE.md"}}}`,
		`{"jsonrpc":"2.0","id":7,"method":"shutdown"}`, `{"jsonrpc":"2.0","method":"exit"}`,
	} {
		frames += fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
	}
	log := filepath.Join(home, ".local", "state", "ctx-lsp", "test.log")
	for _, c := range []struct {
		stdin string
		args  []string
	}{
		{"", []string{"status"}},
		{"", []string{"status", "--json", transcript}},
		{"", []string{"sessions"}},
		{"", []string{"top", "--plain"}},
		{"", []string{"export", "--format=jsonl", transcript}},
		{"", []string{"history", transcript}},
		{"", []string{"replay", home}},
		{"", []string{"doctor"}},
		{"", []string{"models"}},
		{"", []string{"count", "."}},
		{marker, []string{"count"}},
		{status, []string{"statusline"}},
		{event, []string{"hook"}},
		{frames, []string{"serve", "--engine=native", "--log-level=debug", "--log=" + log}},
	} {
		t.Run(c.args[0], func(t *testing.T) {
			if err := os.MkdirAll(filepath.Dir(log), 0o700); err != nil {
				t.Fatal(err)
			}
			trace := filepath.Join(t.TempDir(), "trace")
			run := []string{"-f", "-s", "4096", "-e", "trace=" + traced, "-o", trace}
			if c.args[0] == "top" { // it has no end
				run = append(run, "timeout", "-s", "INT", "3")
			}
			command := exec.Command(strace, append(append(run, program), c.args...)...)
			command.Dir = workspace
			command.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "XDG_RUNTIME_DIR=" + filepath.Join(home, "run"), "TMPDIR=" + t.TempDir()}
			command.Stdin = strings.NewReader(c.stdin)
			out, err := command.CombinedOutput()
			if bytes.Contains(out, []byte("Operation not permitted")) && err != nil {
				t.Skipf("nothing can be traced here: %s", out)
			}
			text, err := os.ReadFile(trace)
			if err != nil || len(text) == 0 {
				t.Fatalf("nothing was traced: %v, %s", err, out)
			}
			ours := []string{filepath.Join(home, ".local", "state", "ctx-lsp"), filepath.Join(home, ".cache", "ctx-lsp"), filepath.Join(home, "run"), "/dev/", "/proc/self/"}
			if c.args[0] == "export" && (len(out) == 0 || holdsMarker(out)) {
				t.Errorf("the exported rows are %.2000s", out)
			}
			for _, wrong := range untrusted(string(text), home, ours) {
				t.Errorf("%s: %s", c.args[0], wrong)
			}
		})
	}
	saved := 0 // files with the names of the marked calls
	_ = filepath.WalkDir(home, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || path == transcript {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil || holdsMarker(text) {
			t.Errorf("%s has what was said, %v", path, err)
		}
		if bytes.Contains(text, []byte("redis-cli auth")) {
			saved++
		}
		return nil
	})
	if saved < 2 { // the status line's Reading or its ledger, and the daemon's
		t.Errorf("the names of commands were found in %d files, so the marked calls were not saved", saved)
	}
}

// holdsMarker reports whether a file contains the beginning of the marker, as text or in base64.
func holdsMarker(text []byte) bool {
	begin := []byte(marker[:16])
	if bytes.Contains(text, begin) {
		return true
	}
	for shift := range 3 {
		encoded := base64.StdEncoding.EncodeToString(append(make([]byte, shift), begin...))
		if bytes.Contains(text, []byte(encoded[4:16])) {
			return true
		}
	}
	return false
}

// traced are the system calls by which data leaves a process.
const traced = "open,openat,creat,connect,sendto,sendmsg,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,rmdir,link,linkat,symlink,symlinkat,truncate,chmod,fchmodat,chown,fchownat,mknod,mknodat"

var (
	callName = regexp.MustCompile(`^\d+ +(\w+)\((.*)`)
	quotedIn = regexp.MustCompile(`"((?:[^"\\]|\\.)*)"`)
)

// untrusted returns the calls in a trace that break our promises.
func untrusted(trace, home string, ours []string) (wrong []string) {
	for line := range strings.Lines(trace) {
		call := callName.FindStringSubmatch(line)
		if call == nil {
			continue // the end of a call, or a signal
		}
		var paths []string
		for _, each := range quotedIn.FindAllStringSubmatch(call[2], -1) {
			paths = append(paths, each[1])
		}
		switch name := call[1]; name {
		case "connect", "sendto", "sendmsg":
			if strings.Contains(call[2], "AF_INET") {
				wrong = append(wrong, "a connection: "+line)
			}
		case "open", "openat":
			if len(paths) > 0 && slices.ContainsFunc(credentials, func(secret string) bool { return paths[0] == filepath.Join(home, secret) }) {
				wrong = append(wrong, "a credential: "+line)
			}
			if !strings.Contains(call[2], "O_WRONLY") && !strings.Contains(call[2], "O_RDWR") && !strings.Contains(call[2], "O_CREAT") {
				continue
			}
			fallthrough
		default:
			for _, path := range paths {
				if !slices.ContainsFunc(ours, func(our string) bool { return path == our || strings.HasPrefix(path, strings.TrimSuffix(our, "/")+"/") }) &&
					!above(path, ours) {
					wrong = append(wrong, "a change of what is not ours: "+line)
				}
			}
		}
	}
	return wrong
}

// above reports whether a directory is a parent of ours: creating it changes nothing in it.
func above(path string, ours []string) bool {
	return slices.ContainsFunc(ours, func(our string) bool { return strings.HasPrefix(our, strings.TrimSuffix(path, "/")+"/") })
}

// TestForeignCallsAreFound checks that the trace is parsed: each broken promise is found.
func TestForeignCallsAreFound(t *testing.T) {
	ours := []string{"/h/.local/state/ctx-lsp", "/dev/"}
	for line, found := range map[string]bool{
		`12 connect(3, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("1.2.3.4")}, 16) = 0`: true,
		`12 connect(3, {sa_family=AF_UNIX, sun_path="/h/run/ctx-lsp/x"}, 20) = 0`:                        false,
		`12 openat(AT_FDCWD, "/h/.netrc", O_RDONLY|O_CLOEXEC) = -1 ENOENT`:                               true,
		`12 openat(AT_FDCWD, "/w/CLAUDE.md", O_RDONLY|O_CLOEXEC) = 3`:                                    false,
		`12 openat(AT_FDCWD, "/w/x", O_RDWR|O_CREAT|O_CLOEXEC, 0644 <unfinished ...>`:                    true,
		`12 openat(AT_FDCWD, "/h/.local/state/ctx-lsp/x", O_WRONLY|O_CREAT, 0600) = 3`:                   false,
		`12 renameat(AT_FDCWD, "/h/.local/state/ctx-lsp/x", AT_FDCWD, "/w/x") = 0`:                       true,
		`12 mkdirat(AT_FDCWD, "/h/.local/state", 0700) = 0`:                                              false,
		`12 unlinkat(AT_FDCWD, "/w/x", 0) = 0`:                                                           true,
		`12 openat(AT_FDCWD, "/dev/null", O_WRONLY) = 3`:                                                 false,
	} {
		if got := len(untrusted(line+"\n", "/h", ours)) > 0; got != found {
			t.Errorf("%s: found is %v", line, got)
		}
	}
}
