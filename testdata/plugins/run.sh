#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Installs the plugins into real agents, each in a home of its own, and asks the agents what they found: no model is
# asked, and no network is needed but for the agents themselves.
#   run.sh PROGRAM TOOLS
# The last line is "N passed, M failed".
set -u
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
mkdir -p "$2"
tools=$(cd "$2" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
if ! cmp -s "$here/package-lock.json" "$tools/package-lock.json" || [ ! -d "$tools/node_modules" ]; then
  cp "$here/package.json" "$here/package-lock.json" "$here/.npmrc" "$tools/"
  (cd "$tools" && npm install --no-audit --no-fund --silent) || exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/bin" "$work/home" "$work/project/docs"
ln -s "$program" "$work/bin/ctx-lsp"
export HOME=$work/home PATH=$work/bin:$tools/node_modules/.bin:$PATH
unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_CACHE_HOME
cd "$work/project" || exit 1
git init -q .
printf '# The project\n\nRead @docs/gone.md first.\n' >CLAUDE.md
passed=0 failed=0
says() { # NAME PATTERN COMMAND...: the command says something that has the pattern
  local name=$1 pattern=$2
  shift 2
  timeout 120 "$@" >"$work/out" 2>&1 </dev/null
  if grep -qE -- "$pattern" "$work/out"; then
    passed=$((passed + 1))
    echo "ok $name"
  else
    failed=$((failed + 1))
    echo "not ok $name"
    tail -n 20 "$work/out"
  fi
}

says "Claude Code takes the marketplace" 'Validation passed' claude plugin validate "$root"
says "Claude Code takes the plugin" 'Validation passed' claude plugin validate "$root/extensions/claude-code"
claude plugin marketplace add "$root" >/dev/null 2>&1
says "Claude Code installs it" 'Successfully installed plugin: ctx@ctx-lsp' claude plugin install ctx@ctx-lsp
says "Claude Code reaches its tools" 'plugin:ctx:ctx: ctx-lsp mcp - .*Connected' claude mcp list

copilot plugin marketplace add "$root" >/dev/null 2>&1
says "Copilot CLI installs the plugin" 'Plugin "ctx" installed successfully' copilot plugin install ctx@ctx-lsp
says "Copilot CLI has the language server" 'ctx \(\.md, \.mdc\) \[from ctx\]' copilot lsp list
says "Copilot CLI has the tools" 'ctx \(local\)' copilot mcp list
for command in handover setup status; do
  says "Copilot CLI has the command ctx-$command" "ctx-$command - " copilot skill list
done

says "Gemini CLI takes the extension" 'successfully validated' gemini extensions validate "$root/extensions/gemini-cli"
install_gemini() { yes y | gemini extensions install --consent "$root/extensions/gemini-cli"; }
export -f install_gemini
export root
says "Gemini CLI installs it" 'Extension "ctx" installed successfully' bash -c install_gemini
says "Gemini CLI reaches its tools" 'ctx \(from ctx\): ctx-lsp mcp .*Connected' gemini mcp list

cp "$root/extensions/opencode/opencode.json" .
says "OpenCode reaches the tools" 'ctx .*connected' opencode mcp list
says "OpenCode gets the diagnostics" 'There is no file docs/gone.md' opencode debug lsp diagnostics CLAUDE.md
says "OpenCode has the commands" 'ctx-handover' opencode debug config

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
