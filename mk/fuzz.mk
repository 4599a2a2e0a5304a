# Copyright The ctx-lsp authors. MIT licence.

# Two things that run for long: the fuzz targets, and the daemon while everything goes wrong.

MINUTES ?= 30
.PHONY: fuzz
fuzz: wasm ## every fuzz target in turns, MINUTES=30 in all; the last line counts the executions
	@$(TOOL) fuzz -minutes $(MINUTES) $(FUZZ_FLAGS)

SECONDS_EACH ?= 10
.PHONY: oss-fuzz
oss-fuzz: ## the fuzz targets as OSS-Fuzz builds them, with this machine's clang: each runs SECONDS_EACH=10 (NAMES=FuzzCall,… for some)
	@bash tools/oss-fuzz/check.sh $(SECONDS_EACH) $(NAMES)

CHAOS ?= 10m
HANDOVERS ?= 200
.PHONY: chaos
chaos: wasm ## two daemons of two versions, killed, starved and lied to for CHAOS=10m, then HANDOVERS=200 busy handovers; SEED=N repeats the order
	@mkdir -p bin/chaos
	CGO_ENABLED=0 $(GO) build -tags chaos -trimpath -ldflags "-X github.com/ctx-lsp/ctx-lsp/internal/cli.version=v0.0.1" -o bin/chaos/one ./cmd/ctx-lsp
	CGO_ENABLED=0 $(GO) build -tags chaos -trimpath -ldflags "-X github.com/ctx-lsp/ctx-lsp/internal/cli.version=v0.0.2 -X github.com/ctx-lsp/ctx-lsp/core/internal/codec.build=two" -o bin/chaos/two ./cmd/ctx-lsp
	@$(TOOL) chaos -for $(CHAOS) $(if $(SEED),-seed $(SEED)) bin/chaos/one bin/chaos/two
	@$(TOOL) chaos -handovers $(HANDOVERS) $(if $(SEED),-seed $(SEED)) bin/chaos/one bin/chaos/two
