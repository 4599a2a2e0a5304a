#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Runs the tests of the loader, of the journal and of the site's page on Node; the last line is "N passed, M failed".
# Needs Go and Node.
set -u
cd "$(dirname "$0")/../.." || exit 1
fault=$(mktemp)
trap 'rm -f "$fault" "$fault.raw"' EXIT
if ! { GOOS=wasip1 GOARCH=wasm go build -tags ctxfault -trimpath -buildvcs=false -buildmode=c-shared -ldflags='-s -w' \
  -o "$fault.raw" ./wasm && mk/tool.sh interrupt "$fault.raw" "$fault" "$(go env GOVERSION)"; }; then
  echo "0 passed, 1 failed"
  exit 1
fi
output=$(CTX_FAULT_WASM=$fault node --test wasm/js/*.test.mjs site/test/*.test.mjs 2>&1)
passed=$(printf '%s\n' "$output" | sed -n 's/^[#ℹ] pass //p')
failed=$(printf '%s\n' "$output" | sed -n 's/^[#ℹ] fail //p')
if [ "${failed:-1}" != 0 ]; then printf '%s\n' "$output"; fi
echo "${passed:-0} passed, ${failed:-1} failed"
[ "${failed:-1}" = 0 ]
