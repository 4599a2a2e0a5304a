#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Vim with ALE, in a terminal of tmux's.
session=$1
here=$(cd "$(dirname "$0")" && pwd)
result=$PWD/ale.result
check() { # name condition why
  if [ "$2" = 0 ]; then echo "ok ALE: $1"; else echo "not ok ALE: $1: $3"; fi
}
await() { # pattern
  for _ in $(seq 200); do
    grep -q "$1" "$result" 2>/dev/null && return 0
    sleep 0.1
  done
  return 1
}
export ALE_RESULT=$result
tmux -L "$session" -f /dev/null new-session -d -s "$session" -x 120 -y 30 -c "$PWD" "vim -Nu '$here/ale.vim' CLAUDE.md"
await 'import-missing'
check "diagnostics" $? "$(cat "$result" 2>/dev/null; tmux -L "$session" capture-pane -p -t "$session")"
grep -q '^3 .*There is no file docs/gone.md' "$result"
check "the place and the sentence" $? "$(cat "$result" 2>/dev/null)"
told=1
for _ in $(seq 100); do # ALE shows it once, and keeps it nowhere
  tmux -L "$session" capture-pane -p -t "$session" | grep -q '81% full' && told=0 && break
  sleep 0.1
done
check "the message of notify.level" $told "$(tmux -L "$session" capture-pane -p -t "$session")"
tmux -L "$session" send-keys -t "$session" ':3s/gone/style/' Enter ':w' Enter
await 'import-repeated'
check "edits" $? "$(cat "$result" 2>/dev/null)"
tmux -L "$session" send-keys -t "$session" ':1' Enter ':ALEHover' Enter
shown=1
for _ in $(seq 100); do
  tmux -L "$session" capture-pane -p -t "$session" | grep -q 'In every request' && shown=0 && break
  sleep 0.1
done
check "hover" $shown "$(tmux -L "$session" capture-pane -p -t "$session")"
# The session that is at work here is that of the hover.
modelled=1
for _ in $(seq 100); do
  tmux -L "$session" send-keys -t "$session" Escape ':1' Enter ':ALEHover' Enter
  tmux -L "$session" capture-pane -p -t "$session" | grep -q 'claude-opus-4-6' && modelled=0 && break
  sleep 0.2
done
check "the session's model" $modelled "$(tmux -L "$session" capture-pane -p -t "$session")"
tmux -L "$session" send-keys -t "$session" Escape ':qall!' Enter
ended=1
for _ in $(seq 50); do
  tmux -L "$session" has-session -t "$session" 2>/dev/null || { ended=0; break; }
  sleep 0.1
done
check "quits" $ended "vim still runs"
tmux -L "$session" kill-session -t "$session" 2>/dev/null
exit 0
