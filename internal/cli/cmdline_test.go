// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"strings"
	"testing"
)

// TestAcceptedCommandLines checks command lines that editors, plugins, LSP clients and documents use. --help at the end
// stops each command after its flags were parsed.
func TestAcceptedCommandLines(t *testing.T) {
	for _, line := range []string{
		// Editors and LSP clients
		"serve --help",
		"serve --stdio --help",
		"serve --stdio --help",
		"serve --shared --help",
		"serve --shared --clientProcessId=123 --help",
		"serve --clientProcessId 123 --stdio --help",
		"serve --pipe=/run/user/1/ctx.sock --help",
		"serve --pipe /run/user/1/ctx.sock --help",
		"serve --socket=1234 --help",
		"serve --socket --port=1234 --help",
		"serve --socket --port 1234 --help",
		"serve --engine=native --state=none --log-level=debug --log=x.log --help",
		"serve --metrics=9464 --otlp=http://127.0.0.1:4318 --otlp-project=name --idle-exit=10m --help",
		// Agents and their plugins
		"hook --help",
		"hook --always --help",
		"hook --from=now --json --help",
		"hook --at=120k --quiet --exec=true --exec-timeout=5s --help",
		"hook --at 80% --help",
		"statusline --setup --agent=copilot-cli --help",
		"statusline --setup --undo --yes --help",
		"statusline --template={percent} --warn=120k --alarm 80% --help",
		"statusline --mode=provider --timeout=30s --color=always --plain --help",
		"mcp --help",
		"mcp --workspace=/repo --help",
		"mcp-cost --agent=codex --model gpt-5.5 --timeout=1m --help",
		"handover --tokens=800 --out notes.md --help",
		// Pipelines
		"check --diff=origin/main --added=100 --always=0 --loaded 9 --fail-on=never --format=sarif --help",
		"check --json CLAUDE.md docs --help",
		"count --model claude-opus-5 --provider x --budget 8000 --as=message --special --force --verify --help",
		"count --api anthropic --base-url http://127.0.0.1:1 --timeout 3s --help",
		"export --out=table --shard=2/8 --key=x --names --jobs=2 --json --help",
		"export --format=csv --merge - --help",
		"replay --steps --learned --jobs=1 --shard 1/8 --merge --json --help",
		"replay --json a.jsonl --help",
		"conformance --engine wasm --module ctx.wasm --update testdata --help",
		"call ctx/count --params {} --engine=native --help",
		// Users
		"status 0197f1c2 --plain --color=never --mode hybrid --over=80 --learned=false --help",
		"status --over 80.5 --calls calls.jsonl --help",
		"sessions --here --since=2h --limit 3 --help",
		"top --here --since 2h --mode=provider --no-learned --hide-paths --log --help",
		"history --svg=- --html=x.html --points 10 --first --help",
		"whatif --window=400k --threshold 120k --cap-results=5k --without-mcp=github --help",
		"forgot --compaction=1 --gone --diff --help",
		"sees --session=0197 --json src/a.go:3-9 --help",
		"fits --session 0197 src --help",
		"doctor --storage=/x --storage /y --help",
		"models --provider x --model-file=y --json gpt --help",
		"vocab add llama3 tokenizer.json --split kimi --replace --yes --help",
		"version --json --help",
		"-h",
		"--help",
		"help status",
		"status -h",
		"--version",
		"-V",
	} {
		args := strings.Fields(line)
		if code, out, errs := runWith(t, "", args...); code != exitOK || out == "" || errs != "" {
			t.Errorf("%s: exit code %d, %d bytes, %q", line, code, len(out), errs)
		}
	}
}

// TestRefusedCommandLines checks that mistakes end with the exit code for wrong usage and that the message names the
// mistake.
func TestRefusedCommandLines(t *testing.T) {
	for line, want := range map[string]string{
		"status --nope":               "--nope",
		"status --over":               "--over",
		"status --over=x":             "--over",
		"status --mode=fast":          "hybrid, provider",
		"serve --socket=x":            "--socket",
		"serve --port=x":              "--port",
		"serve --clientProcessId=one": "--clientProcessId",
		"count --budget 1.5":          "--budget",
		"count ---x":                  "---x",
		"sessions --since=yesterday":  "--since",
		"sessions --here=perhaps":     "--here",
		"replay --shard=9/8 a":        "--shard",
		"whatif --window=much":        "--window",
		"nope":                        "nope",
	} {
		code, out, errs := runWith(t, "", strings.Fields(line)...)
		if code != exitUsage || out != "" || !strings.Contains(errs, want) {
			t.Errorf("%s: exit code %d, %q, %q", line, code, out, errs)
		}
	}
}
