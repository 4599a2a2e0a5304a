#!/bin/sh
# Copyright The ctx-lsp authors. MIT licence.

# The ctx-lsp on the agents' PATH: it runs the real one and notes the exit code of each hook and status line.
"$LAB_PROGRAM" "$@"
code=$?
case "$1" in hook | statusline) printf '%s\t%s\n' "$code" "$*" >>"$LAB_CALLS" ;; esac
exit $code
