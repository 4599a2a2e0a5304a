#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Runs suites one after the other with programs whose clock is some days ahead.
#   mk/shifted.sh MAKE DIR "DAYS..." SUITE...
# The outputs stay in DIR/DAYS. The last line is "N passed, M failed" over all days.
set -u
make=$1 dir=$2 all_days=$3
shift 3
bash mk/tool.sh shiftclock "$dir" || exit 1
passed=0 failed=0
for days in $all_days; do
  mkdir -p "$dir/$days/vscode"
  export CTX_TEST_DAYS_AHEAD=$days BIN=$dir/$days/ctx-lsp CTX_TEST_DAEMON=$PWD/$dir/$days/vscode/ctx-lsp
  # Tests that build programs build them with this clock, too.
  export GOFLAGS="-overlay=$PWD/$dir/overlay.json -ldflags=-X=time.daysAhead=$days" GOTESTFLAGS=-count=1
  "$make" --no-print-directory bin || exit 1
  CGO_ENABLED=0 go build -trimpath -tags beside -ldflags="-s -w -X=time.daysAhead=$days" -o "$CTX_TEST_DAEMON" ./cmd/ctx-lsp || exit 1
  for suite in "$@"; do
    log=$dir/$days/$suite.log
    echo "== $days days ahead: $suite"
    "$make" --no-print-directory -o bin -o wasm/js/ctx.wasm "$suite" </dev/null >"$log" 2>&1
    status=$?
    grep -avE '^(ok|slow:)' "$log" | tail -n 200
    line=$(grep -aE '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1)
    p=${line%% passed*} f=${line#* passed, }
    f=${f%%[!0-9]*}
    [ -n "$line" ] && { [ "$status" -eq 0 ] || [ "$f" -gt 0 ]; } || f=$((${f:-0} + 1))
    passed=$((passed + ${p:-0})) failed=$((failed + f))
  done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
