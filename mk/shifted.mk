# Copyright The ctx-lsp authors. MIT licence.

# The suites that have a daemon of their own, on other days. tools/shiftclock makes builds whose clock is ahead, and
# each driver dates its sessions by CTX_TEST_DAYS_AHEAD. Recordings that enter a home in another way than through the
# helpers of CONTRIBUTING.md fail here, as does whatever else is true on some days only.

SHIFTED_DAYS   ?= 2 40 400
SHIFTED_SUITES ?= test-go test-vscode test-browser test-neovim test-daemon test-emacs
SHIFTED        := bin/shifted

.PHONY: test-shifted
test-shifted: wasm $(GOTALLY) ## the suites with a daemon, 2, 40 and 400 days ahead; nightly, because it takes an hour (SHIFTED_DAYS="40")
	@bash mk/shifted.sh "$(MAKE)" "$(SHIFTED)" "$(SHIFTED_DAYS)" $(SHIFTED_SUITES)
