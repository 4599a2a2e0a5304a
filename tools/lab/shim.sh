#!/bin/sh
# Copyright The ctx-lsp authors. MIT licence.

# The ctx-lsp on the agents' PATH: it runs the real one and notes the exit code of each hook and status line, and the
# line itself.
if [ "$1" = statusline ]; then
	line=$("$LAB_PROGRAM" "$@")
	code=$?
	printf '%s\n' "$line"
	printf '%s\t%s\n' "$(date +%s)" "$line" >>"$LAB_LINES"
else
	"$LAB_PROGRAM" "$@"
	code=$?
fi
case "$1" in hook | statusline) printf '%s\t%s\n' "$code" "$*" >>"$LAB_CALLS" ;; esac
exit $code
