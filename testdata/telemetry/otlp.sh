#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Builds a collector of OpenTelemetry from Go's modules, and sends it measurements by both protocols.
#   otlp.sh CTX-LSP TOOLS
set -u
program=$(realpath "$1") tools=$2
version=0.155.0
collector=$tools/collector-$version/collector
passed=0 failed=0
if [ ! -x "$collector" ]; then
  mkdir -p "$tools/collector-$version"
  cat >"$tools/collector-$version/builder.yaml" <<YAML
dist: {name: collector, output_path: $tools/collector-$version/source, module: example.com/collector}
receivers: [{gomod: go.opentelemetry.io/collector/receiver/otlpreceiver v$version}]
exporters: [{gomod: go.opentelemetry.io/collector/exporter/debugexporter v$version}]
YAML
  GOFLAGS='' go run go.opentelemetry.io/collector/cmd/builder@v$version --config="$tools/collector-$version/builder.yaml" &&
    cp "$tools/collector-$version/source/collector" "$collector"
fi
if [ ! -x "$collector" ]; then
  echo "FAIL the collector cannot be built"
  echo "0 passed, 1 failed"
  exit 1
fi
folder=$(mktemp -d)
trap 'kill $collecting 2>/dev/null; rm -rf "$folder"' EXIT
port=$((20000 + RANDOM % 20000))
cat >"$folder/config.yaml" <<YAML
receivers: {otlp: {protocols: {http: {endpoint: "127.0.0.1:$port"}}}}
exporters: {debug: {verbosity: detailed}}
service: {telemetry: {metrics: {level: none}}, pipelines: {metrics: {receivers: [otlp], exporters: [debug]}}}
YAML
"$collector" --config="$folder/config.yaml" >"$folder/log" 2>&1 &
collecting=$!
for _ in $(seq 100); do
  grep -q "Everything is ready" "$folder/log" && break
  sleep 0.1
done
mkdir -p "$folder/.claude/projects/-w-shop"
cp testdata/sessions/sample.jsonl "$folder/.claude/projects/-w-shop/0197aaaa-0000-7000-8000-000000000001.jsonl"
for protocol in http/protobuf http/json; do
  : >"$folder/log"
  HOME=$folder XDG_STATE_HOME=$folder/state OTEL_EXPORTER_OTLP_PROTOCOL=$protocol OTEL_EXPORTER_OTLP_COMPRESSION=gzip \
    OTEL_METRIC_EXPORT_INTERVAL=500 timeout 6 "$program" watch --json --otlp="http://127.0.0.1:$port" >/dev/null 2>"$folder/said"
  for want in "Name: ctx.sessions" "Name: ctx.first_request" "service.name: Str(ctx-lsp)" "ctx.level: Str(ok)"; do
    if grep -qF -- "$want" "$folder/log"; then
      passed=$((passed + 1))
    else
      echo "FAIL $protocol: the collector has not seen \"$want\"; ctx-lsp said: $(cat "$folder/said")"
      failed=$((failed + 1))
    fi
  done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
