# Copyright The ctx-lsp authors. MIT licence.

# The daemon. Its clients are real ones, which testdata/daemon/clients/install.sh installs.

DAEMON_TOOLS := $(CURDIR)/.cache/daemon

TEST_TARGETS  += test-daemon
TOOLS_TARGETS += tools-daemon
BENCH_TARGETS += bench-daemon bench-begin

# The newer Neovims are those of the plugin's tests.
.PHONY: tools-daemon
tools-daemon: tools-neovim
	@bash testdata/daemon/clients/install.sh $(DAEMON_TOOLS)

.PHONY: test-daemon
test-daemon: build tools-daemon ## the daemon with Emacs, Vim, Helix, Neovim and VS Code's client; its tests in Go are part of test-go
	@bash testdata/daemon/clients/run.sh $(BIN)$(EXE) $(DAEMON_TOOLS)

.PHONY: bench-daemon
bench-daemon: build ## 10, 100 and 1,000 sessions at 2,000 updates a second; the start; a keystroke in 1 MB
	@$(TOOL) loadtest $(BENCH_FLAGS) $(BIN)$(EXE)

# BESIDE names further programs, such as one of another commit, which take turns with this one.
.PHONY: bench-begin
bench-begin: build ## what a daemon costs that begins with fifty sessions of 128 MB; needs CTX_TRANSCRIPTS
	@if [ -z "$(CTX_TRANSCRIPTS)" ]; then echo "CTX_TRANSCRIPTS is not set; bench-begin is skipped"; exit 0; fi; \
	$(TOOL) loadtest -begin=$(CTX_TRANSCRIPTS) $(BENCH_FLAGS) $(BIN)$(EXE) $(BESIDE)

SOAK ?= 1h
.PHONY: soak
soak: build ## every fault mixed for SOAK=1h: equal Readings, no goroutine left, memory and open files flat
	CTX_SOAK=$(SOAK) $(GO) test ./lsp -run TestSoak -count=1 -timeout 0 -v
