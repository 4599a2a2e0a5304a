#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Exports ten copies of the transcripts into a table of Parquet, five times, and prints the median.
#   bench.sh CTX-LSP TRANSCRIPTS
set -eu
program=$(realpath "$1") from=$(realpath "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for copy in 0 1 2 3 4 5 6 7 8 9; do
  mkdir -p "$folder/in"
  cp -r "$from" "$folder/in/$copy"
done
chmod -R u+w "$folder/in"
bytes=$(find "$folder/in" -type f \( -name '*.jsonl' -o -name '*.json' \) -printf '%s\n' | awk '{ n += $1 } END { print n }')
for _ in 1 2 3 4 5; do
  rm -rf "$folder/table"
  /usr/bin/time -f '%e %U %M' -o "$folder/time" "$program" export --key=bench --out="$folder/table" "$folder/in" >/dev/null
  cat "$folder/time"
done | sort -n | awk -v bytes="$bytes" 'NR == 3 { printf "export: %.0f MB/s, median of 5 (%.0f MB in %.2f s, %.2f s of processors, %.0f MB of memory)\n", bytes / $1 / 1e6, bytes / 1e6, $1, $2, $3 / 1024 }'
