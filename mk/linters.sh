#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Installs luacheck and shellcheck if they are missing and Debian's packages are available.
set -eu
missing=()
command -v luacheck >/dev/null || missing+=(lua-check)
command -v shellcheck >/dev/null || missing+=(shellcheck)
[ ${#missing[@]} -gt 0 ] || exit 0
if ! command -v apt-get >/dev/null; then
  echo "make lint needs luacheck and shellcheck; ${missing[*]} must be installed by hand here" >&2
  exit 1
fi
"$(dirname "$0")/apt.sh" install "${missing[@]}"
