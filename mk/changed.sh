#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Runs the linters on the files that differ from the main branch, and on new ones.
#   GOLANGCI=PROGRAM BIOME=PROGRAM STYLUA=COMMAND mk/changed.sh [BRANCH]
# A linter that is not installed is named and left out: `make lint` installs it.
set -u
base=$(git merge-base "${1:-main}" HEAD) || exit 1
mapfile -t files < <({ git diff --name-only --diff-filter=d "$base"; git ls-files --others --exclude-standard; } | sort -u)
failed=0
GOLANGCI=$(realpath -m "$GOLANGCI")

# matching PATTERN: sets `matched` to the changed files that match, and fails if there are none.
matching() {
  matched=()
  local file
  for file in "${files[@]}"; do [[ ! $file =~ $1 ]] || matched+=("$file"); done
  [ ${#matched[@]} -gt 0 ]
}

# lint PROGRAM COMMAND...: runs the command if there is the program.
lint() {
  if command -v "$1" >/dev/null; then
    "${@:2}" || failed=1
  else
    echo "$1 is not installed and left out; make lint installs it"
  fi
}

if matching '\.go$'; then
  unformatted=$(gofmt -l "${matched[@]}")
  [ -z "$unformatted" ] || { echo "gofmt: $unformatted"; failed=1; }
  # Each module is checked in its own directory.
  for module in . fleet tools; do
    mapfile -t packages < <(printf './%s\n' "${matched[@]}" | grep -v '/testdata/' | xargs -rn1 dirname | sort -u |
      if [ "$module" = . ]; then grep -vE '^\./(fleet|tools)/'; else sed -n "s#^\./$module/#./#p"; fi)
    [ ${#packages[@]} -gt 0 ] || continue
    lint go go vet -C "$module" "${packages[@]}"
    pushd "$module" >/dev/null || exit 1
    lint "$GOLANGCI" "$GOLANGCI" run --allow-parallel-runners "${packages[@]}"
    popd >/dev/null || exit 1
  done
fi
if matching '\.(ts|mjs|cjs|js|json)$'; then
  lint "$BIOME" "$BIOME" check --error-on-warnings --no-errors-on-unmatched "${matched[@]}"
fi
if matching '\.lua$'; then
  # shellcheck disable=SC2153 # set by the target
  read -ra stylua <<<"$STYLUA"
  lint "$BIOME" "${stylua[@]}" --check "${matched[@]}" # npm brings both
  lint luacheck luacheck -q "${matched[@]}"
fi
if matching '(\.sh|^\.ci/run)$'; then
  lint shellcheck shellcheck -x "${matched[@]}"
fi
if matching '\.(go|ts|mjs|cjs|js|lua|sh|mk|py|el)$'; then
  mk/tool.sh style source "${matched[@]}" || failed=1
fi
if matching '\.md$'; then
  mk/tool.sh style prose "${matched[@]}" || failed=1
fi
exit "$failed"
