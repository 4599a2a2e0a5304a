.PHONY: vscode test-vscode

vscode: extensions/vscode/node_modules/.package-lock.json ## pack the universal VS Code extension
	cd extensions/vscode && node package.mjs

test-vscode: extensions/vscode/node_modules/.package-lock.json ## drive the VS Code extension in the real workbench, on the desktop host and on the web
	cd extensions/vscode && npm run --silent check-types && node test/run.mjs

extensions/vscode/node_modules/.package-lock.json: extensions/vscode/package-lock.json
	cd extensions/vscode && npm ci --no-audit --no-fund --silent
	@touch $@
