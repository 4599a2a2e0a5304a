#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Installs the programs that read exports and metrics, if they are missing: Debian's Prometheus, and from npm DuckDB and
# Grafana's types. It does not fail if they are unavailable, because run.sh then leaves out the checks that need them.
#   install.sh TOOLS
set -u
tools=$1
here=$(cd "$(dirname "$0")" && pwd)
command -v prometheus >/dev/null || bash "$here/../../mk/apt.sh" install prometheus
mkdir -p "$tools"
if ! [ -d "$tools/node_modules/@duckdb/node-api" ] || ! [ -d "$tools/node_modules/@grafana/schema" ]; then
  [ -f "$tools/package.json" ] || echo '{"private": true}' >"$tools/package.json"
  npm install --prefix "$tools" --no-audit --no-fund --no-save --loglevel=error --fetch-retries=1 \
    @duckdb/node-api@1.5.6-r.1 @grafana/schema@13.2.3 typescript@5.9
fi
exit 0
