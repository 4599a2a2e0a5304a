# Copyright The ctx-lsp authors. MIT licence.

# The commands that README.md and the extensions' pages name, run as they are printed in a fresh clone and an empty
# home.

TEST_TARGETS += test-commands
TOOLS_TARGETS += tools-commands

.PHONY: tools-commands
tools-commands: tools-neovim

.PHONY: test-commands
test-commands: bin tools-commands ## the cheap commands of the README and the extensions' pages, in a fresh clone: VS Code's package, Neovim, ctx-lsp
	@NVIM=$(NEOVIM_TOOLS)/sid/bin/nvim VIMRUNTIME=$(NEOVIM_TOOLS)/sid/usr/share/nvim/runtime node mk/commands.mjs

.PHONY: test-clone
test-clone: bin tools-commands ## all commands of these pages that need no release, in a fresh clone; takes minutes
	@NVIM=$(NEOVIM_TOOLS)/sid/bin/nvim VIMRUNTIME=$(NEOVIM_TOOLS)/sid/usr/share/nvim/runtime node mk/commands.mjs --all
