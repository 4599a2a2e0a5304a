#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Installs the browsers that the tests drive, where they are not there yet.
set -euo pipefail
missing=()
command -v chromium >/dev/null || missing+=(chromium)
command -v firefox-esr >/dev/null || missing+=(firefox-esr)
command -v openssl >/dev/null || missing+=(openssl)
if [ ${#missing[@]} -gt 0 ]; then
  "$(dirname "$0")/../../../mk/apt.sh" install "${missing[@]}"
fi
