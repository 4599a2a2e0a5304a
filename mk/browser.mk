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
.PHONY: test-browser
test-browser: build $(BROWSER)/node_modules ## the extension in real Chromium and Firefox; ONLY=… for tests with that in their names
	@bash $(BROWSER)/test/install.sh
	cd $(BROWSER) && npx tsc --noEmit && node build.mjs && node build.mjs --test && CTX_LSP=$(CURDIR)/bin/ctx-lsp node test/run.mjs $(if $(ONLY),"$(ONLY)")

.PHONY: browser-screenshots
browser-screenshots: wasm $(BROWSER)/node_modules ## the pictures that the extension's README shows, and no others
	@bash $(BROWSER)/test/install.sh
	cd $(BROWSER) && node build.mjs && node test/pictures.mjs
