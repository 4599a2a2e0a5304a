#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Installs the shells that read our completion scripts in the Go tests, where Debian's packages are at hand. Elsewhere
# those tests skip the shells that are not there, and say so.
set -eu
missing=()
for shell in zsh fish; do
  command -v "$shell" >/dev/null || missing+=("$shell")
done
if [ ${#missing[@]} -gt 0 ] && command -v apt-get >/dev/null; then
  "$(dirname "$0")/apt.sh" install "${missing[@]}"
fi
