# Copyright The ctx-lsp authors. MIT licence.

# Real agents against a scripted provider, without a network. These targets are not part of the tests: they install
# large programs and need Linux.

.PHONY: tools-lab-host
tools-lab-host: extensions/vscode/node_modules/.package-lock.json
	@cd extensions/vscode && node test/install.mjs agentHost

.PHONY: lab-host
lab-host: bin tools-lab-host ## VS Code's Agent Host with three agents, offline: ctx-lsp finds, names, places and measures its sessions (Linux)
	@tools/lab/host/run.sh $(CURDIR)/$(BIN) $(LAB_KEEP)
