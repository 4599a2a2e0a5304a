#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Runs the vectors natively, and in wazero and Node on each module.
#   wasm/conformance.sh PROGRAM MODULE...
# Each must pass them all and give the same bytes; the last line adds them up.
set -u
cd "$(dirname "$0")/.." || exit 1
program=$1
shift
passed=0 failed=0
run() {
  local name=$1 line
  shift
  local output
  output=$("$@" 2>&1)
  line=$(printf '%s\n' "$output" | grep -E '^[0-9]+ passed, [0-9]+ failed' | tail -n 1)
  printf '%s\n' "$output" | sed '$d'
  if [ -z "$line" ]; then
    printf '%s\n' "$output" | tail -n 1
    line="0 passed, 1 failed"
  fi
  echo "$name: $line"
  passed=$((passed + ${line%% passed*}))
  line=${line#* passed, }
  failed=$((failed + ${line%% failed*}))
}
run native "$program" conformance --engine native testdata/conformance
for module in "$@"; do
  run "wazero, $module" "$program" conformance --engine wasm --module "$module" testdata/conformance
  if command -v node >/dev/null; then
    run "node, $module" node wasm/js/conformance.mjs --module "$module"
  else
    echo "node: not here; its vectors did not run"
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
