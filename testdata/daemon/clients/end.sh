#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Ends all processes that were started with a runtime directory: editors, which would start their daemon again, and
# the daemon that they share, which outlives the last of them by minutes.
#   end.sh RUNTIME_DIR
set -u
for signal in $(printf 'TERM %.0s' {1..20}) KILL; do
  left=
  for process in /proc/[0-9]*; do
    [ "$process" != "/proc/$$" ] || continue
    if tr '\0' '\n' <"$process/environ" | grep -qxF "XDG_RUNTIME_DIR=$1"; then
      left=yes
      kill -"$signal" "${process#/proc/}"
    fi
  done 2>/dev/null
  [ -n "$left" ] || break
  sleep 0.1
done
