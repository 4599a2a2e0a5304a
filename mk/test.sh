#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Runs test targets one after the other and adds up their closing lines "N passed, M failed".
#   mk/test.sh MAKE TARGET...
# A target that fails without having counted a failure, or that counts nothing at all, is a failure itself.
# With CTX_TEST_AGAIN=1 a target that failed is run once more, and the summary says so: real editors and browsers on a
# busy machine fail now and then for reasons of their own, and a second failure is one of ours.
set -u
make=$1
shift
log=$(mktemp)
trap 'rm -f "$log"' EXIT
passed=0 failed=0 summary=""
run() {
  "$make" --no-print-directory "$target" 2>&1 | tee "$log"
  status=${PIPESTATUS[0]}
  line=$(grep -aE '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1)
  p=0 f=0
  if [ -n "$line" ]; then
    p=${line%% passed*}
    f=${line#* passed, }
    f=${f%% failed*}
  fi
  if [ "$status" -ne 0 ] && [ "$f" -eq 0 ]; then
    f=1
    echo "$target: exited with an error"
  elif [ $((p + f)) -eq 0 ]; then
    f=1
    echo "$target: ran no test"
  fi
}

for target in "$@"; do
  echo "== $target"
  started=$SECONDS again=""
  run
  if [ "$f" -gt 0 ] && [ "${CTX_TEST_AGAIN:-}" = 1 ]; then
    echo "== $target, once more"
    again=", on the second run"
    run
  fi
  passed=$((passed + p)) failed=$((failed + f))
  summary+=$(printf '%-20s %6d passed %4d failed %5d s%s' "$target" "$p" "$f" $((SECONDS - started)) "$again")$'\n'
done
echo
printf '%s' "$summary"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
