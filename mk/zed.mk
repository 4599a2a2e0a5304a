# Copyright The ctx-lsp authors. MIT licence.

# Zed's extension. Without Cargo it is not compiled, and make test leaves it out.

ifneq ($(shell command -v cargo 2>/dev/null),)
TEST_TARGETS += test-zed
endif

.PHONY: test-zed
test-zed: ## Zed's extension, compiled with its real crate
	@cd extensions/zed && CARGO_TARGET_DIR=$(CURDIR)/bin/zed cargo check --locked --quiet && echo "1 passed, 0 failed"
