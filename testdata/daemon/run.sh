#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# The daemon's tests: those in Go, and real clients.
#   run.sh PROGRAM TOOLS
# The last line is "N passed, M failed".
set -u
cd "$(dirname "$0")/../.." || exit 1
out=$(mktemp)
trap 'rm -f "$out"' EXIT
go test -count=1 -json ./lsp ./internal/document ./core/promptfile >"$out"
passed=$(grep -c '"Action":"pass".*"Test":' "$out")
failed=$(grep -c '"Action":"fail".*"Test":' "$out")
grep -q '"Action":"build-fail"' "$out" && failed=$((failed + 1))
if [ "$failed" -gt 0 ]; then
  sed -n 's/.*"Output":"\(.*\)"}$/\1/p' "$out" | sed 's/\\n$//; s/\\t/  /g; s/\\"/"/g' | grep -v '^ok\|^=== ' | tail -n 80
fi
echo "Go: $passed passed, $failed failed"
bash testdata/daemon/clients/run.sh "$1" "$2" | tee "$out"
line=$(tail -n 1 "$out")
p=${line%% passed*}
f=${line#* passed, }
f=${f%% failed*}
echo "$((passed + ${p:-0})) passed, $((failed + ${f:-1})) failed"
[ "$failed" -eq 0 ] && [ "${f:-1}" -eq 0 ]
