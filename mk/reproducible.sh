#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Makes a release of the last commit twice, in two new folders, and compares them byte by byte. The last line is "N
# passed, M failed". With APART=1 each has a build cache of its own, so that nothing is taken over: that takes long.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
version=${VERSION:-0.0.1}
place=$(mktemp -d)
trap 'chmod -R u+w "$place"; rm -rf "$place"' EXIT
make --no-print-directory bin/lint/"goreleaser-$(sed -n 's/^GORELEASER_VERSION := //p' mk/release.mk)"/goreleaser
for folder in one another/deeper; do
  git clone --quiet --local "$root" "$place/$folder"
  git -C "$place/$folder" checkout --quiet --detach "$(git rev-parse HEAD)"
  mkdir -p "$place/$folder/bin"
  ln -s "$root/bin/lint" "$place/$folder/bin/lint"
  [ ! -e bin/tinygo ] || cp bin/tinygo "$place/$folder/bin/"
  for extension in vscode browser; do
    [ -d "extensions/$extension/node_modules" ] || continue
    cp -a "extensions/$extension/node_modules" "$place/$folder/extensions/$extension/"
    # They are newer than the lock file that was just checked out; else make would install them anew.
    touch "$place/$folder/extensions/$extension/node_modules" "$place/$folder/extensions/$extension/node_modules/.package-lock.json"
  done
  [ -z "${APART:-}" ] || export GOCACHE=$place/$folder-cache
  (cd "$place/$folder" && umask 027 && make --no-print-directory release VERSION="$version" >"$place/log" 2>&1) ||
    { tail -n 30 "$place/log"; echo "0 passed, 1 failed"; exit 1; }
  sleep 2 # another second, for whatever writes the time of day
done
passed=0 failed=0
while read -r _ file; do
  if cmp -s "$place/one/dist/$file" "$place/another/deeper/dist/$file"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAIL  $file differs"
  fi
done <"$place/one/dist/SHA256SUMS"
cmp "$place/one/dist/SHA256SUMS" "$place/another/deeper/dist/SHA256SUMS" || failed=$((failed + 1))
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
