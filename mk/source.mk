# Copyright The ctx-lsp authors. MIT licence.

# Sessions on disk, and the commands that show them.

BENCH_TARGETS += bench-statusline bench-top bench-replay bench-sessions bench-commands
STATUSLINE_TOOLS ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/ctx-lsp/statusline-tools

.PHONY: test-source bench-statusline bench-top bench-replay

test-source: tools-statusline $(GOTALLY) ## finding, following and showing sessions
	@$(GO) test -json ./internal/transcript/... ./internal/promptload/... ./internal/agents/... ./internal/sessions/... ./internal/follow/... ./internal/state/... ./internal/terminal/... ./internal/cli/... | $(GOTALLY) test-source

# These are status lines from npm. Ours is tested with ccstatusline, and measured beside both.
STATUSLINE_PACKAGES := ccstatusline@2.2.30 ccusage@20.0.24

.PHONY: tools-statusline
tools-statusline:
	@mkdir -p $(STATUSLINE_TOOLS)
	@[ -d $(STATUSLINE_TOOLS)/node_modules/ccstatusline ] && [ -d $(STATUSLINE_TOOLS)/node_modules/ccusage ] || \
		npm install --prefix $(STATUSLINE_TOOLS) --no-audit --no-fund --no-save --loglevel=error --fetch-retries=1 $(STATUSLINE_PACKAGES) || \
		echo "npm cannot give ccstatusline and ccusage; what is tried with them is left out"

test-go test-source: export STATUSLINE_TOOLS := $(STATUSLINE_TOOLS)

bench-statusline: bin tools-statusline ## ctx-lsp statusline next to the status lines of npm and PyPI, on a transcript of 19 MB
	@bash mk/python.sh $(PYTHON_TOOLS)/bench tools/bench/requirements.txt
	@$(TOOL) bench statusline -ctx-lsp $(BIN)$(EXE) -tools $(STATUSLINE_TOOLS) -python $(PYTHON_TOOLS)/bench

bench-top: bin ## what ctx-lsp top costs while 200 sessions grow, in processor time over a minute; needs tmux
	@if [ ! -r /proc/self/stat ] || ! command -v tmux > /dev/null; then echo "bench-top needs /proc and tmux; it is skipped"; exit 0; fi; \
	$(TOOL) bench top -ctx-lsp $(BIN)$(EXE) $(TOP_FLAGS)

bench-replay: bin ## how fast past sessions are replayed; needs CTX_TRANSCRIPTS
	@if [ -z "$(CTX_TRANSCRIPTS)" ]; then echo "CTX_TRANSCRIPTS is not set; bench-replay is skipped"; exit 0; fi; \
	bytes=$$(find $(CTX_TRANSCRIPTS) -type f \( -name '*.jsonl' -o -name '*.json' \) -printf '%s\n' | awk '{ n += $$1 } END { print n }'); \
	for run in 1 2 3 4 5; do begin=$$(date +%s%N); $(BIN)$(EXE) replay --json $(CTX_TRANSCRIPTS) > /dev/null; end=$$(date +%s%N); \
		echo "$$bytes $$((end - begin))"; done | sort -k2 -n | awk 'NR == 3 { printf "replay: %.0f MB/s, median of 5 (%.1f MB in %.2f s)\n", $$1 / $$2 * 1e3, $$1 / 1e6, $$2 / 1e9 }'

.PHONY: bench-sessions
bench-sessions: bin ## 100,000 sessions: how long finding takes, what top costs while idle, and a database of 2 GB (writes 2.2 GB)
	@$(TOOL) bench sessions -ctx-lsp $(BIN)$(EXE) $(SESSIONS_FLAGS)
	@CTX_BENCH_SESSIONS=1 go test ./internal/sessions -count=1 -run TestAHundredThousandSessions -v

# These report on sessions, too. The last one is a program for Linux.
COMMANDS_TOOLS ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/ctx-lsp/commands-tools
COMMANDS_PACKAGES := ccstatusline@2.2.30 ccusage@20.0.24 codeburn@0.9.15 @tokscale/cli-linux-x64-gnu@4.17.0

.PHONY: bench-commands tools-commands
tools-commands:
	@mkdir -p $(COMMANDS_TOOLS)
	@[ -d $(COMMANDS_TOOLS)/node_modules/ccusage ] || \
		npm install --prefix $(COMMANDS_TOOLS) --no-audit --no-fund --no-save --loglevel=error --fetch-retries=1 $(COMMANDS_PACKAGES) || \
		echo "npm cannot give $(COMMANDS_PACKAGES); they are left out"

bench-commands: bin tools-commands ## the commands that read sessions next to other tools of npm, on 500 sessions of 1 GB (writes 1 GB); needs tmux
	@if ! command -v tmux > /dev/null; then echo "bench-commands needs tmux; it is skipped"; exit 0; fi; \
	$(TOOL) bench commands -ctx-lsp $(BIN)$(EXE) -tools $(COMMANDS_TOOLS) $(COMMANDS_FLAGS)

.PHONY: pictures
pictures: bin ## docs/pictures anew: screens of a real terminal (tmux), and a page in Chromium
	@$(TOOL) pictures -ctx-lsp $(BIN)$(EXE) -out docs/pictures
