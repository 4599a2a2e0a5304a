# Copyright The ctx-lsp authors. MIT licence.

# The server of the Model Context Protocol. Its tests with the SDK's client are among Go's.

INSPECTOR ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/ctx-lsp/inspector

TEST_TARGETS += test-mcp
.PHONY: test-mcp
test-mcp: bin ## the protocol's own inspector (from npm) asks ctx-lsp mcp
	@node testdata/inspector/run.mjs $(BIN)$(EXE) $(INSPECTOR)
