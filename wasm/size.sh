#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Holds the module against its limits in bytes; the last line is "N passed, M failed".
#   wasm/size.sh MODULE tinygo|go
# What is released is TinyGo's. Go's is for those who have no TinyGo, so only what it takes to download is limited.
set -eu
module=$1 compiler=$2
raw=$(wc -c < "$module")
compressed=$(gzip -9 -c "$module" | wc -c)
case $compiler in
tinygo) most_raw=1200000 most_compressed=450000 ;;
go) most_raw=none most_compressed=1480000 ;;
*) echo "wasm/size.sh: the compiler is tinygo or go, not $compiler"; echo "0 passed, 1 failed"; exit 1 ;;
esac
echo "$module by $compiler: $raw bytes (limit $most_raw), compressed $compressed (limit $most_compressed)"
if { [ "$most_raw" != none ] && [ "$raw" -gt "$most_raw" ]; } || [ "$compressed" -gt "$most_compressed" ]; then
  echo "$module is too large: see what it grew by, or move the limit here and in CONTRIBUTING.md and say why"
  echo "0 passed, 1 failed"
  exit 1
fi
echo "1 passed, 0 failed"
