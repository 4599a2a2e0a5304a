# Copyright The ctx-lsp authors. MIT licence.

# The Emacs package. Its tests drive Debian's Emacs, in batch and in a terminal.

EMACS_PACKAGES := emacs-nox elpa-eglot elpa-markdown-mode elpa-package-lint tmux

TEST_TARGETS += test-emacs
TOOLS_TARGETS += tools-emacs

.PHONY: tools-emacs
tools-emacs:
	@dpkg-query -W $(EMACS_PACKAGES) >/dev/null 2>&1 || bash mk/apt.sh install $(EMACS_PACKAGES)

.PHONY: test-emacs
test-emacs: bin tools-emacs ## the Emacs package in Debian's Emacs, and by the linters of Emacs packages
	@bash extensions/emacs/test/run.sh $(BIN)$(EXE)
