#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Holds what is measured, and what is exported, against the programs that read it: promtool, Prometheus, DuckDB and
# Grafana's published types.
#   run.sh CTX-LSP TOOLS
# TOOLS is the directory of install.sh. A program that is missing is named, and its checks are left out.
set -u
program=$1 tools=$2
here=$(cd "$(dirname "$0")" && pwd)
passed=0 failed=0

add() { # add NAME COMMAND...: a script that prints its counts at the end
  local out line
  out=$("${@:2}" 2>&1)
  line=$(echo "$out" | grep -E "^$1 [0-9]+ [0-9]+$" | tail -n 1)
  echo "$out" | grep -v "^$1 [0-9]"
  if [ -z "$line" ]; then
    echo "FAIL $1 ended early"
    failed=$((failed + 1))
    return
  fi
  read -r _ p f <<<"$line"
  passed=$((passed + p)) failed=$((failed + f))
}

check() { # check NAME COMMAND...
  local out
  if out=$("${@:2}" 2>&1); then
    passed=$((passed + 1))
  else
    echo "FAIL $1: $out"
    failed=$((failed + 1))
  fi
}

if command -v prometheus >/dev/null; then
  check "promtool check rules" promtool check rules docs/telemetry/recording.yml docs/telemetry/alerts.yml
  add scrape node "$here/scrape.mjs" "$program"
else
  echo "Prometheus cannot be installed; what it reads is left out"
fi

if [ -d "$tools/node_modules/@grafana/schema" ]; then
  add questions node "$here/questions.mjs" "$program" "$tools"
  node "$here/dashboard.mjs" docs/telemetry/dashboard.json >"$tools/dashboard.ts"
  check "Grafana's types" "$tools/node_modules/.bin/tsc" --noEmit --strict --skipLibCheck --moduleResolution bundler \
    --module esnext --target es2022 "$tools/dashboard.ts"
else
  echo "npm cannot give DuckDB and Grafana's types; what is tried with them is left out"
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
