#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Runs suites with programs whose clock is some days ahead.
#   WAITING="SUITE..." mk/shifted.sh MAKE DIR "DAYS..." SUITE...
# The last line is "N passed, M failed" over all days.
set -u
make=$1 dir=$2 all_days=$3
shift 3
bash mk/tool.sh shiftclock "$dir" || exit 1
passed=0 failed=0
for days in $all_days; do
  echo "== $days days ahead: $(date -u -d "$days days" +%F 2>/dev/null)"
  export CTX_TEST_DAYS_AHEAD=$days BIN=$dir/$days/ctx-lsp
  export CTX_TEST_DAEMON=$PWD/$BIN
  mkdir -p "$dir/$days"
  # Tests that build programs build them with this clock, too.
  export GOFLAGS="-overlay=$PWD/$dir/overlay.json -ldflags=-X=time.daysAhead=$days" GOTESTFLAGS="${GOTESTFLAGS:-} -count=1"
  TOOLS="${*/#test-/tools-}" bash mk/test.sh "$make" "$@" 2>&1 | tee "$dir/$days/log"
  line=$(grep -aE '^[0-9]+ passed, [0-9]+ failed' "$dir/$days/log" | tail -n 1)
  [ -n "$line" ] || line="0 passed, 1 failed"
  echo "== $days days ahead: $line"
  passed=$((passed + ${line%% passed*}))
  rest=${line#* passed, }
  failed=$((failed + ${rest%% failed*}))
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
