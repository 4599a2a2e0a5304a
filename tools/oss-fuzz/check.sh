#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Builds the fuzz targets as OSS-Fuzz does, with a clang of this machine, and runs each for some seconds.
#   check.sh SECONDS [NAME,...]
# The last line is "N executions of M targets under libFuzzer, F failed".
set -euo pipefail
seconds=$1
clang=$(command -v clang++ clang++-{25,24,23,22,21,20,19,18,17,16,15,14} | head -n 1 || true)
if [ -z "$clang" ]; then
  echo "oss-fuzz: there is no clang++ here, with which libFuzzer comes" >&2
  exit 1
fi
command -v zip >/dev/null || "$(dirname "$0")/../../mk/apt.sh" install zip
OUT=${OUT:-$(mktemp -d)}
export OUT ONLY=${2:-} CXX=$clang CXXFLAGS=-fsanitize=address LIB_FUZZING_ENGINE=-fsanitize=fuzzer SANITIZER=address
echo "oss-fuzz: $clang builds into $OUT"
bash "$(dirname "$0")/build.sh"
executions=0 count=0 failed=0
for corpus in "$OUT"/Fuzz*_seed_corpus.zip; do
  target=$(basename "$corpus" _seed_corpus.zip)
  found=$OUT/found/$target
  mkdir -p "$found"
  unzip -qn "$corpus" -d "$found"
  status=0
  "$OUT/$target" -max_total_time="$seconds" -print_final_stats=1 -artifact_prefix="$OUT/$target-" "$found" >"$OUT/$target.log" 2>&1 || status=$?
  n=$(sed -n 's/^stat::number_of_executed_units: *//p' "$OUT/$target.log")
  count=$((count + 1)) executions=$((executions + ${n:-0}))
  if [ "$status" -ne 0 ] || [ "${n:-0}" -eq 0 ]; then
    failed=$((failed + 1))
    tail -n 40 "$OUT/$target.log"
    echo "$target fails; its input is beside it in $OUT"
  else
    echo "$target: $n executions"
  fi
done
echo "$executions executions of $count targets under libFuzzer, $failed failed"
[ "$failed" -eq 0 ]
