# Copyright The ctx-lsp authors. MIT licence.

# The plugins for agents, in real agents. These are 800 MB of npm packages, so this is no part of make test.

.PHONY: test-plugins
test-plugins: bin ## the plugins for Claude Code, Copilot CLI, Gemini CLI and OpenCode, in those agents (800 MB from npm)
	@bash testdata/plugins/run.sh $(BIN)$(EXE) $(CURDIR)/.cache/plugins
