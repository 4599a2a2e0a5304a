// Copyright The ctx-lsp authors. MIT licence.

package reader

import (
	"strconv"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

func TestACommandIsNamedByItsProgramAndPlainWords(t *testing.T) {
	for command, want := range map[string]string{
		"npm test": "command npm test",
		"cd /w/app && npm run build 2>&1 | tail -5":                                   "command npm run build",
		"go test -race -run TestX ./core/...":                                         "command go test ./core/...",
		"FOO=secret BAR='x y' make all":                                               "command make all",
		"export TOKEN=abc; make":                                                      "command make",
		"sudo -E apt-get install jq":                                                  "command apt-get install jq",
		"timeout 30 pytest tests/a.py":                                                "command pytest tests/a.py",
		"bash -lc 'cd /w && cargo build --release'":                                   "command cargo build",
		"/usr/local/bin/node index.js":                                                "command node index.js",
		`git commit -m "fix the leak of my password"`:                                 "command git commit",
		"git -c user.name=me log":                                                     "command git log",
		`curl -H "Authorization: Bearer s3cret" https://u:p@example.com/a?key=1 -d x`: "command curl example.com/a",
		"mysql -u root -phunter2 shop":                                                "command mysql",
		"login AKIAIOSFODNN7EXAMPLEAKIAIOSFODNN7EXAMPLE":                              "command login",
		"rg -n password src/a":                                                        "command rg src/a",
		"echo hello world":                                                            "command echo",
		"cat > out.txt <<EOF\nall my secrets\nEOF":                                    "command cat",
		"python3 - <<'EOF'\nprint('x')\nEOF":                                          "command python3",
		"# why\nls src":                                                               "command ls src",
		"cat src/api.go":                                                              "file cat src/api.go",
		"sed -n '1,80p' src/api.go":                                                   "file sed src/api.go",
		"sed -i s/a/b/ src/api.go":                                                    "command sed src/api.go",
		"head -n 20 'my file.txt' | cat -n":                                           "file head my file.txt",
		"cat a.txt b.txt":                                                             "command cat a.txt b.txt",
		"tail -f /var/log/x.log && rm y":                                              "command tail /var/log/x.log",
		`"quoted program" x`:                                                          "",
		"":                                                                            "",
		"$(evil) x":                                                                   "",
		"   ":                                                                         "",
		"for f in *.gif; do file $f; done":                                            "command file",
		"cd /w":                                                                       "command cd /w",
		"&& && &&":                                                                    "",
		"a\\\nb":                                                                      "command a b",
	} {
		line, err := json.Parse([]byte(strconv.Quote(command)))
		if err != nil {
			t.Fatal(command, err)
		}
		at := commanded(line)
		if got := strings.Join(strings.Fields(at.What.String()+" "+at.Holder+" "+at.Name), " "); got != want {
			t.Errorf("%q is %q, want %q", command, got, want)
		}
	}
	long, _ := json.Parse([]byte(strconv.Quote(strings.Repeat("word/", 20_000))))
	if at := commanded(long); len(at.Name) > 200 {
		t.Errorf("%d bytes", len(at.Name))
	}
}

func TestACallIsAboutWhatItsArgumentsName(t *testing.T) {
	for _, c := range []struct{ tool, arguments, want string }{
		{"Read", `{"file_path":"/w/a.go","limit":5}`, "file  /w/a.go"},
		{"Edit", `{"old_string":"secret","file_path":"/w/a.go"}`, "file  /w/a.go"},
		{"Grep", `{"pattern":"password","path":"/w/src"}`, "file  /w/src"},
		{"Grep", `{"pattern":"password"}`, "file  ."}, // all of the folder it works in, and never what it looks for
		{"grep_search", `{"pattern":"password","include_pattern":"src/**/*.ts"}`, "file  src/**/*.ts"},
		{"grep_search", `{"pattern":"password","dir_path":"src","include":"*.ts"}`, "file  src"},
		{"remember", `{"pattern":"password"}`, "  "},
		{"Glob", `{"pattern":"**/*.go"}`, "file  **/*.go"},
		{"Bash", `{"command":"npm test","description":"tests"}`, "command  npm test"},
		{"shell", `{"command":["bash","-lc","sed -n 1,20p a.go"]}`, "file sed a.go"},
		{"exec_command", `"{\"cmd\":\"ls src\"}"`, "command  ls src"},
		{"apply_patch", `"*** Begin Patch\n*** Update File: src/a.go\n+secret\n"`, "file  src/a.go"},
		{"apply_patch", `{"patchText":"*** Begin Patch\n*** Add File: b.go\n"}`, "file  b.go"},
		{"WebFetch", `{"url":"https://user:pw@go.dev/doc/?q=x#y","prompt":"what"}`, "url  go.dev/doc"},
		{"WebSearch", `{"query":"my illness"}`, "  "},
		{"Task", `{"subagent_type":"Explore","prompt":"find"}`, "agent  Explore"},
		{"Skill", `{"skill":"pdf"}`, "skill  pdf"},
		{"skill", `{"name":"pdf"}`, "skill  pdf"},
		{"use_mcp_tool", `{"server_name":"github","tool_name":"get_issue","arguments":"{}"}`, "mcp github get_issue"},
		{"mcp__github__get_issue", `{"path":"x"}`, "  "}, // the name tells
		{"str_replace_editor", `{"command":"view","path":"a.go"}`, "file  a.go"},
		{"read_files", `{"files":[{"path":"a.go"},{"path":"b.go"}]}`, "file  a.go"},
		{"run_commands", `{"commands":["npm test"]}`, "command  npm test"},
		{"read_file", `{"path":{"not":"a text"}}`, "  "},
		{"read_file", `[]`, "  "},
		{"x", `7`, "  "},
	} {
		v, err := json.Parse([]byte(c.arguments))
		if err != nil {
			t.Fatal(c.arguments, err)
		}
		at := About(c.tool, v)
		if got := at.What.String() + " " + at.Holder + " " + at.Name; got != c.want && strings.TrimSpace(got) != strings.TrimSpace(c.want) {
			t.Errorf("%s %s is %q, want %q", c.tool, c.arguments, got, c.want)
		}
	}
}

func FuzzNamesOfCommands(f *testing.F) {
	f.Add(`cd x && FOO=1 sed -n '1,2p' "a b" | cat`)
	f.Add("bash -c \"bash -c 'x\\\"'\" <<E")
	f.Fuzz(func(t *testing.T, line string) {
		at := NameCommand(ShellWords(line))
		if at.What == core.OfCommand && len(at.Name) > commandBytes+64 {
			t.Errorf("%d bytes of %q", len(at.Name), line)
		}
	})
}
