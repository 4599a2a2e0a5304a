#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Builds a collector of OpenTelemetry from Go's modules, with its receiver of OTLP and what prints every point, and has
# otlp.mjs send it measurements.
#   otlp.sh CTX-LSP TOOLS
# The modules are some 200, and a proxy may stop in the middle of them. What has come is kept, so that each further try
# has less to fetch.
set -u
program=$(realpath "$1") tools=$2
here=$(cd "$(dirname "$0")" && pwd)
version=0.155.0
folder=$tools/collector-$version
collector=$folder/collector
if [ ! -x "$collector" ]; then
  mkdir -p "$folder"
  cat >"$folder/builder.yaml" <<YAML
dist: {name: collector, output_path: $folder/source, module: example.com/collector}
receivers: [{gomod: go.opentelemetry.io/collector/receiver/otlpreceiver v$version}]
exporters: [{gomod: go.opentelemetry.io/collector/exporter/debugexporter v$version}]
YAML
  for try in 1 2 3 4 5; do
    echo "building the collector, try $try of 5"
    GOFLAGS=-mod=mod ${GO:-go} run "go.opentelemetry.io/collector/cmd/builder@v$version" --config="$folder/builder.yaml" \
      >"$folder/build.log" 2>&1 && cp "$folder/source/collector" "$collector" && break
    sleep $((5 * try))
  done
fi
if [ ! -x "$collector" ]; then
  tail -n 20 "$folder/build.log"
  echo "FAIL the collector cannot be built"
  echo "0 passed, 1 failed"
  exit 1
fi
node "$here/otlp.mjs" "$program" "$collector"
