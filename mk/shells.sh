#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Installs programs for the Go tests of the command line, if Debian's packages are available: the shells that read our
# completion scripts, and tmux, which draws the terminal of ctx-lsp top. Otherwise those tests are skipped.
set -eu
missing=()
for shell in zsh fish tmux; do
  command -v "$shell" >/dev/null || missing+=("$shell")
done
if [ ${#missing[@]} -gt 0 ] && command -v apt-get >/dev/null; then
  "$(dirname "$0")/apt.sh" install "${missing[@]}"
fi
