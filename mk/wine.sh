#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Runs a program of Windows under Wine, as `go test -exec` wants it: mk/wine.sh PROGRAM ARGUMENT...
# CTX_WINE is the folder with the prefix, which mk/windows.sh makes. Nothing of this system's environment reaches the
# program but what tests ask for by name, because a HOME or an XDG folder of Linux would lead it to places that no
# Windows has.
set -euo pipefail
: "${CTX_WINE:?it is the folder of the prefix, and mk/windows.sh sets it}"
wine=$(command -v wine64 || echo /usr/lib/wine/wine64)
keep=(PATH=/usr/bin:/bin HOME="$CTX_WINE" WINEPREFIX="$CTX_WINE/prefix" WINEDEBUG="${WINEDEBUG:--all}" LANG=C.UTF-8)
keep+=(WINEDLLOVERRIDES='mscoree,mshtml,winemenubuilder.exe=')
for name in $(compgen -e); do
  case $name in
  CTX_WINE | CTX_TRANSCRIPTS | CTX_SAMPLES | CTX_VOCABULARIES) ;; # folders of this system
  CTX_* | GO*) keep+=("$name=${!name}") ;;
  esac
done
exec env -i "${keep[@]}" "$wine" "$@"
