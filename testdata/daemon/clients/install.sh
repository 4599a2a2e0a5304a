#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Installs the language clients that the daemon is tried with, where they are missing: Debian's Emacs, Vim and Neovim,
# the Helix of a later Debian, and Microsoft's client libraries from npm.
#   install.sh DIRECTORY
set -eu
tools=$1
here=$(cd "$(dirname "$0")" && pwd)
packages=(emacs-nox elpa-eglot elpa-lsp-mode vim vim-ale neovim tmux)
missing=()
for package in "${packages[@]}"; do
  # shellcheck disable=SC2016 # the expansion is dpkg-query's
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
  echo "installing ${missing[*]}"
  "$here/../../../mk/apt.sh" install "${missing[@]}"
fi
mkdir -p "$tools"
"$here/../../../mk/suite.sh" unpack "$tools/.apt" trixie hx hx "$tools/helix"
if ! cmp -s "$here/package-lock.json" "$tools/package-lock.json" 2>/dev/null || [ ! -d "$tools/node_modules" ]; then
  cp "$here/package.json" "$here/.npmrc" "$tools/"
  cp "$here/package-lock.json" "$tools/" 2>/dev/null || true
  (cd "$tools" && npm install --ignore-scripts --no-audit --no-fund --silent)
fi
