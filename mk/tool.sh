#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Builds a program of tools/, which is a module of its own, and runs it in the current directory:
#
#	mk/tool.sh gen/types -check
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
name=$1
shift
program=$root/bin/tools/$name$(${GO:-go} env GOEXE)
mkdir -p "$(dirname "$program")"
${GO:-go} build -C "$root/tools" -o "$program.$$" "./$name"
mv -f "$program.$$" "$program"
exec "$program" "$@"
