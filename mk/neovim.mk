# Copyright The ctx-lsp authors. MIT licence.

# The Neovim plugin. Its tests drive real editors, which tests/install.sh unpacks from Debian's packages.

NEOVIM       := extensions/neovim
NEOVIM_TOOLS := $(CURDIR)/.cache/neovim

TEST_TARGETS += test-neovim
TOOLS_TARGETS += tools-neovim
BENCH_TARGETS += bench-neovim

.PHONY: tools-neovim
tools-neovim:
	@sh $(NEOVIM)/tests/install.sh $(NEOVIM_TOOLS)

.PHONY: test-neovim
test-neovim: bin tools-neovim ## the plugin in Neovim 0.7, 0.10 and the newest, headless and in a terminal
	@$(NEOVIM)/tests/run.sh $(NEOVIM_TOOLS) $(CURDIR)/$(BIN)$(EXE) $(SPEC)

.PHONY: bench-neovim
bench-neovim: tools-neovim ## what loading the plugin and drawing a statusline cost
	@CTX_TEST_BENCH=1 $(NEOVIM)/tests/run.sh $(NEOVIM_TOOLS) "" speed

.PHONY: doc-neovim
doc-neovim: tools-neovim ## doc/ctx.txt from the schema of the options
	@cd $(NEOVIM) && VIMRUNTIME=$(NEOVIM_TOOLS)/sid/usr/share/nvim/runtime \
		$(NEOVIM_TOOLS)/sid/bin/nvim -u NONE -l scripts/doc.lua
