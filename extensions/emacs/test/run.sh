#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Tests the Emacs package with the program in a home of its own: in batch, on a terminal's screen, and by the linters of
# Emacs packages.
#   run.sh PROGRAM
# The last line is "N passed, M failed".
set -u
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
package=$(dirname "$here")
work=$(mktemp -d)
tmux_name=ctx-emacs-$$
end() {
  tmux -L "$tmux_name" kill-server 2>/dev/null
  bash "$root/testdata/daemon/clients/end.sh" "$work/run"
  rm -rf "$work"
}
trap end EXIT
export HOME=$work/home XDG_RUNTIME_DIR=$work/run CTX_STATE_DIR=$work/state CTX_LSP=$program
export CTX_TEST_WORKSPACE=$work/project CTX_TEST_ELSEWHERE=$work/elsewhere
mkdir -p "$HOME" "$work/compiled" "$CTX_TEST_WORKSPACE" "$CTX_TEST_ELSEWHERE"
mkdir -m 700 "$XDG_RUNTIME_DIR"
passed=0 failed=0
check() { # NAME COMMAND...: counts a case, which is repeated once if it fails; prints its output if it fails again
  local name=$1 began
  shift
  began=$(date +%s%N)
  if "$@" >"$work/out" 2>&1; then
    passed=$((passed + 1))
    echo "ok $name"
  elif tail -n 40 "$work/out" && session && "$@" >"$work/out" 2>&1; then
    passed=$((passed + 1))
    echo "ok $name, repeated"
    echo "unsteady: test-emacs: $name"
  else
    failed=$((failed + 1))
    echo "not ok $name"
    tail -n 40 "$work/out"
  fi
  echo "slow: $((($(date +%s%N) - began) / 1000000)) test-emacs: $name" >>"$work/slow"
}

# A session that is at work in the project, and one of three days ago.
session() {
  rm -rf "$HOME/.claude"
  bash "$root/testdata/daemon/clients/agent.sh" "$HOME" "$CTX_TEST_WORKSPACE"
  local now=$HOME/.claude/projects/-workspace/0197f1c2-0000-4000-8000-000000000001.jsonl
  rm -f "$work/recorded"
  OLD=${now/0001.jsonl/0002.jsonl} TEXT=$(sed 's/000000000001/000000000002/; s/161000/11000/' "$now") \
    emacs -Q --batch -l "$here/ctx-recorded.el" \
    --eval '(ctx-recorded-place (getenv "OLD") (concat (getenv "TEXT") "\n") (* 3 86400))'
}

cp "$package"/*.el "$work/compiled"
cd "$work/compiled" || exit 1
check "compiles without a warning" emacs -q --batch -L . --eval '(setq byte-compile-error-on-warn t)' -f batch-byte-compile ./*.el
check "package-lint" emacs -q --batch -L . --eval "(progn (require 'package) (package-initialize) (require 'package-lint) (setq package-lint-main-file \"ctx.el\"))" \
  -f package-lint-batch-and-exit ./*.el
documented() {
  for file in *.el; do
    emacs -q --batch --eval "(checkdoc-file \"$file\")" 2>&1
  done | grep -A1 'Warning (emacs)' && return 1
  return 0
}
check "checkdoc" documented

# Each test has an Emacs and a home of its own, so that one that fails leaves nothing behind.
mapfile -t names < <(sed -n 's/^(ert-deftest \([^ ]*\).*/\1/p' "$here/ctx-test.el")
for name in "${names[@]}"; do
  session
  check "$name" timeout 120 emacs -q --batch -L . -L "$here" -l "$here/ctx-test.el" --eval "(ert-run-tests-batch-and-exit '$name)"
done

# The screen that a person sees.
session
echo '# Notes' >"$CTX_TEST_WORKSPACE/notes.md"
screen() {
  tmux -L "$tmux_name" kill-server 2>/dev/null
  tmux -L "$tmux_name" -f /dev/null new-session -d -x 120 -y 40 \
    "TERM=tmux-256color emacs -q -nw -L '$work/compiled' -l '$here/ctx-recorded.el' --eval \"(progn (require 'ctx) (setq inhibit-startup-screen t native-comp-async-report-warnings-errors nil ctx-command (list (getenv \\\"CTX_LSP\\\") \\\"serve\\\" \\\"--shared\\\")) (ctx-mode 1))\" '$CTX_TEST_WORKSPACE/notes.md'"
  for _ in $(seq 300); do
    if tmux -L "$tmux_name" capture-pane -p | grep -q "$1"; then
      return 0
    fi
    sleep 0.1
  done
  tmux -L "$tmux_name" capture-pane -p
  return 1
}
check "the mode line on a screen" screen 'notes.md .*ctx ~\?81% · 4\..k to compact'
status() {
  tmux -L "$tmux_name" send-keys M-x ctx-status Enter
  for _ in $(seq 100); do
    tmux -L "$tmux_name" capture-pane -p >"$work/screen"
    if grep -q 'Contents' "$work/screen"; then
      cat "$work/screen"
      return 0
    fi
    sleep 0.1
  done
  cat "$work/screen"
  return 1
}
check "what fills it, on a screen" status
[ -z "${CTX_TEST_SCREEN:-}" ] || cp "$work/screen" "$CTX_TEST_SCREEN"

sort -k2 -rn "$work/slow" | head -n 10 | awk '{ $2 = sprintf("%.1f", $2 / 1000); print }'
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
