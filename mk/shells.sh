#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Installs what the Go tests of the command line need, where Debian's packages are at hand: the shells that read our
# completion scripts, and tmux, which draws the terminal of ctx-lsp top. Elsewhere those tests skip what is not there,
# and say so.
set -eu
missing=()
for shell in zsh fish tmux; do
  command -v "$shell" >/dev/null || missing+=("$shell")
done
if [ ${#missing[@]} -gt 0 ] && command -v apt-get >/dev/null; then
  "$(dirname "$0")/apt.sh" install "${missing[@]}"
fi
