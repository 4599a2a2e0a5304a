# Copyright The ctx-lsp authors. MIT licence.

# The VS Code extension. Its tests install the editors that they drive into $CTX_TEST_CACHE or ~/.cache/ctx-lsp-test.

VSCODE := extensions/vscode

TEST_TARGETS += test-vscode
LINT_TARGETS += lint-vscode

$(VSCODE)/node_modules/.package-lock.json: $(VSCODE)/package-lock.json
	@cd $(VSCODE) && npm ci --no-audit --no-fund --silent
	@touch $@

.PHONY: vscode
vscode: wasm $(VSCODE)/node_modules/.package-lock.json ## the universal VS Code extension, extensions/vscode/ctx-lsp-universal.vsix
	@cd $(VSCODE) && node package.mjs

.PHONY: vscode-platform
vscode-platform: wasm $(VSCODE)/node_modules/.package-lock.json ## the extension with the daemon of a platform: TARGET=linux-x64 DAEMON=path/of/ctx-lsp
	@cd $(VSCODE) && node package.mjs --target $(TARGET) --daemon $(abspath $(DAEMON))

.PHONY: test-vscode
test-vscode: wasm $(VSCODE)/node_modules/.package-lock.json ## the extension in the real workbench, on code-server and in VS Code for the Web (NAMES="focus api" for some)
	@cd $(VSCODE) && npm run --silent check-types && node test/run.mjs $(NAMES)

.PHONY: lint-vscode
lint-vscode: $(VSCODE)/node_modules/.package-lock.json ## strict types of the extension, its page and its tests
	@cd $(VSCODE) && npm run --silent check-types
