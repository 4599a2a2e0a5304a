#!/bin/bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Runs the programs of examples/python, and prints the table of docs/hosts.md. Each fails if a prediction is off by more
# than a tenth, or if a measured prompt is not the one that was sent.
#   mk/hosts-python.sh PYTHON
set -u
cd "$(dirname "$0")/../examples/python" || exit 1
passed=0 failed=0
for program in *_host.py; do
  if out=$(timeout 300 "$1" -W ignore "$program" 2>&1); then
    passed=$((passed + 1))
    echo "$out" | tail -1
  else
    failed=$((failed + 1))
    echo "$program failed: $out"
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
