# Copyright The ctx-lsp authors. MIT licence.

# The browser extension.

BROWSER := extensions/browser

.PHONY: browser
browser: wasm $(BROWSER)/node_modules ## extensions/browser/dist: the extension for Chromium and Firefox, with reproducible zips
	cd $(BROWSER) && node build.mjs

$(BROWSER)/node_modules: $(BROWSER)/package-lock.json
	cd $(BROWSER) && npm ci --ignore-scripts --no-audit --no-fund
	@touch $@

TEST_TARGETS += test-browser
TOOLS_TARGETS += tools-browser
.PHONY: test-browser
test-browser: build tools-browser ## the extension in real Chromium and Firefox; ONLY=… for tests with that in their names
	cd $(BROWSER) && npx tsc --noEmit && node build.mjs && node build.mjs --test && CTX_LSP=$(CURDIR)/$(BIN)$(EXE) node test/run.mjs $(if $(ONLY),"$(ONLY)")

BENCH_TARGETS += bench-browser
.PHONY: bench-browser
bench-browser: build tools-browser ## what a streamed token costs a page with 1,000 messages, in real Chromium
	cd $(BROWSER) && node build.mjs --test && node test/bench.mjs

.PHONY: tools-browser
tools-browser: $(BROWSER)/node_modules
	@bash $(BROWSER)/test/install.sh

.PHONY: browser-screenshots
browser-screenshots: wasm tools-browser ## the pictures that the extension's README shows, and no others
	cd $(BROWSER) && node build.mjs && node test/pictures.mjs
