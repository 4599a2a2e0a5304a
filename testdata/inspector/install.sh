#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Installs the inspector of the Model Context Protocol from npm, if this version of it is missing.
#   install.sh TOOLS
set -eu
tools=$1
here=$(cd "$(dirname "$0")" && pwd)
if ! cmp -s "$here/package-lock.json" "$tools/package-lock.json" || [ ! -d "$tools/node_modules" ]; then
  mkdir -p "$tools"
  cp "$here/package.json" "$here/package-lock.json" "$here/.npmrc" "$tools/"
  cd "$tools"
  npm ci --ignore-scripts --no-audit --no-fund --silent
fi
