#!/bin/sh
# Copyright The ctx-lsp authors. MIT licence.
#
# Runs the tests of the plugin with every Neovim there is and adds them up.
#
#   tests/run.sh TOOLS SERVER [name of a file in tests/spec…]
#
# TOOLS is the folder of tests/install.sh, SERVER the program ctx-lsp. CTX_TEST_VERSIONS chooses among system, trixie,
# sid.
set -u

tools=$1
server=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
versions=${CTX_TEST_VERSIONS:-system trixie sid}

# Tests mostly wait for editors, so all versions are tested at the same time.
for version in $versions; do
  CTX_TEST_NVIM=$tools/$version/bin/nvim CTX_TEST_NAME=$version CTX_TEST_TOOLS=$tools CTX_TEST_SERVER=$server \
    VIMRUNTIME=$tools/sid/usr/share/nvim/runtime \
    "$tools/sid/bin/nvim" -u NONE --headless -l "$here/run.lua" "$@" >"$logs/$version" 2>&1 &
done
wait

passed=0 failed=0 skipped=0
for version in $versions; do
  cat "$logs/$version"
  line=$(grep -aE '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$logs/$version" | tail -n 1)
  if [ -z "$line" ]; then
    echo "FAIL  the tests with the Neovim of $version did not come to their end"
    failed=$((failed + 1))
    continue
  fi
  passed=$((passed + ${line%% passed*}))
  rest=${line#* passed, }
  failed=$((failed + ${rest%% failed*}))
  rest=${rest#* failed, }
  skipped=$((skipped + ${rest%% skipped*}))
done

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
