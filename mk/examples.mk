# Copyright The ctx-lsp authors. MIT licence.

# The examples of docs/hosts.md, run as they are printed.

TEST_TARGETS += test-examples
TOOLS_TARGETS += tools-examples

.PHONY: test-examples
test-examples: build tools-examples ## the examples for hosts: Node, the browser, Go, Python and Neovim
	@NVIM=$(NEOVIM_TOOLS)/sid/bin/nvim VIMRUNTIME=$(NEOVIM_TOOLS)/sid/usr/share/nvim/runtime node mk/examples.mjs $(ONLY)

.PHONY: tools-examples
tools-examples: tools-neovim
	@missing=; for program in chromium python3; do command -v $$program >/dev/null || missing="$$missing $$program"; done; \
	[ -z "$$missing" ] || mk/apt.sh install $$missing
