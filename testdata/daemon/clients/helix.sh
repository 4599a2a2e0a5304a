#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Helix, in a terminal of tmux's, set up by the lines of docs/editors.md.
#   helix.sh SESSION HX
session=$1 hx=$2
here=$(cd "$(dirname "$0")" && pwd)
document=$here/../../../docs/editors.md
screen() { tmux -L "$session" capture-pane -p -t "$session"; }
keys() { tmux -L "$session" send-keys -t "$session" "$@"; }
# leave: out of what is open. A key that followed at once would make another key of Escape.
leave() {
  keys Escape
  sleep 0.3
  keys Escape
  sleep 0.3
}
check() { # name condition why
  if [ "$2" = 0 ]; then echo "ok Helix: $1"; else printf 'not ok Helix: %s: %s\n' "$1" "$3"; fi
}
await() { # pattern
  for _ in $(seq 200); do
    screen | grep -qE "$1" && return 0
    sleep 0.1
  done
  return 1
}
# block N: the Nth block of TOML in the document's section on Helix.
block() {
  awk -v n="$1" '/^## /{helix = /Helix/} helix && /^```toml/{i++; next} /^```$/{if (i == n && helix) exit} helix && i == n' "$document"
}
export XDG_CONFIG_HOME=$HOME/.config XDG_CACHE_HOME=$HOME/.cache
mkdir -p "$XDG_CONFIG_HOME/helix" "$HOME/bin"
block 1 >"$XDG_CONFIG_HOME/helix/languages.toml"
block 2 >"$XDG_CONFIG_HOME/helix/config.toml"
grep -q '^\[language-server.ctx\]' "$XDG_CONFIG_HOME/helix/languages.toml"
check "the document has its lines" $? "$(cat "$XDG_CONFIG_HOME/helix/languages.toml")"
ln -sf "$CTX_LSP" "$HOME/bin/ctx-lsp"
# A shell of tmux's may put other folders before those of PATH.
tmux -L "$session" -f /dev/null new-session -d -s "$session" -x 120 -y 20 -c "$PWD" \
  "env PATH='$HOME/bin:$PATH' XDG_CONFIG_HOME='$XDG_CONFIG_HOME' XDG_CACHE_HOME='$XDG_CACHE_HOME' '$hx' CLAUDE.md"
await '# The project.*[0-9]'
check "hints" $? "$(screen)"
# The session that is at work here, without a word of ctx/. The message of notify.level has the same line before it.
await '81% . [0-9.]+k left'
check "the number as progress" $? "$(screen)"
keys ' k'
await 'claude-opus-4-6'
check "hover, for the session's model" $? "$(screen)"
! screen | grep -q '|--'
check "a hover without tables" $? "$(screen)"
leave
keys ' d'
await 'import-missing There is no file'
check "diagnostics" $? "$(screen)"
leave
keys ':lsp-workspace-command ctx.document.breakdown' Enter
await 'tokens . CLAUDE.md . In every request'
check "a command shows its answer" $? "$(screen)"
leave
keys ':q!' Enter
ended=1
for _ in $(seq 50); do
  tmux -L "$session" has-session -t "$session" 2>/dev/null || { ended=0; break; }
  sleep 0.1
done
check "quits" $ended "Helix still runs"
tmux -L "$session" kill-session -t "$session" 2>/dev/null
exit 0
