#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Exports five copies of the transcripts in each format, on all cores and on one, and beside it has jq take the same
# numbers out of the same bytes on all cores: model, input, output and cache of each answer. In each of three rounds
# each takes its turn; the fastest is printed.
#   bench.sh CTX-LSP TRANSCRIPTS
set -eu
program=$(realpath "$1") from=$(realpath "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for copy in 0 1 2 3 4; do
  mkdir -p "$folder/in"
  cp -r "$from" "$folder/in/$copy"
done
chmod -R u+w "$folder/in"
find "$folder/in" -type f \( -name '*.jsonl' -o -name '*.json' \) >"$folder/list"
bytes=$(tr '\n' '\0' <"$folder/list" | xargs -0 stat -c %s | awk '{ n += $1 } END { print n }')
cores=$(nproc)
run() { # run NAME COMMAND...: seconds, those of processors, kilobytes
  rm -rf "$folder/table"
  /usr/bin/time -f "%e %U %S %M" -o "$folder/time" "${@:2}" >/dev/null
  echo "$1 $(cat "$folder/time")" >>"$folder/times"
}
# shellcheck disable=SC2016
peer='.. | objects | select(has("input_tokens")) | [.input_tokens, .output_tokens, .cache_read_input_tokens]'
for _ in 1 2 3; do
  for format in parquet csv jsonl; do
    run "$format" "$program" export --key=bench --format=$format --out="$folder/table" "$folder/in"
  done
  run "parquet,-one-core" taskset -c $((cores - 1)) "$program" export --key=bench --out="$folder/table" "$folder/in"
  run "csv,-standard-output" "$program" export --key=bench --format=csv "$folder/in"
  if command -v jq >/dev/null; then
    run "jq-1.x" xargs -P "$cores" -n 8 -a "$folder/list" jq -c "$peer"
  fi
done
echo "$cores cores, load average $(cut -d' ' -f1 /proc/loadavg); $((bytes / 1000000)) MB of transcripts; the fastest of three rounds"
sort -k1,1 -k2,2n "$folder/times" | awk -v bytes="$bytes" '!seen[$1]++ { gsub("-", " ", $1)
  printf "%-22s %4.0f MB/s  (%.2f s, %.2f s of processors, %.0f MB of memory)\n", $1, bytes / $2 / 1e6, $2, $3 + $4, $5 / 1024 }'
