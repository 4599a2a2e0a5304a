#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Runs the recipes of docs/editors.md as they are printed, each as the whole configuration of the real editor, in a
# terminal of tmux's, next to a session that is at work. Helix has its own script.
#   recipes.sh SESSION NVIM...
set -u
session=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
document=$here/../../../docs/editors.md
screen() { tmux -L "$session" capture-pane -p -t "$session"; }
check() { # name condition why
  if [ "$2" = 0 ]; then echo "ok recipe: $1"; else printf 'not ok recipe: %s: %s\n' "$1" "$3"; fi
}
# recipe SECTION LANGUAGE N: the Nth block of a language in the document's section.
recipe() {
  awk -v section="$1" -v language="$2" -v n="$3" \
    '/^## /{here = $0 == "## " section} here && $0 == "```" language{i++; next} /^```$/{if (i == n && here) exit} here && i == n' "$document"
}
# printed FILE MARK: a recipe was found in the document.
printed() {
  grep -q "$2" "$1" && return 0
  echo "not ok recipe: docs/editors.md has no block with $2"
  return 1
}
# start COMMAND: the editor in a terminal, with ctx-lsp on the PATH as a user has it.
start() {
  tmux -L "$session" -f "${conf:-/dev/null}" new-session -d -s "$session" -x 120 -y 20 -c "$PWD" \
    "env PATH='$HOME/bin:$PATH' HOME='$HOME' TERM=tmux-256color $1"
}
# shows NAME PATTERN: the screen comes to show it.
shows() {
  local shown=1
  for _ in $(seq 300); do
    screen | grep -qE "$2" && shown=0 && break
    sleep 0.1
  done
  check "$1" $shown "$(screen)"
}
# asks NAME PATTERN: like shows; it presses Enter every two seconds, because a prompt is drawn only once.
asks() {
  local shown=1 i
  for i in $(seq 300); do
    screen | grep -qE "$2" && shown=0 && break
    [ $((i % 20)) != 0 ] || tmux -L "$session" send-keys -t "$session" Enter
    sleep 0.1
  done
  check "$1" $shown "$(screen)"
}
stop() { tmux -L "$session" kill-session -t "$session" 2>/dev/null; }
mkdir -p "$HOME/bin" "$HOME/.config/nvim" "$HOME/.emacs.d"
ln -sf "$CTX_LSP" "$HOME/bin/ctx-lsp"
number='81% . 4\.[0-9]k left'

for nvim in "$@"; do
  recipe 'Neovim 0.11 and later, without the plugin' lua 1 >"$HOME/.config/nvim/init.lua"
  printed "$HOME/.config/nvim/init.lua" vim.lsp.enable || break
  start "XDG_CONFIG_HOME='$HOME/.config' '$nvim' CLAUDE.md"
  shows "Neovim's statusline ($("$nvim" --version | head -n 1))" "CLAUDE.md .*$number"
  stop
done
rm -rf "$HOME/.config/nvim"

for client in 1:eglot:'81% full' 2:lsp-mode:"$number"; do
  IFS=: read -r n name pattern <<<"$client"
  rm -rf "$HOME/.emacs.d" # lsp-mode remembers its projects there
  mkdir -p "$HOME/.emacs.d"
  recipe Emacs lisp "$n" >"$HOME/.emacs.d/init.el"
  printed "$HOME/.emacs.d/init.el" ctx-lsp || continue
  start 'emacs -nw CLAUDE.md'
  if [ "$name" = lsp-mode ]; then # it asks once whether the project may be imported
    shows "$name's question" '==>Import project'
    tmux -L "$session" send-keys -t "$session" i
  fi
  shows "Emacs with $name" "$pattern"
  stop
done
rm -rf "$HOME/.emacs.d"
mkdir -p "$HOME/.emacs.d"

# ALE itself, as Debian installs it; then the recipe.
{
  echo 'set nocompatible nomore shortmess=aoOtTIcF'
  echo 'for s:dir in glob("/usr/share/vim-scripts/ale", 0, 1) + glob("/usr/share/vim/vimfiles/pack/*/*/ale", 0, 1)'
  echo '  execute "set runtimepath+=" . s:dir'
  echo 'endfor'
  echo 'packadd! ale'
  echo 'filetype plugin on'
  recipe 'Vim with ALE' vim 1
} >"$HOME/.vimrc"
printed "$HOME/.vimrc" ale#linter#Define && start 'vim CLAUDE.md' && shows "Vim with ALE" '81% full'
stop

conf=$HOME/tmux.conf
recipe 'Terminals, prompts and bars' tmux 1 >"$conf"
echo 'set -g status-interval 1' >>"$conf"
if printed "$conf" status-right; then
  server=$session
  session=$server-bar
  PATH=$HOME/bin:$PATH start 'sleep 60'
  # The bar is outside of the pane: tmux draws it for a client, so a second tmux shows the first one.
  session=$server conf=/dev/null start "tmux -L '$server-bar' attach"
  session=$server
  shows "tmux's status line" '81% . 4\.[0-9]k left'
  tmux -L "$server-bar" kill-server 2>/dev/null
  stop
fi

conf=
recipe 'Terminals, prompts and bars' sh 1 >"$HOME/.bashrc"
if printed "$HOME/.bashrc" PS1; then
  start 'bash -i'
  asks "bash's prompt" '^81% ?[$#]'
  stop
fi
exit 0
