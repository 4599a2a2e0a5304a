// Copyright The ctx-lsp authors. MIT licence.

package reader

import (
	"strconv"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

func TestACommandIsNamedByItsProgramAndSubcommand(t *testing.T) {
	for command, want := range map[string]string{
		"npm test": "command npm test",
		"cd /w/app && npm run build 2>&1 | tail -5":                                   "command npm run",
		"go test -race -run TestX ./core/...":                                         "command go test",
		"FOO=secret BAR='x y' make all":                                               "command make all",
		"export TOKEN=abc; make":                                                      "command make",
		"sudo -E apt-get install jq":                                                  "command apt-get install",
		"timeout 30 pytest tests/a.py":                                                "command pytest",
		"bash -lc 'cd /w && cargo build --release'":                                   "command cargo build",
		"/usr/local/bin/node index.js":                                                "command node",
		`git commit -m "fix the leak of my password"`:                                 "command git commit",
		"git -c user.name=me log":                                                     "command git log",
		`curl -H "Authorization: Bearer s3cret" https://u:p@example.com/a?key=1 -d x`: "command curl",
		"mysql -u root -phunter2 shop":                                                "command mysql",
		"login AKIAIOSFODNN7EXAMPLEAKIAIOSFODNN7EXAMPLE":                              "command login",
		"rg -n password src/a":                                                        "command rg",
		"echo hello world":                                                            "command echo",
		"cat > out.txt <<EOF\nall my secrets\nEOF":                                    "command cat",
		"python3 - <<'EOF'\nprint('x')\nEOF":                                          "command python3",
		"# why\nls src":                                                               "command ls",
		"cat src/api.go":                                                              "file cat src/api.go",
		"sed -n '1,80p' src/api.go":                                                   "file sed src/api.go",
		"sed -i s/a/b/ src/api.go":                                                    "command sed",
		"head -n 20 'my file.txt' | cat -n":                                           "file head my file.txt",
		"cat a.txt b.txt":                                                             "command cat",
		"tail -f /var/log/x.log && rm y":                                              "command tail",
		`"quoted program" x`:                                                          "",
		"":                                                                            "",
		"$(evil) x":                                                                   "",
		"   ":                                                                         "",
		"for f in *.gif; do file $f; done":                                            "command file",
		"cd /w":                                                                       "command cd",
		"&& && &&":                                                                    "",
		"a\\\nb":                                                                      "command a",
		"redis-cli auth hunter2pass":                                                  "command redis-cli auth",
		"redis-cli -a hunter get x":                                                   "command redis-cli",
		"npm hunter2pass":                                                             "command npm",
		"login hunterpass":                                                            "command login",
		"git -C /w --no-pager log hunter":                                             "command git log",
		"git --exec-path /w commit":                                                   "command git",
		"docker --tls run hunter":                                                     "command docker",
		"sudo -u hunter make all":                                                     "command sudo",
		"sudo -nE make all":                                                           "command make all",
		"sudo --prompt hunter make":                                                   "command sudo",
		"sudo --user=hunter make":                                                     "command make",
		"env -u HUNTER make":                                                          "command env",
		"env -i A=hunter make":                                                        "command make",
		"timeout -k 5 10 make":                                                        "command timeout",
		"timeout --foreground 10 make":                                                "command make",
		"cd /w 2>/dev/null && make all":                                               "command make all",
		"cd /w >/dev/null 2>&1 && make all":                                           "command make all",
		"> hunter make all":                                                           "command make all",
		"export A=hunter":                                                             "command export",
		"A=$(cat hunter) hunter make":                                                 "",
		"A=`cat hunter` make":                                                         "",
		`A="$(cat "hunter one" two)" make`:                                            "",
		`A="${B:-"hunter one two"}" make`:                                             "",
		`cd "$(cat "x; hunter")" && make`:                                             "",
		`A=$'it\'s; hunter' make`:                                                     "command make",
		"sed s/hunter/x/":                                                             "command sed",
		"sed -n /hunter/p":                                                            "command sed",
		"https://u:hunter@example.com/x":                                              "",
		"hunter:two":                                                                  "",
		"A=\"" + strings.Repeat("x", MaxCommand) + "; hunter\" make": "",
		"A=\"x; hunter\" make " + strings.Repeat("x", MaxCommand):    "command make",
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
		{"exec_command", `"{\"cmd\":\"ls src\"}"`, "command  ls"},
		{"exec", `"const r = await tools.exec_command({cmd:\"go test ./... \\\"x\\\"\",\"workdir\":\"/w\"}); text(r.output)"`, "command  go test"},
		{"exec", `"await tools.exec_command({ \"cmd\": \"ls src\" })"`, "command  ls"},
		{"exec", `"await tools.exec_command({cmd: command, x:\"ls\"})"`, "  "},
		{"exec", `"await tools.exec_command({cmd:\"ls"`, "  "},
		{"apply_patch", `"*** Begin Patch\n*** Update File: src/a.go\n+secret\n"`, "file  src/a.go"},
		{"apply_patch", `{"patchText":"*** Begin Patch\n*** Add File: b.go\n"}`, "file  b.go"},
		{"WebFetch", `{"url":"https://user:pw@go.dev/doc/?q=x#y","prompt":"what"}`, "url  go.dev/doc"},
		{"WebFetch", `{"url":"https://hooks.example.com/services/T024F/Abc0defGhiJkl9mnop/x"}`, "url  hooks.example.com/services/T024F"},
		{"WebFetch", `{"url":"https://example.com/b/12345:abcdefghijklmnopqrstuvwxyz/"}`, "url  example.com/b"},
		{"WebFetch", `{"url":"https://example.com//how-to-name-things-in-2026"}`, "url  example.com//how-to-name-things-in-2026"},
		{"WebFetch", `{"url":"https://example.com/"}`, "url  example.com"},
		{"WebSearch", `{"query":"my illness"}`, "  "},
		{"Task", `{"subagent_type":"Explore","prompt":"find"}`, "agent  Explore"},
		{"Skill", `{"skill":"pdf"}`, "skill  pdf"},
		{"skill", `{"name":"pdf"}`, "skill  pdf"},
		{"use_mcp_tool", `{"server_name":"github","tool_name":"get_issue","arguments":"{}"}`, "mcp github get_issue"},
		{"mcp__github__get_issue", `{"path":"x"}`, "  "}, // the name tells
		{"str_replace_editor", `{"command":"view","path":"a.go"}`, "file  a.go"},
		{"read_files", `{"files":[{"path":"a.go"},{"path":"b.go"}]}`, "file  a.go"},
		{"execute_bash", `{"command":"hunter","is_input":"true"}`, "  "}, // typed at a prompt
		{"execute_bash", `{"command":"make","is_input":"false"}`, "command  make"},
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
		if at.What == core.OfCommand && len(at.Name) > maxProgram+1+maxSubcommand {
			t.Errorf("%d bytes of %q", len(at.Name), line)
		}
	})
}
