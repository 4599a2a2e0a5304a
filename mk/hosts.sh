#!/bin/bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Runs the programs of examples/hosts. Each fails if a prediction is off by more than a tenth.
set -u
cd "$(dirname "$0")/../examples/hosts" || exit 1
[ -d node_modules/ai ] || npm ci --no-audit --no-fund --ignore-scripts >/dev/null || exit 1
passed=0 failed=0
run() {
  if out=$("$@" 2>&1); then passed=$((passed + 1)); else failed=$((failed + 1)); echo "$out"; fi
  echo "$out" | tail -1
}
run node aisdk.mjs
run node langchain.mjs
run go -C go run .
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
