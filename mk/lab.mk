# Copyright The ctx-lsp authors. MIT licence.

# Real agents against a scripted provider, without a network. lab and lab-host are not part of the tests: they install
# large programs and need Linux. test-lab checks the provider and what makes the lab fail.

TEST_TARGETS += test-lab
.PHONY: test-lab
test-lab: ## the lab's scripted provider, and each condition on which the lab fails
	@node --test --test-reporter=tap tools/lab/*.test.mjs tools/lab/*/*.test.mjs | awk '\
		/^ *not ok/ { print } /^# pass / { passed = $$3 } /^# fail / { failed = $$3 } \
		END { printf "%d passed, %d failed\n", passed, failed; exit failed > 0 || passed == 0 }'

.PHONY: tools-lab-host
tools-lab-host: extensions/vscode/node_modules/.package-lock.json
	@cd extensions/vscode && node test/install.mjs agentHost

.PHONY: lab-host
lab-host: bin tools-lab-host ## VS Code's Agent Host with three agents, offline: ctx-lsp finds, names, places and measures its sessions (Linux)
	@tools/lab/host/run.sh $(CURDIR)/$(BIN) $(LAB_KEEP)

.PHONY: lab tools-lab-agents
tools-lab-agents:
	@cd tools/tokenoracle && { [ -d node_modules ] || npm ci --silent; }

lab: bin wasm tools-lab-agents ## the newest agents of npm and pinned ones of PyPI, offline: what ctx-lsp shows against what they send, by turning point; AGENT=… for one, PHASES=… for some, INSTALLED=1 for the installed versions (Linux)
	@node tools/lab/lab.mjs $(BIN)$(EXE) $(if $(AGENT),--agent=$(AGENT)) $(if $(PHASES),--phases=$(PHASES)) $(if $(INSTALLED),--installed)

.PHONY: lab-record
lab-record: bin wasm tools-lab-agents ## what the newest agents write, as fixtures in testdata/agents, and their versions in docs/agents.md; AGENT=… for one
	@node tools/lab/lab.mjs $(BIN)$(EXE) --record $(if $(AGENT),--agent=$(AGENT)) $(if $(INSTALLED),--installed)
