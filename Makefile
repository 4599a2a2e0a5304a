# Copyright The ctx-lsp authors. MIT licence.

# make help lists the targets. Each area adds its own in mk/AREA.mk:
#
#   TEST_TARGETS  += test-area     a target whose last line is "N passed, M failed"; it depends on its tools
#   TOOLS_TARGETS += tools-area    a target that installs what test-area needs, and nothing if that is there
#   BENCH_TARGETS += bench-area    a target that prints measurements
#   LINT_TARGETS  += lint-area     a target that fails on findings

SHELL := /bin/bash
.DEFAULT_GOAL := help

GO      ?= go
BIN     ?= bin/ctx-lsp
FLEET   := bin/ctx-lsp-fleet
EXE     := $(shell $(GO) env GOEXE)
GOTALLY := bin/gotally$(EXE)
TOOL    := GO=$(GO) $(CURDIR)/mk/tool.sh

TEST_TARGETS  := test-go test-conformance
TOOLS_TARGETS := tools-go
BENCH_TARGETS :=
LINT_TARGETS  :=

include $(sort $(wildcard mk/*.mk))

.PHONY: help
help: ## this list
	@awk 'BEGIN { FS = ":[^#]*## " } /^[a-zA-Z0-9_.-]+:[^#]*## / { printf "  \033[1m%-18s\033[0m %s\n", $$1, $$2 }' \
		$(MAKEFILE_LIST) | if [ -t 1 ]; then cat; else sed 's/\x1b\[[0-9;]*m//g'; fi

.PHONY: build
build: wasm bin ## everything that `go build ./cmd/ctx-lsp` and `node wasm/js/conformance.mjs` need, and bin/ctx-lsp

.PHONY: bin
bin: ## bin/ctx-lsp alone; it holds the WebAssembly module when that has been built
	@mkdir -p bin
	CGO_ENABLED=0 $(GO) build -trimpath -o $(BIN)$(EXE) ./cmd/ctx-lsp

.PHONY: install
install: wasm ## ctx-lsp into the Go bin directory
	@CGO_ENABLED=0 $(GO) install -trimpath ./cmd/ctx-lsp
	@bin=$$($(GO) env GOBIN); bin=$${bin:-$$($(GO) env GOPATH)/bin}; \
	echo "installed $$bin/ctx-lsp$(EXE): $$("$$bin/ctx-lsp$(EXE)" version)"; \
	case ":$$PATH:" in *":$$bin:"*) ;; *) $(if $(EXE),,echo "add $$bin to PATH, so that shells and editors find ctx-lsp") ;; esac

.PHONY: bin-fleet
bin-fleet: ## bin/ctx-lsp-fleet, which writes Parquet and sends OTLP for ctx-lsp
	@mkdir -p bin
	CGO_ENABLED=0 $(GO) build -C fleet -trimpath -o $(CURDIR)/$(FLEET)$(EXE) ./ctx-lsp-fleet

.PHONY: install-fleet
install-fleet: ## ctx-lsp-fleet into the Go bin directory
	CGO_ENABLED=0 $(GO) install -C fleet -trimpath ./ctx-lsp-fleet

.PHONY: run
run: ## builds bin/ctx-lsp and shows the newest session of this directory, else of this machine, else a sample
	@mkdir -p bin; set -o pipefail; \
	[ -e $(BIN)$(EXE) ] || [ ! -t 2 ] || printf 'Compiling, which takes about three minutes the first time ...\r' >&2; \
	CGO_ENABLED=0 $(GO) build -trimpath -o $(BIN)$(EXE) ./cmd/ctx-lsp 2>&1 | { grep -v '^go: downloading' >&2 || true; }
	@[ ! -t 2 ] || printf '\033[K' >&2
	@$(BIN)$(EXE) status 2>/dev/null || (cd / && "$(CURDIR)/$(BIN)$(EXE)" status 2>/dev/null) || \
		{ echo "There is no session of a coding agent on this machine; this is a sample."; \
		$(BIN)$(EXE) status --calls testdata/sessions/sample.jsonl; }

# These suites mostly wait for editors and browsers, so they run next to those that compute; the longest comes first.
WAITING := test-vscode test-browser test-neovim test-daemon test-site test-emacs

.PHONY: test
test: ## every test of every area; the last line is the total
	@TOOLS="$(TOOLS_TARGETS)" WAITING="$(WAITING)" bash mk/test.sh "$(MAKE)" $(TEST_TARGETS)

.PHONY: test-quick
test-quick: wasm $(GOTALLY) ## the Go tests with fewer random rounds, the vectors in Node, linters of changed files
	@set -o pipefail; { $(GO) test -short -json ./...; $(GO) test -C tools -short -json ./...; } | $(GOTALLY) test-quick
	@node wasm/js/conformance.mjs
	@$(MAKE) --no-print-directory lint-changed

.PHONY: test-go
test-go: wasm test-modules tools-go $(GOTALLY) ## the Go tests
	@export CTX_TEST_WASM=$(CURDIR)/$(TEST_WASM); \
	{ $(GO) test -json -timeout 30m $(GOTESTFLAGS) ./...; $(GO) test -C tools -json $(GOTESTFLAGS) ./...; \
		$(GO) test -C fleet -json $(GOTESTFLAGS) ./...; } | $(GOTALLY) test-go

.PHONY: tools-go
tools-go: tools-statusline
	@bash mk/shells.sh

$(GOTALLY): $(wildcard tools/gotally/*.go)
	@$(GO) build -C tools -o ../$@ ./gotally

# In the order in which suites start.
TOOLS_FIRST := tools-go $(WAITING:test-%=tools-%)
.PHONY: tools $(TOOLS_TARGETS:%=ready-%)
tools: $(patsubst %,ready-%,$(TOOLS_FIRST) $(filter-out $(TOOLS_FIRST),$(TOOLS_TARGETS))) ## what all tests need: programs of Debian, packages of npm, editors

# With READY, a file in that directory says that a target is done.
$(TOOLS_TARGETS:%=ready-%): ready-%: %
	@[ -z "$(READY)" ] || : > "$(READY)/$*"

.PHONY: lint
lint: $(LINT_TARGETS) ## every linter of every language

.PHONY: bench
bench: wasm ## every benchmark of every area
	@for target in $(BENCH_TARGETS); do echo "== $$target"; $(MAKE) --no-print-directory $$target || exit 1; done

.PHONY: bench-against
bench-against: ## CPU time of this commit next to that of BASE=commit: updates, start, replay, status line, many sessions …
	@[ -n "$(BASE)" ] || { echo "bench-against needs BASE=COMMIT"; exit 2; }
	@TINYGO="$(TINYGO)" $(TOOL) bench against $(BENCH_FLAGS) $(BASE)

.PHONY: clean
clean: ## removes what was built
	rm -rf bin wasm/js/ctx.wasm wasm/js/ctx.zst testdata/conformance/vectors.zip
