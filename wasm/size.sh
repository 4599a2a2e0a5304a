#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Prints the size and hash of a module, and compares the size with its limit; the last line is "N passed, M failed". The
# limits are alarms: a module that grows beyond its limit for a good reason gets a new one.
#   wasm/size.sh MODULE tinygo|go
# TinyGo's module is released. Go's replaces it without TinyGo.
set -eu
module=$1 compiler=$2
raw=$(wc -c < "$module")
compressed=$(gzip -9 -c "$module" | wc -c)
case $compiler in
tinygo) limit=900000 ;;
go) limit=2500000 ;;
*) echo "wasm/size.sh: the compiler is tinygo or go, not $compiler"; echo "0 passed, 1 failed"; exit 1 ;;
esac
echo "$module by $compiler: $raw bytes, $compressed compressed (limit $limit)"
echo "sha256 $({ sha256sum "$module" 2>/dev/null || shasum -a 256 "$module"; } | cut -d' ' -f1)"
if [ "$compressed" -gt "$limit" ]; then
  echo "$module is too large: see what it grew by, or move the limit here and in CONTRIBUTING.md and say why"
  echo "0 passed, 1 failed"
  exit 1
fi
echo "1 passed, 0 failed"
