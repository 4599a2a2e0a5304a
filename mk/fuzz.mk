# Copyright The ctx-lsp authors. MIT licence.

# What runs for long: fuzz targets, and the daemon under everything that goes wrong.

MINUTES ?= 30
.PHONY: fuzz
fuzz: wasm ## every fuzz target in turns, MINUTES=30 in all; the last line counts the executions
	@$(GO) run ./tools/fuzz -minutes $(MINUTES) $(FUZZ_FLAGS)
