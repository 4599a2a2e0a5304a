# Copyright The ctx-lsp authors. MIT licence.

# Telemetry and exports. Their readers come from npm and Debian, a collector from Go's modules.

TELEMETRY_TOOLS ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/ctx-lsp/telemetry-tools

TEST_TARGETS  += test-telemetry
TOOLS_TARGETS += tools-telemetry
BENCH_TARGETS += bench-export bench-telemetry

.PHONY: tools-telemetry
tools-telemetry:
	@bash testdata/telemetry/install.sh $(TELEMETRY_TOOLS)

.PHONY: test-telemetry
test-telemetry: bin bin-fleet tools-telemetry ## Prometheus, Grafana's types and DuckDB read what is measured and exported
	@bash testdata/telemetry/run.sh $(BIN)$(EXE) $(TELEMETRY_TOOLS)

.PHONY: test-otlp
test-otlp: bin bin-fleet ## a collector of OpenTelemetry, built from Go's modules (minutes at first), gets both protocols
	@bash testdata/telemetry/otlp.sh $(BIN)$(EXE) $(TELEMETRY_TOOLS)

.PHONY: test-stores
test-stores: ## a parser of Trino's SQL (from npm) reads its statements in docs/export.md
	@node testdata/telemetry/stores.mjs $(TELEMETRY_TOOLS)

.PHONY: bench-export
bench-export: bin bin-fleet ## how fast past sessions are exported, and in how much memory; needs CTX_TRANSCRIPTS
	@if [ -z "$(CTX_TRANSCRIPTS)" ]; then echo "CTX_TRANSCRIPTS is not set; bench-export is skipped"; exit 0; fi; \
	bash testdata/telemetry/bench.sh $(BIN)$(EXE) $(CTX_TRANSCRIPTS)

.PHONY: bench-telemetry
bench-telemetry: bin bin-fleet ## what sending to a slow collector costs the p99 of the daemon's updates; minutes
	@$(TOOL) loadtest -telemetry=12 -for=11s -rate=500 $(BENCH_FLAGS) $(BIN)$(EXE)
