#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Tries the daemon with real language clients. Each prints "ok NAME" or "not ok NAME: why" for what it checks.
#   run.sh PROGRAM TOOLS
# The last line is "N passed, M failed".
set -u
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
tools=$(cd "$2" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
session=ctx-daemon-$$
end() {
  tmux -L "$session" kill-server 2>/dev/null
  bash "$here/end.sh" "$work/run"
  rm -rf "$work"
}
trap end EXIT
export CTX_LSP=$program XDG_RUNTIME_DIR=$work/run CTX_STATE_DIR=$work/state HOME=$work/home
mkdir -m 700 "$XDG_RUNTIME_DIR"
mkdir -p "$HOME/.emacs.d"
log=$work/log
: >"$log"

# A workspace with one import that is there and one that is not, behind characters of every width.
workspace() {
  rm -rf "$work/workspace"
  mkdir -p "$work/workspace/docs"
  printf '# The project\n\nRead @docs/style.md é 漢字 😀 @docs/gone.md first.\n\n## Commands\n\nmake test\n' >"$work/workspace/CLAUDE.md"
  printf '# Style\n\nShort sentences.\n' >"$work/workspace/docs/style.md"
  (cd "$work/workspace" && git init -q . 2>/dev/null)
  rm -rf "$HOME/.claude"
  [ -z "${agent_at_work:-}" ] || bash "$here/agent.sh" "$HOME" "$work/workspace"
  cd "$work/workspace" || exit 1
}

try() {
  local name=$1
  shift
  echo "== $name"
  workspace
  timeout "${limit:-90}" "$@" >"$work/out" 2>&1
  local status=$?
  grep -aE '^(ok|not ok) ' "$work/out" | tee -a "$log"
  if [ $status -ne 0 ] || ! grep -qaE '^(ok|not ok) ' "$work/out"; then
    echo "not ok $name ended with code $status" | tee -a "$log"
    tail -n 30 "$work/out"
  fi
}

agent_at_work=yes
try "Emacs lsp-mode" emacs -q --batch -l "$here/lsp-mode.el"
try "Emacs eglot" emacs -q --batch -l "$here/eglot.el"
try "Vim ALE" bash "$here/ale.sh" "$session"
try "Helix ($("$tools/helix/bin/hx" --version))" bash "$here/helix.sh" "$session" "$tools/helix/bin/hx"
# The recipe for Neovim needs 0.11.
newer=()
for nvim in "$here"/../../../.cache/neovim/*/usr/bin/nvim; do
  [ -x "$nvim" ] && "$nvim" --version 2>/dev/null | grep -qE '^NVIM v0\.1[1-9]' && newer+=("$nvim")
done
limit=240 try "recipes of docs/editors.md" bash "$here/recipes.sh" "$session" "${newer[@]}"
agent_at_work=
try "Neovim vim.lsp ($(nvim --version | head -n 1))" nvim --headless -u NONE -n -c "luafile $here/nvim.lua"
# Newer ones, where the plugin's tests have unpacked them.
for nvim in "$here"/../../../.cache/neovim/*/usr/bin/nvim; do
  [ -x "$nvim" ] || continue
  version=$("$nvim" --version 2>/dev/null | head -n 1)
  try "Neovim vim.lsp ($version)" "$nvim" --headless -u NONE -n -c "luafile $here/nvim.lua"
done
for transport in stdio pipe socket shared; do
  try "vscode-languageserver-protocol, $transport" node "$here/protocol.mjs" "$tools" $transport
done
try "vscode-languageclient" node "$here/languageclient.cjs" "$tools"

passed=$(grep -c '^ok ' "$log")
failed=$(grep -c '^not ok ' "$log")
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
