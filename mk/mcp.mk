# Copyright The ctx-lsp authors. MIT licence.

# The server of the Model Context Protocol. Its tests with the SDK's client are among Go's.

INSPECTOR ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/ctx-lsp/inspector

TEST_TARGETS  += test-mcp
TOOLS_TARGETS += tools-mcp

.PHONY: tools-mcp
tools-mcp:
	@bash testdata/inspector/install.sh $(INSPECTOR)

.PHONY: test-mcp
test-mcp: bin tools-mcp ## the protocol's own inspector (from npm) asks ctx-lsp mcp
	@node testdata/inspector/run.mjs $(BIN)$(EXE) $(INSPECTOR)
